// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"flag"
	"os"

	"github.com/gsketch/gsketch/formats/table"
	"github.com/gsketch/gsketch/internal/generate"
	"github.com/gsketch/gsketch/sketch"
)

// collection writes a native table of the sketches of a large collection.
func collection(args []string) (err error) {
	f := flag.NewFlagSet("collection", flag.ContinueOnError)
	path := f.String("o", "", "sketch table to write")
	params := f.String("params", "fracminhash;dna/k=21/canonical;murmur3x64/bits=64/seed=42;scaled=1000", "parameters of the sketches")
	var c generate.Collection
	f.IntVar(&c.Number, "number", 1000, "number of sketches")
	f.IntVar(&c.Largest, "largest", 100, "sketches of the largest cluster")
	f.IntVar(&c.Length, "length", 4_500_000, "bases of a genome")
	f.Uint64Var(&c.Seed, "seed", 1, "seed")
	if err := parse(f, args, path); err != nil {
		return err
	}
	if c.Params, err = sketch.ParseParams(*params); err != nil {
		return err
	}
	out, err := os.Create(*path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	w := table.NewWriter(out, table.Options{CreatedBy: "generate collection"})
	if err := c.Sketches(w.Write); err != nil {
		return err
	}
	return w.Close()
}
