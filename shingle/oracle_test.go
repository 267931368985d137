// SPDX-License-Identifier: Apache-2.0

package shingle

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// python runs testdata/oracle.py; without Python 3 the test is skipped. The
// variable GSKETCH_PYTHON names another interpreter, with another Unicode.
func python(t *testing.T, mode string, stdin []byte) []byte {
	t.Helper()
	name := os.Getenv("GSKETCH_PYTHON")
	if name == "" {
		name = "python3"
	}
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("SKIPPED: no Python to compare with: %v", err)
	}
	cmd := exec.Command(name, "testdata/oracle.py", mode)
	cmd.Stdin = bytes.NewReader(stdin)
	cmd.Env = append(os.Environ(), "PYTHONIOENCODING=utf-8", "PYTHONUTF8=1")
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, complaint.String())
	}
	return out
}

// TestCharacters compares the tables with Python's, for every character that
// both know. Python's Unicode is mostly another than 15.0: where it has another
// category for a character, or none, no comparison is possible.
func TestCharacters(t *testing.T) {
	version := strings.TrimSpace(string(python(t, "version", nil)))
	c := tables()
	compared, other := 0, 0
	lowers, folds := newNormalizer(mustParse(t, "bytes=1/norm=0")), newNormalizer(mustParse(t, "bytes=1/norm=0/fold"))
	sc := bufio.NewScanner(bytes.NewReader(python(t, "chars", nil)))
	for sc.Scan() {
		f := strings.Fields(sc.Text())
		if len(f) != 8 {
			t.Fatalf("%q", sc.Text())
		}
		v, err := strconv.ParseUint(f[0], 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		r, word, space, category, lower, fold, cased, passed := rune(v), f[1] == "1", f[2] == "1", f[3], f[4], f[5], f[6] == "1", f[7] == "1"
		known := category != "Cn"
		if known != (c.props[r]&propAssigned != 0) || known && !unicode.Is(unicode.Categories[category], r) {
			other++
			continue
		}
		compared++
		if got := c.props[r]&propWord != 0; got != word {
			t.Errorf("%U: a word character: %t", r, got)
		}
		if got := c.props[r]&propSpace != 0; got != space {
			t.Errorf("%U: white space: %t", r, got)
		}
		if got := c.props[r]&propDigit != 0; got != (category == "Nd") {
			t.Errorf("%U: a digit: %t", r, got)
		}
		if got := c.props[r]&propPunct != 0; got != strings.ContainsRune("PS", rune(category[0])) {
			t.Errorf("%U: punctuation: %t", r, got)
		}
		if got := hex.EncodeToString(lowers.normalize([]byte(string(r)))); got != lower {
			t.Errorf("%U: lower case %s, Python %s", r, got, lower)
		}
		if got := hex.EncodeToString(folds.normalize([]byte(string(r)))); got != fold {
			t.Errorf("%U: folded %s, Python %s", r, got, fold)
		}
		// A sigma after it is final if it is cased, or, after a letter, if it
		// is passed over or cased.
		for _, c := range []struct {
			before string
			final  bool
		}{{"", cased}, {"a", passed}} {
			got := string(lowers.normalize([]byte(c.before + string(r) + "Σ")))
			if strings.HasSuffix(got, "ς") != c.final {
				t.Errorf("%q before %U: the sigma is final: %t", c.before, r, !c.final)
			}
		}
	}
	t.Logf("Unicode %s: %d characters compared, %d of another category there", version, compared, other)
	if compared < 280_000 {
		t.Errorf("only %d characters compared", compared)
	}
}

func mustParse(t testing.TB, recipe string) Recipe {
	t.Helper()
	r, err := Parse(recipe)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// elements returns the elements of a document in order, before they are hashed.
func elements(s *Shingler, doc []byte) []string {
	s.Reset(doc)
	var all []string
	for {
		if e := s.windows.next(); e != nil {
			all = append(all, string(e))
		} else if !s.more() {
			return all
		}
	}
}

// oracleRecipes are those that testdata/oracle.py can follow.
var oracleRecipes = []string{
	"words=5/norm=0", "words=2/norm=1", "words=1/norm=0/case", "words=3/norm=1/nfkc/fold", "words=2/norm=0/punct=drop", "words=2/norm=1/digits=zero",
	"words=2/norm=1/nfd/punct=space/digits=drop", "tokens=1/norm=0/case", "tokens=2/norm=1/nfkd", "tokens=3/norm=1/punct=drop/digits=drop",
	"chars=3/norm=0", "chars=5/norm=1", "chars=4/norm=1/space=none", "chars=9/norm=1/nfkc/space=keep", "chars=2/norm=1/punct=drop", "chars=3/norm=1/fold/punct=space/digits=zero",
	"bytes=3/norm=0/case", "bytes=5/norm=1",
}

// TestElements compares whole recipes with Python on texts of characters that
// are hard in some way.
func TestElements(t *testing.T) {
	const seed = 20
	r := rand.New(rand.NewPCG(seed, seed))
	type question struct{ recipe, text string }
	var asked []question
	var in bytes.Buffer
	for i := range 3000 {
		q := question{oracleRecipes[i%len(oracleRecipes)], hardText(r)}
		asked = append(asked, q)
		line, err := json.Marshal([]string{q.recipe, q.text})
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	sc := bufio.NewScanner(bytes.NewReader(python(t, "elements", in.Bytes())))
	sc.Buffer(nil, 64<<20)
	shinglers := map[string]*Shingler{}
	for _, recipe := range oracleRecipes {
		shinglers[recipe] = newText(t, recipe)
	}
	for _, q := range asked {
		if !sc.Scan() {
			t.Fatal("fewer answers than questions")
		}
		var want []string
		if err := json.Unmarshal(sc.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		got := elements(shinglers[q.recipe], []byte(q.text))
		if len(got) != len(want) {
			t.Fatalf("%s of %+q: %d elements, Python %d", q.recipe, q.text, len(got), len(want))
		}
		for i := range got {
			if hex.EncodeToString([]byte(got[i])) != want[i] {
				t.Fatalf("%s of %+q: element %d is %+q, Python %s", q.recipe, q.text, i, got[i], want[i])
			}
		}
	}
}

// hardText is a text of up to 400 characters (now and then of many chunks)
// with everything that recipes look at, of Unicode 13 and older, so that any
// Python knows it.
func hardText(r *rand.Rand) string {
	pool := []rune("abcXYZ 019_.,-'’:·\t\n\r\u00a0\u2003\u3000\u001c\u0085ÀéÅßẞİIıΣσςΑΒ\u0301\u0308\u0323\u0307\u0345\u05b0ﬁﬀ½²٣५Ⅷⅷ①ＦｕＬｌ中文字ーｱｶﾞ각한ᄀ\u1161\u11a8กำไЖжǅǆ\u00ad\u200d😀\u0e49")
	n := r.IntN(400)
	if r.IntN(50) == 0 {
		n = 3 * chunk
	}
	text := make([]rune, n)
	marks := 0
	for i := range text {
		c := pool[r.IntN(len(pool))]
		if r.IntN(3) == 0 {
			c = pool[r.IntN(30)] // plain stretches
		}
		if unicode.Is(unicode.M, c) {
			if marks++; marks > 20 { // Stream-Safe from 30 on, which Python is not
				c = 'm'
			}
		}
		if !unicode.Is(unicode.M, c) {
			marks = 0
		}
		text[i] = c
	}
	return string(text)
}
