// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
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
	minANI    float64
	top       int
	refine    int
	best      bool
	flat      bool
	ci        bool
	text      rawText
	shardOptions
}

func newSearch(c *common) *cobra.Command {
	o := searchOptions{lookupOptions: lookupOptions{common: c}}
	cmd := &cobra.Command{
		Use:   "search [flags] -r COLLECTION QUERY...",
		Short: "Find the nearest or containing sketches in a collection",
		Long: `Find the sketches of a collection that are nearest to each query, or that
contain it, best first. Queries are raw or sketched; the collection, too, and it
is held in memory; or it is an index (gsketch index build) or several, which are
not loaded. They give what the sketches in them would give as one file: several
indexes what one of all would give. An index of slot sketches finds what
shares a band with the query, and compares that slot by slot.

A collection on several machines is searched shard by shard, each with the same
queries and --shard I/N; --merge-shards joins what they wrote into what one
search of all of it would have written.

--format sourmash is the CSV of sourmash search.`,
		Example: `  gsketch search -r sketches.parquet genomes/lambda.fa
  gsketch search -r sketches.parquet --measure containment --threshold 0.5 --top 3 genomes/lambda.fa`,
		RunE: func(cmd *cobra.Command, args []string) error { return runSearch(cmd.Context(), cmd, args, &o) },
	}
	o.lookupOptions.addFlags(cmd)
	f := cmd.Flags()
	o.text.addFlags(f)
	o.shardOptions.addFlags(f)
	f.StringVar(&o.format, "format", "tsv", "format of the output: tsv, sourmash")
	f.StringVar(&o.measure, "measure", "", "what to rank by: jaccard, containment (of the query), max-containment, angular (default: angular where both sides have abundances, else jaccard)")
	f.Float64Var(&o.threshold, "threshold", 0.08, "leave out what is less similar, 0..1; 0 keeps all that shares something")
	f.Float64Var(&o.minANI, "min-ani", 0, "leave out what has a lower ANI, 0..1; without --threshold there is no other limit then")
	f.IntVar(&o.refine, "refine", 0, "indexes: of each query, read so many sketches that share most and compare them as a whole (0: none; where angular similarity ranks: all)")
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
	if o.join {
		return o.mergeShards(cmd, args, warn)
	}
	if len(o.references) == 1 && isDatasketch(o.references[0]) {
		if o.shard != "" {
			return usagef("--shard: an index of datasketch in Redis is one already")
		}
		return o.searchDatasketch(ctx, cmd, o.references[0], args)
	}
	if len(o.references) == 1 && isBands(o.references[0]) {
		if o.pick.given() {
			return usagef("--picklist, --include and --exclude do not choose within an index: choose when it is built")
		}
		return o.searchBands(ctx, cmd, o.references[0], args)
	}
	if err := o.text.unused(cmd.Flags()); err != nil {
		return err
	}
	dirs, err := o.indexed()
	if err != nil {
		return err
	}
	refs, queries, out, err := o.open(cmd, args, dirs == nil, warn)
	if err != nil {
		return err
	}
	defer out.discard()
	s := &searching{o: o}
	if dirs != nil {
		err = s.open(ctx, dirs, queries, warn)
	} else {
		err = s.load(ctx, refs, queries, warn)
	}
	if err != nil {
		return err
	}
	defer s.close()
	warnOfFewHashes("queries", s.queries, warn)
	var head bytes.Buffer
	if err := s.head(&head); err != nil {
		return err
	}
	hits, err := o.hits(out, head.Bytes(), func() (job, of string, err error) {
		of, err = collectionDigest(s.refs, s.dirs)
		return o.job(s.queries, s.kind()), of, err
	})
	if err != nil {
		return err
	}
	for i, q := range s.queries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.rows(q, func(rank int, score float64, text []byte) error { return hits.write(i, rank, score, text) }); err != nil {
			return err
		}
	}
	if err := hits.end(); err != nil {
		return err
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
	if !(o.minANI >= 0 && o.minANI <= 1) {
		return usagef("--min-ani %v: 0 to 1", o.minANI)
	}
	if o.minANI > 0 && o.measure == "angular" {
		return usagef("--min-ani: no ANI follows from angular similarity")
	}
	if o.minANI > 0 && !o.flags.Changed("threshold") {
		o.threshold = 0
	}
	if o.top < 0 {
		return usagef("--top %d: at least 0", o.top)
	}
	if o.refine < 0 {
		return usagef("--refine %d: at least 0", o.refine)
	}
	if o.best {
		o.top = 1
	}
	return o.shardOptions.check(o.flags, "gsketch search", map[string]string{
		"refine": "which sketches share most is known of all shards together alone"})
}

// A searching is queries to be found in a collection.
type searching struct {
	o       *searchOptions
	refs    []sketch.Item
	paths   []string // of the file of each reference
	queries []sketch.Item

	indexes []*index.Index // instead of refs
	dirs    []string
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
	if s.refs, s.paths, err = o.ofReferences().originals(ctx, refs, cl, like, o.threads, warn); err != nil {
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
	index int // of its index
	hit   index.Hit
}

// candidates are the references that share something with a query.
func (s *searching) candidates(q sketch.Item) ([]match, error) {
	if s.indexes != nil {
		return s.found(q)
	}
	var found []match
	for i, r := range s.refs {
		if err := q.Sketch.Params().Comparable(r.Sketch.Params()); err != nil {
			return nil, err
		}
		if p := distance.Compare(q, r); p.Shared > 0 {
			found = append(found, match{meta: r.Meta, path: s.paths[i], set: r.Sketch, pair: p, place: len(found)})
		}
	}
	return found, nil
}

// matches are those of a query, best first; equals stay in the order of the
// collection.
func (s *searching) matches(q sketch.Item) ([]match, error) {
	if s.o.measure == "angular" && !q.Sketch.Params().Weighted {
		return nil, usagef("%s has no abundances, which angular similarity needs", q.Meta.Label())
	}
	found, err := s.candidates(q)
	if err != nil {
		return nil, err
	}
	for i := range found {
		found[i].score = s.score(q, found[i])
	}
	found = slices.DeleteFunc(found, func(m match) bool { return !s.keeps(q, m) })
	slices.SortFunc(found, better)
	if s.o.top > 0 {
		found = found[:min(s.o.top, len(found))]
	}
	return found, nil
}

// keeps says whether a match passes the limits.
func (s *searching) keeps(q sketch.Item, m match) bool {
	if !(m.score > 0 && m.score >= s.o.threshold) {
		return false
	}
	if s.o.minANI == 0 {
		return true
	}
	ani, _, _ := s.ani(q, m)
	return ani >= s.o.minANI
}

func better(a, b match) int { return cmp.Or(cmp.Compare(b.score, a.score), a.place-b.place) }

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

// rows yields the hits of a query, best first, as they are written.
func (s *searching) rows(q sketch.Item, yield func(rank int, score float64, text []byte) error) error {
	found, err := s.matches(q)
	if err != nil {
		return err
	}
	if s.o.format == "sourmash" {
		if err := s.read(found); err != nil { // for their md5 sums
			return err
		}
	}
	var text bytes.Buffer
	for rank, m := range found {
		text.Reset()
		if err := s.row(q, m, &text); err != nil {
			return err
		}
		if err := yield(rank, m.score, text.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func (s *searching) row(q sketch.Item, m match, w io.Writer) error {
	ani, low, high := s.ani(q, m)
	if s.o.format == "sourmash" {
		cells := []string{csvFloat(m.score), md5Of(m.set), m.path, m.meta.ID, q.Meta.Source, q.Meta.ID, shortMD5(q.Sketch), csvFloat(ani)}
		if s.o.ci {
			cells = append(cells, csvFloat(low), csvFloat(high))
		}
		return csvLine(w, cells)
	}
	cells := []string{field(q.Meta.Label()), field(m.meta.Label())}
	for _, v := range []float64{m.score, ani, low, high} {
		cells = append(cells, string(appendValue(nil, v)))
	}
	return line(w, append(cells, csvUint(m.pair.Shared), csvUint(m.pair.Of)))
}
