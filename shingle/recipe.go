// SPDX-License-Identifier: Apache-2.0

package shingle

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/gsketch/gsketch/sketch"
)

// The kinds of elements, as Recipe.Kind spells them.
const (
	Words  = "words"  // Width words in a row; a word is a run of letters, numbers and underscores, \w+ of Python
	UAX29  = "uax29"  // Width words in a row; words are those of Unicode Standard Annex 29
	Tokens = "tokens" // Width tokens in a row; tokens are what white space separates
	Chars  = "chars"  // Width characters (code points) in a row
	Bytes  = "bytes"  // Width bytes in a row of the normalised text in UTF-8; Milvus has it so
	Set    = "set"    // members of a set as they are given; no width, no normalisation
)

// MaxWidth bounds Recipe.Width.
const MaxWidth = 1000

// The choices within a normalisation, as its fields spell them.
const (
	Lower   = ""     // Case: full lower case, as Python's str.lower
	Fold    = "fold" // Case: full case folding, as Python's str.casefold
	AsIs    = "case" // Case: kept
	Keep    = "keep" // Space: as it is
	One     = "one"  // Space: each run is one space, none at the ends
	None    = "none" // Space: left out
	ToSpace = "space"
	Drop    = "drop"
	Zero    = "zero"
	Only    = "only"
)

// A Recipe says how text becomes elements. It is comparable and its String is
// the canonical spelling that parameters carry.
//
// The steps are taken in this order: HTML, Code, Form, Case with Digits and
// Punct, Space, then Unspaced takes its characters, then text is cut into words
// (these by Scripts, and each stemmed) or characters. Words are joined by one space, so "ab c" and "a bc" differ.
//
// A document with fewer words (or characters) than Width, but not without any,
// has one element: all of them. A document with none has none.
type Recipe struct {
	Kind  string // Words, UAX29, Tokens, Chars, Bytes, Set
	Width int    // words or characters in an element; 0 for Set

	Norm     int    // base: 0 lower case only; 1 NFC, lower case, white space to One
	Form     string // "", "nfc", "nfd", "nfkc", "nfkd"; of runs of more than 30 marks, in the Stream-Safe form of UAX 15
	Case     string // Lower, Fold, AsIs
	Space    string // Keep, One, None; characters only, since words have none in them
	Punct    string // "", ToSpace, Drop: punctuation and symbols (P and S)
	Digits   string // "", Zero, Drop: decimal digits (Nd)
	HTML     bool   // markup is taken away; see StripHTML
	Code     string // "", Drop, Only: fenced code blocks of Markdown, or, with HTML, pre elements
	Stem     string // "", or the language of a Snowball stemmer; words only
	Unspaced int    // > 0: scripts without spaces give runs of so many characters instead of words; words only
	Scripts  bool   // a word ends where the script changes; words only
	Without  string // digest of the elements that are left out, as Boilerplate.Digest
}

// Default is the recipe that commands use unless told otherwise.
const Default = "words=5/norm=1"

// byWord says whether elements are runs of words.
func (r Recipe) byWord() bool { return r.Kind == Words || r.Kind == UAX29 || r.Kind == Tokens }

// base returns the recipe with all options as its Norm has them.
func (r Recipe) base() Recipe {
	b := Recipe{Kind: r.Kind, Width: r.Width, Norm: r.Norm, Space: Keep}
	if b.byWord() {
		b.Space = "" // of no effect
	}
	if r.Norm == 1 {
		b.Form = "nfc"
		if !b.byWord() {
			b.Space = One
		}
	}
	return b
}

// String is the canonical spelling: the kind with its width, norm, and each
// option in which the recipe differs from its norm, as "words=5/norm=1/nfkc".
func (r Recipe) String() string {
	if r.Kind == Set {
		return Set
	}
	b := r.base()
	parts := []string{r.Kind + "=" + strconv.Itoa(r.Width), "norm=" + strconv.Itoa(r.Norm)}
	add := func(differs bool, part string) {
		if differs {
			parts = append(parts, part)
		}
	}
	add(r.Form != b.Form, r.Form)
	add(r.Case != b.Case, r.Case)
	add(r.Space != b.Space, "space="+r.Space)
	add(r.Punct != "", "punct="+r.Punct)
	add(r.Digits != "", "digits="+r.Digits)
	add(r.HTML, "html")
	add(r.Code != "", "code="+r.Code)
	add(r.Stem != "", "stem="+r.Stem)
	add(r.Unspaced != 0, "unspaced="+strconv.Itoa(r.Unspaced))
	add(r.Scripts, "scripts")
	add(r.Without != "", "without="+r.Without)
	return strings.Join(parts, "/")
}

// Elements are the elements of text as sketch.Params have them.
func (r Recipe) Elements() sketch.Elements {
	return sketch.Elements{Molecule: sketch.Text, Recipe: r.String()}
}

// Parse reads a recipe: kind=width, then norm=0 or norm=1, then options in any
// order, each at most once.
func Parse(s string) (Recipe, error) {
	bad := func(err error) (Recipe, error) { return Recipe{}, fmt.Errorf("recipe %q: %w", s, err) }
	if s == Set {
		return Recipe{Kind: Set}, nil
	}
	parts := strings.Split(s, "/")
	if len(parts) < 2 {
		return bad(fmt.Errorf("a kind and a norm expected, as %q", Default))
	}
	var r Recipe
	kind, width, _ := strings.Cut(parts[0], "=")
	n, err := number(width, MaxWidth)
	if err != nil {
		return bad(fmt.Errorf("%q: elements and a number of them from 1 to %d expected, as words=5", parts[0], MaxWidth))
	}
	r.Kind, r.Width = kind, n
	switch parts[1] {
	case "norm=0":
	case "norm=1":
		r.Norm = 1
	default:
		return bad(fmt.Errorf("%q: norm=0 or norm=1 expected", parts[1]))
	}
	r = r.base()
	seen := map[string]bool{}
	for _, p := range parts[2:] {
		group, err := r.set(p)
		if err != nil {
			return bad(err)
		}
		if seen[group] {
			return bad(fmt.Errorf("%q: a second choice of %s", p, group))
		}
		seen[group] = true
	}
	if err := r.Validate(); err != nil {
		return bad(err)
	}
	return r, nil
}

// set takes one option and returns what it is a choice of.
func (r *Recipe) set(option string) (group string, err error) {
	key, val, _ := strings.Cut(option, "=")
	switch option {
	case "nfc", "nfd", "nfkc", "nfkd":
		r.Form = option
		return "form", nil
	case Fold, AsIs:
		r.Case = option
		return "case", nil
	case "html":
		r.HTML = true
		return option, nil
	case "scripts":
		r.Scripts = true
		return option, nil
	}
	switch key {
	case "space":
		r.Space = val
	case "punct":
		r.Punct = val
	case "digits":
		r.Digits = val
	case "code":
		r.Code = val
	case "stem":
		r.Stem = val
	case "unspaced":
		r.Unspaced, err = number(val, MaxWidth)
	case "without":
		r.Without = val
	default:
		err = fmt.Errorf("unknown option %q", option)
	}
	if err == nil && val == "" {
		err = fmt.Errorf("option %q has no value", option)
	}
	return key, err
}

func number(s string, most int) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > most || strconv.Itoa(n) != s {
		return 0, fmt.Errorf("%q is no number from 1 to %d", s, most)
	}
	return n, nil
}

// Validate says whether the recipe can be followed.
func (r Recipe) Validate() error {
	oneOf := func(name, val string, choices ...string) error {
		for _, c := range choices {
			if val == c {
				return nil
			}
		}
		return fmt.Errorf("%s=%s: not one of %s", name, val, strings.Join(choices, " "))
	}
	if r.Kind == Set {
		if r != (Recipe{Kind: Set}) {
			return fmt.Errorf("members of a set are taken as they are")
		}
		return nil
	}
	for _, err := range []error{
		oneOf("kind", r.Kind, Words, UAX29, Tokens, Chars, Bytes),
		oneOf("form", r.Form, "", "nfc", "nfd", "nfkc", "nfkd"),
		oneOf("case", r.Case, Lower, Fold, AsIs),
		oneOf("punct", r.Punct, "", ToSpace, Drop),
		oneOf("digits", r.Digits, "", Zero, Drop),
		oneOf("code", r.Code, "", Drop, Only),
	} {
		if err != nil {
			return err
		}
	}
	switch {
	case r.Width < 1 || r.Width > MaxWidth:
		return fmt.Errorf("width %d is outside 1..%d", r.Width, MaxWidth)
	case r.Norm != 0 && r.Norm != 1:
		return fmt.Errorf("norm=%d: 0 or 1", r.Norm)
	case r.Norm == 1 && r.Form == "":
		return fmt.Errorf("norm=1 has a Unicode form")
	case r.byWord() && r.Space != "":
		return fmt.Errorf("space=%s: words have no white space in them", r.Space)
	case !r.byWord() && (r.Stem != "" || r.Unspaced != 0 || r.Scripts):
		return fmt.Errorf("stem, unspaced and scripts go with words alone")
	case r.Stem != "" && stemmers[r.Stem] == nil:
		return fmt.Errorf("stem=%s: not one of %s", r.Stem, strings.Join(Stemmers(), " "))
	case r.Stem != "" && r.Case != Lower:
		return fmt.Errorf("stem needs lower case")
	case r.Unspaced < 0 || r.Unspaced > MaxWidth:
		return fmt.Errorf("unspaced=%d is outside 1..%d", r.Unspaced, MaxWidth)
	case r.Without != "" && !isDigest(r.Without):
		return fmt.Errorf("without=%s: a digest of 32 hexadecimal digits expected", r.Without)
	}
	if !r.byWord() {
		return oneOf("space", r.Space, Keep, One, None)
	}
	return nil
}

func isDigest(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == 16 && hex.EncodeToString(b) == s
}
