// SPDX-License-Identifier: Apache-2.0

// Package bands keeps signatures so that those like a given one are found
// without comparing all: buckets of the ids of documents, one for each band of
// a signature that package lsh makes, and what is known of each document.
//
// An Index is the same over any Backend. Disk is the one on disk, a directory:
//
//	MANIFEST    what belongs to the index; replaced as a whole
//	LOCK        held by the one writer
//	N.bands     rows of segment N: bucket and id (see rows.go)
//	N.docs      documents of segment N (see docs.go)
//	N.log       changes that are in no segment yet (see log.go)
//
// Segments are never changed. A change is a record in the log, durable when the
// call returns, or a segment if it is large; the log becomes a segment when it
// has grown, and when the writer closes. A later segment goes before an earlier
// one, and what it removes is marked in it. To compact is to write one segment
// of all that is left. Whatever is interrupted, a manifest names whole segments
// and a log whose records are whole up to the one that was being written.
package bands
