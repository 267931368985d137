// SPDX-License-Identifier: Apache-2.0

package fastx

import (
	"bytes"
	"fmt"
)

// notFASTX says what the start of the stream looks like, where that is plain.
func (r *Reader) notFASTX() error {
	if r.base > 0 { // the start has left the window: megabytes of blank lines
		return errNotFASTX
	}
	head := r.buf[:r.raw]
	for _, k := range kinds {
		if k.at < len(head) && bytes.HasPrefix(head[k.at:], []byte(k.magic)) {
			return fmt.Errorf("%w: it looks like %s", errNotFASTX, k.what)
		}
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return fmt.Errorf("%w: it looks like binary data", errNotFASTX)
	}
	return errNotFASTX
}

// isSAM recognises a SAM header, which would pass for a FASTQ one.
func isSAM(head []byte) bool {
	return bytes.HasPrefix(head, []byte("@HD\tVN:")) || bytes.HasPrefix(head, []byte("@SQ\tSN:"))
}

// kinds are files that are given by mistake.
var kinds = []struct {
	at          int
	magic, what string
}{
	{0, "PK\x03\x04", "a zip archive"},
	{257, "ustar", "a tar archive"},
	{0, "\x1f\x8b", "gzip inside another compression"},
	{0, "7z\xbc\xaf\x27\x1c", "a 7z archive"},
	{0, "Rar!", "a rar archive"},
	{0, "BAM\x01", "BAM; `samtools fastq FILE` gives its reads"},
	{0, "CRAM", "CRAM; `samtools fastq FILE` gives its reads"},
	{0, "@HD\tVN:", "SAM; `samtools fastq FILE` gives its reads"},
	{0, "@SQ\tSN:", "SAM; `samtools fastq FILE` gives its reads"},
	{0, "NCBI.sra", "an SRA archive"},
	{0, "PAR1", "Parquet"},
	{0, "%PDF", "PDF"},
	{0, "<!", "HTML or XML"},
	{0, "<html", "HTML"},
	{0, "<?xml", "XML"},
	{0, "{", "JSON"},
	{0, "[", "JSON"},
	{0, "LOCUS ", "GenBank"},
	{0, "ID   ", "EMBL"},
	{0, "##", "VCF or GFF"},
	{0, "\xff\xfe", "UTF-16 text"},
	{0, "\xfe\xff", "UTF-16 text"},
}
