// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

var jsonl = Texts{Corpus: corpus.Options{Kind: corpus.JSONL, ID: "id", Text: "text"}}

// textPlan asks for a sketch of each family.
func textPlan(recipe string) Plan {
	e := sketch.Elements{Molecule: sketch.Text, Recipe: recipe}
	h := sketch.Hash{Algorithm: shingle.XXH3, Bits: 64}
	slots := h
	slots.Seed, slots.Permutation = 1, sketch.Affine32
	return Plan{Params: []sketch.Params{
		{Family: sketch.FracMinHash, Elements: e, Hash: h, Scaled: 1},
		{Family: sketch.KPerm, Elements: e, Hash: slots, Size: 16},
		{Family: sketch.BottomK, Elements: e, Hash: h, Size: 50, Weighted: true},
		{Family: sketch.OPH, Elements: e, Hash: h, Size: 8, Densify: sketch.Optimal},
		{Family: sketch.SimHash, Elements: e, Hash: h, Size: 64},
		{Family: sketch.ICWS, Elements: e, Hash: h, Size: 8, Weighted: true},
	}}
}

func runTexts(plan Plan, x Texts, o Options, paths ...string) (items []sketch.Item, all []Result, err error) {
	err = RunTexts(context.Background(), plan, x, o, paths, func(r Result) error {
		items = append(items, r.Items...)
		all = append(all, r)
		return nil
	})
	return items, all, err
}

// randomTexts writes documents of 0 to 60 words.
func randomTexts(n int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, seed))
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "{\"id\":\"%d-%d\",\"text\":\"", seed, i)
		for range r.IntN(60) {
			fmt.Fprintf(&b, "word%d ", r.IntN(500))
		}
		b.WriteString("\"}\n")
	}
	return b.String()
}

// The sketches do not depend on the number of threads, nor on one another.
func TestTextsThreads(t *testing.T) {
	a, b := write(t, "a.jsonl", randomTexts(9000, 1)), write(t, "b.jsonl", randomTexts(50, 2))
	plan := textPlan("words=3/norm=1")
	want, _, err := runTexts(plan, jsonl, Options{Threads: 1}, a, b)
	if err != nil || len(want) != 9050*len(plan.Params) {
		t.Fatalf("%d sketches, %v", len(want), err)
	}
	got, _, err := runTexts(plan, jsonl, Options{Threads: 7}, a, b)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%d sketches of 7 threads differ from %d of one, %v", len(got), len(want), err)
	}
	for i, p := range plan.Params {
		one, _, err := runTexts(Plan{Params: []sketch.Params{p}}, jsonl, Options{Threads: 2}, b)
		if err != nil {
			t.Fatal(err)
		}
		for j := range one {
			if !reflect.DeepEqual(one[j], want[(9000+j)*len(plan.Params)+i]) {
				t.Fatalf("%s of document %d is another without the others", p.Family, j)
			}
		}
	}
}

// The sketch of a document is that of its elements.
func TestTextsElements(t *testing.T) {
	path := write(t, "in", "{\"id\":\"x\",\"text\":\"A b c d, a B\"}\n")
	items, all, err := runTexts(textPlan("words=2/norm=1"), jsonl, Options{Threads: 1}, path)
	if err != nil {
		t.Fatal(err)
	}
	h, err := shingle.NewHasher(sketch.Hash{Algorithm: shingle.XXH3, Bits: 64})
	if err != nil {
		t.Fatal(err)
	}
	var want []uint64
	for _, s := range []string{"a b", "b c", "c d", "d a"} {
		want = append(want, h.Sum([]byte(s)))
	}
	slices.Sort(want)
	if got := items[0].Sketch.(sketch.HashSet).Hashes(); !slices.Equal(got, want) {
		t.Errorf("hashes %x, want %x", got, want)
	}
	at, _ := slices.BinarySearch(want, h.Sum([]byte("a b")))
	if got := items[2].Sketch.(sketch.Abundant).Abundances(); len(got) != 4 || got[at] != 2 {
		t.Errorf("abundances %v, want 2 at place %d", got, at)
	}
	m := sketch.Meta{ID: "x", Source: path, Length: 12, Records: 1, Count: 5, PerRecord: true}
	for i, it := range items {
		if it.Meta != m {
			t.Errorf("sketch %d: %+v, want %+v", i, it.Meta, m)
		}
	}
	b, err := minhash.NewBuilder(items[1].Sketch.Params())
	if err != nil {
		t.Fatal(err)
	}
	if err := b.AddHashes(want); err != nil {
		t.Fatal(err)
	}
	if s, err := b.Finish(); err != nil || !reflect.DeepEqual(s, items[1].Sketch) {
		t.Errorf("another k-permutation sketch of the same hashes, %v", err)
	}
	if len(all) != 1 || all[0].Records != 1 || all[0].Bases != 12 || all[0].Stats.Elements != 5 {
		t.Errorf("%+v", all)
	}
}

func TestTextsNames(t *testing.T) {
	a := write(t, "a", "{\"id\":\"a\",\"text\":\"1\"}\n\n{\"id\":\"b\",\"text\":\"2\"}\n{\"id\":\"a\",\"text\":\"3\"}\n")
	b := write(t, "b", "{\"id\":\"c\",\"text\":\"4\"}\n{\"id\":\"b\",\"text\":\"5\"}\n{\"id\":\"a#2\",\"text\":\"6\"}\n{\"id\":\"a\",\"text\":\"7\"}\n{\"id\":\"a#2\",\"text\":\"8\"}\n")
	c0 := write(t, "c", "\n{\"id\":\"b\",\"text\":\"4\"}\n")
	plan := Plan{Params: textPlan("words=1/norm=1").Params[:1]}
	for _, c := range []struct {
		paths []string
		want  string
	}{
		{[]string{a}, a + ": record 4 (a), byte 45: line 4 has the name of line 1 again"},
		{[]string{c0, a}, a + ": record 3 (b), byte 23: line 3 has the name of line 2 of " + c0 + " again"},
	} {
		for _, threads := range []int{1, 5} {
			_, _, err := runTexts(plan, jsonl, Options{Threads: threads}, c.paths...)
			var in *sketch.InputError
			if !errors.As(err, &in) || err.Error() != c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
		}
	}
	numbering := jsonl
	numbering.NumberRepeated = true
	items, _, err := runTexts(plan, numbering, Options{Threads: 2}, a, b)
	var names []string
	for _, it := range items {
		names = append(names, it.Meta.ID)
	}
	if got, want := strings.Join(names, " "), "a b a#2 c b#2 a#2#2 a#3 a#2#3"; err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}

// An input that fails is left where it does; the others are read.
func TestTextsKeepGoing(t *testing.T) {
	bad := write(t, "bad", randomTexts(9000, 1)+"{\"id\":\"x\",\n"+randomTexts(9000, 2))
	good := write(t, "good", randomTexts(10, 3))
	plan := Plan{Params: textPlan("words=3/norm=1").Params[:1]}
	for _, threads := range []int{1, 4} {
		if _, _, err := runTexts(plan, jsonl, Options{Threads: threads}, bad, good); err == nil || !strings.Contains(err.Error(), "record 9001") {
			t.Errorf("%v", err)
		}
		items, all, err := runTexts(plan, jsonl, Options{Threads: threads, KeepGoing: true}, bad, "/no/such/file", good)
		failed := ""
		for _, r := range all {
			if r.Err != nil {
				failed += r.Sample.label() + ";"
			}
		}
		if err != nil || len(items) != 9010 || failed != bad+";/no/such/file;" {
			t.Errorf("%d sketches, failed %q, %v", len(items), failed, err)
		}
	}
	full := errors.New("disk full")
	err := RunTexts(context.Background(), plan, jsonl, Options{Threads: 3, KeepGoing: true}, []string{good}, func(Result) error { return full })
	if !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := RunTexts(ctx, plan, jsonl, Options{Threads: 3}, []string{good}, func(Result) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestTextsWarnings(t *testing.T) {
	path := write(t, "in", "{\"id\":\"a\",\"text\":\"\"}\n{\"id\":\"b\",\"text\":\"?!\"}\n{\"id\":\"c\",\"text\":\"words\"}\n{\"id\":\"d\",\"text\":\"今天天气很好我们一起去公园散步然后回家吃饭\"}\n")
	for _, c := range []struct{ recipe, want string }{
		{"words=5/norm=1", "2 of 4 documents (a, b) have no elements; 1 of 4 documents (d) are of a script without spaces"},
		{"words=5/norm=1/unspaced=3", "2 of 4 documents (a, b) have no elements"},
		{"chars=3/norm=1", "1 of 4 documents (a) have no elements"},
	} {
		items, all, err := runTexts(Plan{Params: textPlan(c.recipe).Params[:2]}, jsonl, Options{Threads: 2}, path)
		if err != nil || len(items) != 8 {
			t.Fatalf("%d sketches, %v", len(items), err)
		}
		var got []string
		for _, r := range all {
			for _, w := range r.Warnings {
				head, _, _ := strings.Cut(w, ";")
				head, _, _ = strings.Cut(head, ", so that")
				got = append(got, head)
			}
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s: %q, want %q", c.recipe, s, c.want)
		}
	}
}

func TestTextsUnits(t *testing.T) {
	path := write(t, "in", "{\"id\":\"a\",\"text\":\"# One\\nx y\\n# Two\\nz\"}\n{\"id\":\"b\",\"text\":\"\"}\n")
	x := jsonl
	x.Units = shingle.Units{Of: shingle.Sections}
	items, _, err := runTexts(Plan{Params: textPlan("words=1/norm=1").Params[:2]}, x, Options{Threads: 2}, path)
	var got []string
	for _, it := range items {
		got = append(got, fmt.Sprintf("%s %s %d", it.Meta.ID, it.Meta.Comment, it.Meta.Count))
	}
	want := []string{"a[1] bytes 0-10: One 3", "a[1] bytes 0-10: One 3", "a[2] bytes 10-17: Two 2", "a[2] bytes 10-17: Two 2"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

func TestSets(t *testing.T) {
	path := write(t, "in", "u,a,1\nu,b,3\nv,b,2\nv,c,0\nw,d,0\n")
	e := sketch.Elements{Molecule: sketch.Text, Recipe: shingle.Set}
	h := sketch.Hash{Algorithm: shingle.XXH3, Bits: 64}
	x := Texts{Corpus: corpus.Options{Kind: corpus.Sets, Sets: corpus.SetOptions{Layout: corpus.Rows, Columns: []string{"1", "2"}}}}
	plain := Plan{Params: []sketch.Params{{Family: sketch.FracMinHash, Elements: e, Hash: h, Scaled: 1}}}
	items, _, err := runTexts(plain, x, Options{Threads: 2}, path)
	if err != nil || len(items) != 3 || items[0].Sketch.Len() != 2 || items[2].Meta.ID != "w" || items[2].Sketch.Len() != 1 {
		t.Fatalf("%+v, %v", items, err)
	}

	// weighted: J(u, v) = min(3, 2) / (1 + 3)
	x.Corpus.Sets.Columns = []string{"1", "2", "3"}
	if _, _, err := runTexts(plain, x, Options{}, path); err == nil || !strings.Contains(err.Error(), "take no weights") {
		t.Errorf("%v", err)
	}
	weighted := Plan{Params: []sketch.Params{{Family: sketch.ICWS, Elements: e, Hash: h, Size: 4000, Weighted: true}}}
	_, _, err = runTexts(weighted, x, Options{}, path)
	if !errors.Is(err, minhash.ErrNoWeight) || !strings.Contains(err.Error(), "record 5 (w)") {
		t.Errorf("%v", err)
	}
	items, all, err := runTexts(weighted, x, Options{KeepGoing: true}, path)
	if err != nil || len(items) != 2 || len(all) != 2 || all[1].Err == nil {
		t.Fatalf("%d sketches, %v", len(items), err)
	}
	s, err := items[0].Sketch.(sketch.Estimable).Similarity(items[1].Sketch.(sketch.Signature), 0.99)
	if err != nil || s.Low > 0.5 || s.High < 0.5 {
		t.Errorf("%+v, %v: the weighted Jaccard index is 0.5", s, err)
	}
}

func TestCountElements(t *testing.T) {
	path := write(t, "in", "{\"id\":\"a\",\"text\":\"all rights reserved x\"}\n{\"id\":\"b\",\"text\":\"All rights reserved. y y y y\"}\n{\"id\":\"c\",\"text\":\"other\"}\n")
	p := textPlan("words=2/norm=1").Params[0]
	f, err := CountElements(context.Background(), p.Elements, p.Hash, jsonl, Options{Threads: 3}, []string{path}, 1<<20)
	if err != nil || f.Documents() != 3 {
		t.Fatal(err)
	}
	frequent, err := f.Frequent(1)
	if err != nil || len(frequent) != 2 {
		t.Fatalf("%d elements in more than one document, %v", len(frequent), err)
	}
	common := shingle.NewBoilerplate(frequent)
	r, err := shingle.Parse(p.Elements.Recipe)
	if err != nil {
		t.Fatal(err)
	}
	r.Without = common.Digest()
	p.Elements = r.Elements()
	x := jsonl
	x.Boilerplate = common
	items, all, err := runTexts(Plan{Params: []sketch.Params{p}}, x, Options{Threads: 2}, path)
	if err != nil || len(items) != 3 || items[0].Sketch.Len() != 1 || items[0].Meta.Count != 1 || all[0].Stats.Skipped != 4 {
		t.Errorf("%+v, %+v, %v", items, all, err)
	}
	if _, _, err := runTexts(Plan{Params: []sketch.Params{p}}, jsonl, Options{}, path); err == nil {
		t.Error("a recipe without its boilerplate was followed")
	}
}

func TestTextsRefuses(t *testing.T) {
	good := textPlan("words=3/norm=1").Params[0]
	with := func(change func(*sketch.Params)) Plan {
		p := good
		change(&p)
		return Plan{Params: []sketch.Params{p}}
	}
	sets := Texts{Corpus: corpus.Options{Kind: corpus.Sets, Sets: corpus.SetOptions{Layout: corpus.MembersOnly}}}
	section := sets
	section.Units.Of = shingle.Sections
	for _, c := range []struct {
		plan  Plan
		texts Texts
		want  string
	}{
		{Plan{}, jsonl, "no sketch"},
		{with(func(p *sketch.Params) { p.Elements = sketch.DNAElements(21); p.Hash = sketch.Murmur3(64, 42) }), jsonl, "not those of text"},
		{with(func(p *sketch.Params) { p.Elements.Recipe = "words=3" }), jsonl, "recipe"},
		{with(func(p *sketch.Params) { p.Hash.Algorithm = "md5" }), jsonl, "md5"},
		{with(func(p *sketch.Params) { p.Elements.Recipe = shingle.Set }), jsonl, "do not fit"},
		{with(func(p *sketch.Params) {}), sets, "do not fit"},
		{with(func(p *sketch.Params) { p.Elements.Recipe = shingle.Set }), section, "no sections"},
		{Plan{Params: []sketch.Params{good, good}}, jsonl, "twice"},
	} {
		if _, _, err := runTexts(c.plan, c.texts, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
