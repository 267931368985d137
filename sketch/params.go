// SPDX-License-Identifier: Apache-2.0

package sketch

import (
	"fmt"
	"math"
	"net/url"
	"sort"
	"strconv"
	"strings"
)

// The families of sketches, as Params.Family spells them.
const (
	BottomK     = "bottomk"     // the s smallest hashes (Mash; sourmash num)
	FracMinHash = "fracminhash" // all hashes below a threshold (sourmash scaled)
	KPerm       = "kperm"       // the minimum under each of k permutations (datasketch)
	OPH         = "oph"         // one-permutation hashing: the minimum of each of k bins
	BBit        = "bbit"        // the low bits of the slots of kperm, oph or icws
	ICWS        = "icws"        // improved consistent weighted sampling
	SimHash     = "simhash"     // signs of random projections
)

// The molecules whose k-mers are elements, and text, as Elements.Molecule spells
// them.
const (
	DNA      = "dna"      // A, C, G, T; any other letter breaks the k-mer
	Protein  = "protein"  // every residue counts, as in sourmash
	Dayhoff  = "dayhoff"  // protein in the 6-letter Dayhoff alphabet
	HP       = "hp"       // protein in the hydrophobic-polar alphabet
	SkipM1N3 = "skipm1n3" // DNA, 1 base of 3 kept
	SkipM2N3 = "skipm2n3" // DNA, 2 bases of 3 kept
	Letters  = "alphabet" // the letters of Elements.Alphabet, as Mash -a and -z
	Text     = "text"     // elements cut out of text, or members of sets; Elements.Recipe says which
)

// MashProtein is the alphabet of mash -a: the 20 amino acids, sorted.
const MashProtein = "ACDEFGHIKLMNPQRSTVWY"

// Elements says what the members of a sketched set are. It is comparable and
// parsed once, never per pair.
type Elements struct {
	Molecule     string // DNA, Protein, ... , Text
	K            int    // letters in an element; residues (not bases) for proteins; 0 for text
	Canonical    bool   // a k-mer and its reverse complement are one element
	Alphabet     string // Letters only: the letters that do not break a k-mer, sorted by byte
	PreserveCase bool   // Letters only: lower case is not folded to upper case
	Recipe       string // text only: shingle and normalisation, as "words=5/norm=1"
}

// DNAElements are the canonical k-mers of DNA.
func DNAElements(k int) Elements { return Elements{Molecule: DNA, K: k, Canonical: true} }

// AlphabetSize is the number of letters that an element is written in, the
// base of the number of possible k-mers: 4 for DNA. It is 0 for text.
func (e Elements) AlphabetSize() int {
	switch e.Molecule {
	case DNA, SkipM1N3, SkipM2N3:
		return 4
	case Protein:
		return 20
	case Dayhoff:
		return 6
	case HP:
		return 2
	case Letters:
		return len(e.Alphabet)
	}
	return 0
}

// Space is the number of possible k-mers, |alphabet|^k, as a float64. It is
// not halved for canonical k-mers, as in Mash. It is 0 for text.
func (e Elements) Space() float64 {
	n := e.AlphabetSize()
	if n == 0 {
		return 0
	}
	return math.Pow(float64(n), float64(e.K))
}

// MashBits is the width of the hashes that Mash 2.3 stores for these elements:
// 32 if and only if |alphabet|^k <= 2^32.
func (e Elements) MashBits() int {
	if e.Space() > 1<<32 {
		return 64
	}
	return 32
}

// String is the canonical spelling, as "dna/k=21/canonical".
func (e Elements) String() string {
	var b strings.Builder
	b.WriteString(e.Molecule)
	if e.Alphabet != "" {
		b.WriteString("=" + url.QueryEscape(e.Alphabet))
	}
	if e.K != 0 {
		b.WriteString("/k=" + strconv.Itoa(e.K))
	}
	if e.Canonical {
		b.WriteString("/canonical")
	}
	if e.PreserveCase {
		b.WriteString("/case")
	}
	if e.Recipe != "" {
		b.WriteString("/" + e.Recipe)
	}
	return b.String()
}

// ParseElements reads the canonical spelling.
func ParseElements(s string) (Elements, error) {
	head, rest, _ := strings.Cut(s, "/")
	var e Elements
	mol, letters, ok := strings.Cut(head, "=")
	e.Molecule = mol
	if ok {
		a, err := url.QueryUnescape(letters)
		if err != nil {
			return Elements{}, fmt.Errorf("elements %q: bad alphabet", s)
		}
		e.Alphabet = a
	}
	if mol == Text {
		e.Recipe = rest
	} else if rest != "" {
		for _, p := range strings.Split(rest, "/") {
			switch {
			case p == "canonical":
				e.Canonical = true
			case p == "case":
				e.PreserveCase = true
			case strings.HasPrefix(p, "k="):
				k, err := strconv.Atoi(p[2:])
				if err != nil {
					return Elements{}, fmt.Errorf("elements %q: bad k", s)
				}
				e.K = k
			default:
				return Elements{}, fmt.Errorf("elements %q: unknown part %q", s, p)
			}
		}
	}
	if err := e.validate(); err != nil {
		return Elements{}, fmt.Errorf("elements %q: %w", s, err)
	}
	if e.String() != s {
		return Elements{}, fmt.Errorf("elements %q: not in canonical spelling (%q)", s, e.String())
	}
	return e, nil
}

func (e Elements) validate() error {
	switch e.Molecule {
	case DNA, Protein, Dayhoff, HP, SkipM1N3, SkipM2N3:
		if e.Alphabet != "" || e.PreserveCase {
			return fmt.Errorf("an alphabet goes with molecule %q alone", Letters)
		}
	case Letters:
		if e.Alphabet == "" {
			return fmt.Errorf("empty alphabet")
		}
		if !sort.SliceIsSorted([]byte(e.Alphabet), func(i, j int) bool { return e.Alphabet[i] < e.Alphabet[j] }) {
			return fmt.Errorf("alphabet not sorted")
		}
	case Text:
		if e.Recipe == "" || e.K != 0 || e.Canonical || e.Alphabet != "" || e.PreserveCase {
			return fmt.Errorf("text needs a recipe and nothing else")
		}
		return nil
	default:
		return fmt.Errorf("unknown molecule %q", e.Molecule)
	}
	if e.Recipe != "" {
		return fmt.Errorf("a recipe goes with text alone")
	}
	if e.K < 1 || e.K > MaxK {
		return fmt.Errorf("k = %d is outside 1..%d", e.K, MaxK)
	}
	return nil
}

// MaxK bounds k in files; what a hasher accepts may be less.
const MaxK = 1 << 16

// Hash says how an element becomes a number. It is comparable.
type Hash struct {
	Algorithm   string // "murmur3x64": the first word of MurmurHash3 x64_128; "xxh3-64"; "sha1"
	Bits        int    // low bits kept: 64 or 32
	Seed        uint64 // seed of the algorithm, or of the permutations where there are some
	Permutation string // kperm, and what is made of it: the scheme, as Affine32
}

// Murmur3 is the hash of Mash and sourmash.
func Murmur3(bits int, seed uint32) Hash {
	return Hash{Algorithm: "murmur3x64", Bits: bits, Seed: uint64(seed)}
}

// String is the canonical spelling, as "murmur3x64/bits=64/seed=42".
func (h Hash) String() string {
	s := fmt.Sprintf("%s/bits=%d/seed=%d", h.Algorithm, h.Bits, h.Seed)
	if h.Permutation != "" {
		s += "/perm=" + h.Permutation
	}
	return s
}

// ParseHash reads the canonical spelling.
func ParseHash(s string) (Hash, error) {
	parts := strings.Split(s, "/")
	h := Hash{Algorithm: parts[0]}
	for _, p := range parts[1:] {
		key, val, ok := strings.Cut(p, "=")
		var err error
		switch {
		case !ok:
			err = fmt.Errorf("unknown part %q", p)
		case key == "bits":
			h.Bits, err = strconv.Atoi(val)
		case key == "seed":
			h.Seed, err = strconv.ParseUint(val, 10, 64)
		case key == "perm":
			h.Permutation = val
		default:
			err = fmt.Errorf("unknown part %q", p)
		}
		if err != nil {
			return Hash{}, fmt.Errorf("hash %q: %w", s, err)
		}
	}
	if h.Algorithm == "" || h.Bits < 1 || h.Bits > 64 || h.String() != s {
		return Hash{}, fmt.Errorf("hash %q: not in canonical spelling", s)
	}
	return h, nil
}

// Params says how a sketch was made. It is comparable, so == decides whether
// two sketches may be compared as they are; Comparable says whether they may
// after downsampling. String is its canonical spelling in files. Nothing that
// only changes speed belongs here.
type Params struct {
	Family   string
	Elements Elements
	Hash     Hash
	Size     int    // hashes (bottom-k) or slots; 0 if unbounded
	Scaled   uint64 // FracMinHash and slots made of it: keep 1 hash in Scaled; 0 otherwise
	Sampled  int    // oph: slots are made of bottom-k sketches of this size; 0 otherwise
	Densify  string // oph: how empty bins are filled, as Optimal; empty if they stay empty
	Bits     int    // b-bit: bits kept per slot; 0 for all
	Weighted bool   // values carry abundances or weights
}

// String is the canonical spelling, as
// "bottomk;dna/k=21/canonical;murmur3x64/bits=64/seed=42;size=1000".
func (p Params) String() string {
	s := p.Family + ";" + p.Elements.String() + ";" + p.Hash.String()
	if p.Size != 0 {
		s += ";size=" + strconv.Itoa(p.Size)
	}
	if p.Scaled != 0 {
		s += ";scaled=" + strconv.FormatUint(p.Scaled, 10)
	}
	if p.Sampled != 0 {
		s += ";sampled=" + strconv.Itoa(p.Sampled)
	}
	if p.Densify != "" {
		s += ";densify=" + p.Densify
	}
	if p.Bits != 0 {
		s += ";bits=" + strconv.Itoa(p.Bits)
	}
	if p.Weighted {
		s += ";weighted"
	}
	return s
}

// ParseParams reads the canonical spelling and validates it.
func ParseParams(s string) (Params, error) {
	bad := func(err error) (Params, error) { return Params{}, fmt.Errorf("params %q: %w", s, err) }
	parts := strings.Split(s, ";")
	if len(parts) < 3 {
		return bad(fmt.Errorf("family, elements and hash expected"))
	}
	p := Params{Family: parts[0]}
	var err error
	if p.Elements, err = ParseElements(parts[1]); err != nil {
		return bad(err)
	}
	if p.Hash, err = ParseHash(parts[2]); err != nil {
		return bad(err)
	}
	for _, part := range parts[3:] {
		key, val, _ := strings.Cut(part, "=")
		switch key {
		case "size":
			p.Size, err = strconv.Atoi(val)
		case "scaled":
			p.Scaled, err = strconv.ParseUint(val, 10, 64)
		case "sampled":
			p.Sampled, err = strconv.Atoi(val)
		case "densify":
			p.Densify = val
		case "bits":
			p.Bits, err = strconv.Atoi(val)
		case "weighted":
			p.Weighted = true
		default:
			err = fmt.Errorf("unknown part %q", part)
		}
		if err != nil {
			return bad(err)
		}
	}
	if err := p.Validate(); err != nil {
		return bad(err)
	}
	if p.String() != s {
		return bad(fmt.Errorf("not in canonical spelling"))
	}
	return p, nil
}

// Validate says whether the parameters can describe a sketch at all.
func (p Params) Validate() error {
	if err := p.Elements.validate(); err != nil {
		return err
	}
	if p.Size < 0 || p.Bits < 0 {
		return fmt.Errorf("negative size")
	}
	hashSet := p.Family == BottomK || p.Family == FracMinHash
	if hashSet && (p.Sampled != 0 || p.Densify != "") {
		return fmt.Errorf("%s has no bins to fill", p.Family)
	}
	switch p.Family {
	case BottomK:
		if p.Size < 1 || p.Scaled != 0 || p.Bits != 0 {
			return fmt.Errorf("bottomk needs a size of at least 1 and nothing else")
		}
	case FracMinHash:
		if p.Scaled < 1 || p.Size != 0 || p.Bits != 0 {
			return fmt.Errorf("fracminhash needs a scaled of at least 1 and nothing else")
		}
	case "":
		return fmt.Errorf("no family")
	default:
		return p.validateSlots()
	}
	return nil
}

// Comparable says whether sketches made by p and q may be compared after
// downsampling the finer one: sizes, scaled and abundances of hash sets are
// reconciled, everything else must be equal. The error is a *MismatchError that names the
// first parameter that differs.
func (p Params) Comparable(q Params) error {
	field := func(name string, a, b any) error {
		if a == b {
			return nil
		}
		return &MismatchError{Field: name, Left: fmt.Sprint(a), Right: fmt.Sprint(b)}
	}
	for _, err := range []error{
		field("family", p.Family, q.Family),
		field("elements", p.Elements, q.Elements),
		field("hash", p.Hash, q.Hash),
		field("bits", p.Bits, q.Bits),
	} {
		if err != nil {
			return err
		}
	}
	if p.Family == BottomK || p.Family == FracMinHash {
		return nil
	}
	for _, err := range []error{
		field("size", p.Size, q.Size),
		field("scaled", p.Scaled, q.Scaled),
		field("sampled", p.Sampled, q.Sampled),
		field("densify", p.Densify, q.Densify),
		field("weighted", p.Weighted, q.Weighted),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// MaxHash is the largest hash that a FracMinHash sketch with this scaled
// keeps (inclusive), as sourmash stores it:
//
//	trunc(float64(2^64) / float64(scaled)),   2^64-1 for scaled = 1
//
// The quotient is taken in doubles and is therefore not the floor of the
// exact one: scaled = 1000 gives 18446744073709552. It is 0 for scaled = 0.
func MaxHash(scaled uint64) uint64 {
	switch scaled {
	case 0:
		return 0
	case 1:
		return math.MaxUint64
	}
	return uint64(18446744073709551616.0 / float64(scaled))
}

// ScaledOf is the inverse of MaxHash: round(2^64 / maxHash), never truncated
// (a truncated 93 would become 92). It is 0 for maxHash = 0.
func ScaledOf(maxHash uint64) uint64 {
	switch maxHash {
	case 0:
		return 0
	case math.MaxUint64:
		return 1
	}
	return uint64(math.Round(18446744073709551616.0 / float64(maxHash)))
}
