// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// peerDocuments are sketched by datasketch and by gsketch.
const peerDocuments = `{"id": "a", "text": "All rights reserved. The quick brown fox jumps over the lazy dog and then it goes home."}
{"id": "b", "text": "ALL rights reserved --  the quick brown fox\tjumps over the lazy dog and then it sleeps at home!"}
{"id": "c", "text": "Permission is hereby granted, free of charge, to the quick brown fox."}
`

// peerSketches writes the documents' sketches as datasketch makes them.
const peerSketches = `
import json, re, sys
from datasketch import LeanMinHash, MinHash
with open(sys.argv[2], "wb") as out:
    for line in open(sys.argv[1]):
        words = re.findall(r"\w+", json.loads(line)["text"].lower())
        m = MinHash(num_perm=128, seed=1, scheme=sys.argv[3])
        m.update_batch([" ".join(words[i:i + 2]).encode() for i in range(len(words) - 1)])
        lean = LeanMinHash(m)
        b = bytearray(lean.bytesize())
        lean.serialize(b)
        out.write(b)
`

// TestPeerDatasketch: our LeanMinHash files are those of datasketch, its files
// become tables, and the example that reads both without gsketch finds what dist
// finds. It runs where GSKETCH_PYTHON is a Python that has datasketch and duckdb.
func TestPeerDatasketch(t *testing.T) {
	python := os.Getenv("GSKETCH_PYTHON")
	if python == "" {
		t.Skip("SKIPPED: set GSKETCH_PYTHON to a python with datasketch and duckdb")
	}
	example, err := filepath.Abs("../../examples/read_sketches.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, scheme := range []string{"affine32", "affine64", "legacy"} {
		b := bench{t, t.TempDir()}
		in := func(name string) string { return filepath.Join(b.dir, name) }
		for name, text := range map[string]string{"docs.jsonl": peerDocuments, "names.txt": "a\nb\nc\n"} {
			if err := os.WriteFile(in(name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if out, err := exec.Command(python, "-c", peerSketches, in("docs.jsonl"), in("theirs.lean"), scheme).CombinedOutput(); err != nil {
			t.Fatalf("datasketch: %v\n%s", err, out)
		}
		b.run(0, "sketch", "-q", "-o", "docs.parquet", "--shingle", "words=2", "--hash", "sha1", "--permutation", scheme, "docs.jsonl")
		b.run(0, "convert", "-q", "docs.parquet", "-o", "docs.lean")
		if !bytes.Equal(readFile(t, in("docs.lean")), readFile(t, in("theirs.lean"))) {
			t.Errorf("%s: datasketch writes other bytes", scheme)
		}
		edges, _ := b.run(0, "dist", "--format", "edges", "docs.parquet")
		b.run(0, "convert", "-q", "--from", "lean", "--params", "kperm;text/words=2/norm=1;sha1/bits=64/seed=1/perm="+scheme+";size=128",
			"--names", "names.txt", "theirs.lean", "-o", "theirs.parquet")
		if theirs, _ := b.run(0, "dist", "--format", "edges", "theirs.parquet"); theirs != edges {
			t.Errorf("%s: the table made of datasketch's file says\n%s, ours\n%s", scheme, theirs, edges)
		}
		if scheme != "affine32" {
			continue // the example takes the default
		}
		out, err := exec.Command(python, example, in("docs.parquet"), in("docs.lean")).Output()
		if err != nil {
			t.Fatalf("example: %v\n%s", err, out)
		}
		_, want, _ := strings.Cut(edges, "\n")
		if got := strings.ReplaceAll(string(out), "\t0.0\n", "\t0\n"); got != want || strings.Count(got, "\n") != 3 {
			t.Errorf("the example finds\n%s, dist\n%s", got, want)
		}
	}
}
