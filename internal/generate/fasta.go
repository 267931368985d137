// SPDX-License-Identifier: Apache-2.0

package generate

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/gsketch/gsketch/formats/fastx"
	"github.com/gsketch/gsketch/formats/stream"
)

// fasta formats one record in lines of the given width.
func fasta(header string, seq []byte, width int) []byte {
	out := append([]byte{'>'}, header...)
	out = append(out, '\n')
	for line := range slices.Chunk(seq, width) {
		out = append(append(out, line...), '\n')
	}
	return out
}

var complement = [256]byte{'A': 'T', 'C': 'G', 'G': 'C', 'T': 'A', 'N': 'N'}

// ReverseComplement returns the other strand of upper-case DNA.
func ReverseComplement(seq []byte) []byte {
	rc := make([]byte, len(seq))
	for i, b := range seq {
		rc[len(seq)-1-i] = complement[b]
	}
	return rc
}

// ReadRecords returns the sequences of a FASTA or FASTQ file, upper-case and
// without white space.
func ReadRecords(path string) (records [][]byte, err error) {
	in, err := stream.Open(path, stream.Options{})
	if err != nil {
		return nil, err
	}
	defer in.Close()
	r := fastx.NewReader(in, path)
	for {
		p, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if p.Start {
			records = append(records, nil)
		}
		last := &records[len(records)-1]
		*last = append(*last, bytes.ToUpper(bytes.Join(bytes.Fields(p.Text), nil))...)
	}
	if len(records) == 0 {
		return nil, fmt.Errorf("%s: no sequence", path)
	}
	return records, nil
}
