// SPDX-License-Identifier: Apache-2.0

package fastx

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gsketch/gsketch/sketch"
)

func TestRecords(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		want []rec
	}{
		"empty file":                  {"", nil},
		"blank file":                  {"\n \r\n\t", nil},
		"byte order mark":             {"\xef\xbb\xbf>a\nAC\n", []rec{{"a", "AC"}}},
		"blank lines":                 {"\n  \n>a\nAC\n\n \t\nGT\n\n>b\n\nA", []rec{{"a", "ACGT"}, {"b", "A"}}},
		"white space in lines":        {">a\nAC GT\t\n  A\n", []rec{{"a", "ACGTA"}}},
		"old comments":                {";x\n;y\n>a\nAC\n;z\nGT\n>b\n;z", []rec{{"a", "ACGT"}, {"b", ""}}},
		"empty records":               {">a\n>b\nA\n>c\n>d\n", []rec{{"a", ""}, {"b", "A"}, {"c", ""}, {"d", ""}}},
		"empty record at the end":     {">a\nA\n>b", []rec{{"a", "A"}, {"b", ""}}},
		"empty headers":               {">\nA\n>\n@\nC\n+\nI\n", []rec{{"", "A"}, {"", ""}, {"", "C"}}},
		"markers inside lines":        {">a >b\nA>C@G+T;\nA\n", []rec{{"a >b", "A>C@G+T;A"}}},
		"gaps, stars, protein, case":  {">a\nac-gt*N\nMKV\n", []rec{{"a", "ac-gt*NMKV"}}},
		"both kinds":                  {">a\nAC\n@b\nGT\n+\nII\n>c\nA\n", []rec{{"a", "AC"}, {"b", "GT"}, {"c", "A"}}},
		"CR LF":                       {">a x\r\nAC\r\n\r\nGT\r\n>b\r\nA", []rec{{"a x\r", "ACGT"}, {"b\r", "A"}}},
		"CR CR LF":                    {">a x\r\r\nAC\r\r\n>b\nA", []rec{{"a x\r\r", "AC"}, {"b", "A"}}},
		"CR LF and LF":                {">a\nAC\r\nGT\n>b\r\nA\n", []rec{{"a", "ACGT"}, {"b\r", "A"}}},
		"CR":                          {">a x\rAC\rGT\r>b\rA\r", []rec{{"a x", "ACGT"}, {"b", "A"}}},
		"CR inside sequence":          {">a\nAC\rGT\n", []rec{{"a", "ACGT"}}},
		"CR at the end":               {">a\nA\n>b\r", []rec{{"a", "A"}, {"b\r", ""}}},
		"quality like headers":        {"@a\nACGT\n+\n@III\n@b\nAC\n+b\n+@\n@c\nA\n+\n+\n", []rec{{"a", "ACGT"}, {"b", "AC"}, {"c", "A"}}},
		"several lines":               {"@a\nAC\nGT\n+a\n@I\n+I\n@b\nA\n+\n@\n", []rec{{"a", "ACGT"}, {"b", "A"}}},
		"several lines of quality":    {"@a\nACGT\n+\nII\n@I\n@b\nA\n+\nI\n", []rec{{"a", "ACGT"}, {"b", "A"}}},
		"read of length 0":            {"@a\n\n+\n\n@b\nA\n+\nI\n@c\n\n+\n", []rec{{"a", ""}, {"b", "A"}, {"c", ""}}},
		"read of length 0, no line":   {"@a\n+\n@b\nA\n+\nI", []rec{{"a", ""}, {"b", "A"}}},
		"FASTQ, CR LF":                {"@a\r\nACGT\r\n+\r\n@III\r\n\r\n@b\r\nA\r\n+b\r\nI", []rec{{"a\r", "ACGT"}, {"b\r", "A"}}},
		"FASTQ, CR":                   {"@a\rACGT\r+\r@III\r@b\rA\r+\r+", []rec{{"a", "ACGT"}, {"b", "A"}}},
		"FASTQ, blank lines between":  {"\n@a\nAC\n+\nII\n\n  \n@b\nA\n+\nI\n\n", []rec{{"a", "AC"}, {"b", "A"}}},
		"FASTQ, white space in lines": {"@a\nA C\n+\nII \n@b\nA\n+\n I\n", []rec{{"a", "AC"}, {"b", "A"}}},
		"header not ASCII":            {">s5 café ✓|x\nA\n", []rec{{"s5 café ✓|x", "A"}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := readAll(t, c.in, windowSize)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got\n%swant\n%s", describe(got), describe(c.want))
			}
			for size := smallest; size < smallest+len(c.in); size++ {
				compare(t, c.in, size)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"text", "hello\n>a\nA\n", "x.fa, byte 0: not FASTA or FASTQ"},
		{"marker behind a space", " >a\nA\n", "x.fa, byte 1: not FASTA or FASTQ"},
		{"zip", "PK\x03\x04\x14\x00", "x.fa, byte 0: not FASTA or FASTQ: it looks like a zip archive"},
		{"tar", "a.fa" + strings.Repeat("\x00", 253) + "ustar\x0000", "x.fa, byte 0: not FASTA or FASTQ: it looks like a tar archive"},
		{"HTML", "<!DOCTYPE html>\n", "x.fa, byte 0: not FASTA or FASTQ: it looks like HTML or XML"},
		{"SAM", "@HD\tVN:1.6\n@SQ\tSN:a\n", "x.fa, byte 0: not FASTA or FASTQ: it looks like SAM; `samtools fastq FILE` gives its reads"},
		{"UTF-16", "\xff\xfe>\x00a\x00", "x.fa, byte 0: not FASTA or FASTQ: it looks like UTF-16 text"},
		{"zeros", "\x00\x00\x00", "x.fa, byte 0: not FASTA or FASTQ: it looks like binary data"},
		{"ELF", "\x7fELF\x02\x00", "x.fa, byte 0: not FASTA or FASTQ: it looks like binary data"},
		{"NUL in sequence", ">a\nA\n>b c\nAC\x00GT\n", "x.fa: record 2 (b), byte 12: a NUL byte: damaged, or not text"},
		{"NUL in header", ">a\nA\n>b\x00\nAC\n", "x.fa: record 2, byte 7: a NUL byte: damaged, or not text"},
		{"cut in quality", "@a\nA\n+\nI\n@m5 x\nACGT\n+\nII", "x.fa: record 2 (m5), byte 24: unexpected end of file in the quality"},
		{"cut before quality", "@m5\nACGT\n+", "x.fa: record 1 (m5), byte 10: unexpected end of file in the quality"},
		{"cut in sequence", "@m5\nACG", "x.fa: record 1 (m5), byte 7: unexpected end of file in the sequence"},
		{"cut behind header", "@m5", "x.fa: record 1 (m5), byte 3: unexpected end of file in the sequence"},
		{"quality too short", "@a\nACGT\n+\nIII\n@b\nAC\n+\nII\n", "x.fa: record 1 (a), byte 14: sequence and quality differ in length: 4 bases, 3 quality characters"},
		{"quality too long", "@a\nACGT\n+\nIIIII\n", "x.fa: record 1 (a), byte 10: sequence and quality differ in length: 4 bases, more quality characters"},
		{"quality goes on", "@a\nACGT\n+\nIIII\nII\n@b\n", "x.fa: record 1 (a), byte 15: the quality is longer than the sequence, or the next record does not start with '@' or '>'"},
		{"no quality", "@a\nACGT\n@b\nACGT\n", "x.fa: record 1 (a), byte 8: the next record starts before a quality"},
		{"FASTQ headers only", "@a\n@b\n", "x.fa: record 1 (a), byte 3: the next record starts before a quality"},
		{"quality in FASTA", ">a\nAC\n+\nII\n", "x.fa: record 1 (a), byte 6: a line starts with '+' in a FASTA record"},
		{"CR, then LF", ">a\rAC\n>b\nGT\n", "x.fa: record 1 (a), byte 5: the first line ends in CR and this one in LF"},
		{"CR inside header", ">a\nAC\n>b\rc\nGT\n", "x.fa: record 2, byte 8: a CR inside a header line"},
		{"comment in FASTQ", "@a\nA\n+\nI\n;x\n", "x.fa: record 1 (a), byte 9: the quality is longer than the sequence, or the next record does not start with '@' or '>'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := readAll(t, c.in, windowSize)
			var in *sketch.InputError
			if !errors.As(err, &in) {
				t.Fatalf("error %v, want %q", err, c.want)
			}
			if err.Error() != c.want {
				t.Errorf("got  %s\nwant %s", err, c.want)
			}
			if cut := strings.Contains(c.want, "unexpected end"); errors.Is(err, io.ErrUnexpectedEOF) != cut {
				t.Errorf("is io.ErrUnexpectedEOF: %t", !cut)
			}
			for size := smallest; size < smallest+len(c.in); size++ {
				compare(t, c.in, size)
			}
		})
	}
}

// TestHeaderBound: the bound holds whatever the header is made of, and the
// buffer does not grow past what the bound needs.
func TestHeaderBound(t *testing.T) {
	long := strings.Repeat("h", MaxHeader-1) // the bound counts the marker
	for _, marker := range []string{">", "@"} {
		body := map[string]string{">": "\nA\n", "@": "\nA\n+\nI\n"}[marker]
		got, err := readAll(t, ">x\nA\n"+marker+long+body, windowSize)
		if err != nil || len(got) != 2 || got[1] != (rec{long, "A"}) {
			t.Fatalf("longest header: %v, %d records", err, len(got))
		}
	}
	r := NewReader(io.MultiReader(strings.NewReader(">x\nA\n>"), endless('h')), "x.fa")
	var err error
	for err == nil {
		_, err = r.Next()
	}
	if want := "x.fa: record 2, byte 5: a header line longer than 1 MiB"; err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if len(r.buf) > 4*MaxHeader {
		t.Errorf("buffer of %d bytes", len(r.buf))
	}
}

// endless reads as one byte for ever.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// TestHugeRecord: a record of any length goes through the same window.
func TestHugeRecord(t *testing.T) {
	const bases = 64 << 20
	for name, in := range map[string]io.Reader{
		"FASTA": io.MultiReader(strings.NewReader(">a\n"), io.LimitReader(endless('A'), bases), strings.NewReader("\n>b\nAC\n")),
		"FASTQ": io.MultiReader(strings.NewReader("@a\n"), io.LimitReader(endless('A'), bases), strings.NewReader("\n+\n"),
			io.LimitReader(endless('I'), bases), strings.NewReader("\n@b\nAC\n+\nII\n")),
	} {
		r := NewReader(in, "x.fa")
		var n [2]int
		i := -1
		for {
			p, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(name, err)
			}
			if p.Start {
				i++
			}
			n[i] += len(bytes.TrimSpace(p.Text))
		}
		if n != [2]int{bases, 2} || len(r.buf) != windowSize {
			t.Errorf("%s: %d bases, buffer of %d", name, n, len(r.buf))
		}
	}
}

// TestSourceError: an error of what the Reader reads from is passed on with the
// record, after all that came before it.
func TestSourceError(t *testing.T) {
	inner := &sketch.InputError{Path: "x.fa.gz", Offset: 11, Err: errors.New("corrupt gzip stream")}
	for in, want := range map[string]string{
		">a\nAC\n>b\nG":       "x.fa.gz: record 2 (b), byte 11: corrupt gzip stream",
		"@a\nA\n+\nI\n@b\nA":  "x.fa.gz: record 2 (b), byte 11: corrupt gzip stream",
		"@a\nA\n+\nI\n":       "x.fa.gz: record 1 (a), byte 11: corrupt gzip stream",
		"":                    "x.fa.gz, byte 11: corrupt gzip stream",
		">a long one":         "x.fa.gz: record 1, byte 11: corrupt gzip stream",
		"@a\nACGT\n+\nIIII":   "x.fa.gz: record 1 (a), byte 11: corrupt gzip stream",
		">a\nACGT\n;comment ": "x.fa.gz: record 1 (a), byte 11: corrupt gzip stream",
	} {
		r := NewReader(io.MultiReader(strings.NewReader(in), iotest.ErrReader(inner)), "x.fa.gz")
		var err error
		for err == nil {
			_, err = r.Next()
		}
		if err.Error() != want {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
}

func TestNoAllocationPerRecord(t *testing.T) {
	for name, in := range map[string]string{
		"FASTQ":         strings.Repeat("@read 1\nACGTACGT\n+\nIIIIIIII\n", 100_000),
		"FASTQ, CR LF":  strings.Repeat("@read 1\r\nACGTACGT\r\n+\r\nIIIIIIII\r\n", 100_000),
		"several lines": strings.Repeat("@read 1\nACGT\nACGT\n+\nIIII\nIIII\n", 100_000),
		"FASTA":         strings.Repeat(">contig 1\nACGT\nACGT\n", 100_000),
	} {
		n := testing.AllocsPerRun(1, func() {
			r := NewReader(strings.NewReader(in), "x")
			for {
				if _, err := r.Next(); err != nil {
					break
				}
			}
		})
		if n > 10 { // reader, buffer, name: not one per record, not one per window
			t.Errorf("%s: %g allocations for 100,000 records", name, n)
		}
	}
}
