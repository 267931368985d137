// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/formats"
	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/sketch"
)

type sketchOptions struct {
	*common
	inputOptions
	paramOptions
	textOptions
	output        string
	merge         string
	name          string
	comment       string
	pairs         bool
	perRecord     bool
	nameFromFirst bool
	reads         bool
	genomeSize    string
	coverage      float64
	fromCSV       string
	ignoreMissing bool
	minCopies     uint64
	filter        string
	memory        string
	rna           bool
	anyLetters    bool
	keepGoing     bool
	rowBase       int64
}

func newSketch(c *common) *cobra.Command {
	o := sketchOptions{common: c}
	cmd := &cobra.Command{
		Use:   "sketch [flags] FILE...",
		Short: "Make sketches of FASTA or FASTQ files, documents or sets",
		Long: `Make sketches of FASTA or FASTQ files, recognised and decompressed by content.

With nothing else said, each file gives a bottom-k sketch (s = 1000) and a
FracMinHash sketch (scaled = 1000) of its canonical 21-mers, made in one pass,
in sketches.parquet. A bottom-k sketch equals that of Mash, a FracMinHash sketch
that of sourmash. The suffix of the output chooses the format: .parquet, .msh
(Mash, bottom-k alone), .sig, .sig.gz and .zip (sourmash), .lean (datasketch) and
.milvus.json (Milvus) for slots.

Proteins are --molecule protein (or dayhoff, hp: sourmash's reduced alphabets),
and --translate reads DNA in its six frames for them. Skip-mers are --molecule
skipm1n3 or skipm2n3, k counting the bases kept. What Mash makes by -a, -z and -Z
is --molecule alphabet, --alphabet TEXT and --preserve-case.

Documents come as JSON lines (a document a line), Parquet (a row), plain files,
and sets as a line a set or a line a member, by --input. Each gives a sketch of
128 slots (kperm) of its runs of 5 words. Names are keys: one that comes again is
an error. Which elements fit depends on length and on what copies differ by:

  --shingle chars=5   short texts: titles, posts; a changed letter changes 5
  --shingle chars=9   long texts in which letters change: scans, typing errors
  --shingle words=3   sentences, in which words are replaced
  --shingle words=5   documents whose text is cut, moved and joined
  --shingle tokens=1  sets of words, whatever their order
  --norm 1/unspaced=3 scripts without spaces among words: 3 characters in a row

Options of --norm: nfc nfd nfkc nfkd, fold (case folding) or case (kept),
space=one|keep|none, punct=space|drop, digits=zero|drop, html,
code=drop|only, stem=LANGUAGE, unspaced=N, scripts.`,
		Example: `  gsketch sketch genomes/*.fa
  gsketch sketch -k 31 -s 10000 -o genomes.msh genomes/*.fa
  gsketch sketch --molecule protein -o proteins.zip proteins.faa
  gsketch sketch --translate --molecule protein -o frames.zip genomes/*.fa
  gsketch sketch --shingle chars=5 -o posts.parquet posts.jsonl
  gsketch sketch --input set --sets rows --columns user,item -o users.parquet bought.csv`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runSketch(cmd, args, &o)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "sketches.parquet", `output file; "-" is standard output (Parquet)`)
	o.inputOptions.addFlags(f)
	f.Lookup("recursive").Usage += "; with --input of another kind than dna, all"
	o.paramOptions.addFlags(f)
	o.textOptions.addFlags(f)
	f.StringVar(&o.merge, "merge", "", "one sketch of all files together, under this name")
	f.StringVar(&o.name, "name", "", "name of the sketch of a single file")
	f.StringVar(&o.comment, "comment", "", "comment of the sketch of a single sample, instead of the header of its first record")
	f.BoolVar(&o.pairs, "pairs", false, "one sketch of each two files: ..._R1... with ..._R2..., or ..._1... with ..._2...")
	f.BoolVar(&o.perRecord, "per-record", false, "a sketch of each record")
	f.BoolVar(&o.nameFromFirst, "name-from-first", false, "name each sketch after the first record of its file")
	f.BoolVar(&o.reads, "reads", false, "files are sequencing reads: estimate the genome size, and keep counts of bottom-k hashes")
	f.StringVar(&o.genomeSize, "genome-size", "", "with --reads: the genome size in bases, where it is known, as 5140000, 5.14m or 5.14E+06")
	f.StringVar(&o.fromCSV, "from-csv", "", "a sample a row of this CSV: columns name and genome_filename, of amino acids protein_filename")
	f.BoolVar(&o.ignoreMissing, "ignore-missing", false, "with --from-csv: pass over rows without a file")
	f.Float64Var(&o.coverage, "coverage", 0, "with --reads: stop reading a sample once the mean copies of the hashes of its bottom-k sketch reach this; several files take turns")
	f.Uint64Var(&o.minCopies, "min-copies", 1, "keep hashes that occur at least so often in a sample, counted exactly")
	f.StringVar(&o.filter, "approx-filter", "", "find copies by a Bloom filter of this size, as 500M, instead of counting: bounded memory, a few single copies slip in")
	f.StringVar(&o.memory, "memory", "4G", "memory for counting, as 800M or 4G; above it counts spill to disk")
	f.BoolVar(&o.rna, "rna", false, "read U as T")
	f.BoolVar(&o.anyLetters, "any-letters", false, "take files that do not look like what --molecule says")
	f.BoolVar(&o.keepGoing, "keep-going", false, "go on after a file that fails; exit 6 and list it in OUTPUT.failed.tsv")
	f.Int64Var(&o.rowBase, "row-base", 0, "number of the first sketch, where the output is one of several tables that are used together (Parquet)")
	return cmd
}

func runSketch(cmd *cobra.Command, args []string, o *sketchOptions) error {
	warn := warner(cmd.ErrOrStderr())
	target, err := formats.KindOf(o.output)
	if err != nil {
		return usagef("%v", err)
	}
	if o.rowBase < 0 || o.rowBase > 0 && target != formats.Table {
		return usagef("--row-base %d: not negative, and of Parquet tables alone", o.rowBase)
	}
	job, inputs, err := o.job(cmd, args, target, warn)
	if err != nil {
		return err
	}
	if err := checkReadable(inputs, o.keepGoing); err != nil {
		return err
	}
	out, err := create(o.output, cmd.OutOrStdout(), o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	w, err := formats.NewWriter(out, target, formats.WriteOptions{CreatedBy: "gsketch " + version, Empty: job.plan.Params[0], Layout: usualLayout, RowBase: o.rowBase})
	if err != nil {
		return err
	}
	bar := o.progress(cmd.ErrOrStderr(), inputs)
	tally := sketchTally{given: job.given, warn: warn, note: func(s string) { o.note(cmd.ErrOrStderr(), "%s", s) }, write: w.Write, list: inputs, noEmptyRecords: target == formats.Msh, texts: job.texts, letters: ingest.LettersOf(job.plan.Params[0].Elements)}
	err = job.run(bar.add, func(r ingest.Result) error {
		if !job.texts {
			bar.done()
		}
		return tally.add(r)
	})
	bar.stop()
	if err != nil {
		return tally.locate(err)
	}
	if tally.items == 0 && len(tally.failed) > 0 {
		return fmt.Errorf("all %d inputs failed; nothing is written; the first: %w", len(tally.failed), tally.failed[0].err)
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	o.note(cmd.ErrOrStderr(), "%s", tally.summary(o.output))
	return tally.finish(o)
}

// A sketchJob is what is to be sketched and how.
type sketchJob struct {
	plan  ingest.Plan
	given int  // samples, or inputs with documents
	texts bool // inputs are documents or sets
	run   func(progress func(bytes int), emit func(ingest.Result) error) error
}

func (j *sketchJob) validate() error {
	if err := j.plan.Validate(); err != nil {
		return usagef("%v", err)
	}
	return nil
}

// job turns flags and arguments into a job and its inputs.
func (o *sketchOptions) job(cmd *cobra.Command, args []string, target formats.Kind, warn func(string)) (*sketchJob, []input, error) {
	if o.fromCSV != "" {
		return o.csvJob(cmd, args, target, warn)
	}
	if o.input != "" && o.input != sketch.DNA {
		o.anyFile = true
	}
	inputs, err := o.expand(args, warn)
	if err != nil {
		return nil, nil, err
	}
	kind, err := o.kind(cmd.Flags(), inputs[0].path)
	if err != nil {
		return nil, nil, err
	}
	if err := o.readSeed(cmd.Flags()); err != nil {
		return nil, nil, err
	}
	if kind != sketch.DNA {
		job, err := o.textJob(cmd, inputs, kind, target)
		return job, inputs, err
	}
	plan, opts, err := o.plan(cmd, target)
	if err != nil {
		return nil, nil, err
	}
	samples, err := o.samples(inputs)
	if err != nil {
		return nil, nil, err
	}
	job := sequenceJob(cmd.Context(), plan, opts, samples)
	return job, inputs, job.validate()
}

// sequenceJob is to sketch samples of sequences.
func sequenceJob(ctx context.Context, plan ingest.Plan, opts ingest.Options, samples []ingest.Sample) *sketchJob {
	job := &sketchJob{plan: plan, given: len(samples)}
	job.run = func(progress func(int), emit func(ingest.Result) error) error {
		opts.Progress = progress
		return ingest.Run(ctx, plan, opts, samples, emit)
	}
	return job
}

// plan turns flags into what package ingest takes.
func (o *sketchOptions) plan(cmd *cobra.Command, target formats.Kind) (ingest.Plan, ingest.Options, error) {
	bad := func(err error) (ingest.Plan, ingest.Options, error) { return ingest.Plan{}, ingest.Options{}, err }
	opts := ingest.Options{Threads: o.threads, PerRecord: o.perRecord, Reads: o.reads, SourmashNames: target.Sourmash(),
		NameFromFirst: o.nameFromFirst, AnyLetters: o.anyLetters, KeepGoing: o.keepGoing}
	if o.genomeSize != "" {
		g, err := parseSize(o.genomeSize, basesUnit)
		if err != nil {
			return bad(usagef("--genome-size %s: %v", o.genomeSize, err))
		}
		if !o.reads {
			return bad(usagef("--genome-size has no effect without --reads"))
		}
		opts.GenomeSize = g
	}
	if cmd.Flags().Changed("coverage") && (!o.reads || !(o.coverage > 0)) {
		return bad(usagef("--coverage %v: more than 0, and with --reads", o.coverage))
	}
	params, err := o.params(cmd.Flags(), target, o.reads)
	if err != nil {
		return bad(err)
	}
	plan := ingest.Plan{Params: params, RNA: o.rna, Translate: o.translate, Coverage: o.coverage}
	if plan.Counting, err = o.counting(len(params)); err != nil {
		return bad(err)
	}
	return plan, opts, nil
}

// counting says how each of so many builders counts copies.
func (o *sketchOptions) counting(builders int) (sketch.Counting, error) {
	memory, err := parseSize(o.memory, bytesUnit)
	if err != nil {
		return sketch.Counting{}, usagef("--memory %s: %v", o.memory, err)
	}
	c := sketch.Counting{MinCopies: o.minCopies, Memory: max(1, int64(memory)/int64(o.threads*builders))}
	if o.filter != "" {
		n, err := parseSize(o.filter, bytesUnit)
		if err != nil {
			return c, usagef("--approx-filter %s: %v", o.filter, err)
		}
		c.FilterBytes = int64(n)
		c.MinCopies = max(2, o.minCopies)
	}
	return c, nil
}

// samples groups the inputs.
func (o *sketchOptions) samples(inputs []input) ([]ingest.Sample, error) {
	samples, err := o.groups(inputs)
	if err != nil || o.comment == "" {
		return samples, err
	}
	if len(samples) != 1 || o.perRecord {
		return nil, usagef("--comment is for one sketch; --merge NAME makes one of all files")
	}
	samples[0].Comment = o.comment
	return samples, nil
}

// groups puts together the files of each sample.
func (o *sketchOptions) groups(inputs []input) ([]ingest.Sample, error) {
	given := 0
	for _, b := range []bool{o.merge != "", o.name != "", o.pairs, o.perRecord} {
		if b {
			given++
		}
	}
	if given > 1 {
		return nil, usagef("--merge, --name, --pairs and --per-record exclude each other")
	}
	if o.perRecord && o.reads {
		return nil, usagef("--per-record and --reads exclude each other: a read is no genome")
	}
	paths := make([]string, len(inputs))
	for i, in := range inputs {
		paths[i] = in.path
	}
	switch {
	case o.merge != "":
		return []ingest.Sample{{Paths: paths, ID: o.merge}}, nil
	case o.name != "" && len(paths) > 1:
		return nil, usagef("--name is for a single file; --merge %q makes one sketch of %d files", o.name, len(paths))
	case o.pairs:
		return pair(paths)
	}
	samples := make([]ingest.Sample, len(paths))
	for i, p := range paths {
		samples[i] = ingest.Sample{Paths: []string{p}, ID: o.name}
	}
	return samples, nil
}

// mate finds the number of a mate in a file name: _R1, _2, .1, ... before a dot,
// an underscore or the end.
var mate = regexp.MustCompile(`[._]R?([12])(?:[._]|$)`)

// pair puts together files whose names differ in the number of the mate alone.
func pair(paths []string) ([]ingest.Sample, error) {
	var samples []ingest.Sample
	for i := 0; i < len(paths); i += 2 {
		if i+1 == len(paths) {
			return nil, usagef("--pairs: %s has no mate", paths[i])
		}
		name, ok := pairName(paths[i], paths[i+1])
		if !ok {
			return nil, usagef("--pairs: %s and %s do not look like mates (_R1 and _R2, or _1 and _2, in that order)", paths[i], paths[i+1])
		}
		samples = append(samples, ingest.Sample{Paths: paths[i : i+2 : i+2], ID: name})
	}
	return samples, nil
}

// pairName returns the base name up to the number of the mate.
func pairName(a, b string) (string, bool) {
	dir, base := filepath.Split(a)
	for _, m := range mate.FindAllStringSubmatchIndex(base, -1) {
		head, tail := base[:m[2]], base[m[3]:]
		if m[0] > 0 && base[m[2]:m[3]] == "1" && b == dir+head+"2"+tail {
			return base[:m[0]], true
		}
	}
	return "", false
}
