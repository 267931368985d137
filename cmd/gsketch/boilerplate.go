// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gsketch/gsketch/formats"
	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

// leaveOutOptions say which elements are left out of all documents.
type leaveOutOptions struct {
	boilerplate  []string
	dropFrequent string
	saveLeftOut  string
}

func (o *leaveOutOptions) addFlags(f *pflag.FlagSet) {
	f.StringArrayVar(&o.boilerplate, "boilerplate", nil, "file with text whose elements are left out of all documents, or one of --save-boilerplate (repeatable)")
	f.StringVar(&o.dropFrequent, "drop-frequent", "", "leave out elements in more than so many documents (20), or this share of them (0.05); reads inputs twice")
	f.StringVar(&o.saveLeftOut, "save-boilerplate", "", "write the elements left out to this .parquet file, for later sketches that are to be comparable")
}

func (o *leaveOutOptions) asked() bool { return len(o.boilerplate) > 0 || o.dropFrequent != "" }

// checkLeaveOut refuses what cannot be left out of sketches made with params.
func (o *leaveOutOptions) checkLeaveOut(params []sketch.Params, paths []string) error {
	if !o.asked() {
		if o.saveLeftOut != "" {
			return usagef("--save-boilerplate has no effect without --boilerplate or --drop-frequent")
		}
		return nil
	}
	if o.dropFrequent != "" && slices.Contains(paths, "-") {
		return usagef("--drop-frequent reads the inputs twice, which standard input cannot be")
	}
	if kind, err := formats.KindOf(o.saveLeftOut); o.saveLeftOut != "" && (err != nil || kind != formats.Table || o.saveLeftOut == "-") {
		return usagef("--save-boilerplate %s: a .parquet file holds it", o.saveLeftOut)
	}
	first := ingest.Base(params[0].Hash)
	for _, p := range params {
		if ingest.Base(p.Hash) != first {
			return usagef("what is left out is told by hash, and the families asked for hash by %s and %s", first, ingest.Base(p.Hash))
		}
	}
	return nil
}

// leaveOut finds the elements to leave out and puts them into the plan.
func (o *sketchOptions) leaveOut(cmd *cobra.Command, job *sketchJob, texts ingest.Texts, opts ingest.Options, paths []string) (*shingle.Boilerplate, error) {
	if !o.asked() {
		return nil, nil
	}
	p := job.plan.Params[0]
	list := sketch.Params{Family: sketch.FracMinHash, Elements: p.Elements, Hash: ingest.Base(p.Hash), Scaled: 1}
	hashes, err := o.listed(cmd, list, job.plan.Counting.Memory)
	if err != nil {
		return nil, err
	}
	if o.dropFrequent != "" {
		counted, err := ingest.CountElements(cmd.Context(), p.Elements, p.Hash, texts, opts, paths, job.plan.Counting.Memory)
		if err != nil {
			return nil, err
		}
		most, err := frequent(o.dropFrequent, counted.Documents())
		if err != nil {
			return nil, err
		}
		more, err := counted.Frequent(most)
		if err != nil {
			return nil, err
		}
		o.note(cmd.ErrOrStderr(), "%d elements are in more than %d of %d documents and left out", len(more), most, counted.Documents())
		hashes = append(hashes, more...)
	}
	if o.saveLeftOut != "" {
		set, err := fracminhash.New(list, slices.Compact(slices.Sorted(slices.Values(hashes))), nil)
		if err != nil {
			return nil, err
		}
		if err := writeSketches(o.saveLeftOut, []sketch.Item{{Meta: sketch.Meta{ID: "boilerplate"}, Sketch: set}}, nil, o.force); err != nil {
			return nil, err
		}
	}
	left := shingle.NewBoilerplate(hashes)
	for i := range job.plan.Params {
		e := &job.plan.Params[i].Elements
		r, err := shingle.Parse(e.Recipe)
		if err != nil {
			return nil, err
		}
		r.Without = left.Digest()
		*e = r.Elements()
	}
	return left, nil
}

// listed are the hashes of the elements in the files of --boilerplate: lists
// that were saved, or text.
func (o *sketchOptions) listed(cmd *cobra.Command, list sketch.Params, memory int64) (hashes []uint64, err error) {
	var texts []string
	for _, path := range o.boilerplate {
		if kind, err := formats.Sniff(path); err != nil || kind != formats.Table {
			texts = append(texts, path)
			continue
		}
		saved, err := formats.OpenKind(path, formats.Table, formats.OpenOptions{Threads: o.threads})
		if err != nil {
			return nil, err
		}
		for _, c := range saved {
			if err := list.Comparable(c.Params()); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			if c.Params().Scaled != 1 {
				return nil, usagef("%s: sketches with scaled=%d are no list of all elements; --save-boilerplate writes one", path, c.Params().Scaled)
			}
			for i := range c.Len() {
				hashes = append(hashes, c.At(i).(sketch.HashSet).Hashes()...)
			}
		}
	}
	if len(texts) == 0 {
		return hashes, nil
	}
	files := ingest.Texts{Corpus: corpus.Options{Kind: corpus.Text}}
	known, err := ingest.CountElements(cmd.Context(), list.Elements, list.Hash, files, ingest.Options{Threads: o.threads}, texts, memory)
	if err != nil {
		return nil, err
	}
	more, err := known.Frequent(0)
	return append(hashes, more...), err
}

// frequent reads a number of documents, or a share of all of them.
func frequent(s string, documents uint64) (uint64, error) {
	if n, err := strconv.ParseUint(s, 10, 64); err == nil && n > 0 {
		return n, nil
	}
	share, err := strconv.ParseFloat(s, 64)
	if err != nil || !(share > 0 && share < 1) || !strings.Contains(s, ".") {
		return 0, usagef("--drop-frequent %s: a number of documents from 1 on, or a share between 0 and 1 as 0.05", s)
	}
	return uint64(share * float64(documents)), nil
}
