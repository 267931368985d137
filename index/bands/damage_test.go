// SPDX-License-Identifier: Apache-2.0

package bands

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/sketch"
)

// damaged makes an index of two segments, the later with removals, and returns
// some of its documents.
func damaged(t testing.TB) (dir string, items []sketch.Item) {
	t.Helper()
	c := config(12, 4, 3)
	x, dir := create(t, c)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 60 {
		items = append(items, item(t, c.Params, r, fmt.Sprint(i), 3))
	}
	if _, err := x.Add(items); err != nil {
		t.Fatal(err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, items
}

func names(t *testing.T, dir string, q sketch.Item) ([]string, error) {
	d, err := Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	x, err := New(d)
	if err != nil {
		t.Fatal(err)
	}
	hits, err := x.Search(q.Sketch.(sketch.Signature), 0, 0.95)
	var list []string
	for _, h := range hits {
		list = append(list, fmt.Sprint(h.Item.Meta.ID, h.Similarity.Value))
	}
	return list, err
}

// Every flipped bit and every cut is noticed by Check, and no search finds
// something else.
func TestDamage(t *testing.T) {
	dir, items := damaged(t)
	r := rand.New(rand.NewPCG(7, 7))
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	want, err := names(t, dir, items[0])
	if err != nil || len(want) < 2 {
		t.Fatal(want, err)
	}
	for _, e := range entries {
		if e.Name() == "LOCK" {
			continue
		}
		path := filepath.Join(dir, e.Name())
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 120 {
			bad := slices.Clone(good)
			if i%3 == 0 {
				bad = bad[:r.IntN(len(bad))]
			} else {
				bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
			}
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := Check(dir); err == nil {
				t.Fatalf("%s: damage passes (%d)", e.Name(), i)
			}
			if got, err := names(t, dir, items[0]); err == nil && !slices.Equal(got, want) {
				t.Fatalf("%s: a search finds something else", e.Name())
			}
		}
		if err := os.WriteFile(path, good, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A file that is cut while it is in use is an error, and no fault.
func TestCutWhileInUse(t *testing.T) {
	dir, items := damaged(t)
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	x, err := New(d)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.bands"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if err := os.Truncate(f, 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := x.Search(items[0].Sketch.(sketch.Signature), 0, 0.95); err == nil {
		t.Error("a search in a file that is gone finds something")
	}
}

// entries is a log of three entries, and where each ends.
func entries() (log []byte, ends []int) {
	log = []byte(logMagic)
	for i := range uint32(3) {
		c := change{document: true, Document: Document{ID: i, Keys: []lsh.Key{{Band: 300, Hash: 7}, {Band: 0, Hash: uint64(i)}}, Record: []byte("record")}}
		changes := appendChange(appendChange(nil, c), change{remove: true, Document: Document{ID: 9, Keys: c.Keys}})
		log = append(append(log, entryHead(int64(len(log)), changes)...), changes...)
		ends = append(ends, len(log))
	}
	return log, ends
}

// A log that was cut anywhere gives the entries that are whole; so does one
// whose last bytes did not reach the disk. Any other damage is an error.
func TestTornLog(t *testing.T) {
	log, ends := entries()
	count := func(data []byte) (n int, err error) {
		_, err = replay(bytes.NewReader(data), int64(len(data)), func(change) { n++ })
		return n, err
	}
	for cut := 8; cut <= len(log); cut++ {
		want := 0
		for _, end := range ends {
			if end <= cut {
				want += 2
			}
		}
		zeros := append(slices.Clone(log[:cut]), make([]byte, len(log)-cut)...)
		if n, err := count(log[:cut]); n != want || err != nil {
			t.Errorf("cut at %d: %d changes, want %d; %v", cut, n, want, err)
		}
		if n, err := count(zeros); n < want || err != nil && cut >= ends[1]+logHead {
			t.Errorf("zeros from %d on: %d changes, want %d; %v", cut, n, want, err)
		}
	}
	for i := range ends[1] { // the last entry is of the writer that failed
		bad := slices.Clone(log)
		bad[i] ^= 4
		if _, err := count(bad); err == nil {
			t.Errorf("byte %d of an acknowledged entry may change", i)
		}
	}
}

func FuzzLog(f *testing.F) {
	log, _ := entries()
	f.Add(log)
	f.Add([]byte(logMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		tail := newTail()
		_, _ = replay(bytes.NewReader(data), int64(len(data)), tail.apply)
		tail.byBand()
	})
}

func FuzzSegment(f *testing.F) {
	var rows, docs bytes.Buffer
	if _, err := writeRows(&rows, []uint32{0, 300}, func(uint32) ([]row, error) {
		var list []row
		for i := range uint64(100) {
			list = append(list, row{i * i, uint32(i)})
		}
		return list, nil
	}); err != nil {
		f.Fatal(err)
	}
	d, err := newDocsWriter(&docs)
	if err != nil {
		f.Fatal(err)
	}
	for i := range uint32(5) {
		if err := d.add(3*i, []byte("record")[:i]); err != nil {
			f.Fatal(err)
		}
	}
	if err := d.close(); err != nil {
		f.Fatal(err)
	}
	f.Add(rows.Bytes(), docs.Bytes())
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if rows, err := openRows(a); err == nil {
			for _, band := range []uint32{0, 1, 300} {
				_, _ = rows.find(nil, band, 81)
				_, _ = rows.all(nil, band)
			}
		}
		if docs, err := openDocs(b); err == nil {
			for id := range uint32(20) {
				_, _, _ = docs.find(id)
			}
		}
	})
}

func FuzzRecord(f *testing.F) {
	p := config(12, 4, 3).Params
	it := item(f, p, rand.New(rand.NewPCG(1, 1)), "name", 3)
	f.Add(appendItem(nil, it.Meta, it.Sketch.(sketch.Signature)))
	f.Fuzz(func(t *testing.T, b []byte) {
		it, err := parseItem(p, b)
		if err != nil {
			return
		}
		again, err := parseItem(p, appendItem(nil, it.Meta, it.Sketch.(sketch.Signature)))
		if err != nil || again.Meta != it.Meta {
			t.Fatalf("%+v became %+v; %v", it.Meta, again.Meta, err)
		}
	})
}
