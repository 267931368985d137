// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/sketch"
)

// signatures are sketches of slots, of which the file tells nothing.
func signatures(t *testing.T, slots int, names ...string) (p sketch.Params, items []sketch.Item) {
	t.Helper()
	p, err := sketch.ParseParams("kperm;text/words=5/norm=1;sha1/bits=64/seed=1/perm=affine32;size=8")
	if err != nil {
		t.Fatal(err)
	}
	p.Size = slots
	for i, name := range names {
		values := make([]uint64, slots)
		for j := range values {
			values[j] = uint64(1000*i + j)
		}
		s, err := minhash.New(p, values)
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, sketch.Item{Meta: sketch.Meta{ID: name}, Sketch: s})
	}
	return p, items
}

func written(kind Kind, items []sketch.Item) ([]byte, error) {
	var b bytes.Buffer
	w, err := NewWriter(&b, kind, WriteOptions{})
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		if err := w.Write(it); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return b.Bytes(), err
}

// TestForeignCut: a file of signatures comes back whole, and no part of it is
// read where it does not end between two signatures.
func TestForeignCut(t *testing.T) {
	p, items := signatures(t, 8, "a", "b", "c")
	for kind, name := range map[Kind]string{Lean: "x.lean", Milvus: "x.milvus.json"} {
		data, err := written(kind, items)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), name)
		for n := range len(data) + 1 {
			if err := os.WriteFile(path, data[:n], 0o666); err != nil {
				t.Fatal(err)
			}
			cs, err := OpenKind(path, kind, OpenOptions{Threads: 1, Params: p, Warn: func(string) {}})
			whole := n == len(data) || kind == Lean && n%(13+4*8) == 0 || kind == Milvus && n == len(data)-1 // the last byte is a line end
			var bad *sketch.InputError
			switch {
			case whole && err != nil:
				t.Errorf("%s of %d bytes: %v", name, n, err)
			case !whole && !errors.As(err, &bad):
				t.Errorf("%s cut at byte %d of %d: %d collections, %v", name, n, len(data), len(cs), err)
			}
			if n == len(data) && (len(cs) != 1 || cs[0].Len() != 3 || cs[0].Params() != p) {
				t.Errorf("%s: %v", name, cs)
			}
		}
		if found, err := Sniff(path); err != nil || found != kind {
			t.Errorf("%s is taken for %v, %v", name, found, err)
		}
		_, err = Open(path, OpenOptions{Threads: 1})
		if err == nil || !strings.Contains(err.Error(), "does not say how") {
			t.Errorf("%s without parameters: %v", name, err)
		}
		q := p
		q.Size++
		if _, err := OpenKind(path, kind, OpenOptions{Threads: 1, Params: q}); err == nil {
			t.Errorf("%s was read as %s", name, q)
		}
	}
}

// TestForeignOneKind: what a reader could not tell apart, or Milvus not keep,
// is refused.
func TestForeignOneKind(t *testing.T) {
	_, eight := signatures(t, 8, "a")
	_, nine := signatures(t, 9, "b")
	_, twice := signatures(t, 8, "a", "a")
	_, nameless := signatures(t, 8, "")
	for _, c := range []struct {
		kind  Kind
		items []sketch.Item
	}{{Lean, append(eight, nine...)}, {Milvus, append(eight, nine...)}, {Milvus, twice}, {Milvus, nameless}} {
		if _, err := written(c.kind, c.items); err == nil {
			t.Errorf("kind %d holds %d sketches that it cannot", c.kind, len(c.items))
		}
	}
	if b, err := written(Milvus, nil); err != nil || string(b) != "{\"rows\":[\n]}\n" {
		t.Errorf("no vectors: %q, %v", b, err)
	}
}

func TestKindNamed(t *testing.T) {
	for name, want := range map[string]Kind{"parquet": Table, "sig.gz": SigGz, "lean": Lean, "milvus": Milvus} {
		if k, err := KindNamed(name); err != nil || k != want {
			t.Errorf("%s: %v, %v", name, k, err)
		}
	}
	if _, err := KindNamed("json"); err == nil {
		t.Error("json is no format")
	}
}
