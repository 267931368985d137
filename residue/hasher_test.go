// SPDX-License-Identifier: Apache-2.0

package residue_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/murmur3"

	"github.com/gsketch/gsketch/residue"
	"github.com/gsketch/gsketch/sketch"
)

// A kind is what hashes are wanted of.
type kind struct {
	e     sketch.Elements
	width int
	seed  uint32
	o     residue.Options
}

func (k kind) String() string {
	return fmt.Sprintf("%s, %d bits, seed %d, %+v", k.e, k.width, k.seed, k.o)
}

func amino(molecule string, k int) sketch.Elements { return sketch.Elements{Molecule: molecule, K: k} }

func alphabet(letters string, k int) sketch.Elements {
	return sketch.Elements{Molecule: sketch.Letters, Alphabet: letters, K: k}
}

var (
	translated = residue.Options{Translate: true}
	strict     = sketch.Elements{Molecule: sketch.Letters, Alphabet: "ACGT", K: 21, Canonical: true, PreserveCase: true}
	kinds      = []kind{
		{amino(sketch.Protein, 1), 64, 42, residue.Options{}},
		{amino(sketch.Protein, 7), 64, 42, residue.Options{}},
		{amino(sketch.Protein, 8), 64, 0, residue.Options{}},
		{amino(sketch.Dayhoff, 15), 64, 42, residue.Options{}},
		{amino(sketch.Dayhoff, 16), 64, 42, residue.Options{}},
		{amino(sketch.HP, 42), 64, 42, residue.Options{}},
		{amino(sketch.HP, 64), 64, 1 << 31, residue.Options{}},
		{alphabet(sketch.MashProtein, 7), 32, 42, residue.Options{}},
		{alphabet(sketch.MashProtein, 9), 64, 42, residue.Options{}},
		{alphabet("ACGNT", 13), 32, 42, residue.Options{}},
		{strict, 64, 42, residue.Options{}},
		{sketch.Elements{Molecule: sketch.Letters, Alphabet: "ACGTacgt", K: 4, PreserveCase: true}, 32, 7, residue.Options{}},
		{amino(sketch.Protein, 7), 64, 42, translated},
		{amino(sketch.Dayhoff, 3), 64, 42, translated},
		{amino(sketch.HP, 42), 64, 42, translated},
		{alphabet(sketch.MashProtein, 9), 64, 42, translated},
		{amino(sketch.Protein, 2), 64, 42, residue.Options{Translate: true, RNA: true}},
	}
)

// code is the standard genetic code as text books print it: by amino acid.
var code = func() map[string]byte {
	t := map[string]byte{}
	for aa, list := range map[byte]string{
		'F': "TTT TTC", 'L': "TTA TTG CTT CTC CTA CTG CTN", 'I': "ATT ATC ATA", 'M': "ATG", 'V': "GTT GTC GTA GTG GTN",
		'S': "TCT TCC TCA TCG TCN AGT AGC", 'P': "CCT CCC CCA CCG CCN", 'T': "ACT ACC ACA ACG ACN", 'A': "GCT GCC GCA GCG GCN",
		'Y': "TAT TAC", '*': "TAA TAG TGA", 'H': "CAT CAC", 'Q': "CAA CAG", 'N': "AAT AAC", 'K': "AAA AAG", 'D': "GAT GAC",
		'E': "GAA GAG", 'C': "TGT TGC", 'W': "TGG", 'R': "CGT CGC CGA CGG CGN AGA AGG", 'G': "GGT GGC GGA GGG GGN",
	} {
		for _, codon := range strings.Fields(list) {
			t[codon] = aa
		}
	}
	return t
}()

// frames are the residues of the six frames, by the book; without N no codon
// with an N is known.
func frames(dna string, n bool) (all []string) {
	back := []byte(dna)
	slices.Reverse(back)
	for i, c := range back {
		if j := strings.IndexByte("ACGTN", c); j >= 0 {
			back[i] = "TGCAN"[j]
		} else {
			back[i] = '?'
		}
	}
	for _, strand := range []string{dna, string(back)} {
		for f := range min(3, len(strand)) {
			var aas []byte
			for i := f; i+3 <= len(strand); i += 3 {
				aa, ok := code[strand[i:i+3]]
				if !ok || !n && strand[i+2] == 'N' {
					aa = 'X'
				}
				aas = append(aas, aa)
			}
			all = append(all, string(aas))
		}
	}
	return all
}

// reduced spells a residue in a reduced alphabet.
func reduced(molecule string, c byte) byte {
	groups := map[string]string{sketch.Dayhoff: "a=C b=AGPST c=DENQ d=HKR e=ILMV f=FWY *=*", sketch.HP: "h=AFGILMPVWY p=NCSTDERHKQ *=*"}
	for _, g := range strings.Fields(groups[molecule]) {
		if strings.IndexByte(g[2:], c) >= 0 {
			return g[0]
		}
	}
	return 'X'
}

// reference hashes every window of the records by the specification.
func (k kind) reference(records []string) (hashes []uint64, stats sketch.Stats) {
	for _, record := range records {
		if !k.e.PreserveCase {
			record = asciiUpper(record)
		}
		strings6 := []string{record}
		if k.o.Translate {
			if k.o.RNA {
				record = strings.ReplaceAll(record, "U", "T")
			}
			strings6 = frames(record, k.e.Molecule != sketch.Letters)
		}
		for _, s := range strings6 {
			for i := 0; i+k.e.K <= len(s); i++ {
				stats.Elements++
				if h, ok := k.hash([]byte(s[i : i+k.e.K])); ok {
					hashes = append(hashes, h)
				} else {
					stats.Skipped++
				}
			}
		}
	}
	return hashes, stats
}

// hash is that of one window; false where a letter breaks it.
func (k kind) hash(w []byte) (uint64, bool) {
	for i, c := range w {
		switch k.e.Molecule {
		case sketch.Dayhoff, sketch.HP:
			w[i] = reduced(k.e.Molecule, c)
		case sketch.Letters:
			if strings.IndexByte(k.e.Alphabet, c) < 0 {
				return 0, false
			}
			if k.o.Translate && c == 'X' {
				return 0, false
			}
		}
	}
	if k.e.Canonical {
		back := make([]byte, len(w))
		for i, c := range w {
			back[len(w)-1-i] = "TGCA"[strings.IndexByte("ACGT", c)]
		}
		if bytes.Compare(back, w) < 0 {
			w = back
		}
	}
	h, _ := murmur3.SeedSum128(uint64(k.seed), uint64(k.seed), w)
	if k.width == 32 {
		h &= 1<<32 - 1
	}
	return h, true
}

// blocks appends the records to blocks of a capacity, in random pieces with
// white space strewn in.
func blocks(rng *rand.Rand, capacity, overlap int, records []string, use func(*residue.Block)) {
	b, next := residue.NewBlock(capacity), residue.NewBlock(capacity)
	for _, record := range records {
		for len(record) > 0 {
			n := min(len(record), 1+rng.IntN(100))
			piece := slices.Insert([]byte(record[:n]), rng.IntN(n+1), []byte("\r\n")[rng.IntN(3):]...)
			record = record[n:]
			for {
				piece = piece[b.Append(piece):]
				if len(piece) == 0 {
					break
				}
				use(b)
				b.Carry(next, overlap)
				if rng.IntN(2) == 0 {
					b, next = next, b
				} else {
					next.Carry(b, overlap)
				}
			}
		}
		b.EndRecord()
	}
	use(b)
}

func drain(t testing.TB, h *residue.Hasher, batch int, bound uint64) (all []uint64) {
	t.Helper()
	dst := make([]uint64, batch)
	for {
		n, err := h.Next(dst, bound)
		all = append(all, dst[:n]...)
		if err == io.EOF {
			return all
		}
		if err != nil || n != batch {
			t.Fatalf("Next = %d, %v: neither full nor at the end", n, err)
		}
	}
}

// check compares hashes and counts with the reference's, however the records
// are cut into blocks.
func check(t *testing.T, rng *rand.Rand, k kind, records []string) {
	t.Helper()
	want, stats := k.reference(records)
	bound := ^uint64(0)
	if len(want) > 0 && rng.IntN(2) == 0 {
		bound = want[rng.IntN(len(want))]
	}
	want = slices.DeleteFunc(want, func(h uint64) bool { return h > bound })
	h := residue.NewHasher(k.e, k.width, k.seed, k.o)
	var got []uint64
	batch := 1 + rng.IntN(50)
	blocks(rng, 1+rng.IntN(300), residue.Span(64, true)-1-rng.IntN(1+residue.Span(64, true)-residue.Span(k.e.K, k.o.Translate)), records,
		func(b *residue.Block) {
			h.Reset(b)
			got = append(got, drain(t, h, batch, bound)...)
		})
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Fatalf("%s: %d hashes, want %d, of %q", k, len(got), len(want), records)
	}
	if h.Stats() != stats {
		t.Fatalf("%s: %+v, want %+v, of %q", k, h.Stats(), stats, records)
	}
}

// randomLetters are mostly those of the kind, with some of any other sort.
func randomLetters(rng *rand.Rand, k kind, n int) string {
	usual := "ACDEFGHIKLMNPQRSTVWYacdefghiklmnpqrstvwy"
	if k.o.Translate || strings.HasPrefix(k.e.Alphabet, "ACG") {
		usual = "ACGTACGTACGTacgtN"
	}
	s := make([]byte, n)
	for i := range s {
		s[i] = usual[rng.IntN(len(usual))]
		if rng.IntN(40) == 0 {
			s[i] = "XBZJUO*-.RYKn@[`{~"[rng.IntN(18)]
		}
	}
	return string(s)
}

func TestHasherEqualsReference(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for _, k := range kinds {
		for range 30 {
			var records []string
			for range rng.IntN(6) {
				records = append(records, randomLetters(rng, k, rng.IntN(400)))
			}
			check(t, rng, k, records)
		}
	}
}

func FuzzHasher(f *testing.F) {
	f.Add(uint64(1), "ATGNNNAARTAAGGNUAC", "MKVXX*BZ")
	f.Fuzz(func(t *testing.T, seed uint64, a, b string) {
		for _, s := range []string{a, b} {
			if strings.ContainsAny(s, " \t\n\v\f\r\x00") {
				t.Skip("white space is no letter, and NUL breaks k-mers")
			}
		}
		rng := rand.New(rand.NewPCG(seed, 2))
		check(t, rng, kinds[rng.IntN(len(kinds))], []string{a, b})
	})
}

func asciiUpper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'a' <= c && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

// The hash of a reduced alphabet is that of its letters, and a stop and an
// unknown codon are letters: an example worked out by hand.
func TestTranslationByHand(t *testing.T) {
	b := residue.NewBlock(100)
	b.Append([]byte("atgnnnaar\ntaaggn"))
	b.EndRecord()
	h := residue.NewHasher(amino(sketch.Protein, 5), 64, 42, translated)
	h.Reset(b)
	got := drain(t, h, 10, ^uint64(0))
	forward, _ := murmur3.SeedSum128(42, 42, []byte("MXX*G")) // ATG NNN AAR TAA GGN
	reverse, _ := murmur3.SeedSum128(42, 42, []byte("XLXXH")) // NCC TTA ?TT NNN CAT
	if slices.Sort(got); !slices.Equal(got, []uint64{min(forward, reverse), max(forward, reverse)}) {
		t.Errorf("%d", got)
	}
}

func TestCheckRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		e sketch.Elements
		o bool
	}{
		"DNA":                          {sketch.DNAElements(21), false},
		"canonical protein":            {sketch.Elements{Molecule: sketch.Protein, K: 7, Canonical: true}, false},
		"canonical amino acids":        {sketch.Elements{Molecule: sketch.Letters, Alphabet: sketch.MashProtein, K: 7, Canonical: true}, false},
		"six frames of bases":          {alphabet("ACGNT", 7), true},
		"six frames where case counts": {sketch.Elements{Molecule: sketch.Letters, Alphabet: sketch.MashProtein, K: 7, PreserveCase: true}, true},
	} {
		if residue.Check(c.e, c.o) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func BenchmarkHasher(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, k := range []kind{kinds[1], kinds[5], kinds[12]} {
		b.Run(k.e.String(), func(b *testing.B) {
			block := residue.NewBlock(256 << 10)
			block.Append([]byte(randomLetters(rng, k, 256<<10)))
			h := residue.NewHasher(k.e, k.width, k.seed, k.o)
			dst := make([]uint64, sketch.BatchSize)
			b.SetBytes(256 << 10)
			for b.Loop() {
				h.Reset(block)
				for {
					if _, err := h.Next(dst, 1<<64/200-1); err != nil {
						break
					}
				}
			}
		})
	}
}
