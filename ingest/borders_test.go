// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/sketch"
	"github.com/gsketch/gsketch/sketch/sketchtest"
)

// A layout writes sequences as a file of its kind.
type layout func(seqs []string) string

func fasta(width int, eol string) layout {
	return func(seqs []string) string {
		var b strings.Builder
		for i, seq := range seqs {
			fmt.Fprintf(&b, ">r%d%s", i, eol)
			for line := range slices.Chunk([]byte(seq), width) {
				b.Write(line)
				b.WriteString(eol)
			}
		}
		return b.String()
	}
}

func fastq(eol string) layout {
	return func(seqs []string) string {
		var b strings.Builder
		for i, seq := range seqs {
			fmt.Fprintf(&b, "@r%d%s%s%s+%s%s%s", i, eol, seq, eol, eol, strings.Repeat("I", len(seq)), eol)
		}
		return b.String()
	}
}

// fewBlocks are sequences of some blocks in all, with ends of records, bad
// bases and lower case close to where one block ends and the next begins.
func fewBlocks(r *rand.Rand) (seqs []string) {
	all := make([]byte, 5*blockBases/2)
	for i := range all {
		all[i] = "ACGTacgt"[r.IntN(8)]
	}
	cuts := []int{0, len(all)}
	for border := blockBases; border < len(all); border += blockBases {
		for range 6 {
			all[border-40+r.IntN(80)] = "NnRU-"[r.IntN(5)]
		}
		for range 2 {
			cuts = append(cuts, border-60+r.IntN(60))
		}
	}
	slices.Sort(cuts)
	for i, c := range cuts[1:] {
		seqs = append(seqs, string(all[cuts[i]:c]))
	}
	return seqs
}

// Blocks end anywhere in a file: the sketches are those of all windows, and
// everything else that comes of a file is the same for any number of threads.
func TestBordersOfBlocks(t *testing.T) {
	plan := Plan{Params: []sketch.Params{bottom(21, 1000, false), frac(31, 50, false), frac(51, 100, true)}}
	seqs := fewBlocks(rand.New(rand.NewPCG(5, 5)))
	counts := make([]uint64, len(plan.Params))
	want := make([]sketchtest.Values, len(plan.Params))
	for i, p := range plan.Params {
		var hs []uint64
		for _, s := range seqs {
			hs = append(hs, windows(s, p)...)
		}
		below := func(h uint64) bool { return p.Family == sketch.BottomK || h <= sketch.MaxHash(p.Scaled) && h != 0 }
		counts[i], want[i] = uint64(len(hs)), sketchtest.Select(hs, 1, p.Size, p.Weighted, below)
	}
	for name, layout := range map[string]layout{
		"lines of 70": fasta(70, "\n"), "CRLF": fasta(61, "\r\n"), "CR": fasta(80, "\r"), "one line": fasta(5*blockBases, "\n"),
		"FASTQ": fastq("\n"), "FASTQ CRLF": fastq("\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			text := layout(seqs)
			path := write(t, "x", text)
			one := run(t, plan, Options{Threads: 1}, path)
			for i, p := range plan.Params {
				if got := sketchtest.Of(one[0].Items[i].Sketch); !slices.Equal(got.Hashes, want[i].Hashes) || !slices.Equal(got.Counts, want[i].Counts) {
					t.Errorf("%s: %d hashes, want %d", p, len(got.Hashes), len(want[i].Hashes))
				}
				if m := one[0].Items[i].Meta; m.Count != counts[i] {
					t.Errorf("%s: %d windows, want %d", p, m.Count, counts[i])
				}
			}
			for _, threads := range []int{2, 3, 8} {
				if many := run(t, plan, Options{Threads: threads}, path); !reflect.DeepEqual(one, many) {
					t.Errorf("%d threads: %+v, want %+v", threads, many, one)
				}
			}
			sameError(t, plan, text[:len(text)-len(text)/9]+"\x00")
		})
	}
}

// sameError checks that a damaged file fails in the same words for any number
// of threads, and that it fails where it is damaged.
func sameError(t *testing.T, plan Plan, damaged string) {
	t.Helper()
	path := write(t, "damaged", damaged)
	fail := func(threads int) string {
		err := Run(context.Background(), plan, Options{Threads: threads}, []Sample{{Paths: []string{path}}}, func(Result) error { return nil })
		if err == nil {
			t.Fatalf("%d threads take a damaged file", threads)
		}
		return err.Error()
	}
	want := fail(1)
	if at := fmt.Sprintf("byte %d: ", bytes.IndexByte([]byte(damaged), 0)); !strings.Contains(want, at) {
		t.Errorf("%s; want %s", want, at)
	}
	for _, threads := range []int{2, 8} {
		if got := fail(threads); got != want {
			t.Errorf("%d threads: %s; want %s", threads, got, want)
		}
	}
}
