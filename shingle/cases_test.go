// SPDX-License-Identifier: Apache-2.0

package shingle

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/gsketch/gsketch/internal/shared"
)

// jaccards returns J of each two documents, "0,1" and so on, of those pairs of
// which one at least has elements.
func jaccards(t *testing.T, recipe string, docs []string) map[string]float64 {
	t.Helper()
	s := newText(t, recipe)
	sets := make([][]uint64, len(docs))
	for i, d := range docs {
		sets[i] = setOf(t, s, []byte(d))
	}
	all := map[string]float64{}
	for i := range sets {
		for j := i + 1; j < len(sets); j++ {
			if shared, union := overlap(sets[i], sets[j]); union > 0 {
				all[fmt.Sprintf("%d,%d", i, j)] = float64(shared) / float64(union)
			}
		}
	}
	return all
}

// TestFaults: what users of other tools reported. The values are counted by
// hand.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name, recipe string
		docs         []string
		want         map[string]float64
	}{
		{"documents without elements are like none", "words=5/norm=1", []string{"", " \n", "?!", "some words"},
			map[string]float64{"0,3": 0, "1,3": 0, "2,3": 0}},
		{"text without spaces is one word a sentence", "words=5/norm=1", []string{"私は毎朝駅まで歩く", "私は毎朝駅まで走る"}, map[string]float64{"0,1": 0}},
		{"and has characters", "chars=3/norm=1", []string{"私は毎朝駅まで歩く", "私は毎朝駅まで走る"}, map[string]float64{"0,1": 5. / 9}},
		{"or words that are runs of characters, if asked", "words=5/norm=1/unspaced=3", []string{"私は毎朝駅まで歩く", "私は毎朝駅まで走る"}, map[string]float64{"0,1": 5. / 9}},
		{"spellings that NFC makes one", "words=2/norm=1", []string{"le caf\u00e9 noir", "le cafe\u0301 noir"}, map[string]float64{"0,1": 1}},
		{"are two without it", "words=2/norm=0", []string{"le caf\u00e9 noir", "le cafe\u0301 noir"}, map[string]float64{"0,1": 0}},
		{"full-width letters are others in NFC", "words=1/norm=1", []string{"Ａｂ", "ab"}, map[string]float64{"0,1": 0}},
		{"and the same in NFKC", "words=1/norm=1/nfkc", []string{"Ａｂ", "ab"}, map[string]float64{"0,1": 1}},
		{"case, white space and punctuation", "words=3/norm=1", []string{"To be, or not", "to\u00a0BE -- or\tnot!"}, map[string]float64{"0,1": 1}},
		{"sharp s in lower case", "words=1/norm=1", []string{"MASSE", "maße"}, map[string]float64{"0,1": 0}},
		{"sharp s folded", "words=1/norm=1/fold", []string{"MASSE", "maße"}, map[string]float64{"0,1": 1}},
		{"a changed character in characters", "chars=2/norm=1", []string{"aéz", "aèz"}, map[string]float64{"0,1": 0}},
		{"and in bytes, where half of it stays", "bytes=2/norm=1", []string{"aéz", "aèz"}, map[string]float64{"0,1": 1. / 5}},
		{"repeats do not count in a set", "words=1/norm=1", []string{"da da da dum", "dum da"}, map[string]float64{"0,1": 1}},
	} {
		got := jaccards(t, c.recipe, c.docs)
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s (%s): %v, want %v", c.name, c.recipe, got, c.want)
		}
	}
}

// TestReportedFaults runs the reported texts themselves, where they are at
// hand, against values that were computed without hashes.
func TestReportedFaults(t *testing.T) {
	nested := func(keys ...string) func(map[string]any) map[string]any {
		return func(m map[string]any) map[string]any {
			for _, k := range keys {
				m = m[k].(map[string]any)
			}
			return m
		}
	}
	for _, c := range []struct {
		name, recipe string
		want         func(map[string]any) map[string]any
	}{
		{"11-cjk-without-spaces", "words=5/norm=0", nested("word5_J")},
		{"11-cjk-without-spaces", "chars=3/norm=1", nested("char3_J")},
		{"11-cjk-without-spaces", "words=5/norm=1/unspaced=3", nested("char3_J")},
		{"11-cjk-without-spaces", "chars=5/norm=1", nested("char5_J")},
		{"13-nfc-nfd-nfkc", "words=2/norm=0", nested("none", "word2_J")},
		{"13-nfc-nfd-nfkc", "words=2/norm=1", nested("NFC", "word2_J")},
		{"13-nfc-nfd-nfkc", "words=2/norm=1/nfd", nested("NFD", "word2_J")},
		{"13-nfc-nfd-nfkc", "words=2/norm=1/nfkc", nested("NFKC", "word2_J")},
		{"14-case-space-punctuation", "words=5/norm=1", nested("word5_J_lower")},
		{"14-case-space-punctuation", "words=5/norm=1/fold", func(m map[string]any) map[string]any { return map[string]any{"4,5": m["word5_J_casefold_4_5"]} }},
		{"14-case-space-punctuation", "chars=5/norm=1", func(m map[string]any) map[string]any {
			return map[string]any{"0,1": m["char5_J_0_1"], "1,3": m["char5_J_1_3"]}
		}},
		{"23-repeated-tokens-weighted", "tokens=1/norm=0", nested("set_J")},
		{"29-code-points-not-bytes", "chars=3/norm=1", nested("codepoint3_J")},
		{"29-code-points-not-bytes", "bytes=3/norm=1", nested("byte3_J")},
	} {
		docs, expected := reported(t, c.name)
		got := jaccards(t, c.recipe, docs)
		for pair, want := range c.want(expected) {
			if j, ok := got[pair]; !ok || math.Abs(j-want.(float64)) > 5e-7 {
				t.Errorf("%s (%s): J of %s is %g, want %g", c.name, c.recipe, pair, j, want)
			}
		}
	}

	docs, expected := reported(t, "04-empty-and-blank-documents")
	for key, recipe := range map[string]string{"no_shingles_word5": "words=5/norm=1", "no_shingles_char5": "chars=5/norm=1"} {
		var without []any
		s := newText(t, recipe)
		for i, d := range docs {
			if len(setOf(t, s, []byte(d))) == 0 {
				without = append(without, float64(i))
			}
		}
		if fmt.Sprint(without) != fmt.Sprint(expected[key]) {
			t.Errorf("%s: documents %v have no elements, want %v", recipe, without, expected[key])
		}
	}
}

// reported reads the texts of a reported fault and the right values.
func reported(t *testing.T, name string) (docs []string, expected map[string]any) {
	t.Helper()
	in, err := os.ReadFile(shared.Path(t, "cases", "text", name, "input.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for sc := bufio.NewScanner(bytes.NewReader(in)); sc.Scan(); {
		var d struct{ Text string }
		if err := json.Unmarshal(sc.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		docs = append(docs, d.Text)
	}
	data, err := os.ReadFile(shared.Path(t, "cases", "text", name, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &expected); err != nil {
		t.Fatal(err)
	}
	return docs, expected
}
