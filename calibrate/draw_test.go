// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// strataCorpus has pairs of every stratum, named "STRATUM-NUMBER-a" and "-b".
func strataCorpus(r *rand.Rand) [][2]string {
	var docs [][2]string
	header := sentence(r, 150) // that many documents have
	for i := range 12 {
		add := func(stratum, a, b string) {
			docs = append(docs, [2]string{fmt.Sprint(stratum, "-", i, "-a"), a}, [2]string{fmt.Sprint(stratum, "-", i, "-b"), b})
		}
		s := sentence(r, 100)
		add(Exact, s, s)
		s = sentence(r, 100)
		add(Formatting, s, strings.ToUpper(strings.ReplaceAll(s, " ", ",\n")))
		s = sentence(r, 150)
		add(Edited, s, s+" "+sentence(r, 5))
		add(Boilerplate, header+" "+sentence(r, 10), header+" "+sentence(r, 10))
		s = sentence(r, 60)
		add(Partial, s, sentence(r, 200)+" "+s+" "+sentence(r, 200))
		s = sentence(r, 100)
		add(Borderline, s+" "+sentence(r, 30), s+" "+sentence(r, 30))
		marks := fmt.Sprintf(" 19%02d https://example.org/%d/ 12.5 a%d@example.org ", i, i, i)
		add(Translation, sentence(r, 30)+marks+sentence(r, 30), sentence(r, 30)+marks+sentence(r, 30))
		add(Unlike, sentence(r, 80), sentence(r, 80))
	}
	return docs
}

func drawOptions(t *testing.T) DrawOptions {
	return DrawOptions{Elements: recipe(t, "words=5/norm=1"), Hash: xxh3Hash(), Each: 8, Threshold: 0.8, Frequent: 0.1, Documents: 1000, Characters: 500}
}

// TestDraw: of each stratum there are as many pairs as wanted, and they are
// those that were made so.
func TestDraw(t *testing.T) {
	docs := strataCorpus(rand.New(rand.NewPCG(5, 1)))
	d, err := Draw(context.Background(), jsonl(writeCorpus(t, docs)), drawOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for _, p := range d.Pairs {
		n[p.Stratum]++
		made, number, _ := strings.Cut(p.A, "-")
		other, number2, _ := strings.Cut(p.B, "-")
		switch p.Stratum {
		case Unlike:
		case Boilerplate:
			if made != Boilerplate || other != Boilerplate {
				t.Errorf("%s and %s are of stratum %s", p.A, p.B, p.Stratum)
			}
		default:
			if made != p.Stratum || other != p.Stratum || number[:len(number)-2] != number2[:len(number2)-2] {
				t.Errorf("%s and %s are of stratum %s", p.A, p.B, p.Stratum)
			}
		}
	}
	for _, s := range Strata {
		if n[s] != 8 {
			t.Errorf("%d pairs of stratum %s", n[s], s)
		}
	}
	if d.Boilerplate < 140 {
		t.Errorf("%d elements are boilerplate", d.Boilerplate)
	}
}

func TestDrawOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	docs := strataCorpus(r)
	o := drawOptions(t)
	o.Documents = 100
	var drawings []string
	for threads := 1; threads <= 3; threads++ {
		c := jsonl(writeCorpus(t, docs))
		c.Threads = threads
		d, err := Draw(context.Background(), c, o)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := d.WriteText(&b); err != nil {
			t.Fatal(err)
		}
		drawings = append(drawings, b.String())
		r.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
	}
	if drawings[0] != drawings[1] || drawings[0] != drawings[2] {
		t.Error("order or threads change what is drawn")
	}
	c := jsonl(writeCorpus(t, docs))
	c.Seed = 2
	d, err := Draw(context.Background(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := d.WriteText(&b); err != nil || b.String() == drawings[0] {
		t.Error("another seed draws the same", err)
	}
}

// TestLabelsRoundTrip: what is written is read again, in both formats, and
// pairs without a verdict are unsure.
func TestLabelsRoundTrip(t *testing.T) {
	d, err := Draw(context.Background(), jsonl(writeCorpus(t, strataCorpus(rand.New(rand.NewPCG(5, 1))))), drawOptions(t))
	if err != nil {
		t.Fatal(err)
	}
	var want []Label
	for _, p := range d.Pairs {
		want = append(want, Label{p.A, p.B, p.Stratum, Unsure})
	}
	dir := t.TempDir()
	for name, write := range map[string]func(*bytes.Buffer) error{
		"pairs.tsv":     func(b *bytes.Buffer) error { return d.WriteText(b) },
		"pairs.parquet": func(b *bytes.Buffer) error { return d.WriteParquet(b) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := ReadLabels(path)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestReadLabels(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a\tb\tlabel\nx\ty\tsame\r\nx\tz\tDifferent\nx\tw\n\n", ""},
		{"", "is empty"},
		{"a\tb\n", `no column "label"`},
		{"a\tb\tlabel\nx\ty\tmaybe\n", `record 2: label "maybe"`},
		{"a\tb\tlabel\nx\tx\tsame\n", `a pair of "x" with itself`},
		{"a\tb\tlabel\n\ty\tsame\n", "a pair without names"},
		{"a\tb\tlabel\nx\ty\tsame\tmore\n", "4 cells under 3 columns"},
		{"PAR1", "pairs.tsv"},
	} {
		path := filepath.Join(t.TempDir(), "pairs.tsv")
		if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		labels, err := ReadLabels(path)
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		case c.want == "" && !reflect.DeepEqual(labels, []Label{{"x", "y", "none", Same}, {"x", "z", "none", Different}, {"x", "w", "none", Unsure}}):
			t.Errorf("%q: %v", c.text, labels)
		}
	}
}

func FuzzReadLabels(f *testing.F) {
	f.Add([]byte("a\tb\tstratum\tlabel\nx\ty\texact\tsame\n"))
	f.Add([]byte("PAR1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "pairs")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		labels, err := ReadLabels(path)
		for _, l := range labels {
			if err == nil && (l.A == "" || l.B == "" || l.A == l.B || l.Kind == "") {
				t.Errorf("%+v", l)
			}
		}
	})
}

func TestMarks(t *testing.T) {
	a := marksOf([]byte("Siehe https://example.org/x. Seit 1998-05-01, Art. 12.5 (a@b.org); 7 Tage"))
	b := marksOf([]byte("在2004年看 <https://example.org/x> 1998-05-01，12.5 \"a@b.org\""))
	if len(a) != 4 || len(b) != 5 || common(a, b) != 4 {
		t.Errorf("%d marks, %d, %d in common", len(a), len(b), common(a, b))
	}
}

// TestExcerpt: of a long text the part is shown that the other shares.
func TestExcerpt(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	s := sentence(r, 20)
	long := sentence(r, 300) + " " + s + " " + sentence(r, 300)
	v, err := newViewer(recipe(t, "words=5/norm=1"), xxh3Hash())
	if err != nil {
		t.Fatal(err)
	}
	x, y := &view{document: document{text: []byte(long)}}, &view{document: document{text: []byte(s)}}
	for _, z := range []*view{x, y} {
		if err := v.look(z); err != nil {
			t.Fatal(err)
		}
	}
	got, err := v.excerpt(x, y, 500)
	if err != nil || !strings.Contains(got, s) || !strings.HasPrefix(got, "[...] ") || !strings.HasSuffix(got, " [...]") {
		t.Errorf("%v %q", err, got)
	}
	if got, _ := v.excerpt(y, x, 500); got != s {
		t.Errorf("%q", got)
	}
}
