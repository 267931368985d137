// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/sketch"
)

// A sketchTally writes results as they come and counts them for the summary.
type sketchTally struct {
	given          int
	noEmptyRecords bool // as Mash, leave out records shorter than k
	texts          bool // records are documents or sets, whose names are keys
	list           []input
	warn           func(string)
	note           func(string)
	write          func(sketch.Item) error

	letters string // what k-mers are made of, in words
	items   int
	records uint64
	bases   uint64
	stats   sketch.Stats
	names   map[string]bool
	repeats int
	leftOut int
	failed  []failure
}

type failure struct {
	paths []string
	err   error
}

func (t *sketchTally) add(r ingest.Result) error {
	for _, w := range r.Warnings {
		t.warn(w)
	}
	for _, n := range r.Notes {
		t.note(n)
	}
	if r.Err != nil {
		t.failed = append(t.failed, failure{r.Sample.Paths, t.locate(r.Err)})
		left := "left out: "
		if t.texts {
			left = "left out from there on: "
		}
		t.warn(left + t.locate(r.Err).Error())
		return nil
	}
	t.records += r.Records
	t.bases += r.Bases
	t.stats = t.stats.Add(r.Stats)
	for _, it := range r.Items {
		if t.noEmptyRecords && it.Meta.PerRecord && it.Meta.Records == 0 {
			t.leftOut++
			continue
		}
		if err := t.write(it); err != nil {
			return err
		}
		t.items++
	}
	if !t.texts {
		t.countNames(r.Items)
	}
	return nil
}

// countNames notices records or samples of one name. A name is a label, not a
// key: all are kept.
func (t *sketchTally) countNames(items []sketch.Item) {
	if t.names == nil {
		t.names = map[string]bool{}
	}
	for _, it := range items {
		if it.Sketch.Params() != items[0].Sketch.Params() {
			continue // another sketch of the same input
		}
		if key := it.Meta.ID + "\x00" + it.Meta.Source; it.Meta.PerRecord && t.names[key] {
			t.repeats++
		} else {
			t.names[key] = true
		}
	}
}

// locate adds the place in a list where the failing input was named.
func (t *sketchTally) locate(err error) error {
	var ie *sketch.InputError
	if errors.As(err, &ie) {
		for _, in := range t.list {
			if in.path == ie.Path {
				return in.wrap(err)
			}
		}
	}
	return err
}

func (t *sketchTally) summary(output string) string {
	if t.repeats > 0 {
		t.warn(fmt.Sprintf("%d records have the name of an earlier one; all are kept, in order", t.repeats))
	}
	if t.leftOut > 0 {
		t.warn(fmt.Sprintf("%d records shorter than k have no sketch in %s, as with Mash", t.leftOut, output))
	}
	if t.texts {
		return t.textSummary(output)
	}
	s := fmt.Sprintf("%d sketches of %d of %d samples (%d records, %d letters) in %s", t.items, t.given-len(t.failed), t.given, t.records, t.bases, output)
	if t.stats.Skipped > 0 {
		s += fmt.Sprintf("; %d of %d k-mers dropped: not %s alone", t.stats.Skipped, t.stats.Elements, t.letters)
	}
	if len(t.failed) > 0 {
		s += fmt.Sprintf("; %d samples failed", len(t.failed))
	}
	return s
}

func (t *sketchTally) textSummary(output string) string {
	s := fmt.Sprintf("%d sketches of %d documents in %d inputs (%d characters or members) in %s", t.items, t.records, t.given, t.bases, output)
	if t.stats.Skipped > 0 {
		s += fmt.Sprintf("; %d of %d elements left out as boilerplate", t.stats.Skipped, t.stats.Elements)
	}
	if len(t.failed) > 0 {
		s += fmt.Sprintf("; %d inputs failed", len(t.failed))
	}
	return s
}

// finish lists the inputs that failed beside the output.
func (t *sketchTally) finish(o *sketchOptions) error {
	if len(t.failed) == 0 {
		return nil
	}
	where := "the list above"
	if o.output != "-" {
		where = o.output + ".failed.tsv"
		out, err := create(where, nil, true)
		if err != nil {
			return err
		}
		defer out.discard()
		fmt.Fprintln(out, "input\terror")
		for _, f := range t.failed {
			fmt.Fprintf(out, "%s\t%s\n", field(strings.Join(f.paths, ", ")), field(f.err.Error()))
		}
		if err := out.commit(); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: %d of %d (see %s)", errPartial, len(t.failed), t.given, where)
}

// checkReadable finds missing files and directories before the work begins, so
// that one wrong name in a list of thousands costs no hours.
func checkReadable(inputs []input, keepGoing bool) error {
	if keepGoing {
		return nil
	}
	for _, in := range inputs {
		if in.path == "-" {
			continue
		}
		st, err := os.Stat(in.path)
		if err != nil {
			return in.wrap(sketch.BadInput(in.path, reason(err)))
		}
		if st.IsDir() {
			return in.wrap(sketch.BadInput(in.path, errors.New("is a directory; --recursive takes the files in it")))
		}
	}
	return nil
}
