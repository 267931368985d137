// SPDX-License-Identifier: Apache-2.0

//go:build ignore

// This program writes unicode15.bin, the properties of characters that recipes
// speak of, from the tables of Go and golang.org/x/text. It refuses to run
// under any version of Unicode but that which the recipes are defined by.
package main

import (
	"encoding/binary"
	"log"
	"os"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
)

const wantVersion = "15.0.0"

// The bits are those of tables.go.
const (
	word = 1 << iota
	space
	assigned
	cased
	ignorable
	digit
	punct
	mapped
)

// unspaced are the scripts that are written without spaces between words; they
// get the first numbers. See tables.go.
var unspaced = []string{"Han", "Hiragana", "Katakana", "Bopomofo", "Yi", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan",
	"Tai_Le", "New_Tai_Lue", "Tai_Tham", "Tai_Viet", "Ahom"}

// wordBreakIgnorable are the characters of Word_Break = MidLetter, MidNumLet
// and Single_Quote, which Case_Ignorable includes (DerivedCoreProperties.txt).
const wordBreakIgnorable = "'.:\u00b7\u0387\u055f\u05f4\u2018\u2019\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a"

func main() {
	if unicode.Version != wantVersion || cases.UnicodeVersion != wantVersion {
		log.Fatalf("Unicode %s and %s; the recipes are defined by %s", unicode.Version, cases.UnicodeVersion, wantVersion)
	}
	scripts := scriptNumbers()
	fold := cases.Fold()
	var runs, pairs, folds []byte
	var nRuns, nLower, nFold int
	var last uint16
	var length uint64
	flush := func() {
		if length > 0 {
			runs = append(binary.AppendUvarint(runs, length), byte(last), byte(last>>8))
			nRuns++
		}
	}
	prevLower, prevFold := rune(0), rune(0)
	for r := rune(0); r <= unicode.MaxRune; r++ {
		lower := unicode.ToLower(r)
		folded := string(r)
		if !surrogate(r) && !cherokee(r) {
			folded = fold.String(string(r))
		} else if cherokee(r) {
			folded = string(unicode.ToUpper(r))
		}
		p := properties(r)
		if lower != r {
			p |= mapped
			pairs = binary.AppendUvarint(pairs, uint64(r-prevLower))
			pairs = binary.AppendVarint(pairs, int64(lower-r))
			prevLower = r
			nLower++
		}
		if folded != string(r) {
			p |= mapped
			folds = binary.AppendUvarint(folds, uint64(r-prevFold))
			folds = append(folds, byte(len(folded)))
			folds = append(folds, folded...)
			prevFold = r
			nFold++
		}
		v := uint16(p) | uint16(scripts[r])<<8
		if length > 0 && v != last {
			flush()
			length = 0
		}
		last = v
		length++
	}
	flush()
	out := []byte("unicode15\n")
	for _, part := range []struct {
		n    int
		data []byte
	}{{nRuns, runs}, {nLower, pairs}, {nFold, folds}} {
		out = append(binary.AppendUvarint(out, uint64(part.n)), part.data...)
	}
	if err := os.WriteFile("unicode15.bin", out, 0o644); err != nil {
		log.Fatal(err)
	}
}

func surrogate(r rune) bool { return 0xd800 <= r && r < 0xe000 }

// cherokee says whether r is a Cherokee letter. Their capitals came before their
// small letters, so they fold to capitals (CaseFolding.txt); package cases, as
// of v0.44.0, folds them to small letters.
func cherokee(r rune) bool { return unicode.Is(unicode.Cherokee, r) }

func properties(r rune) byte {
	var p byte
	set := func(bit byte, is bool) {
		if is {
			p |= bit
		}
	}
	set(word, unicode.In(r, unicode.L, unicode.N) || r == '_')
	set(space, unicode.Is(unicode.White_Space, r) || 0x1c <= r && r <= 0x1f)
	set(assigned, unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Co))
	set(cased, unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase))
	set(ignorable, unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune(wordBreakIgnorable, r))
	set(digit, unicode.Is(unicode.Nd, r))
	set(punct, unicode.In(r, unicode.P, unicode.S))
	return p
}

func scriptNumbers() map[rune]int {
	names := slices.Clone(unspaced)
	var others []string
	for name := range unicode.Scripts {
		if !slices.Contains(unspaced, name) && name != "Common" && name != "Inherited" {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	names = append(names, others...)
	if len(names) > 255 {
		log.Fatalf("%d scripts", len(names))
	}
	of := map[rune]int{}
	for i, name := range names {
		table, ok := unicode.Scripts[name]
		if !ok {
			log.Fatalf("no script %s", name)
		}
		for r := rune(0); r <= unicode.MaxRune; r++ {
			if unicode.Is(table, r) {
				of[r] = i + 1
			}
		}
	}
	return of
}
