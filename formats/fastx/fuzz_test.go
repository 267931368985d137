// SPDX-License-Identifier: Apache-2.0

package fastx

import (
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/shenwei356/bio/seq"
	bio "github.com/shenwei356/bio/seqio/fastx"
)

// seeds are inputs that made some reader stumble.
var seeds = []string{
	"", "\n", "\xef\xbb\xbf>a\nACGT\n", ">", "@", ">a", ">a\n>b\n>c", ">a\n\n  \nAC GT\n\n>b\nA\n",
	">a x\r\nAC\r\nGT\r\n>b\r\nA", ">a\rAC\rGT\r>b\rA\r", ">a\rAC\nGT", ">a\nAC\rGT\r>b\nA\n", ">a\rb\nAC\n>c\rd\nA\n",
	">a\r\r\nAC\r\r\n", ";c\n;d\n>a\n;e\nAC\n;f\n>b\n;g", "x\n>a\nA\n", " >a\nA\n",
	"@a\nACGT\n+\nIIII\n@b\nA\n+\n+\n", "@a\nAC\nGT\n+a\nII\nII\n>b\nAC\n@c\nA\n+\n@\n", "@a\n\n+\n\n@b\nA\n+\nI", "@a\n+\n@b\n+\n",
	"@a\nACGT\n+\n@III\n@b\nACGT\n+\n+@@@\n", "@a\r\nACGT\r\n+\r\nIIII\r\n@b\r\nA\r\n+b\r\nI\r\n", "@a\rAC\r+\rII\r@b\rA\r+\r@\r",
	"@a\nACGT\n+\nIII\n@b\nACGT\n+\nIIII\n", "@a\nACGT\n+\nIIIII\n", "@a\nACGT\n+\nII", "@a\nACGT\n+", "@a\nACG", "@a\n@b\n", "@a\nA C\n+\nI I\n",
	">a\nAC\x00GT\n", ">a\n+\nII\n", ">a\nACG>T\nA@+;\n", "@a\nACGT\n+x\ry\nIIII\n", "@a\nACGTACGT\n+\nIIII\nIIII\n@b\nA\n+\nI\n\n\n",
}

// FuzzReader holds the reader against the model, through windows of all sizes:
// the smallest take every path across an edge, the largest the fast ones.
func FuzzReader(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, uint16(1))
		f.Add(s, uint16(7))
	}
	f.Add(string(genome(3000, 60))+string(reads(10, 50)), uint16(128))
	f.Fuzz(func(t *testing.T, in string, size uint16) {
		compare(t, in, int(size)+smallest)
	})
}

// smallest is the least window that shows what decides at the start of a stream.
const smallest = len("@HD\tVN:")

// compare fails unless the reader gives what the model gives, and the same
// error through a small window as through one that holds everything.
func compare(t *testing.T, in string, size int) {
	t.Helper()
	want, bad := model(in)
	whole, wholeErr := readAll(t, in, windowSize)
	got, err := readAll(t, in, size)
	if (wholeErr != nil) != bad {
		t.Fatalf("%q: error %v, the model says bad = %t", in, wholeErr, bad)
	}
	if message(err) != message(wholeErr) {
		t.Fatalf("%q: window of %d: error %v, whole: %v", in, size, err, wholeErr)
	}
	if bad {
		return
	}
	if !reflect.DeepEqual(whole, want) {
		t.Fatalf("%q:\ngot\n%swant\n%s", in, describe(whole), describe(want))
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%q: window of %d:\ngot\n%swant\n%s", in, size, describe(got), describe(want))
	}
}

// message leaves out the guess at what else the input is: it depends on how
// much of it is seen.
func message(err error) string {
	if err == nil {
		return ""
	}
	m, _, _ := strings.Cut(err.Error(), ": it looks like")
	return m
}

// FuzzBio holds it against bio's reader on what both read, which is most of
// what exists: one kind of record in a file, LF or CR LF, no comment lines, and
// in FASTQ no white space in a line and no empty header, with which bio takes
// the quality for sequence.
func FuzzBio(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if !bioReads(in) {
			return
		}
		got, err := readAll(t, in, windowSize)
		want, bioErr := bioAll(t, in)
		if err != nil || bioErr != nil {
			return
		}
		for i := range got {
			got[i].header = strings.TrimRight(got[i].header, "\r")
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q:\ngot\n%swant\n%s", in, describe(got), describe(want))
		}
	})
}

func bioReads(in string) bool {
	in = strings.ReplaceAll(in, "\r\n", "\n")
	marker := strings.TrimLeft(in, "\n")
	if marker == "" || strings.Contains(in, "\r") || strings.Contains("\n"+in, "\n;") {
		return false
	}
	if marker[0] == '@' {
		return !strings.ContainsAny(in, " \t\v\f") && !strings.Contains(in, "@\n") && !strings.Contains("\n"+in, "\n>")
	}
	return !strings.Contains("\n"+in, "\n@")
}

func bioAll(t *testing.T, in string) (recs []rec, err error) {
	seq.ValidateSeq = false
	r, err := bio.NewReaderFromIO(seq.Unlimit, strings.NewReader(in), "")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for {
		b, err := r.Read()
		if err == io.EOF {
			return recs, nil
		}
		if err != nil {
			return recs, err
		}
		recs = append(recs, rec{string(b.Name), stripped(string(b.Seq.Seq))})
	}
}
