// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"flag"
	"os"

	"github.com/gsketch/gsketch/internal/generate"
)

func documents(args []string) error {
	f := flag.NewFlagSet("documents", flag.ContinueOnError)
	path := f.String("o", "", "file to write to")
	var d generate.Documents
	f.IntVar(&d.Number, "number", 1_000_000, "documents")
	f.IntVar(&d.Words, "words", 150, "words of a document on average")
	f.Float64Var(&d.Boilerplate, "boilerplate", 0.02, "share of documents under one header")
	f.Float64Var(&d.Page, "page", 0, "share of documents that are one page, in 30 versions")
	f.IntVar(&d.First, "first", 0, "number of the first document")
	f.Uint64Var(&d.Seed, "seed", 1, "seed")
	if err := parse(f, args, path); err != nil {
		return err
	}
	if d.Words < 1 || d.First < 0 {
		return errors.New("-words: at least 1; -first: at least 0")
	}
	out, err := os.Create(*path)
	if err != nil {
		return err
	}
	if err := d.Write(out); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
