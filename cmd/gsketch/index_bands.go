// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gsketch/gsketch/index"
	"github.com/gsketch/gsketch/index/bands"
	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/sketch"
)

// bandOptions are the flags of an index of bands.
type bandOptions struct {
	bands     string
	threshold float64
	recall    float64
	unless    float64
}

func (o *bandOptions) addFlags(f *pflag.FlagSet, fresh bool) {
	if fresh {
		f.StringVar(&o.bands, "bands", "", "slot families: bands and rows of a band, as 25,5 (default: what --threshold and --recall need)")
		f.Float64Var(&o.threshold, "threshold", 0.8, "slot families: the similarity that searches are to find, above 0 to 1")
		f.Float64Var(&o.recall, "recall", 0.95, "slot families: the share of pairs at the threshold to be found, between 0 and 1")
	}
	f.Float64Var(&o.unless, "unless", 0, "slot families: leave out what is at least so similar to a sketch in the index, those just added included, and list it with what it is like (above 0 to 1)")
}

// isBands says whether a reference is an index of bands.
func isBands(ref string) bool { return isRedis(ref) || bands.IsIndex(ref) }

// openBands opens an index of bands for reading.
func openBands(ctx context.Context, ref string) (*bands.Index, error) {
	var b bands.Backend
	var err error
	if isRedis(ref) {
		b, err = openRedis(ctx, ref)
	} else {
		b, err = bands.Open(ref)
	}
	if err != nil {
		return nil, err
	}
	return bands.New(b)
}

// changeBands opens an index of bands for writing.
func changeBands(ctx context.Context, ref string, threads int) (*bands.Index, error) {
	if isRedis(ref) {
		return openBands(ctx, ref)
	}
	d, err := bands.Change(ref, threads)
	if err != nil {
		return nil, err
	}
	return bands.New(d)
}

// createBands makes an index of bands.
func createBands(ctx context.Context, ref string, c bands.Config, threads int) (*bands.Index, error) {
	var b bands.Backend
	var err error
	if isRedis(ref) {
		b, err = createRedis(ctx, ref, c)
	} else {
		b, err = bands.Create(ref, c, threads)
	}
	switch {
	case errors.Is(err, os.ErrExist):
		return nil, &outputError{ref, errors.New("is an index already; gsketch index add adds to it")}
	case errors.Is(err, index.ErrLocked):
		return nil, err
	case err != nil && !isRedis(ref):
		return nil, &outputError{ref, reason(err)}
	case err != nil:
		return nil, err
	}
	return bands.New(b)
}

// config cuts the slots of sketches.
func (o *bandOptions) config(p sketch.Params) (bands.Config, error) {
	c := bands.Config{Params: p}
	if o.bands != "" {
		b, r, ok := strings.Cut(o.bands, ",")
		var err error
		if c.Bands, err = strconv.Atoi(b); err == nil && ok {
			c.Rows, err = strconv.Atoi(r)
		}
		if err != nil || !ok {
			return c, usagef("--bands %s: bands and rows, as 25,5", o.bands)
		}
	} else {
		var err error
		if c.Bands, c.Rows, err = lsh.ForRecall(agreement(p, o.threshold), o.recall, p.Size); err != nil {
			return c, usagef("--threshold %v --recall %v: %v", o.threshold, o.recall, err)
		}
	}
	if err := c.Validate(); err != nil {
		return c, usagef("--bands %d,%d: %v", c.Bands, c.Rows, err)
	}
	return c, nil
}

// agreement is the probability that a slot of two signatures agrees, at a
// similarity: low bits agree by chance, too, and the signs of projections by the
// angle (Charikar 2002, doi:10.1145/509907.509965).
func agreement(p sketch.Params, similarity float64) float64 {
	switch p.Family {
	case sketch.BBit:
		return similarity + (1-similarity)*math.Ldexp(1, -p.Bits)
	case sketch.SimHash:
		return 1 - math.Acos(similarity)/math.Pi
	}
	return similarity
}

// slotItems lists the sketches that sources have with exactly these parameters;
// raw inputs are sketched so.
func (o *selectOptions) slotItems(ctx context.Context, sources []source, text *rawText, p sketch.Params, threads int, warn func(string)) ([]sketch.Item, error) {
	var items []sketch.Item
	for i := range sources {
		s := &sources[i]
		var some []sketch.Item
		var err error
		switch {
		case text.is(s.path, p):
			err = s.wrap(text.sketch(ctx, s.path, p, threads, warn, func(it sketch.Item) error {
				some = append(some, it)
				return nil
			}))
		case s.raw() && p.Elements.Molecule == sketch.Text:
			err = notRaw(s.path)
		default:
			some, err = o.items(ctx, sources[i:i+1], p, p, threads, warn)
		}
		if err != nil {
			return nil, err
		}
		items = append(items, some...)
	}
	return items, nil
}

// indexFamilies are those that an index may hold, the first ones preferred.
func indexFamilies(ref string) []string {
	slots := []string{sketch.KPerm, sketch.OPH, sketch.BBit, sketch.ICWS, sketch.SimHash}
	if isRedis(ref) {
		return slots
	}
	return append([]string{sketch.FracMinHash, sketch.BottomK}, slots...)
}

// postingsOnly refuses flags that fit an index of bands alone.
func (o *indexOptions) postingsOnly(f *pflag.FlagSet) error {
	for _, name := range []string{"bands", "threshold", "recall", "unless"} {
		if f.Changed(name) {
			return usagef("--%s is for sketches of slots (--family kperm, oph, bbit, icws, simhash), which these are not", name)
		}
	}
	return o.text.unused(f)
}

// buildBands makes an index of the slot sketches of files.
func (o *indexOptions) buildBands(ctx context.Context, cmd *cobra.Command, ref string, p sketch.Params, sources []source, memory uint64) error {
	if err := p.Validate(); err != nil { // of flags alone
		return usagef("gsketch sketch --family %s makes sketches to index; raw files can be added later", p.Family)
	}
	c, err := o.config(p)
	if err != nil {
		return err
	}
	x, err := createBands(ctx, ref, c, o.threads)
	if err != nil {
		return err
	}
	defer x.Close()
	o.note(cmd.ErrOrStderr(), "%d bands of %d rows: a pair of similarity %v is found with probability %.4f", c.Bands, c.Rows, o.threshold,
		lsh.Probability(agreement(p, o.threshold), c.Bands, c.Rows))
	return o.fillBands(ctx, cmd, ref, x, sources, memory)
}

// addBands adds files to an index of bands.
func (o *indexOptions) addBands(ctx context.Context, cmd *cobra.Command, ref string, inputs []input, memory uint64) error {
	x, err := changeBands(ctx, ref, o.threads)
	if err != nil {
		return err
	}
	defer x.Close()
	sources := make([]source, len(inputs))
	for i, in := range inputs {
		if o.text.is(in.path, x.Params()) {
			sources[i].input = in
			continue
		}
		one, err := outline(inputs[i:i+1], o.threads, warner(cmd.ErrOrStderr()))
		if err != nil {
			return err
		}
		sources[i] = one[0]
	}
	return o.fillBands(ctx, cmd, ref, x, sources, memory)
}

func compactBands(dir string, threads int) error {
	if isRedis(dir) {
		return usagef("an index in Redis has no parts to join")
	}
	d, err := bands.Change(dir, threads)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Compact()
}

// checkBands checks all of an index.
func checkBands(ctx context.Context, ref string) error {
	if !isRedis(ref) {
		return bands.Check(ref)
	}
	x, err := openBands(ctx, ref)
	if err != nil {
		return err
	}
	defer x.Close()
	return x.CheckBuckets()
}

// eachSlots yields the sketches with these parameters in the order of sources;
// raw files and documents are sketched so.
func (o *indexOptions) eachSlots(ctx context.Context, sources []source, p sketch.Params, warn func(string), yield func(sketch.Item) error) error {
	for len(sources) > 0 {
		if text := &sources[0]; o.text.is(text.path, p) {
			if err := o.text.sketch(ctx, text.path, p, o.threads, warn, yield); err != nil {
				return text.wrap(err)
			}
			sources = sources[1:]
			continue
		}
		n := 0
		for n < len(sources) && !o.text.is(sources[n].path, p) {
			if sources[n].raw() && p.Elements.Molecule == sketch.Text {
				return notRaw(sources[n].path)
			}
			n++
		}
		if err := o.each(ctx, sources[:n], p, warn, yield); err != nil {
			return err
		}
		sources = sources[n:]
	}
	return nil
}

func notRaw(path string) error {
	return usagef("%s: the index holds texts; say what the file is by --input text, jsonl, parquet or set", path)
}

// fillBands adds sketches to an index of bands, all of them or none.
func (o *indexOptions) fillBands(ctx context.Context, cmd *cobra.Command, ref string, x *bands.Index, sources []source, memory uint64) error {
	warn := warner(cmd.ErrOrStderr())
	each := func(yield func(sketch.Item) error) error {
		return o.eachSlots(ctx, sources, x.Params(), warn, yield)
	}
	if cmd.Flags().Changed("unless") {
		if err := o.fillUnless(cmd, ref, x, each); err != nil {
			return err
		}
		return x.Close()
	}
	n, empty, err := x.AddAll(each, memory/2)
	if err != nil {
		return err
	}
	o.bandNote(cmd, ref, x, n, empty, 0)
	return x.Close()
}

// fillUnless adds sketches one by one unless there is one that is like it.
func (o *indexOptions) fillUnless(cmd *cobra.Command, ref string, x *bands.Index, each func(func(sketch.Item) error) error) error {
	if !(o.unless > 0 && o.unless <= 1) {
		return usagef("--unless %v: above 0, to 1", o.unless)
	}
	out, err := create("-", cmd.OutOrStdout(), false)
	if err != nil {
		return err
	}
	if err := line(out, strings.Fields("query reference similarity")); err != nil {
		return err
	}
	n, empty, present := 0, 0, 0
	if err := each(func(it sketch.Item) error {
		hits, err := x.AddUnless(it, o.unless, confidence)
		switch {
		case errors.Is(err, lsh.ErrEmpty):
			empty++
		case err != nil:
			return err
		case len(hits) > 0:
			present++
			h := hits[0]
			return line(out, []string{field(it.Meta.Label()), field(h.Item.Meta.Label()), string(appendValue(nil, h.Similarity.Value))})
		default:
			n++
		}
		return nil
	}); err != nil {
		return err
	}
	o.bandNote(cmd, ref, x, n, empty, present)
	return out.commit()
}

func (o *indexOptions) bandNote(cmd *cobra.Command, ref string, x *bands.Index, n, empty, present int) {
	c := x.Config()
	var more strings.Builder
	if present > 0 {
		fmt.Fprintf(&more, "; %d are like one in it and were left out", present)
	}
	if empty > 0 {
		fmt.Fprintf(&more, "; %d of empty sets were left out", empty)
	}
	o.note(cmd.ErrOrStderr(), "%d sketches added to %s, in %d bands of %d rows%s", n, field(ref), c.Bands, c.Rows, more.String())
}

// removeBands removes sketches by name or source; all of the names must be there.
func removeBands(ctx context.Context, ref string, names []string, threads int) (int, error) {
	x, err := changeBands(ctx, ref, threads)
	if err != nil {
		return 0, err
	}
	defer x.Close()
	missing := slices.Clone(names)
	if err := x.EachItem(func(_ uint32, it sketch.Item) error {
		missing = slices.DeleteFunc(missing, func(name string) bool { return name == it.Meta.ID || name == it.Meta.Source })
		return nil
	}); err != nil {
		return 0, err
	}
	if len(missing) > 0 {
		return 0, missingNames(ref, missing)
	}
	n, err := x.Remove(func(m sketch.Meta) bool { return slices.Contains(names, m.ID) || slices.Contains(names, m.Source) })
	if err == nil {
		err = x.Close()
	}
	return n, err
}

// infoBands lists the sketches of an index of bands.
func infoBands(ctx context.Context, ref string, out io.Writer) (string, error) {
	x, err := openBands(ctx, ref)
	if err != nil {
		return "", err
	}
	defer x.Close()
	if err := line(out, []string{"name", "source", "length", "slots"}); err != nil {
		return "", err
	}
	n := 0
	if err := x.EachItem(func(_ uint32, it sketch.Item) error {
		n++
		return line(out, []string{field(it.Meta.ID), field(it.Meta.Source), known(it.Meta.Length), strconv.Itoa(it.Sketch.Len())})
	}); err != nil {
		return "", err
	}
	where := ""
	if d, ok := x.Backend.(*bands.Disk); ok {
		rows, docs := d.Bytes()
		where = fmt.Sprintf(" in %d segments, %d bytes of band rows, %d of documents", d.Segments(), rows, docs)
	}
	return fmt.Sprintf("%d sketches%s; %s", n, where, x.Config()), nil
}
