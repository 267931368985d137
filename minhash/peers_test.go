// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/gsketch/gsketch/internal/mix"
	"github.com/gsketch/gsketch/internal/shared"
	"github.com/gsketch/gsketch/sketch"
)

// readShared decodes a file of the larger test data.
func readShared(t *testing.T, into any, path ...string) {
	t.Helper()
	data, err := os.ReadFile(shared.Path(t, path...))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// sha1Hash is the element hash of datasketch, of which 32-bit schemes take the
// low half.
func sha1Hash(item []byte) uint64 {
	d := sha1.Sum(item)
	return binary.LittleEndian.Uint64(d[:])
}

func sha1HexHashes(t *testing.T, items []string) []uint64 {
	t.Helper()
	hashes := make([]uint64, len(items))
	for i, s := range items {
		b, err := hex.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		hashes[i] = sha1Hash(b)
	}
	return hashes
}

func decimalHashes(from, to int) []uint64 {
	var hashes []uint64
	for i := from; i < to; i++ {
		hashes = append(hashes, sha1Hash([]byte(strconv.Itoa(i))))
	}
	return hashes
}

func TestSharedHashes(t *testing.T) {
	var g struct {
		Cases []struct {
			Hex    string
			Hash32 uint32      `json:"sha1_hash32"`
			Hash64 json.Number `json:"sha1_hash64"`
			Mix32  uint32      `json:"fmix32_of_hash32"`
			Mix64  json.Number `json:"fmix64_of_hash64"`
		}
	}
	readShared(t, &g, "golden", "datasketch", "hashfunc.json")
	for _, c := range g.Cases {
		h := sha1HexHashes(t, []string{c.Hex})[0]
		want := numbers(t, []json.Number{c.Hash64, c.Mix64})
		if h != want[0] || uint32(h) != c.Hash32 || mix.Bits32(uint32(h)) != c.Mix32 || mix.Bits64(h) != want[1] {
			t.Errorf("%q: %d, %d, %d", c.Hex, h, mix.Bits32(uint32(h)), mix.Bits64(h))
		}
	}
	if len(g.Cases) == 0 {
		t.Error("no cases")
	}
}

func TestSharedPermutations(t *testing.T) {
	var g struct {
		Cases []struct {
			Scheme string
			Seed   uint64
			K      int    `json:"num_perm"`
			Digest string `json:"sha256_of_a_then_b_as_u64le"`
			A, B   []string
		}
	}
	readShared(t, &g, "golden", "datasketch", "permutations.json")
	for _, c := range g.Cases {
		a, b := drawers[c.Scheme](c.Seed, c.K)
		if digest(a, b) != c.Digest {
			t.Errorf("%s seed %d k %d: other permutations", c.Scheme, c.Seed, c.K)
		}
		for i := range c.A {
			if fmt.Sprint(a[i]) != c.A[i] || fmt.Sprint(b[i]) != c.B[i] {
				t.Fatalf("%s seed %d k %d: permutation %d is %d, %d", c.Scheme, c.Seed, c.K, i, a[i], b[i])
			}
		}
	}
	if len(g.Cases) == 0 {
		t.Error("no cases")
	}
}

func TestSharedSignatures(t *testing.T) {
	var g struct {
		Sets  map[string]json.RawMessage `json:"sets_hex"`
		Cases []struct {
			Scheme string
			Seed   uint64
			K      int `json:"num_perm"`
			Set    string
			Values []json.Number `json:"hashvalues"`
			Empty  bool          `json:"is_empty"`
			Count  float64
			Pairs  []sharedPair
		}
	}
	readShared(t, &g, "golden", "datasketch", "minhash.json")
	sets := map[string][]uint64{"ints0_999": decimalHashes(0, 1000), "ints500_1499": decimalHashes(500, 1500)}
	for name, raw := range g.Sets {
		if sets[name] == nil {
			var items []string
			if err := json.Unmarshal(raw, &items); err != nil {
				t.Fatal(err)
			}
			sets[name] = sha1HexHashes(t, items)
		}
	}
	for _, c := range g.Cases {
		for _, pair := range c.Pairs {
			b := builder(t, kpermParams(c.Scheme, c.Seed, c.K))
			pair.check(t, finish(t, b, sets[pair.X]).(*KPerm), finish(t, b, sets[pair.Y]).(*KPerm))
		}
		if c.Pairs != nil {
			continue
		}
		hashes, ok := sets[c.Set]
		if !ok {
			t.Fatalf("no set %q", c.Set)
		}
		k := finish(t, builder(t, kpermParams(c.Scheme, c.Seed, c.K)), hashes).(*KPerm)
		if got := k.AppendSlots(nil); !slices.Equal(got, numbers(t, c.Values)) {
			t.Errorf("%s seed %d k %d %s: other slots", c.Scheme, c.Seed, c.K, c.Set)
		}
		if k.Empty() != c.Empty || math.Abs(k.PeerCount()-c.Count) > 1e-9*c.Count {
			t.Errorf("%s seed %d k %d %s: empty %t, count %v; want %t, %v", c.Scheme, c.Seed, c.K, c.Set, k.Empty(), k.PeerCount(), c.Empty, c.Count)
		}
	}
	if len(g.Cases) != 90 {
		t.Errorf("%d cases", len(g.Cases))
	}
}

// A sharedPair is what datasketch says of two sets.
type sharedPair struct {
	X, Y       string
	Jaccard    float64
	Union      string  `json:"union_sha256_u64le"`
	UnionCount float64 `json:"union_count"`
}

func (p sharedPair) check(t *testing.T, x, y *KPerm) {
	t.Helper()
	s, err := x.Similarity(y, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if p.X == "empty" && p.Y == "empty" { // datasketch says 1
		if !math.IsNaN(s.Value) {
			t.Errorf("two empty sets: %v", s.Value)
		}
	} else if s.Value != p.Jaccard {
		t.Errorf("%s, %s: %v, want %v", p.X, p.Y, s.Value, p.Jaccard)
	}
	u, err := x.Union(y)
	if err != nil {
		t.Fatal(err)
	}
	if digest(u.AppendSlots(nil)) != p.Union || math.Abs(u.PeerCount()-p.UnionCount) > 1e-9*p.UnionCount {
		t.Errorf("%s, %s: another union, of %v, want %v", p.X, p.Y, u.PeerCount(), p.UnionCount)
	}
}

func numbers(t *testing.T, ns []json.Number) []uint64 {
	t.Helper()
	out := make([]uint64, len(ns))
	for i, n := range ns {
		v, err := strconv.ParseUint(n.String(), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = v
	}
	return out
}

// The signature of a fixed input is the same everywhere.
func TestSharedStableSignature(t *testing.T) {
	var in struct {
		Tokens []string `json:"tokens_hex"`
	}
	var want struct{ Hashvalues []uint64 }
	readShared(t, &in, "cases", "text", "16-stable-hash-across-processes", "input.jsonl")
	readShared(t, &want, "cases", "text", "16-stable-hash-across-processes", "expected.json")
	k := finish(t, builder(t, kpermParams(sketch.Affine32, 1, 16)), sha1HexHashes(t, in.Tokens))
	if got := k.AppendSlots(nil); !slices.Equal(got, want.Hashvalues) {
		t.Errorf("%v, want %v", got, want.Hashvalues)
	}
}

// The built-in function of Milvus: shingles hashed by XXH3 or by the first four
// bytes of SHA-1, whose sign its C code carries into the upper half.
func TestSharedMilvusFunction(t *testing.T) {
	var g struct {
		First [][2]string `json:"permutations_first8_seed1234"`
		Cases []struct {
			Seed      uint64
			Function  string `json:"hash_function"`
			Input     string
			Shingles  []string `json:"shingles_hex"`
			Signature []uint64
		} `json:"function_cases"`
	}
	readShared(t, &g, "golden", "milvus", "milvus.json")
	a, b := drawMilvus(1234, 8)
	for i, want := range g.First {
		if fmt.Sprint(a[i]) != want[0] || fmt.Sprint(b[i]) != want[1] {
			t.Errorf("permutation %d: %d, %d, want %s", i, a[i], b[i], want)
		}
	}
	for _, c := range g.Cases {
		var hashes []uint64
		for _, s := range c.Shingles {
			shingle, err := hex.DecodeString(s)
			if err != nil {
				t.Fatal(err)
			}
			switch c.Function {
			case "sha1":
				hashes = append(hashes, uint64(int32(sha1Hash(shingle))))
			case "xxhash64", "xxhash", "xxh3":
				hashes = append(hashes, xxh3.Hash(shingle))
			default:
				t.Fatalf("unknown function %q", c.Function)
			}
		}
		k := finish(t, builder(t, kpermParams(sketch.Milvus, c.Seed, len(c.Signature))), hashes)
		if got := k.AppendSlots(nil); !slices.Equal(got, c.Signature) {
			t.Errorf("%s, %s, seed %d: %v, want %v", c.Input, c.Function, c.Seed, got, c.Signature)
		}
	}
	if len(g.Cases) != 28 {
		t.Errorf("%d cases", len(g.Cases))
	}
}

// A small set within a large one: the Jaccard index is small and its interval
// covers it; no containment follows from a share of slots.
func TestFaultSizeSkew(t *testing.T) {
	var want struct {
		J  float64
		SD float64 `json:"sd_of_J_at_128"`
	}
	readShared(t, &want, "cases", "text", "19-size-skew-containment", "expected.json")
	small, large := decimalHashes(0, 104), decimalHashes(0, 20777)
	for _, p := range []sketch.Params{kpermParams(sketch.Affine32, 1, 128), kpermParams(sketch.Affine64, 1, 128), ophParams(128, "")} {
		b := builder(t, p)
		s, err := finish(t, b, small).Similarity(finish(t, b, large), 0.999)
		if err != nil || s.Low > want.J || s.High < want.J || s.High < 2*want.SD {
			t.Errorf("%s: %+v, want %v; %v", p, s, want.J, err)
		}
	}
}
