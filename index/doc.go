// SPDX-License-Identifier: Apache-2.0

// Package index keeps a collection of sketches on disk so that it is searched
// without being loaded: inverted postings, hash -> sketches that hold it.
//
// An index is a directory:
//
//	MANIFEST          what belongs to the index; replaced as a whole
//	LOCK              held by the one writer
//	N.sketches        a native table (package table): the sketches of segment N
//	N.postings        the postings of segment N (see postings.go)
//
// Segments are never changed. To add is to write a segment and then a manifest
// that names it; to remove is to name rows in a manifest; to compact is to
// write one segment of all rows that are left. Whatever is interrupted, the
// manifest that is there names whole segments: the old state or the new one. A
// file that no manifest names is left over from an interrupted writer, and the
// next writer removes it. When Add returns, the sketches are durable.
//
// One process writes at a time (ErrLocked); any number read, and what a reader
// has opened stays readable while writers go on.
package index
