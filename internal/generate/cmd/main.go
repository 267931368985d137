// SPDX-License-Identifier: Apache-2.0

// Command cmd writes generated sequences to files:
//
//	go run ./internal/generate/cmd clusters -o DIR [-clusters 5] [-length 100000] [-indels 0.1] [-seed 1] [GENOME...]
//	go run ./internal/generate/cmd reads -o READS.fq -truth TRUTH.tsv [-reads 100000] [-seed 1] DEPTH=GENOME...
//	go run ./internal/generate/cmd golden -o DIR
//	go run ./internal/generate/cmd collection -o SKETCHES.parquet [-number 1000] [-largest 100] [-length 4500000] [-params PARAMS] [-seed 1]
//	go run ./internal/generate/cmd targets -o DIR [-number 7] [-rate 0.05] [-seed 1] GENOME [CLASS=GENOME...]
//	go run ./internal/generate/cmd spiked -o READS.fq -truth TRUTH.tsv -targets DIR -depth 0.01 [-reads 300000] [-seed 1] DEPTH=GENOME...
//	go run ./internal/generate/cmd documents -o CORPUS.jsonl [-number 1000000] [-words 150] [-boilerplate 0.02] [-page 0] [-first 0] [-seed 1]
//
// Genomes are FASTA, compressed or not. Without any, clusters are of random
// bases.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gsketch/gsketch/internal/generate"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	commands := map[string]func([]string) error{"clusters": clusters, "reads": reads, "golden": golden,
		"collection": collection, "targets": targets, "spiked": spiked, "documents": documents}
	if len(args) == 0 || commands[args[0]] == nil {
		return errors.New("one of clusters, reads, golden, collection, targets, spiked, documents expected")
	}
	return commands[args[0]](args[1:])
}

func clusters(args []string) error {
	f := flag.NewFlagSet("clusters", flag.ContinueOnError)
	dir := f.String("o", "", "directory to write to")
	var c generate.Clusters
	f.IntVar(&c.Number, "clusters", 5, "number of clusters")
	f.IntVar(&c.Length, "length", 100_000, "bases of an ancestor")
	f.Float64Var(&c.IndelShare, "indels", 0.1, "share of mutations that are insertions or deletions")
	f.Uint64Var(&c.Seed, "seed", 1, "seed")
	if err := parse(f, args, dir); err != nil {
		return err
	}
	for _, path := range f.Args() {
		records, err := generate.ReadRecords(path)
		if err != nil {
			return err
		}
		c.Sources = append(c.Sources, records)
	}
	return generate.WriteClusters(*dir, c)
}

func reads(args []string) (err error) {
	f := flag.NewFlagSet("reads", flag.ContinueOnError)
	path := f.String("o", "", "FASTQ file to write")
	truthPath := f.String("truth", "", "table of reads and depth of each genome to write")
	var m generate.Mixture
	f.IntVar(&m.Reads, "reads", 100_000, "number of reads")
	f.Uint64Var(&m.Seed, "seed", 1, "seed")
	if err := parse(f, args, path, truthPath); err != nil {
		return err
	}
	if m.Genomes, err = mixed(f.Args()); err != nil {
		return err
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
	return generate.WriteReads(out, truth, m)
}

// mixed reads the genomes of a mixture, DEPTH=GENOME.
func mixed(args []string) (genomes []generate.MixedGenome, err error) {
	for _, arg := range args {
		depth, genome, _ := strings.Cut(arg, "=")
		d, err := strconv.Atoi(depth)
		if err != nil {
			return nil, fmt.Errorf("%q: DEPTH=GENOME expected", arg)
		}
		records, err := generate.ReadRecords(genome)
		if err != nil {
			return nil, err
		}
		genomes = append(genomes, generate.MixedGenome{Name: filepath.Base(genome), Depth: d, Records: records})
	}
	return genomes, nil
}

func golden(args []string) error {
	f := flag.NewFlagSet("golden", flag.ContinueOnError)
	dir := f.String("o", "", "directory to write to")
	if err := parse(f, args, dir); err != nil {
		return err
	}
	if err := os.MkdirAll(*dir, 0o777); err != nil {
		return err
	}
	for name, data := range generate.Golden() {
		if err := os.WriteFile(filepath.Join(*dir, name), data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// parse reads flags, of which the required ones must not stay empty.
func parse(f *flag.FlagSet, args []string, required ...*string) error {
	if err := f.Parse(args); err != nil {
		return err
	}
	for _, value := range required {
		if *value == "" {
			return errors.New("say where to write (see -h)")
		}
	}
	return nil
}
