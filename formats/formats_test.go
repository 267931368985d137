// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/sketch"
	"github.com/gsketch/gsketch/sketch/sketchtest"
)

// items are bottom-k and FracMinHash sketches in turn, as gsketch sketch makes
// them.
func items(t testing.TB, kinds ...string) []sketch.Item {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	var list []sketch.Item
	for i := range 6 {
		p := sketch.Params{Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42)}
		var s sketch.Sketch
		var err error
		hashes := sketchtest.Hashes(r, 50)
		slices.Sort(hashes)
		switch p.Family = kinds[i%len(kinds)]; p.Family {
		case sketch.BottomK:
			p.Size = 60
			s, err = bottomk.New(p, hashes, nil)
		default:
			p.Scaled = 1
			s, err = fracminhash.New(p, hashes, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, sketch.Item{Meta: sketch.Meta{ID: strings.Repeat("n", i+1), Row: int64(i)}, Sketch: s})
	}
	return list
}

func create(t testing.TB, path string, list []sketch.Item) {
	t.Helper()
	kind, err := KindOf(path)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w, err := NewWriter(&b, kind, WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range list {
		if err := w.Write(it); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// What is written in any format is recognised by its content, not its name, and
// comes back in order, whatever the kinds of sketches in the file.
func TestEveryFormatComesBack(t *testing.T) {
	both := items(t, sketch.BottomK, sketch.FracMinHash)
	for name, c := range map[string]struct {
		kind Kind
		list []sketch.Item
	}{
		"x.parquet": {Table, both}, "x.sig": {Sig, both}, "x.sig.gz": {SigGz, both}, "x.zip": {Zip, both},
		"x.msh": {Msh, items(t, sketch.BottomK)},
	} {
		path := filepath.Join(t.TempDir(), name)
		create(t, path, c.list)
		other := filepath.Join(filepath.Dir(path), "renamed")
		if err := os.Rename(path, other); err != nil {
			t.Fatal(err)
		}
		if kind, err := Sniff(other); err != nil || kind != c.kind {
			t.Errorf("%s: kind %d, %v; want %d", name, kind, err, c.kind)
		}
		collections, err := Open(other, OpenOptions{Threads: 2})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := InFileOrder(collections)
		if len(got) != len(c.list) {
			t.Fatalf("%s: %d sketches, want %d", name, len(got), len(c.list))
		}
		for i, g := range got {
			w := c.list[i]
			if g.Meta.ID != w.Meta.ID || g.Sketch.Params() != w.Sketch.Params() || !slices.Equal(sketchtest.Of(g.Sketch).Hashes, sketchtest.Of(w.Sketch).Hashes) {
				t.Errorf("%s: sketch %d is %s (%s)", name, i, g.Meta.ID, g.Sketch.Params())
			}
		}
	}
}

func TestSniffOther(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	list := write("list.txt", dir+"\n")
	for path, want := range map[string]Kind{
		write("a.fa", ">a\nACGT\n"): Sequence, write("a.zip.fa", "\n\n>a\n"): Sequence, write("r", "@r\nA\n+\nI\n"): Sequence,
		write("semi", ";old\n>a\nA\n"): Sequence, write("empty", ""): Sequence, write("m.csv", "# SOURMASH-MANIFEST-VERSION: 1.0\n"): PathList,
		list: PathList, dir: Directory, "-": Sequence,
	} {
		if got, err := Sniff(path); err != nil || got != want {
			t.Errorf("%s: %d, %v; want %d", path, got, err, want)
		}
	}
	for path, want := range map[string]string{
		write("x.zip", "neither"): "not a complete zip file", write("e.zip", ""): "not a complete zip file", write("e.msh", ""): "not a complete .msh file",
		write("notes.md", "# notes\n"): "neither FASTA nor FASTQ", filepath.Join(dir, "missing"): "no such file",
	} {
		if _, err := Sniff(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v; want %q", path, err, want)
		}
	}
}

func TestKindOf(t *testing.T) {
	for path, want := range map[string]Kind{"a.parquet": Table, "a.msh": Msh, "a.sig": Sig, "a.sig.gz": SigGz, "a.zip": Zip, "a/": Directory, "-": Table} {
		if got, err := KindOf(path); err != nil || got != want {
			t.Errorf("%s: %d, %v", path, got, err)
		}
	}
	if _, err := KindOf("a.txt"); err == nil {
		t.Error("a.txt")
	}
}

func TestHolds(t *testing.T) {
	bottom, frac := items(t, sketch.BottomK)[0].Sketch.Params(), items(t, sketch.FracMinHash)[0].Sketch.Params()
	narrow := bottom
	narrow.Elements.K, narrow.Hash.Bits = 16, 32
	for _, c := range []struct {
		k    Kind
		p    sketch.Params
		want bool
	}{{Table, bottom, true}, {Table, narrow, true}, {Msh, bottom, true}, {Msh, narrow, true}, {Msh, frac, false}, {Zip, bottom, true}, {Zip, narrow, false}, {Sig, frac, true}, {Sequence, frac, false}} {
		if err := c.k.Holds(c.p); (err == nil) != c.want {
			t.Errorf("kind %d, %s: %v", c.k, c.p, err)
		}
	}
}

// A .msh file holds one kind of sketch; a second is refused, not left out.
func TestMshRefusesASecondKind(t *testing.T) {
	w, err := NewWriter(&bytes.Buffer{}, Msh, WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	list := items(t, sketch.BottomK, sketch.FracMinHash)
	if err := w.Write(list[0]); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(list[1]); err == nil {
		t.Error("accepted")
	}
}
