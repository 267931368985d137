// SPDX-License-Identifier: Apache-2.0

package fastx

import (
	"fmt"
	"io"
	"strings"
)

// A rec is a whole record, its sequence without white space.
type rec struct{ header, seq string }

// model is the definition of the package comment written down for an input that
// is in memory as a whole: no window, no pieces, no fast path. bad says that
// the input is an error somewhere.
func model(in string) (recs []rec, bad bool) {
	if strings.IndexByte(in, 0) >= 0 {
		return nil, true
	}
	in = strings.TrimPrefix(in, "\xef\xbb\xbf")
	line := func() (l string) { // ends in CR or LF
		i := strings.IndexAny(in, "\r\n")
		if i < 0 {
			l, in = in, ""
			return l
		}
		l, in = in[:i+1], in[i+1:]
		return l
	}
	for in != "" {
		if strings.TrimLeft(in[:1], " \t\n\v\f\r;") == "" { // blank or comment
			if l := line(); l[0] != ';' && strings.TrimLeft(l, " \t\n\v\f\r") != "" {
				return recs, true
			} else if l[0] == ';' && len(recs) > 0 {
				return recs, true
			}
			continue
		}
		marker := in[0]
		if marker != '>' && marker != '@' {
			return recs, true
		}
		in = in[1:]
		if len(recs) == 0 {
			if cr := strings.IndexAny(in, "\r\n"); cr >= 0 && in[cr] == '\r' && !strings.HasPrefix(strings.TrimLeft(in[cr:], "\r"), "\n") {
				if strings.Contains(in, "\n") {
					return recs, true
				}
				in = strings.ReplaceAll(in, "\r", "\n")
			}
		}
		header, rest, _ := strings.Cut(in, "\n")
		in = rest
		if strings.Contains(strings.TrimRight(header, "\r"), "\r") || len(header) >= MaxHeader {
			return recs, true
		}
		var seq strings.Builder
		if marker == '>' {
			for in != "" && in[0] != '>' && in[0] != '@' {
				if in[0] == '+' {
					return recs, true
				}
				if l := line(); l[0] != ';' {
					seq.WriteString(stripped(l))
				}
			}
		} else {
			for in != "" && in[0] != '+' {
				if in[0] == '>' || in[0] == '@' {
					return recs, true
				}
				seq.WriteString(stripped(line()))
			}
			if in == "" {
				return recs, true
			}
			line()
			n := seq.Len()
			for n > 0 && in != "" {
				n -= len(stripped(line()))
			}
			if n != 0 {
				return recs, true
			}
		}
		recs = append(recs, rec{header, seq.String()})
	}
	return recs, false
}

// stripped drops white space, byte by byte: the input need not be UTF-8.
func stripped(s string) string {
	var b []byte
	for _, c := range []byte(s) {
		if !strings.ContainsRune(" \t\n\v\f\r", rune(c)) {
			b = append(b, c)
		}
	}
	return string(b)
}

// fataler is a test of the standard library or of rapid.
type fataler interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// readAll reads in through a window of the given size and checks that the
// pieces come as promised.
func readAll(t fataler, in string, size int) ([]rec, error) {
	t.Helper()
	r := newReader(strings.NewReader(in), "x.fa", size)
	var recs []rec
	var seq []byte
	inRecord := false
	for {
		p, err := r.Next()
		if err != nil {
			if p.Start || p.End || p.Header != nil || p.Text != nil {
				t.Fatalf("a piece with an error: %+v", p)
			}
			if _, again := r.Next(); again != err {
				t.Fatalf("then another error: %v, %v", err, again)
			}
			if err == io.EOF {
				if inRecord {
					t.Fatal("the last record has no last piece")
				}
				err = nil
			}
			return recs, err
		}
		if p.Start == inRecord {
			t.Fatalf("record %d: Start is %t", len(recs), p.Start)
		}
		if !p.Start && !p.End && len(p.Text) == 0 {
			t.Fatal("an empty piece")
		}
		if p.Start {
			recs = append(recs, rec{header: string(p.Header)})
			seq = seq[:0]
		}
		seq = append(seq, p.Text...)
		inRecord = !p.End
		if p.End {
			recs[len(recs)-1].seq = stripped(string(seq))
		}
	}
}

func describe(recs []rec) string {
	var b strings.Builder
	for _, r := range recs {
		fmt.Fprintf(&b, "%.60q %d %.60q\n", r.header, len(r.seq), r.seq)
	}
	return b.String()
}
