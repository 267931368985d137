// SPDX-License-Identifier: Apache-2.0

package msh

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"capnproto.org/go/capnp/v3"
	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/formats/msh/internal/schema"
	"github.com/gsketch/gsketch/sketch"
)

func dna(k, size int) sketch.Params {
	e := sketch.DNAElements(k)
	return sketch.Params{Family: sketch.BottomK, Elements: e, Hash: sketch.Murmur3(e.MashBits(), 42), Size: size}
}

func item(t interface{ Fatal(...any) }, p sketch.Params, meta sketch.Meta, hashes, counts []uint64) sketch.Item {
	set, err := bottomk.New(p, hashes, counts)
	if err != nil {
		t.Fatal(err)
	}
	return sketch.Item{Meta: meta, Sketch: set}
}

func encode(t interface{ Fatal(...any) }, p sketch.Params, items ...sketch.Item) []byte {
	list, err := sketch.NewList(p, items)
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	if err := Write(&buf, list); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// same compares what .msh keeps of two collections.
func same(a, b sketch.Collection) error {
	if a.Params() != b.Params() || a.Len() != b.Len() {
		return fmt.Errorf("%d of %s, %d of %s", a.Len(), a.Params(), b.Len(), b.Params())
	}
	for i := range a.Len() {
		if a.Meta(i) != b.Meta(i) {
			return fmt.Errorf("sketch %d: %+v, %+v", i, a.Meta(i), b.Meta(i))
		}
		x, y := a.At(i).(sketch.Abundant), b.At(i).(sketch.Abundant)
		if !slices.Equal(x.Hashes(), y.Hashes()) || !slices.Equal(x.Abundances(), y.Abundances()) || x.Bound() != y.Bound() {
			return fmt.Errorf("sketch %d differs", i)
		}
	}
	return nil
}

// TestWireExample holds the one example of the format that was taken from
// Mash 2.3 by hand: `mash sketch -k 7 -s 10` of ">x\nGATTACA\n", 208 bytes.
func TestWireExample(t *testing.T) {
	p := dna(7, 10)
	data := encode(t, p, item(t, p, sketch.Meta{ID: "g.fa", Comment: "x ", Length: 7}, []uint64{0x0f219870}, nil))
	if len(data) != 208 {
		t.Errorf("%d bytes, want 208", len(data))
	}
	f, err := Read(data, "g.msh")
	if err != nil {
		t.Fatal(err)
	}
	set := f.At(0).(sketch.HashSet)
	if got := set.Hashes(); !slices.Equal(got, []uint64{0x0f219870}) || set.Bound() != math.MaxUint32 {
		t.Errorf("hashes %x, bound %x", got, set.Bound())
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := sketch.Params{Family: sketch.BottomK, Size: rapid.IntRange(1, 50).Draw(t, "s")}
		p.Weighted = rapid.Bool().Draw(t, "weighted")
		e := sketch.Elements{Molecule: sketch.DNA}
		if rapid.Bool().Draw(t, "letters") {
			e = sketch.Elements{Molecule: sketch.Letters, Alphabet: sketch.MashProtein, PreserveCase: rapid.Bool().Draw(t, "case")}
		}
		e.K = rapid.IntRange(1, 32).Draw(t, "k")
		e.Canonical = rapid.Bool().Draw(t, "canonical")
		p.Elements = e
		p.Hash = sketch.Murmur3(e.MashBits(), rapid.Uint32().Draw(t, "seed"))
		perRecord := rapid.Bool().Draw(t, "per record")
		var items []sketch.Item
		for range rapid.IntRange(0, 5).Draw(t, "n") {
			meta := sketch.Meta{
				ID:              rapid.StringMatching(`[ -~äö]*`).Draw(t, "name"),
				Comment:         rapid.StringMatching(`[ -~\t]*`).Draw(t, "comment"),
				Length:          rapid.Uint64().Draw(t, "length"),
				LengthEstimated: p.Weighted,
				PerRecord:       perRecord,
			}
			widest := uint64(math.MaxUint64)
			if p.Hash.Bits == 32 {
				widest = math.MaxUint32
			}
			hashes := rapid.SliceOfNDistinct(rapid.Uint64Range(0, widest), 0, p.Size, rapid.ID).Draw(t, "hashes")
			slices.Sort(hashes)
			var counts []uint64
			if p.Weighted {
				counts = rapid.SliceOfN(rapid.Uint64Range(1, math.MaxUint32), len(hashes), len(hashes)).Draw(t, "counts")
			}
			items = append(items, item(t, p, meta, hashes, counts))
		}
		if len(items) == 0 {
			p.Weighted = false // nothing there to be weighted
		}
		list, err := sketch.NewList(p, items)
		if err != nil {
			t.Fatal(err)
		}
		// In one segment, and in as many as the library likes.
		for _, largest := range []uint64{maxSingleSegment, 0} {
			msg, err := message(list, largest)
			if err != nil {
				t.Fatal(err)
			}
			data, err := msg.Marshal()
			if err != nil {
				t.Fatal(err)
			}
			f, err := Read(data, "t.msh")
			if err != nil {
				t.Fatal(err)
			}
			if err := same(list, f); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestCannotHold(t *testing.T) {
	good := dna(21, 10)
	edit := func(f func(*sketch.Params)) sketch.Params {
		p := good
		f(&p)
		return p
	}
	for want, p := range map[string]sketch.Params{
		"only bottom-k":    {Family: sketch.FracMinHash, Elements: good.Elements, Hash: good.Hash, Scaled: 10},
		"k = 33":           edit(func(p *sketch.Params) { p.Elements.K = 33 }),
		"32-bit hashes of": edit(func(p *sketch.Params) { p.Hash.Bits = 32 }),
		"64-bit hashes of": edit(func(p *sketch.Params) { p.Elements.K = 16 }),
		"elements protein": edit(func(p *sketch.Params) { p.Elements = sketch.Elements{Molecule: sketch.Protein, K: 10} }),
		"seed of 32 bits":  edit(func(p *sketch.Params) { p.Hash.Seed = 1 << 32 }),
		"with MurmurHash3": edit(func(p *sketch.Params) { p.Hash.Algorithm = "xxh3-64" }),
		"sketches of size": edit(func(p *sketch.Params) { p.Size = 1 << 31 }),
	} {
		if err := Holds(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", p, err, want)
		}
	}
	for name, it := range map[string]sketch.Item{
		"abundance 4294967296": item(t, edit(func(p *sketch.Params) { p.Weighted = true }), sketch.Meta{}, []uint64{1}, []uint64{1 << 32}),
		"NUL byte":             item(t, good, sketch.Meta{ID: "a\x00b"}, []uint64{1}, nil),
	} {
		list, err := sketch.NewList(it.Sketch.Params(), []sketch.Item{it})
		if err != nil {
			t.Fatal(err)
		}
		var buf bytes.Buffer
		if err := Write(&buf, list); err == nil || !strings.Contains(err.Error(), name) || buf.Len() > 0 {
			t.Errorf("%v with %d bytes written, want %q and none", err, buf.Len(), name)
		}
	}
}

// build makes a file by hand, with whatever edit does to it.
func build(t *testing.T, edit func(m schema.MinHash, r schema.Reference_List)) []byte {
	t.Helper()
	msg, seg, err := capnp.NewMessage(capnp.MultiSegment(nil))
	if err != nil {
		t.Fatal(err)
	}
	m, err := schema.NewRootMinHash(seg)
	if err != nil {
		t.Fatal(err)
	}
	m.SetKmerSize(21)
	m.SetMinHashesPerWindow(10)
	m.SetConcatenated(true)
	list, err := m.NewReferenceListOld()
	if err != nil {
		t.Fatal(err)
	}
	refs, err := list.NewReferences(2)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		if err := refs.At(i).SetName(fmt.Sprint("n", i)); err != nil {
			t.Fatal(err)
		}
	}
	edit(m, refs)
	data, err := msg.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func setHashes(t *testing.T, r schema.Reference, hashes ...uint64) {
	list, err := r.NewHashes64(int32(len(hashes)))
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range hashes {
		list.Set(i, h)
	}
}

func setCounts(t *testing.T, r schema.Reference, counts ...uint32) {
	list, err := r.NewCounts32(int32(len(counts)))
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range counts {
		list.Set(i, c)
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		want string
		edit func(m schema.MinHash, r schema.Reference_List)
	}{
		{"k = 0", func(m schema.MinHash, r schema.Reference_List) { m.SetKmerSize(0) }},
		{"k = 33", func(m schema.MinHash, r schema.Reference_List) { m.SetKmerSize(33) }},
		{"sketch size 0", func(m schema.MinHash, r schema.Reference_List) { m.SetMinHashesPerWindow(0) }},
		{"windowed", func(m schema.MinHash, r schema.Reference_List) { m.SetWindowSize(5) }},
		{"record 2 (n1): hashes are not strictly ascending", func(m schema.MinHash, r schema.Reference_List) { setHashes(t, r.At(1), 5, 4) }},
		{"record 2 (n1): hashes are not strictly ascending", func(m schema.MinHash, r schema.Reference_List) { setHashes(t, r.At(1), 5, 5) }},
		{"11 hashes in a sketch of size 10", func(m schema.MinHash, r schema.Reference_List) {
			setHashes(t, r.At(0), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
		}},
		{"64-bit hashes where", func(m schema.MinHash, r schema.Reference_List) { m.SetKmerSize(16); setHashes(t, r.At(0), 1) }},
		{"2 counts for 1 hashes", func(m schema.MinHash, r schema.Reference_List) {
			setHashes(t, r.At(0), 1)
			setCounts(t, r.At(0), 1, 2)
		}},
		{"abundance 0", func(m schema.MinHash, r schema.Reference_List) {
			setHashes(t, r.At(0), 1)
			setCounts(t, r.At(0), 0)
			r.At(0).SetCounts32Sorted(true)
		}},
	} {
		_, err := Read(build(t, c.edit), "bad.msh")
		var in *sketch.InputError
		if !errors.As(err, &in) || !strings.HasPrefix(err.Error(), "bad.msh: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestCountsOfMash23 has counts without the flag that they are parallel: they
// stay a multiset beside a sketch without abundances.
func TestCountsOfMash23(t *testing.T) {
	for _, flags := range [][2]bool{{false, false}, {true, false}, {true, true}} {
		data := build(t, func(m schema.MinHash, r schema.Reference_List) {
			for i := range 2 {
				setHashes(t, r.At(i), 3, 7)
				setCounts(t, r.At(i), 9, uint32(i)+1)
				r.At(i).SetCounts32Sorted(flags[i])
			}
		})
		f, err := Read(data, "reads.msh")
		if err != nil {
			t.Fatal(err)
		}
		if want := flags[0] && flags[1]; f.Params().Weighted != want {
			t.Errorf("flags %v: weighted %t", flags, f.Params().Weighted)
		}
		if !slices.Equal(f.Counts(1), []uint32{9, 2}) || !f.Meta(1).LengthEstimated {
			t.Errorf("flags %v: counts %v, %+v", flags, f.Counts(1), f.Meta(1))
		}
	}
}

func TestAlphabet(t *testing.T) {
	for _, c := range []struct {
		stored   string
		keepCase bool
		want     sketch.Elements
	}{
		{"", false, sketch.Elements{Molecule: sketch.DNA, K: 21, Canonical: true}},
		{"ACGT", false, sketch.Elements{Molecule: sketch.DNA, K: 21, Canonical: true}},
		{"TGCAA", false, sketch.Elements{Molecule: sketch.DNA, K: 21, Canonical: true}},
		{"ACGT", true, sketch.Elements{Molecule: sketch.Letters, Alphabet: "ACGT", PreserveCase: true, K: 21, Canonical: true}},
		{"NACGT", false, sketch.Elements{Molecule: sketch.Letters, Alphabet: "ACGNT", K: 21, Canonical: true}},
	} {
		data := build(t, func(m schema.MinHash, r schema.Reference_List) {
			if err := m.SetAlphabet(c.stored); err != nil {
				t.Fatal(err)
			}
			m.SetPreserveCase(c.keepCase)
		})
		f, err := Read(data, "a.msh")
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Params().Elements; got != c.want {
			t.Errorf("%q, %t: %s, want %s", c.stored, c.keepCase, got, c.want)
		}
	}
}

// TestEveryTruncation cuts a file at each byte, and adds one.
func TestEveryTruncation(t *testing.T) {
	p := dna(21, 10)
	data := encode(t, p, item(t, p, sketch.Meta{ID: "a"}, []uint64{1, 2, 3}, nil), item(t, p, sketch.Meta{ID: "b"}, []uint64{5}, nil))
	for n := range data {
		if _, err := Read(data[:n], "cut.msh"); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("cut at byte %d of %d: %v", n, len(data), err)
		}
	}
	if _, err := Read(append(data, 0), "long.msh"); err == nil || !strings.Contains(err.Error(), "1 bytes after the end") {
		t.Errorf("a byte after the end: %v", err)
	}
}

// TestAmplification points the hashes of many sketches at one long list. It
// must be refused, and not be read once per sketch.
func TestAmplification(t *testing.T) {
	const n, hashes = 1000, 10000
	msg, seg, err := capnp.NewMessage(capnp.SingleSegment(make([]byte, 0, 1<<20)))
	if err != nil {
		t.Fatal(err)
	}
	m, err := schema.NewRootMinHash(seg)
	if err != nil {
		t.Fatal(err)
	}
	m.SetKmerSize(21)
	m.SetMinHashesPerWindow(hashes)
	list, err := m.NewReferenceListOld()
	if err != nil {
		t.Fatal(err)
	}
	refs, err := list.NewReferences(n)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := refs.At(0).NewHashes64(hashes)
	if err != nil {
		t.Fatal(err)
	}
	for i := range hashes {
		shared.Set(i, uint64(i))
	}
	for i := range n {
		if err := refs.At(i).SetHashes64(shared); err != nil {
			t.Fatal(err)
		}
	}
	data, err := msg.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = Read(data, "bomb.msh")
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("80 MB of hashes from %d bytes: %v", len(data), err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 20*uint64(len(data)) {
		t.Errorf("%d bytes allocated for a file of %d", used, len(data))
	}
}

// TestDeterministic writes twice.
func TestDeterministic(t *testing.T) {
	p := dna(16, 4)
	it := item(t, p, sketch.Meta{ID: "a", Comment: "c", Length: 9}, []uint64{1, 2, 3}, nil)
	if a, b := encode(t, p, it), encode(t, p, it); !bytes.Equal(a, b) {
		t.Error("the same collection gives different bytes")
	}
}

// TestLargeFile has 10,000 sketches of 1000 hashes, 81 MB, above the default
// limits of Cap'n Proto (64 MiB).
func TestLargeFile(t *testing.T) {
	if testing.Short() {
		t.Skip("81 MB")
	}
	list := genomes(t, 10_000)
	var buf bytes.Buffer
	if err := Write(&buf, list); err != nil {
		t.Fatal(err)
	}
	if buf.Len() < 64<<20 {
		t.Fatalf("only %d bytes", buf.Len())
	}
	f, err := Read(buf.Bytes(), "large.msh")
	if err != nil {
		t.Fatal(err)
	}
	if err := same(list, f); err != nil {
		t.Error(err)
	}
}
