// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/formats"
	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/sketch"
)

// csvSamples reads a CSV as sourmash sketch fromfile does: a sample a row, of
// that name and file. Genomes and proteins are in columns of their own; which
// one is read follows from what is to be made.
func (o *sketchOptions) csvSamples(plan ingest.Plan, warn func(string)) ([]input, []ingest.Sample, error) {
	column := "genome_filename"
	if !plan.Translate && slices.ContainsFunc(plan.Params, func(p sketch.Params) bool { return isAmino(p.Elements.Molecule) }) {
		column = "protein_filename"
	}
	var inputs []input
	var samples []ingest.Sample
	seen := map[string]int{}
	left := 0
	err := eachRow(o.fromCSV, []string{"name", column}, func(line int, row []string) error {
		name, path := row[0], row[1]
		from := fmt.Sprintf("%s, line %d", o.fromCSV, line)
		bad := func(format string, args ...any) error { return sketch.BadInput(from, fmt.Errorf(format, args...)) }
		switch {
		case name == "":
			return bad("no name")
		case seen[name] > 0:
			return bad("the name %q is in line %d, too", name, seen[name])
		case path == "" && !o.ignoreMissing:
			return bad("%q has no %s (--ignore-missing passes over such rows)", name, column)
		}
		seen[name] = line
		if path == "" {
			left++
			return nil
		}
		inputs = append(inputs, input{path: path, from: from})
		samples = append(samples, ingest.Sample{Paths: []string{path}, ID: name})
		return nil
	})
	if err == nil && left > 0 {
		warn(fmt.Sprintf("%s: %d rows have no %s and are passed over", o.fromCSV, left, column))
	}
	if err == nil && len(samples) == 0 {
		err = sketch.BadInput(o.fromCSV, fmt.Errorf("no row with a %s", column))
	}
	return inputs, samples, err
}

// csvJob is the job of --from-csv.
func (o *sketchOptions) csvJob(cmd *cobra.Command, args []string, target formats.Kind, warn func(string)) (*sketchJob, []input, error) {
	if err := o.checkCSV(args); err != nil {
		return nil, nil, err
	}
	if err := o.readSeed(cmd.Flags()); err != nil {
		return nil, nil, err
	}
	plan, opts, err := o.plan(cmd, target)
	if err != nil {
		return nil, nil, err
	}
	inputs, samples, err := o.csvSamples(plan, warn)
	if err != nil {
		return nil, nil, err
	}
	job := sequenceJob(cmd.Context(), plan, opts, samples)
	return job, inputs, job.validate()
}

// checkCSV refuses what --from-csv has no use for.
func (o *sketchOptions) checkCSV(args []string) error {
	if len(args)+len(o.lists) > 0 || o.merge != "" || o.name != "" || o.comment != "" || o.pairs || o.perRecord || o.nameFromFirst {
		return usagef("--from-csv names all samples: no FILE, -l, --merge, --name, --name-from-first, --comment, --pairs or --per-record beside it")
	}
	return nil
}
