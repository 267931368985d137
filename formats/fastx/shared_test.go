// SPDX-License-Identifier: Apache-2.0

package fastx_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/formats/fastx"
	"github.com/gsketch/gsketch/formats/stream"
	"github.com/gsketch/gsketch/internal/shared"
	"github.com/gsketch/gsketch/sketch"
)

type counts struct {
	records, empty int
	bases          int
	headers        []string
	lengths        []int
}

// count reads a file as the commands do.
func count(t *testing.T, path string, threads int) (c counts, err error) {
	t.Helper()
	s, err := stream.Open(path, stream.Options{Threads: threads})
	if err != nil {
		return c, err
	}
	defer s.Close()
	r := fastx.NewReader(s, filepath.Base(path))
	for {
		p, err := r.Next()
		if err == io.EOF {
			return c, nil
		}
		if err != nil {
			return c, err
		}
		if p.Start {
			c.records++
			c.headers = append(c.headers, string(p.Header))
			c.lengths = append(c.lengths, 0)
		}
		for _, b := range p.Text {
			if b > ' ' {
				c.bases++
				c.lengths[c.records-1]++
			}
		}
		if p.End && c.lengths[c.records-1] == 0 {
			c.empty++
		}
	}
}

// TestUserFaults counts records and bases of inputs that users stumbled over.
// The numbers are those that each case.md states, or that Mash printed for it.
func TestUserFaults(t *testing.T) {
	for _, c := range []struct {
		file                  string
		records, empty, bases int
	}{
		{"01-crlf-line-endings/lf.fa", 2, 0, 6000},
		{"01-crlf-line-endings/crlf.fa", 2, 0, 6000},
		{"01-crlf-line-endings/crlf_nolast.fa", 2, 0, 6000},
		{"01-crlf-line-endings/mixed.fa", 2, 0, 6000},
		{"01-crlf-line-endings/cr_only.fa", 2, 0, 6000},
		{"03-header-only-last-record/only_header.fa", 1, 1, 0},
		{"03-header-only-last-record/tail_header.fa", 2, 1, 1500},
		{"03-header-only-last-record/tail_header_nonl.fa", 2, 1, 1500},
		{"06-soft-masked/upper.fa", 1, 0, 5000},
		{"06-soft-masked/softmasked.fa", 1, 0, 5000},
		{"06-soft-masked/lower.fa", 1, 0, 5000},
		{"10-gzip-many-members/two.fa.gz", 2, 0, 5000},
		{"10-gzip-many-members/split_in_sequence.fa.gz", 2, 0, 5000},
		{"10-gzip-many-members/plain.fa", 2, 0, 5000},
		{"11-bgzf/b.fa.gz", 1, 0, 9000},
		{"11-bgzf/b_noeof.fa.gz", 1, 0, 9000},
		{"13-gzip-trailing-bytes/zeropad.fa.gz", 1, 0, 3000},
		{"13-gzip-trailing-bytes/garbage.fa.gz", 1, 0, 3000},
		{"14-fastq-quality-at-and-plus/q.fq", 34, 0, 1902},
		{"14-fastq-quality-at-and-plus/same.fa", 34, 0, 1902},
		{"17-fastq-empty-read/empty_read.fq", 10, 2, 800},
		{"19-blank-lines/blank.fa", 2, 0, 1200},
		{"19-blank-lines/clean.fa", 2, 0, 1200},
		{"32-read-pair-one-sketch/s_R1.fq.gz", 40, 0, 2400},
		{"45-odd-headers/h.fa", 5, 0, 1500},
		{"54-gaps-and-stars/aligned.fa", 1, 0, 1537},
		{"54-gaps-and-stars/spaced.fa", 1, 0, 1500},
		{"54-gaps-and-stars/numbered.fa", 1, 0, 1580},
		{"58-content-not-extension/nogz_ext.fa", 1, 0, 2000},
		{"58-content-not-extension/plain.fa.gz", 1, 0, 2000},
		{"58-content-not-extension/reads.txt", 39, 0, 3900},
		{"59-bom-and-old-comments/bom.fa", 1, 0, 1200},
		{"59-bom-and-old-comments/semicolon.fa", 1, 0, 1200},
	} {
		t.Run(c.file, func(t *testing.T) {
			path := shared.Path(t, "cases", "genomics", filepath.FromSlash(c.file))
			for _, threads := range []int{1, 2} {
				got, err := count(t, path, threads)
				if err != nil {
					t.Fatal(err)
				}
				if got.records != c.records || got.empty != c.empty || got.bases != c.bases {
					t.Errorf("%d threads: %d records, %d empty, %d bases; want %d, %d, %d", threads,
						got.records, got.empty, got.bases, c.records, c.empty, c.bases)
				}
			}
		})
	}
}

// TestCutFASTQ: both files end inside the quality of their last record.
func TestCutFASTQ(t *testing.T) {
	for file, want := range map[string]string{
		"cut_qual.fq": "cut_qual.fq: record 6 (m5), byte 1188: unexpected end of file in the quality",
		"cut_seq.fq":  "cut_seq.fq: record 5 (m4), byte 988: unexpected end of file in the quality",
	} {
		_, err := count(t, shared.Path(t, "cases", "genomics", "18-fastq-cut-at-the-end", file), 1)
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestGzipThenPlain: `cat a.fq.gz b.fq` must not pass for a.fq.gz.
func TestGzipThenPlain(t *testing.T) {
	var both []byte
	for _, f := range []string{"s_R1.fq.gz", "s_R2.fq"} {
		b, err := os.ReadFile(shared.Path(t, "cases", "genomics", "32-read-pair-one-sketch", f))
		if err != nil {
			t.Fatal(err)
		}
		both = append(both, b...)
	}
	path := filepath.Join(t.TempDir(), "both.fq")
	if err := os.WriteFile(path, both, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 2} {
		_, err := count(t, path, threads)
		var in *sketch.InputError
		if !errors.As(err, &in) || in.Record != 40 {
			t.Errorf("%d threads: %v", threads, err)
		}
	}
}

// TestHeadersAsPeers: names and comments are what Mash stored for each record,
// whole headers what sourmash did, byte for byte.
func TestHeadersAsPeers(t *testing.T) {
	golden := func(parts ...string) []byte {
		b, err := os.ReadFile(shared.Path(t, append([]string{"golden", "genomics"}, parts...)...))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	// Mash does not escape in its JSON, so a pattern reads it.
	field := regexp.MustCompile(`(?s)\t"name" : "([^\n]*)",\n\t\t\t"length" : \d+,\n\t\t\t"comment" : "([^\n]*)",\n`)
	for file, input := range map[string]string{"m_crlf_i.json": "hm_crlf.fa", "m_blank_i.json": "hm_blank.fa"} {
		stored := field.FindAllSubmatch(golden("expected", "mash", file), -1)
		got, err := count(t, shared.Path(t, "golden", "genomics", "inputs", input), 1)
		if err != nil || len(got.headers) != 3 || len(stored) != 3 {
			t.Fatalf("%s: %v, %d records, Mash has %d", input, err, len(got.headers), len(stored))
		}
		for i, h := range got.headers {
			name, comment := fastx.Split([]byte(h))
			if name != string(stored[i][1]) || comment != string(stored[i][2]) {
				t.Errorf("%s: %q, %q, Mash has %q, %q", input, name, comment, stored[i][1], stored[i][2])
			}
		}
	}
	var sigs []struct{ Name string }
	if err := json.Unmarshal(golden("expected", "sourmash", "s_singleton_blank.sig"), &sigs); err != nil {
		t.Fatal(err)
	}
	var names, want []string
	for _, input := range []string{"hm_blank.fa", "hm_crlf.fa"} {
		got, err := count(t, shared.Path(t, "golden", "genomics", "inputs", input), 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range got.headers {
			names = append(names, string(bytes.TrimSpace([]byte(h))))
		}
	}
	for _, s := range sigs {
		want = append(want, s.Name)
	}
	if strings.Join(names, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, sourmash has %q", names, want)
	}
}
