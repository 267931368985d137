// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gsketch/gsketch/formats/steps"
)

// shuffle is the script command "shuffle BANDS CANDIDATES": what an engine does
// between the steps, namely the distinct pairs of rows that share a band and a
// key.
func shuffle(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: shuffle BANDS CANDIDATES")
	}
	type bucket struct {
		band int32
		key  int64
	}
	rows := map[bucket][]int64{}
	for b, err := range steps.ReadBands(ts.MkAbs(args[0])) {
		ts.Check(err)
		rows[bucket{b.Band, b.Key}] = append(rows[bucket{b.Band, b.Key}], b.Row)
	}
	pairs := map[steps.Candidate]bool{}
	for _, members := range rows {
		for _, a := range members {
			for _, b := range members {
				if a < b {
					pairs[steps.Candidate{A: a, B: b}] = true
				}
			}
		}
	}
	f, err := os.Create(ts.MkAbs(args[1]))
	ts.Check(err)
	w := steps.NewWriter[steps.Candidate](f)
	for p := range pairs {
		ts.Check(w.Write(p))
	}
	ts.Check(w.Close())
	ts.Check(f.Close())
}

// edges is the script command "edges FILE [A B JACCARD]...": a table of pairs
// from outside; a JACCARD of NA is null.
func edges(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 || len(args)%3 != 1 {
		ts.Fatalf("usage: edges FILE [A B JACCARD]...")
	}
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	w := steps.NewWriter[steps.Edge](f)
	for rest := args[1:]; len(rest) > 0; rest = rest[3:] {
		var e steps.Edge
		e.A, err = strconv.ParseInt(rest[0], 10, 64)
		ts.Check(err)
		e.B, err = strconv.ParseInt(rest[1], 10, 64)
		ts.Check(err)
		if rest[2] != "NA" {
			j, err := strconv.ParseFloat(rest[2], 64)
			ts.Check(err)
			e.Jaccard = &j
		}
		ts.Check(w.Write(e))
	}
	ts.Check(w.Close())
	ts.Check(f.Close())
}
