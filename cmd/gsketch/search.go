// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/index"
	"github.com/gsketch/gsketch/sketch"
)

type searchOptions struct {
	lookupOptions
	format    string
	measure   string
	threshold float64
	top       int
	best      bool
	flat      bool
	ci        bool
	text      rawText
}

func newSearch(c *common) *cobra.Command {
	o := searchOptions{lookupOptions: lookupOptions{common: c}}
	cmd := &cobra.Command{
		Use:   "search [flags] -r COLLECTION QUERY...",
		Short: "Find the nearest or containing sketches in a collection",
		Long: `Find the sketches of a collection that are nearest to each query, or that
contain it, best first. Queries are raw or sketched; the collection, too, or an
index (gsketch index build), which is not loaded. An index of slot sketches finds
what shares a band with the query, and compares that slot by slot.

--format sourmash is the CSV of sourmash search.`,
		Example: `  gsketch search -r sketches.parquet genomes/lambda.fa
  gsketch search -r sketches.parquet --measure containment --threshold 0.5 --top 3 genomes/lambda.fa`,
		RunE: func(cmd *cobra.Command, args []string) error { return runSearch(cmd.Context(), cmd, args, &o) },
	}
	o.lookupOptions.addFlags(cmd)
	f := cmd.Flags()
	o.text.addFlags(f)
	f.StringVar(&o.format, "format", "tsv", "format of the output: tsv, sourmash")
	f.StringVar(&o.measure, "measure", "", "what to rank by: jaccard, containment (of the query), max-containment, angular (default: angular where both sides have abundances, else jaccard)")
	f.Float64Var(&o.threshold, "threshold", 0.08, "leave out what is less similar, 0..1; 0 keeps all that shares something")
	f.IntVar(&o.top, "top", 0, "of each query, only so many best; 0 is all")
	f.BoolVar(&o.best, "best-only", false, "the same as --top 1")
	f.BoolVar(&o.flat, "ignore-abundance", false, "do not rank by angular similarity")
	f.BoolVar(&o.ci, "ci", false, "give the 95 % confidence interval of ANI (bottom-k, containment), of slots that of the similarity")
	return cmd
}

func runSearch(ctx context.Context, cmd *cobra.Command, args []string, o *searchOptions) error {
	warn := warner(cmd.ErrOrStderr())
	if err := o.check(); err != nil {
		return err
	}
	if len(o.references) == 1 && isBands(o.references[0]) {
		return o.searchBands(ctx, cmd, o.references[0], args)
	}
	if err := o.text.unused(cmd.Flags()); err != nil {
		return err
	}
	dir, indexed := o.indexed()
	refs, queries, out, err := o.open(cmd, args, !indexed, warn)
	if err != nil {
		return err
	}
	defer out.discard()
	s := &searching{o: o}
	if indexed {
		err = s.open(ctx, dir, queries, warn)
	} else {
		err = s.load(ctx, refs, queries, warn)
	}
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.head(out); err != nil {
		return err
	}
	for _, q := range s.queries {
		if err := s.rows(q, out); err != nil {
			return err
		}
	}
	return out.commit()
}

func (o *searchOptions) check() error {
	if o.format != "tsv" && o.format != "sourmash" {
		return usagef("--format %s: tsv or sourmash", o.format)
	}
	if !slices.Contains([]string{"", "jaccard", "containment", "max-containment", "angular"}, o.measure) {
		return usagef("--measure %s: jaccard, containment, max-containment or angular", o.measure)
	}
	if !(o.threshold >= 0 && o.threshold <= 1) {
		return usagef("--threshold %v: 0 to 1", o.threshold)
	}
	if o.top < 0 {
		return usagef("--top %d: at least 0", o.top)
	}
	if o.best {
		o.top = 1
	}
	return nil
}

// A searching is queries to be found in a collection.
type searching struct {
	o       *searchOptions
	refs    []sketch.Item
	paths   []string // of the file of each reference
	queries []sketch.Item

	index *index.Index // instead of refs
	dir   string
}

// indexed says whether the references are an index.
func (o *searchOptions) indexed() (dir string, ok bool) {
	if len(o.references) != 1 || len(o.referenceOptions.lists) > 0 {
		return "", false
	}
	return o.references[0], index.IsIndex(o.references[0])
}

// open opens an index and brings the queries to its kind.
func (s *searching) open(ctx context.Context, dir string, queries []source, warn func(string)) error {
	o := s.o
	if o.format == "sourmash" || o.measure == "angular" {
		return usagef("an index of postings has neither md5 sums nor abundances at hand: search the sketches it was built from")
	}
	var err error
	if s.index, err = index.Open(dir); err != nil {
		return err
	}
	s.dir = dir
	p := s.index.Params()
	s.queries, err = o.items(ctx, queries, class(p), p, o.threads, warn)
	return err
}

func (s *searching) close() {
	if s.index != nil {
		s.index.Close()
	}
}

func (s *searching) load(ctx context.Context, refs, queries []source, warn func(string)) error {
	o := s.o
	families := []string{sketch.FracMinHash, sketch.BottomK}
	if strings.Contains(o.measure, "containment") {
		families = families[:1]
	}
	all := append(append([]source{}, refs...), queries...)
	cl, err := o.choose(all, families)
	if err != nil {
		return err
	}
	like, err := o.like(all, cl)
	if err != nil {
		return err
	}
	if s.refs, s.paths, err = o.originals(ctx, refs, cl, like, o.threads, warn); err != nil {
		return err
	}
	s.queries, err = o.items(ctx, queries, cl, like, o.threads, warn)
	return err
}

// A match is a reference that was found.
type match struct {
	meta  sketch.Meta
	path  string // of its file
	set   sketch.Sketch
	score float64
	place int // in the collection
	pair  distance.Pair
}

// candidates are the references that share something with a query.
func (s *searching) candidates(q sketch.Item) ([]match, error) {
	var found []match
	if s.index != nil {
		hits, err := s.index.Search(q)
		for _, h := range hits {
			found = append(found, match{meta: h.Meta, path: s.dir, pair: h.Pair})
		}
		return found, err
	}
	for i, r := range s.refs {
		if err := q.Sketch.Params().Comparable(r.Sketch.Params()); err != nil {
			return nil, err
		}
		if p := distance.Compare(q, r); p.Shared > 0 {
			found = append(found, match{meta: r.Meta, path: s.paths[i], set: r.Sketch, pair: p})
		}
	}
	return found, nil
}

// matches are those of a query, best first; equals stay in the order of the
// collection.
func (s *searching) matches(q sketch.Item) ([]match, error) {
	found, err := s.candidates(q)
	if err != nil {
		return nil, err
	}
	for i := range found {
		found[i].score, found[i].place = s.score(q, found[i]), i
	}
	found = slices.DeleteFunc(found, func(m match) bool { return !(m.score > 0 && m.score >= s.o.threshold) })
	slices.SortFunc(found, func(a, b match) int { return cmp.Or(cmp.Compare(b.score, a.score), a.place-b.place) })
	if s.o.top > 0 {
		found = found[:min(s.o.top, len(found))]
	}
	return found, nil
}

// angular says whether a match is ranked by angular similarity.
func (s *searching) angular(q sketch.Item, m match) bool {
	weighted := m.set != nil && q.Sketch.Params().Weighted && m.set.Params().Weighted
	return s.o.measure == "angular" || s.o.measure == "" && weighted && !s.o.flat
}

func (s *searching) score(q sketch.Item, found match) float64 {
	p := found.pair
	switch m := s.o.measure; {
	case m == "containment":
		return p.PlainContainment()
	case m == "max-containment":
		return p.PlainMaxContainment()
	case s.angular(q, found):
		if found.set == nil || !q.Sketch.Params().Weighted || !found.set.Params().Weighted {
			return math.NaN()
		}
		return distance.Angular(q.Sketch.(sketch.Abundant), found.set.(sketch.Abundant))
	}
	return p.Jaccard()
}

// ani is the identity that goes with the measure; angular similarity has none.
func (s *searching) ani(q sketch.Item, found match) (ani, low, high float64) {
	p := found.pair
	low, high = math.NaN(), math.NaN()
	switch m := s.o.measure; {
	case p.Scaled == 0:
		ani = p.ANI()
		if s.o.ci {
			low, high = p.ANIRange(confidence)
		}
	case m == "containment":
		ani = p.ContainmentANI()
		if s.o.ci {
			low, high = p.ANIInterval(confidence)
		}
	case m == "max-containment":
		ani = p.MaxContainmentANI()
		if s.o.ci {
			low, high = p.MaxANIInterval(confidence)
		}
	case s.angular(q, found):
		ani = math.NaN()
	default:
		ani = p.JaccardANI()
	}
	return ani, low, high
}

func (s *searching) head(w io.Writer) error {
	if s.o.format == "sourmash" {
		columns := csvColumns("similarity,md5,filename,name,query_filename,query_name,query_md5,ani")
		if s.o.ci {
			columns = append(columns, "ani_low", "ani_high")
		}
		return csvLine(w, columns)
	}
	return line(w, strings.Fields("query reference similarity ani ani_low ani_high shared of"))
}

func (s *searching) rows(q sketch.Item, w io.Writer) error {
	found, err := s.matches(q)
	if err != nil {
		return err
	}
	for _, m := range found {
		ani, low, high := s.ani(q, m)
		if s.o.format == "sourmash" {
			cells := []string{csvFloat(m.score), md5Of(m.set), m.path, m.meta.ID, q.Meta.Source, q.Meta.ID, shortMD5(q.Sketch), csvFloat(ani)}
			if s.o.ci {
				cells = append(cells, csvFloat(low), csvFloat(high))
			}
			if err := csvLine(w, cells); err != nil {
				return err
			}
			continue
		}
		cells := []string{field(q.Meta.Label()), field(m.meta.Label())}
		for _, v := range []float64{m.score, ani, low, high} {
			cells = append(cells, string(appendValue(nil, v)))
		}
		if err := line(w, append(cells, csvUint(m.pair.Shared), csvUint(m.pair.Of))); err != nil {
			return err
		}
	}
	return nil
}
