// SPDX-License-Identifier: Apache-2.0

// Package fastx reads FASTA and FASTQ, told apart by content, and hands out
// the sequence in pieces that lie in the reader's own buffer: a record of
// 3 Gbp needs no more memory than a read.
//
// What is a record:
//
//   - '>' (FASTA) or '@' (FASTQ) counts only at the start of a line. Both kinds
//     may follow one another in one stream, as Mash allows.
//   - A FASTA record goes on to the next such line; lines that start with ';'
//     are comments. A record may be empty.
//   - A FASTQ record has its sequence on any number of lines, a line that starts
//     with '+', and then as many quality characters as bases, on any number of
//     lines, whatever they start with. A read of length 0 is a record.
//   - Lines end in LF, CR LF, or, if the first line of the file does, in CR.
//   - White space is neither sequence nor quality. Blank lines mean nothing.
//   - A UTF-8 byte order mark at the start of the file is skipped.
//
// What is an error, always a *sketch.InputError with file, record, name and
// byte: other text before the first record or between FASTQ records, a FASTQ
// record that is cut or whose quality is not as long as its sequence, a quality
// in a FASTA record, a NUL byte, a header longer than MaxHeader, a lone CR
// inside a header. An empty file is not an error here; it has no records.
//
// The reader is our own because of what a library would have to give: pieces
// of a record, the byte where reading stopped, both kinds in one stream, CR
// line ends. shenwei356/bio's reader is what the tests hold it against.
package fastx
