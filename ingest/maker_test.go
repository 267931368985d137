// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

// What a Maker makes of a text or sequence at hand is what is made of a file.
func TestMaker(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	same := func(name string, got, want sketch.Item) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, of a file %+v", name, got, want)
		}
	}
	jsonl := file("docs.jsonl", `{"id":"a","text":"<p>One &amp; two</p> three four five six"}
{"id":"b","text":""}
{"id":3,"text":null,"more":{"id":"x"}}
{"id":"c","text":"Ærø is an ISLAND in the Baltic"}
`)
	for _, recipe := range []string{"words=2/norm=1", "chars=5/norm=1/html"} {
		elements, err := shingle.Parse(recipe)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []sketch.Params{
			{Family: sketch.KPerm, Elements: elements.Elements(), Size: 64, Hash: sketch.Hash{Algorithm: "xxh3-64", Bits: 64, Permutation: sketch.Affine32, Seed: 1}},
			{Family: sketch.SimHash, Elements: elements.Elements(), Size: 64, Hash: sketch.Hash{Algorithm: "xxh3-64", Bits: 64}},
		} {
			var want []sketch.Item
			texts := Texts{Corpus: corpus.Options{Kind: corpus.JSONL, ID: "id", Text: "text"}}
			if err := RunTexts(context.Background(), Plan{Params: []sketch.Params{p}}, texts, Options{}, []string{jsonl}, func(r Result) error {
				want = append(want, r.Items...)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			m, err := NewMaker(p)
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(jsonl)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			// On lines of their own, or not.
			if err := corpus.Objects([]byte(strings.ReplaceAll(string(data), "\n", " ")), jsonl, texts.Corpus, func(d *corpus.Document) error {
				it, err := m.Text(d)
				if err != nil {
					return err
				}
				same(fmt.Sprint(recipe, " ", p.Family, " ", d.ID), it, want[n])
				n++
				return nil
			}); err != nil || n != 4 {
				t.Fatal(n, err)
			}
			if _, _, err := m.Sequence(context.Background(), "x", "x", strings.NewReader(">a\nACGT\n")); err == nil {
				t.Error("sequence is sketched as text")
			}
		}
	}
	fasta := ">one first\n" + strings.Repeat("ACGTTGCANNCCATGUR", 20_000) + "\n>two\n\n>three\nACGATCGATCGATCGACTGACTGACTAGCTACG\n"
	path := file("x.fa", fasta)
	for _, p := range []sketch.Params{
		{Family: sketch.BottomK, Elements: sketch.DNAElements(7), Hash: sketch.Hash{Algorithm: "murmur3x64", Bits: 32, Seed: 42}, Size: 100},
		{Family: sketch.FracMinHash, Elements: sketch.DNAElements(9), Hash: sketch.Hash{Algorithm: "murmur3x64", Bits: 64, Seed: 42}, Scaled: 2},
	} {
		var want Result
		if err := Run(context.Background(), Plan{Params: []sketch.Params{p}}, Options{Threads: 2}, []Sample{{Paths: []string{path}, ID: "x"}}, func(r Result) error {
			want = r
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		m, err := NewMaker(p)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			it, warnings, err := m.Sequence(context.Background(), "x", path, strings.NewReader(fasta))
			if err != nil {
				t.Fatal(err)
			}
			same(p.Family, it, want.Items[0])
			if len(warnings) == 0 || !reflect.DeepEqual(warnings, want.Warnings) {
				t.Errorf("warnings %q, of a file %q", warnings, want.Warnings)
			}
		}
		if _, err := m.Text(&corpus.Document{ID: "x", Text: []byte("x")}); err == nil {
			t.Error("text is sketched as sequence")
		}
	}
	if _, err := NewMaker(sketch.Params{Family: sketch.BottomK}); err == nil {
		t.Error("no parameters are taken")
	}
}
