// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/formats"
	"github.com/gsketch/gsketch/sketch"
)

type infoOptions struct {
	*common
	inputOptions
	partOptions
	output string
	format string
	json   bool
	hashes bool
	kmers  []string
	slots  bool
	verify bool
}

func newInfo(c *common) *cobra.Command {
	o := infoOptions{common: c}
	cmd := &cobra.Command{
		Use:   "info [flags] FILE...",
		Short: "Tell what is in sketch files",
		Long: `Tell what is in sketch files: a line for each sketch. With --hashes, a line for
each hash, with its abundance where there are some; with --slots, for each value of
a signature (two a slot of icws, the bits of simhash). --verify reads everything,
checks all digests and says so.

With --kmers FILE, a line for each place in a sequence file that has a k-mer of a
sketch: its hash, its letters as they were hashed, the record, the position of its
first base (from 1) and the strand ("-": the record holds the reverse complement).

--format mash, mash-table and mash-header are mash info, info -t and info -H;
mash-counts is info -c; mash-dump is info -d, but valid JSON. sourmash is the CSV of
sourmash sig describe; manifest is the manifest of sourmash sig collect, which may
be given to any command instead of the files that it lists.`,
		Example: `  gsketch info sketches.parquet
  gsketch info --verify sketches.parquet`,
		RunE: func(cmd *cobra.Command, args []string) error { return runInfo(cmd, args, &o) },
	}
	f := cmd.Flags()
	o.inputOptions.addFlags(f)
	o.partOptions.addFlags(f)
	f.StringVarP(&o.output, "output", "o", "-", `output file; "-" is standard output`)
	f.StringVar(&o.format, "format", "tsv", "format of the output: tsv, json, mash, mash-table, mash-header, mash-counts, mash-dump, sourmash, manifest")
	f.BoolVar(&o.json, "json", false, "the same as --format json")
	f.BoolVar(&o.hashes, "hashes", false, "list all hashes, with abundances")
	f.BoolVar(&o.slots, "slots", false, "list all slots of kperm, oph, bbit, icws and simhash sketches")
	f.StringArrayVar(&o.kmers, "kmers", nil, "sequence file in which to find the k-mers of the hashes (repeatable); with --format sourmash the CSV of sourmash sig kmers")
	f.BoolVar(&o.verify, "verify", false, "read everything, recompute all digests, and say that they hold")
	return cmd
}

func runInfo(cmd *cobra.Command, args []string, o *infoOptions) error {
	warn := warner(cmd.ErrOrStderr())
	if o.json {
		o.format = "json"
	}
	print, ok := infoFormats[o.format]
	if o.format == "manifest" {
		print, ok = func(files []source, w io.Writer) error { return infoManifest(files, filepath.Dir(o.output), w) }, true
	}
	if !ok {
		return usagef("--format %s: one of tsv, json, mash, mash-table, mash-header, mash-counts, mash-dump, sourmash, manifest", o.format)
	}
	if o.hashes || o.slots {
		if o.format != "tsv" || o.hashes && o.slots {
			return usagef("--hashes, --slots and --format exclude one another")
		}
		if print = infoHashes; o.slots {
			print = infoSlots
		}
	}
	if len(o.kmers) > 0 {
		if o.format != "tsv" && o.format != "sourmash" || o.hashes || o.slots || o.verify {
			return usagef("--kmers goes with --format tsv or sourmash, and with none of --hashes, --slots and --verify")
		}
		print = infoKmers(o.kmers, o.format == "sourmash", o.threads, warn)
	}
	inputs, err := o.expand(args, warn)
	if err != nil {
		return err
	}
	files, err := o.load(inputs, o.threads, warn)
	if err != nil {
		return err
	}
	out, err := create(o.output, cmd.OutOrStdout(), o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	if o.verify {
		for _, f := range files {
			n := 0
			for _, c := range f.collections {
				n += c.Len()
			}
			fmt.Fprintf(out, "%s\tverified\t%d sketches\n", field(f.path), n)
		}
		return out.commit()
	}
	if err := print(files, out); err != nil {
		return err
	}
	return out.commit()
}

// each calls yield for every sketch of the files.
func each(files []source, yield func(file string, m sketch.Meta, s sketch.Sketch) error) error {
	for _, f := range files {
		for _, it := range formats.InFileOrder(f.collections) {
			if err := yield(f.path, it.Meta, it.Sketch); err != nil {
				return err
			}
		}
	}
	return nil
}

var infoFormats = map[string]func([]source, io.Writer) error{
	"tsv": infoTSV, "json": infoJSON,
	"mash": infoMash, "mash-table": infoMashTable, "mash-header": infoMashHeader, "mash-counts": infoMashCounts, "mash-dump": infoMashDump, "sourmash": infoSourmash,
}

func infoTSV(files []source, w io.Writer) error {
	if err := line(w, strings.Fields("file row name source comment length records elements hashes params")); err != nil {
		return err
	}
	return each(files, func(file string, m sketch.Meta, s sketch.Sketch) error {
		return line(w, []string{field(file), strconv.FormatInt(m.Row, 10), field(m.ID), field(m.Source), field(m.Comment), known(m.Length), known(m.Records), known(m.Count), strconv.Itoa(s.Len()), s.Params().String()})
	})
}

// known prints a number of which 0 says that it is not known.
func known(n uint64) string {
	if n == 0 {
		return "NA"
	}
	return strconv.FormatUint(n, 10)
}

func infoJSON(files []source, w io.Writer) error {
	type entry struct {
		File            string  `json:"file"`
		Row             int64   `json:"row"`
		Name            string  `json:"name"`
		Source          string  `json:"source"`
		Comment         string  `json:"comment"`
		Length          *uint64 `json:"length"`
		LengthEstimated bool    `json:"length_estimated"`
		PerRecord       bool    `json:"per_record"`
		Records         *uint64 `json:"records"`
		Elements        *uint64 `json:"elements"`
		Hashes          int     `json:"hashes"`
		Params          string  `json:"params"`
	}
	orNull := func(n uint64) *uint64 {
		if n == 0 {
			return nil
		}
		return &n
	}
	entries := []entry{}
	if err := each(files, func(file string, m sketch.Meta, s sketch.Sketch) error {
		entries = append(entries, entry{file, m.Row, m.ID, m.Source, m.Comment, orNull(m.Length), m.LengthEstimated, m.PerRecord, orNull(m.Records), orNull(m.Count), s.Len(), s.Params().String()})
		return nil
	}); err != nil {
		return err
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(entries)
}

func infoHashes(files []source, w io.Writer) error {
	if err := line(w, strings.Fields("file row name params hash abundance")); err != nil {
		return err
	}
	return each(files, func(file string, m sketch.Meta, s sketch.Sketch) error {
		set, ok := s.(sketch.Abundant)
		if !ok {
			return usagef("%s: sketches of family %s have no hashes; --slots lists theirs", file, s.Params().Family)
		}
		counts := set.Abundances()
		head := strings.Join([]string{field(file), strconv.FormatInt(m.Row, 10), field(m.Label()), s.Params().String()}, "\t")
		for i, h := range set.Hashes() {
			n := "NA"
			if counts != nil {
				n = strconv.FormatUint(counts[i], 10)
			}
			if _, err := fmt.Fprintf(w, "%s\t%d\t%s\n", head, h, n); err != nil {
				return err
			}
		}
		return nil
	})
}

// infoSlots lists the values of signatures: the number of the slot, counted from
// 0, and the value; of icws the element and t are two lines of one slot.
func infoSlots(files []source, w io.Writer) error {
	if err := line(w, strings.Fields("file row name params slot value")); err != nil {
		return err
	}
	return each(files, func(file string, m sketch.Meta, s sketch.Sketch) error {
		sig, ok := s.(sketch.Signature)
		if !ok {
			return usagef("%s: sketches of family %s have no slots; --hashes lists theirs", file, s.Params().Family)
		}
		head := strings.Join([]string{field(file), strconv.FormatInt(m.Row, 10), field(m.Label()), s.Params().String()}, "\t")
		for i, v := range sig.AppendSlots(nil) {
			if _, err := fmt.Fprintf(w, "%s\t%d\t%d\n", head, i/sig.Stride(), v); err != nil {
				return err
			}
		}
		return nil
	})
}
