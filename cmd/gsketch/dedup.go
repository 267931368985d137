// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/dedup"
	"github.com/gsketch/gsketch/formats"
	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

type dedupOptions struct {
	*common
	inputOptions
	textOptions
	slotOptions
	judgeOptions
	output     string
	seed       uint64
	candidates string
	order      string
	against    []string
	edges      []string
	contained  float64
	verify     string
	verifyCmd  string
	examples   int
	memory     string
	keepGoing  bool
}

func newDedup(c *common) *cobra.Command {
	o := dedupOptions{common: c}
	cmd := &cobra.Command{
		Use:   "dedup [flags] CORPUS...",
		Short: "Find near-duplicates and write a manifest of what to keep",
		Long: `Find near-duplicates among documents or sets and say of each what to keep, why
and in favour of which other. Nothing is removed: the manifest is for review.

Stages: exact copies; sketches; candidates by banding; verification by the exact
Jaccard index of the shingles; clusters; manifest. The output is a directory with
manifest.parquet, manifest.tsv, summary.json, report.html to look at, review.tsv
with the pairs that are for a person to decide on, and, with --containment,
passages.tsv. The result depends on the documents and their names, not on their
order or the number of threads.`,
		Example: `  gsketch dedup -o deduplicated corpus.jsonl
  gsketch dedup --threshold 0.7 --clusters star -o deduplicated corpus.jsonl`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return runDedup(cmd, args, &o) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "dedup", "directory to be made for the manifest and what else is written")
	o.inputOptions.addFlags(f)
	f.Lookup("recursive").Usage = "of a directory, take all files in it"
	o.textOptions.addFlags(f)
	o.judgeOptions.addFlags(f)
	f.Uint64Var(&o.seed, "seed", 0, "seed of the hash of elements; kperm, bbit: of the permutations (1 if not given)")
	o.slotOptions.addFlags(f)
	f.StringVar(&o.candidates, "candidates", "", "what is compared: bands (pairs that share a bucket; default of documents and slots), all (default of bottom-k and FracMinHash)")
	f.StringVar(&o.order, "order", "name", "what comes first where a choice is between equals: name, row (place in the input)")
	f.StringArrayVar(&o.against, "against", nil, "corpus of documents that are known, of the same form: what is like them is not kept, and they are not judged (repeatable); or one index of bands, whose sketches are compared")
	f.StringArrayVar(&o.edges, "edges", nil, "table of pairs (a, b: rows, from 0) to be compared, too, or, with a jaccard, taken as it is (repeatable)")
	f.Float64Var(&o.contained, "containment", 0, "do not keep a document of whose shingles a larger one has at least this share, above 0 to 1; 0 does not ask")
	f.StringVar(&o.verify, "verify", dedup.Exact, "how candidates of a corpus are compared: exact (Jaccard index of the shingles), containment (of the smaller document), signature (estimate), edit (words of the aligned spans)")
	f.StringVar(&o.verifyCmd, "verify-cmd", "", "command that judges the pairs that were compared: it is called with a table of them and the table of edges that it is to write")
	f.IntVar(&o.examples, "examples", 12, "pairs that report.html shows side by side; 0 is none")
	f.StringVar(&o.memory, "memory", "1G", "memory for sorting, as 800M or 4G; what goes beyond is sorted on disk")
	f.BoolVar(&o.keepGoing, "keep-going", false, "go on after an input that fails; exit 6")
	cmd.AddCommand(append(newDedupSteps(c), newDedupApply(c))...)
	return cmd
}

func runDedup(cmd *cobra.Command, args []string, o *dedupOptions) error {
	warn := warner(cmd.ErrOrStderr())
	o.anyFile = true
	inputs, err := o.expand(args, warn)
	if err != nil {
		return err
	}
	opts, sketches, err := o.options(cmd, inputs, warn)
	if err != nil {
		return err
	}
	if err := checkReadable(inputs, o.keepGoing); err != nil {
		return err
	}
	if opts.Index != nil {
		defer opts.Index.Close()
	}
	out, err := createTree(o.output, o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	bar := o.progress(cmd.ErrOrStderr(), inputs)
	opts.Progress = bar.add
	opts.Note = func(stage string, n int, took time.Duration) {
		o.note(cmd.ErrOrStderr(), "%d %s in %.1f s", n, stage, took.Seconds())
	}
	var result *dedup.Result
	if sketches != nil {
		result, err = dedup.RunSketches(cmd.Context(), opts, sketches)
	} else {
		result, err = dedup.Run(cmd.Context(), opts, paths(inputs))
	}
	bar.stop()
	if err != nil {
		return err
	}
	for _, w := range result.Warnings {
		warn(w)
	}
	type outputFile struct {
		name  string
		write func(io.Writer) error
	}
	files := []outputFile{
		{"manifest.parquet", result.WriteManifest},
		{"manifest.tsv", result.WriteManifestText},
		{"review.tsv", result.WriteReview},
		{"summary.json", func(w io.Writer) error { return result.WriteSummary(w, version) }},
		{"report.html", func(w io.Writer) error { return result.WriteReport(w, version) }},
	}
	if o.contained > 0 && sketches == nil {
		files = append(files, outputFile{"passages.tsv", result.WritePassages})
	}
	for _, file := range files {
		if err := out.write(file.name, file.write); err != nil {
			return err
		}
	}
	if err := out.commit(); err != nil {
		return err
	}
	s := result.Summary(version)
	o.note(cmd.ErrOrStderr(), "%d of %d documents are to be kept; see %s", s.Kept, s.Documents, o.output)
	if len(result.Failed) > 0 {
		for _, r := range result.Failed {
			warn(r.Err.Error())
		}
		return fmt.Errorf("%d of %d: %w", len(result.Failed), len(inputs), errPartial)
	}
	return nil
}

func paths(inputs []input) []string {
	var all []string
	for _, in := range inputs {
		all = append(all, in.path)
	}
	return all
}

// options turns flags into those of the pipeline, and loads the inputs if they
// are sketches.
func (o *dedupOptions) options(cmd *cobra.Command, inputs []input, warn func(string)) (dedup.Options, *dedup.Sketches, error) {
	out := dedup.Options{Threads: o.threads, KeepGoing: o.keepGoing, ByRow: o.order == "row" || o.idField == "", All: o.candidates == "all",
		Against: o.against, Edges: o.edges, Containment: o.contained, Verify: o.verify, VerifyCmd: strings.TrimSpace(o.verifyCmd), Examples: o.examples}
	memory, err := parseSize(o.memory, bytesUnit)
	switch {
	case err != nil:
		return out, nil, usagef("--memory %s: %v", o.memory, err)
	case o.order != "name" && o.order != "row":
		return out, nil, usagef("--order %s: name or row", o.order)
	case o.examples < 0 || o.examples > 1000:
		return out, nil, usagef("--examples %d: 0 to 1000", o.examples)
	case !(o.contained >= 0 && o.contained <= 1):
		return out, nil, usagef("--containment %v: 0 to 1", o.contained)
	case !slices.Contains([]string{"", "bands", "all"}, o.candidates):
		return out, nil, usagef("--candidates %s: bands or all", o.candidates)
	}
	out.Memory = int64(memory)
	if ok, err := isSketches(inputs[0].path); err != nil {
		return out, nil, err
	} else if ok && o.input == "" {
		return o.sketches(cmd, inputs, out, warn)
	}
	kind, err := o.kind(cmd.Flags(), inputs[0].path)
	if err != nil {
		return out, nil, err
	}
	if kind == sketch.DNA {
		if err := checkReadable(inputs[:1], false); err != nil {
			return out, nil, err
		}
		if st, err := os.Stat(inputs[0].path); err == nil && st.Size() == 0 && st.Mode().IsRegular() {
			return out, nil, usagef("%s: is empty; say --input text, jsonl, parquet or set, or leave it out", inputs[0].path)
		}
		return out, nil, usagef("%s: is that text? say --input text (a file is a document), jsonl, parquet or set; genomes are sketched first, by gsketch sketch", inputs[0].path)
	}
	if err := o.judge(cmd.Flags(), &out, nil); err != nil {
		return out, nil, err
	}
	if out.Texts, err = o.texts(kind); err != nil {
		return out, nil, err
	}
	if out.Params, err = o.params(cmd, kind); err != nil {
		return out, nil, err
	}
	if err := o.openIndex(cmd, &out); err != nil {
		return out, nil, err
	}
	if err := out.Complete(); err != nil {
		return out, nil, usagef("%v", err)
	}
	return out, nil, nil
}

// openIndex opens the index of what is known. Sketches are made as those in it, unless
// flags say otherwise, which is refused.
func (o *dedupOptions) openIndex(cmd *cobra.Command, out *dedup.Options) error {
	if !slices.ContainsFunc(o.against, isBands) {
		return nil
	}
	if len(o.against) > 1 {
		return usagef("--against takes corpora, or one index")
	}
	x, err := openBands(cmd.Context(), o.against[0])
	if err != nil {
		return err
	}
	f, p := cmd.Flags(), x.Params()
	asked := slices.ContainsFunc([]string{"family", "size", "shingle", "norm", "hash", "seed", "densify", "permutation", "bits"}, f.Changed)
	switch {
	case p.Elements.Molecule != sketch.Text || p.Family != sketch.OPH && p.Family != sketch.KPerm && p.Family != sketch.BBit:
		err = usagef("%s holds %s sketches of %s; documents are compared with oph, kperm or bbit of texts", o.against[0], p.Family, p.Elements)
	case asked && p != out.Params:
		if err = p.Comparable(out.Params); err == nil {
			err = &sketch.MismatchError{Field: "parameters", Left: p.String(), Right: out.Params.String()}
		}
		err = fmt.Errorf("%s: %w", o.against[0], err)
	}
	if err != nil {
		x.Close()
		return err
	}
	out.Params, out.Index, out.Against = p, x, nil
	return nil
}

// sketches loads inputs that are sketches.
func (o *dedupOptions) sketches(cmd *cobra.Command, inputs []input, out dedup.Options, warn func(string)) (dedup.Options, *dedup.Sketches, error) {
	f := cmd.Flags()
	for _, name := range append(slices.Clone(textFlags), append(slotFlags, "seed", "keep-going", "against", "verify", "examples")...) {
		if f.Changed(name) {
			return out, nil, usagef("--%s has no effect on sketch files", name)
		}
	}
	s, err := o.load(paths(inputs), false, o.threads, warn)
	if err != nil {
		if kind, _ := formats.Sniff(inputs[0].path); kind == formats.Sig && exitCode(err) == exitInput {
			return out, nil, fmt.Errorf("%w; of a JSON list of documents write one object a line", err)
		}
		return out, nil, err
	}
	out.All = o.candidates == "all" || o.candidates == "" && o.bands == 0 && sets(s.Params)
	return out, s, o.judge(f, &out, s)
}

// params are those of the sketches that candidates are found by.
func (o *dedupOptions) params(cmd *cobra.Command, kind string) (sketch.Params, error) {
	f := cmd.Flags()
	recipe := shingle.Recipe{Kind: shingle.Set}
	if kind != corpus.Sets {
		var err error
		if recipe, err = shingle.Parse(o.shingle + "/norm=" + o.norm); err != nil {
			return sketch.Params{}, usagef("--shingle %s --norm %s: %v", o.shingle, o.norm, err)
		}
	}
	family := o.family
	if family == "" {
		family = sketch.OPH
	}
	p := sketch.Params{Family: family, Elements: recipe.Elements(), Hash: sketch.Hash{Algorithm: o.hash, Bits: 64, Seed: o.seed}, Size: o.slots}
	switch family {
	case sketch.OPH:
		p.Densify = o.densify
		if o.densify == "none" {
			return p, usagef("--densify none: empty bins agree with each other and cannot be banded")
		}
	case sketch.KPerm, sketch.BBit:
		p.Hash.Permutation = o.permutation
		if !f.Changed("seed") {
			p.Hash.Seed = defaultPermutations
		}
		if family == sketch.BBit {
			p.Bits = o.bits
		}
	default:
		return p, usagef("--family %s: oph, kperm or bbit", family)
	}
	if err := p.Validate(); err != nil {
		return p, usagef("--family %s: %v", family, err)
	}
	return p, nil
}
