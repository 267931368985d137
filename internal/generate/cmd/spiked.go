// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gsketch/gsketch/internal/generate"
)

// The classes of targets of the containment study, by size.
var classes = []struct {
	name   string
	length int
}{{"virus", 10_000}, {"phage", 48_000}, {"plasmid", 100_000}}

// targets writes DIR/{present,absent,relative}/CLASS_NN.fa: disjoint pieces of a
// genome, as many that are absent from the samples, and of each present one a
// relative at a known distance. Bacteria are of random bases. Genomes named after
// the first are further present targets, CLASS=FILE.
func targets(args []string) error {
	f := flag.NewFlagSet("targets", flag.ContinueOnError)
	dir := f.String("o", "", "directory to write to")
	seed := f.Uint64("seed", 1, "seed")
	number := f.Int("number", 7, "pieces of each class")
	rate := f.Float64("rate", 0.05, "mutations per base of the relatives; a tenth are indels")
	if err := parse(f, args, dir); err != nil {
		return err
	}
	if f.NArg() == 0 {
		return errors.New("a genome to cut pieces from expected")
	}
	genome, err := one(f.Arg(0))
	if err != nil {
		return err
	}
	t := targetWriter{dir: *dir, rand: generate.NewRand(*seed), rate: *rate, count: map[string]int{}}
	offset := 0
	for _, c := range classes {
		var pieces [][]byte
		if pieces, offset, err = generate.Pieces(genome, offset, 2**number, c.length); err != nil {
			return err
		}
		for i, p := range pieces {
			t.write(c.name, p, i%2 == 0)
		}
	}
	for i := range 6 {
		t.write("bacterium", t.rand.DNA(2_000_000), i%2 == 0)
	}
	for _, arg := range f.Args()[1:] {
		class, path, _ := strings.Cut(arg, "=")
		seq, err := one(path)
		if err != nil {
			return err
		}
		t.write(class, seq, true)
	}
	return t.err
}

// one is the longest record of a file.
func one(path string) ([]byte, error) {
	records, err := generate.ReadRecords(path)
	if err != nil {
		return nil, err
	}
	longest := records[0]
	for _, r := range records {
		if len(r) > len(longest) {
			longest = r
		}
	}
	return longest, nil
}

type targetWriter struct {
	dir   string
	rand  *generate.Rand
	rate  float64
	count map[string]int
	err   error
}

func (t *targetWriter) write(class string, seq []byte, present bool) {
	kind := "absent"
	if present {
		kind = "present"
	}
	name := fmt.Sprintf("%s_%s_%02d", kind, class, t.count[kind+class])
	t.count[kind+class]++
	t.file(kind, name, seq)
	if present {
		mutations := int(math.Round(t.rate * float64(len(seq))))
		t.file("relative", strings.Replace(name, "present", "relative", 1), t.rand.Evolve(seq, mutations-mutations/10, mutations/10).Seq)
	}
}

func (t *targetWriter) file(kind, name string, seq []byte) {
	if t.err == nil {
		t.err = os.MkdirAll(filepath.Join(t.dir, kind), 0o777)
	}
	if t.err != nil {
		return
	}
	f, err := os.Create(filepath.Join(t.dir, kind, name+".fa"))
	if err != nil {
		t.err = err
		return
	}
	t.err = errors.Join(generate.WriteFASTA(f, name, seq), f.Close())
}

// spiked writes reads of a background with targets at one depth in them.
func spiked(args []string) (err error) {
	f := flag.NewFlagSet("spiked", flag.ContinueOnError)
	path := f.String("o", "", "FASTQ file to write")
	truthPath := f.String("truth", "", "table of reads and coverage of each target to write")
	targets := f.String("targets", "", "directory of targets, one a file")
	depth := f.String("depth", "", "mean depth of every target, in steps of 0.001")
	var s generate.Spiked
	f.IntVar(&s.Background.Reads, "reads", 300_000, "number of reads of the background")
	f.Uint64Var(&s.Background.Seed, "seed", 1, "seed")
	if err := parse(f, args, path, truthPath, targets, depth); err != nil {
		return err
	}
	d, err := strconv.ParseFloat(*depth, 64)
	if err != nil {
		return err
	}
	if s.Background.Genomes, err = mixed(f.Args()); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(*targets, "*.fa"))
	if err != nil {
		return err
	}
	for _, file := range files {
		records, err := generate.ReadRecords(file)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.Base(file), ".fa")
		s.Targets = append(s.Targets, generate.Target{Name: name, MilliDepth: int(math.Round(1000 * d)), Records: records})
	}
	out, err := os.Create(*path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	truth, err := os.Create(*truthPath)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, truth.Close()) }()
	return generate.WriteSpiked(out, truth, s)
}
