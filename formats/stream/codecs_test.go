// SPDX-License-Identifier: Apache-2.0

package stream

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/dsnet/compress/bzip2"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/gsketch/gsketch/sketch"
)

// packers compress with other code than what is tested, where there is any.
var packers = []struct {
	name string
	pack func(t testing.TB, data []byte) []byte
}{
	{"", func(_ testing.TB, data []byte) []byte { return data }},
	{"gzip", func(t testing.TB, data []byte) []byte {
		return packed(t, data, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil })
	}},
	{"bgzf", func(t testing.TB, data []byte) []byte { return append(blocked(t, data), blocked(t, nil)...) }},
	{"bzip2", func(t testing.TB, data []byte) []byte {
		return packed(t, data, func(w io.Writer) (io.WriteCloser, error) { return bzip2.NewWriter(w, &bzip2.WriterConfig{Level: 1}) })
	}},
	{"xz", func(t testing.TB, data []byte) []byte {
		return packed(t, data, func(w io.Writer) (io.WriteCloser, error) {
			return xz.WriterConfig{BlockSize: 25_000, DictCap: 1 << 16}.NewWriter(w)
		})
	}},
	{"zstd", func(t testing.TB, data []byte) []byte {
		return packed(t, data, func(w io.Writer) (io.WriteCloser, error) {
			return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true))
		})
	}},
}

func packed(t testing.TB, data []byte, open func(io.Writer) (io.WriteCloser, error)) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := open(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// blocked makes bgzf blocks as the SAM specification has them, without the
// empty block at the end (which blocked(nil) is).
func blocked(t testing.TB, data []byte) (out []byte) {
	t.Helper()
	for first := true; first || len(data) > 0; first = false {
		n := min(len(data), 0xff00)
		member := packed(t, data[:n], func(w io.Writer) (io.WriteCloser, error) {
			z := gzip.NewWriter(w)
			z.Extra = []byte("BC\x02\x00\x00\x00")
			return z, nil
		})
		binary.LittleEndian.PutUint16(member[16:], uint16(len(member)-1))
		out, data = append(out, member...), data[n:]
	}
	return out
}

// text is n bytes of something like FASTA.
func text(n int) []byte {
	rng := rand.New(rand.NewPCG(5, 6))
	b := []byte(">made up\n")
	for len(b) < n {
		if len(b)%61 == 60 {
			b = append(b, '\n')
		}
		b = append(b, "ACGT"[rng.IntN(4)])
	}
	return b[:n]
}

// unpack reads in to its end.
func unpack(in io.Reader, threads int) (out []byte, codec string, warnings []string, err error) {
	s, err := newStream(in, "x", Options{Threads: threads, Warn: func(w string) { warnings = append(warnings, w) }})
	if err != nil {
		return nil, "", nil, err
	}
	defer s.Close()
	out, err = io.ReadAll(s)
	return out, s.Compression(), warnings, err
}

var sizes = []int{0, 1, 100, 0xff00, 0xff00 + 1, 140_000}

func TestRoundTrip(t *testing.T) {
	for _, p := range packers {
		for _, n := range sizes {
			in := p.pack(t, text(n))
			for _, threads := range []int{0, 1, 2, 5} {
				out, codec, warnings, err := unpack(bytes.NewReader(in), threads)
				if err != nil || codec != p.name || !bytes.Equal(out, text(n)) || warnings != nil {
					t.Errorf("%q, %d bytes, %d threads: codec %q, %d bytes, %q, %v", p.name, n, threads, codec, len(out), warnings, err)
				}
			}
		}
	}
}

// TestConcatenated: what is one file after the other reads as one text after
// the other, empty ones included, for every compression.
func TestConcatenated(t *testing.T) {
	a, b := text(70_000), text(40_000)[1234:]
	want := append(append([]byte{}, a...), b...)
	for _, p := range packers {
		in := bytes.Join([][]byte{p.pack(t, nil), p.pack(t, a), p.pack(t, nil), p.pack(t, b), p.pack(t, nil)}, nil)
		for _, threads := range []int{1, 2} {
			out, _, _, err := unpack(bytes.NewReader(in), threads)
			if err != nil || !bytes.Equal(out, want) {
				t.Errorf("%q, %d threads: %d bytes, %v", p.name, threads, len(out), err)
			}
		}
	}
}

// TestGzipKinds: bgzf blocks, without the empty one, and other gzip members mix.
func TestGzipKinds(t *testing.T) {
	a, b, c := text(100_000), text(70_000)[1234:], text(300)
	want := bytes.Join([][]byte{a, b, c}, nil)
	gz := packers[1].pack
	for name, in := range map[string][]byte{
		"bgzf without end":   blocked(t, want),
		"bgzf, gzip, bgzf":   bytes.Join([][]byte{blocked(t, a), gz(t, b), blocked(t, c)}, nil),
		"gzip, bgzf, gzip":   bytes.Join([][]byte{gz(t, a), blocked(t, b), gz(t, c)}, nil),
		"bgzf with ends":     bytes.Join([][]byte{blocked(t, a), blocked(t, nil), blocked(t, b), blocked(t, nil), blocked(t, c)}, nil),
		"zeros behind":       append(gz(t, want), make([]byte, 100_000)...),
		"bgzf, zeros behind": append(blocked(t, want), make([]byte, 100)...),
	} {
		for _, threads := range []int{1, 2, 3} {
			out, _, warnings, err := unpack(bytes.NewReader(in), threads)
			if err != nil || !bytes.Equal(out, want) || warnings != nil {
				t.Errorf("%s, %d threads: %d bytes, %q, %v", name, threads, len(out), warnings, err)
			}
		}
	}
}

func TestTrailing(t *testing.T) {
	data := text(1000)
	for _, pack := range []func(testing.TB, []byte) []byte{packers[1].pack, blocked} {
		for _, c := range []struct {
			name, behind string
			err          error // nil if it is left out with a warning
		}{
			{"garbage", "not gzip at all", nil},
			{"zeros and garbage", "\x00\x00\x00garbage", nil},
			{"one byte", "\x01", nil},
			{"binary", "\x01\x00\n>\xff", nil},
			{"FASTA", ">b\nACGT\n", errTrailingText},
			{"FASTQ", "@b\nACGT\n+\nIIII\n", errTrailingText},
			{"FASTA behind a blank line", "\r\n>b\nACGT\n", errTrailingText},
			{"FASTA behind a comment", "; x\n>b\nACGT\n", errTrailingText},
			{"FASTA from the middle", "ACGTNNacgt\n", errTrailingText},
			{"a damaged member", "\x1f\x8a" + string(pack(t, data))[2:] + string(pack(t, data)), errTrailingMember},
		} {
			for _, threads := range []int{1, 2} {
				in := append(pack(t, data), c.behind...)
				out, _, warnings, err := unpack(bytes.NewReader(in), threads)
				if !bytes.Equal(out, data) || !errors.Is(err, c.err) {
					t.Errorf("%s: %d bytes, %v", c.name, len(out), err)
				}
				if c.err == nil && (len(warnings) != 1 || warnings[0] != "x: trailing data after gzip stream ignored") {
					t.Errorf("%s: warnings %q", c.name, warnings)
				}
				var e *sketch.InputError
				if c.err != nil && (!errors.As(err, &e) || e.Path != "x" || e.Offset != 1000 || warnings != nil) {
					t.Errorf("%s: %v, warnings %q", c.name, err, warnings)
				}
			}
		}
	}
	for _, p := range packers[3:] {
		for _, behind := range []string{"garbage", ">b\nACGT\n"} {
			out, _, _, err := unpack(bytes.NewReader(append(p.pack(t, data), behind...)), 1)
			if err == nil || !bytes.Equal(out, data) {
				t.Errorf("%s and %q: %d bytes, %v", p.name, behind, len(out), err)
			}
		}
	}
}

// threadsFor has the ways of decompressing that differ.
var threadsFor = map[string][]int{"gzip": {1, 2}, "bgzf": {1, 2}, "bzip2": {1}, "xz": {1}, "zstd": {1}}

// TestCuts: a file that is cut is an error, unless so little is
// left that nothing tells it was compressed, or it is cut between two members.
func TestCuts(t *testing.T) {
	data := text(70_000)
	for _, p := range packers[1:] {
		in := p.pack(t, data)
		whole, atEdge := 0, 0
		for cut := 1; cut < len(in); cut++ {
			if cut > 25 && cut < len(in)-25 && cut%3001 != 0 && !edges(p.name, in, cut) {
				continue
			}
			if edges(p.name, in, cut) {
				atEdge++
			}
			for _, threads := range threadsFor[p.name] {
				out, codec, _, err := unpack(bytes.NewReader(in[:cut]), threads)
				if err == nil && codec == "" {
					if cut > 10 {
						t.Errorf("%s cut at %d of %d is taken for plain", p.name, cut, len(in))
					}
					continue
				}
				if err == nil {
					whole++
					if p.name != "bgzf" {
						t.Errorf("%s cut at %d of %d: %d bytes and no error", p.name, cut, len(in), len(out))
					}
					continue
				}
				var e *sketch.InputError
				if !errors.As(err, &e) || !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("%s cut at %d of %d: %v", p.name, cut, len(in), err)
				} else if e.Offset != int64(len(out)) || !bytes.HasPrefix(data, out) {
					t.Errorf("%s cut at %d of %d: %d bytes, then %v", p.name, cut, len(in), len(out), err)
				}
			}
		}
		if p.name == "bgzf" && whole != 2*2 { // twice two cuts between two blocks of text and the empty one
			t.Errorf("%s: %d cuts taken for whole", p.name, whole)
		}
		if p.name == "xz" && atEdge < 3 { // before the second and third block, and the index
			t.Errorf("%s: %d cuts between blocks", p.name, atEdge)
		}
	}
}

// edges says whether what starts at cut may be a member, a block or a footer.
func edges(codec string, in []byte, cut int) bool {
	switch rest := in[cut:]; codec {
	case "bgzf":
		return isBlock(rest)
	case "xz":
		return bytes.HasPrefix(rest, xzBlockHeader(8)[:4]) || bytes.HasPrefix(rest, []byte{0, 3})
	}
	return false
}

// TestFlips: a flipped bit is an error, or changes nothing but a name or a
// date in a header.
func TestFlips(t *testing.T) {
	data := text(200)
	for _, p := range packers[1:] {
		in := p.pack(t, data)
		if p.name == "bgzf" {
			in = blocked(t, data) // behind a damaged second magic would be trailing data
		}
		for bit := range 8 * len(in) {
			in[bit/8] ^= 1 << (bit % 8)
			for _, threads := range threadsFor[p.name] {
				out, codec, warnings, err := unpack(bytes.NewReader(in), threads)
				if err == nil && codec != "" && warnings == nil && !bytes.Equal(out, data) {
					t.Errorf("%s, bit %d: %d bytes that are not those packed, and no error", p.name, bit, len(out))
				}
			}
			in[bit/8] ^= 1 << (bit % 8)
		}
	}
}

// TestWindowBound: what asks for gigabytes to be read is refused.
func TestWindowBound(t *testing.T) {
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, (28 - 10) << 3} // zstd: window of 2^28, RFC 8878, 3.1.1.1.2
	frame = append(frame, 0x01, 0x00, 0x00)                       // an empty last block
	single := append([]byte{0x28, 0xb5, 0x2f, 0xfd, 0xe0}, 0, 0, 0, 0, 1, 0, 0, 0)
	huge := packers[4].pack(t, text(100))
	copy(huge[12:], xzBlockHeader(40))
	for name, in := range map[string][]byte{"zstd": frame, "zstd, single segment": append(single, 0x01, 0, 0), "xz": huge} {
		_, codec, _, err := unpack(bytes.NewReader(in), 1)
		if want := "stream needs a window of more than 128 MiB"; err == nil || !bytes.Contains([]byte(err.Error()), []byte(want)) {
			t.Errorf("%s: codec %q, %v", name, codec, err)
		}
	}
}

// xzBlockHeader is that of a block with one filter, LZMA2, whose dictionary has
// the given size code; 40 is 4 GiB (xz file format 1.2.1, 3.1 and 5.3.1).
func xzBlockHeader(dict byte) []byte {
	h := []byte{0x02, 0x00, 0x21, 0x01, dict, 0x00, 0x00, 0x00}
	return binary.LittleEndian.AppendUint32(h, crc32.ChecksumIEEE(h))
}
