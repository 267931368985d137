// SPDX-License-Identifier: Apache-2.0

package fastx

import "errors"

// The reasons in a *sketch.InputError, besides those of the stream itself.
var (
	errNotFASTX    = errors.New("not FASTA or FASTQ")
	errNUL         = errors.New("a NUL byte: damaged, or not text")
	errMixedLines  = errors.New("the first line ends in CR and this one in LF")
	errLoneCR      = errors.New("a CR inside a header line")
	errLongHeader  = errors.New("a header line longer than 1 MiB")
	errPlusInFASTA = errors.New("a line starts with '+' in a FASTA record")
	errNoQuality   = errors.New("the next record starts before a quality")
	errLengths     = errors.New("sequence and quality differ in length")
	errAfterRecord = errors.New("the quality is longer than the sequence, or the next record does not start with '@' or '>'")
)
