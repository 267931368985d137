// SPDX-License-Identifier: Apache-2.0

package taxonomy

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/sketch"
)

const (
	nodesText = "1|1|no rank|\n2|1|superkingdom|\n3|2|genus|\n4|3|species|\n5|3|species|\n6|2|species|\n"
	namesText = "1|root||scientific name|\n2|B||scientific name|\n3|G||scientific name|\n4|x||scientific name|\n5|y||scientific name|\n6|z||scientific name|\n"
)

func testTree(t *testing.T) *Tree {
	t.Helper()
	tree, err := ReadTree(strings.NewReader(nodesText), strings.NewReader(namesText), "nodes.dmp", "names.dmp")
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestCommon compares with the definition: the deepest taxon above both.
func TestCommon(t *testing.T) {
	tree := testTree(t)
	above := func(id TaxID) (ids []TaxID) {
		for ; id > 0; id = tree.up(id) {
			ids = append(ids, id)
		}
		return ids
	}
	for a := TaxID(1); a <= 6; a++ {
		for b := TaxID(1); b <= 6; b++ {
			want := TaxID(0)
			for _, x := range above(a) {
				for _, y := range above(b) {
					if want == 0 && x == y {
						want = x
					}
				}
			}
			if got := tree.Common(a, b); got != want {
				t.Errorf("%d and %d: got %d, want %d", a, b, got, want)
			}
		}
		if got := tree.Common(a, 0); got != a {
			t.Errorf("%d and none: got %d", a, got)
		}
	}
}

func TestReport(t *testing.T) {
	r := testTree(t).Report([]HashGroup{{0, 2, 5}, {4, 3, 10}, {5, 1, 10}, {3, 4, 4}, {6, 0, 7}})
	var got []string
	for _, c := range r.Taxa {
		got = append(got, strings.Repeat(" ", c.Depth)+c.Name)
	}
	if want := "root| B|  G|   x|   y"; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if r.Seen != 10 || r.Taxa[0].Clade != 8 || r.Taxa[1].CladeInDB != 31 || r.Taxa[2].Taxon != 4 {
		t.Errorf("%+v", r)
	}
}

// gatherText is two matches of two species and one that no taxonomy knows.
const gatherText = "query_name,query_md5,query_filename,query_bp,ksize,scaled,f_unique_to_query,f_unique_weighted,unique_intersect_bp,name,query_n_hashes,total_weighted_hashes\n" +
	"q,m,f,1000,21,10,0.5,0.25,500,one.1 first,100,200\n" +
	"q,m,f,1000,21,10,0.25,0.5,250,two,100,200\n" +
	"q,m,f,1000,21,10,0.125,0.125,125,three,100,200\n"

const lineageText = "ident,superkingdom,phylum,class,order,family,genus,species\none,A,B,,D,E,F,g h\ntwo,A,B,NA,D,E,F,i\n"

func summary(t *testing.T) *Summary {
	t.Helper()
	table, err := ReadLineages(strings.NewReader(lineageText), "l.csv", LineageOptions{})
	if err != nil {
		t.Fatal(err)
	}
	queries, err := ReadGather(strings.NewReader(gatherText), "g.csv", table)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Summarize(queries[0], table.Ranks)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSummarize: at every rank the shares are those of the rows, and with what
// nobody explains they are all of the query.
func TestSummarize(t *testing.T) {
	s := summary(t)
	for rank, name := range s.Ranks {
		shares := s.ByRank[rank]
		if name == "class" || name == "strain" {
			if shares != nil {
				t.Errorf("%s: %v; no row knows it", name, shares)
			}
			continue
		}
		var fraction, weighted float64
		var bases uint64
		for _, x := range shares {
			fraction, weighted, bases = fraction+x.Fraction, weighted+x.Weighted, bases+x.Bases
		}
		if fraction != 1 || weighted != 1 || bases != 1000 {
			t.Errorf("%s: %v %v %v in all", name, fraction, weighted, bases)
		}
	}
	genus := s.ByRank[s.Ranks.Index("genus")]
	if len(genus) != 2 || genus[0].Fraction != 0.75 || genus[0].Lineage.String() != "A;B;;D;E;F" || genus[1].Lineage != nil {
		t.Errorf("genus: %+v", genus)
	}
	if want := math.Pow(0.75, 1.0/21); math.Abs(genus[0].ANI-want) > 1e-15 {
		t.Errorf("ANI %v, want %v", genus[0].ANI, want)
	}
	idents, rows := Missing([]*Query{s.Query}, Identifiers{})
	if rows != 1 || len(idents) != 1 || idents[0] != "three" {
		t.Errorf("missing: %v %v", idents, rows)
	}
}

func TestClassify(t *testing.T) {
	s := summary(t)
	for _, c := range []struct {
		o            ClassifyOptions
		rank, status string
	}{
		{ClassifyOptions{Rank: -1, Containment: 0.1}, "species", "match"},
		{ClassifyOptions{Rank: -1, Containment: 0.6}, "genus", "match"},
		{ClassifyOptions{Rank: -1, Containment: 0.9}, "superkingdom", "below_threshold"},
		{ClassifyOptions{Rank: 6, Containment: 0.6}, "species", "below_threshold"},
		{ClassifyOptions{Rank: -1, ANI: 0.98}, "genus", "match"}, // 0.5^(1/21) = 0.9675, 0.75^(1/21) = 0.9864
	} {
		got, err := Classify(s.Query, s.Ranks, c.o)
		if err != nil || s.Ranks[got.Rank] != c.rank || string(got.Status) != c.status {
			t.Errorf("%+v: %+v, %v; want %s, %s", c.o, got, err, c.rank, c.status)
		}
	}
	if _, err := Classify(s.Query, s.Ranks, ClassifyOptions{Rank: 2}); err == nil {
		t.Error("a class where no row knows one")
	}
}

// Hostile inputs give errors that name the file, and no panic.
func fuzzReader(f *testing.F, seeds []string, read func(data []byte) error) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var input *sketch.InputError
		if err := read(data); err != nil && !errors.As(err, &input) {
			t.Errorf("%T: %v", err, err)
		}
	})
}

func FuzzReadLineages(f *testing.F) {
	seeds := []string{lineageText, "ident,lin\na,0;1;2\nb,0;1;3\n", "name,lineage\na b,A;B;C\n", "ident,superkingdom,phylum,class,order,family,genus,species,taxpath\na,A,B,C,D,E,F,G,1|2|3\n"}
	fuzzReader(f, seeds, func(data []byte) error {
		var last error
		for _, kind := range []Kind{OfRanks, OfViruses, OfPositions} {
			t, err := ReadLineages(bytes.NewReader(data), "l.csv", LineageOptions{Kind: kind})
			if last = err; err == nil {
				var b bytes.Buffer
				if err := errors.Join(WriteTable(&b, t), WriteLineageCounts(&b, t)); err != nil {
					return err
				}
			}
		}
		return last
	})
}

func FuzzReadGather(f *testing.F) {
	table, err := ReadLineages(strings.NewReader(lineageText), "l.csv", LineageOptions{})
	if err != nil {
		f.Fatal(err)
	}
	fuzzReader(f, []string{gatherText}, func(data []byte) error {
		queries, err := ReadGather(bytes.NewReader(data), "g.csv", table)
		for _, q := range queries {
			if s, err := Summarize(q, table.Ranks); err == nil {
				var b bytes.Buffer
				_ = WriteKreport(&b, s, WriteOptions{Weighted: true})
				_ = WriteSummary(&b, []*Summary{s}, WriteOptions{})
			}
			_, _ = Classify(q, table.Ranks, ClassifyOptions{Rank: -1})
		}
		return err
	})
}

func FuzzReadTree(f *testing.F) {
	fuzzReader(f, []string{nodesText, "1|1|no rank|\n2|3|a|\n3|2|b|\n", "2\t|\t1\t|\tx\t|\n"}, func(data []byte) error {
		tree, err := ReadTree(bytes.NewReader(data), strings.NewReader(namesText), "nodes.dmp", "names.dmp")
		if err == nil {
			for id := range tree.nodes {
				tree.Lineage(id)
				tree.Common(id, 2)
			}
		}
		return err
	})
}

func FuzzReadTaxIDs(f *testing.F) {
	fuzzReader(f, []string{"1 a b\n2\tc\n", "accession\taccession.version\ttaxid\tgi\na\ta.1\t7\t0\n"}, func(data []byte) error {
		_, err := ReadTaxIDs(bytes.NewReader(data), "map.txt")
		return err
	})
}

func FuzzReadGroups(f *testing.F) {
	fuzzReader(f, []string{"name,lin\na,0;1\n"}, func(data []byte) error {
		_, err := ReadGroups(bytes.NewReader(data), "groups.csv")
		return err
	})
}
