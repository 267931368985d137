// SPDX-License-Identifier: Apache-2.0

package table

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/gsketch/gsketch/sketch"
	"github.com/parquet-go/parquet-go"
	"github.com/zeebo/xxh3"
)

const (
	pageBytes  = 256 << 10 // about the size of a page of hashes
	groupBytes = 32 << 20  // about the size of a row group, held in memory while it is written
	rowBytes   = 128       // a row without its strings and lists, roughly
)

// Options of a Writer.
type Options struct {
	RowBase   int64  // key of the first row; 0 unless the table is a shard
	CreatedBy string // what made the table, as "gsketch 1.0.0"
}

// A Writer writes a sketch table as a stream; it holds one row group, about
// 32 MB, at a time. The bytes depend on nothing but the items and the options.
type Writer struct {
	out     *tailWriter
	pw      *parquet.GenericWriter[record]
	options Options

	batch      []record // up to about a page
	batchBytes int
	groupBytes int // in the row group so far
	groupLimit int

	sketches int64 // written so far
	rows     int64 // of these, parts counted
	digester digester
	chain    *xxh3.Hasher128 // over the digests of all rows
	params   map[sketch.Params]string
	err      error // the first error; sticks
}

var errClosed = errors.New("sketch table: already closed")

// NewWriter returns a Writer of a table to w. Close must be called; without it
// there is no footer and no reader accepts the file.
func NewWriter(w io.Writer, o Options) *Writer {
	out := &tailWriter{w: w}
	return &Writer{out: out, pw: newParquetWriter(out), options: o, groupLimit: groupBytes,
		chain: xxh3.New128(), params: map[sketch.Params]string{}}
}

func newParquetWriter(w io.Writer) *parquet.GenericWriter[record] {
	options := []parquet.WriterOption{
		parquet.CreatedBy("gsketch", strconv.Itoa(formatVersion), "parquet-go"),
		parquet.Compression(&parquet.Uncompressed), // hashes do not compress; the rest is < 1 %
		parquet.PageBufferSize(pageBytes),
		parquet.WriteBufferSize(0), // pages arrive whole; a buffer would blur where the tail begins
		parquet.DataPageVersion(2),
		parquet.DataPageStatistics(false),
	}
	// Bounds are kept where a query can skip pages by them. Of hashes and
	// digests they say nothing; of long strings they would swell the footer.
	for _, path := range [][]string{{"hashes", "list", "element"}, {"abundances", "list", "element"},
		{"id"}, {"source"}, {"comment"}, {"signature"}, {"digest"}} {
		options = append(options, parquet.SkipPageBounds(path...))
	}
	return parquet.NewGenericWriter[record](w, options...)
}

// Write appends a sketch. Its key is the number of sketches written before,
// from RowBase on; Meta.Row is ignored. The sketch must be a sketch.HashSet
// (stored in hashes, with abundances if it is weighted) or a sketch.Signature
// (stored in signature); any other is an error that names its family. It must
// not change until Close.
func (w *Writer) Write(it sketch.Item) error {
	if w.err != nil {
		return w.err
	}
	c := content{meta: it.Meta}
	if c.meta.Row = w.options.RowBase + w.sketches; c.meta.Row < 0 {
		return w.fail(fmt.Errorf("sketch table: row %d: keys are not negative", c.meta.Row))
	}
	if err := w.fill(&c, it.Sketch); err != nil {
		return err
	}
	rec := newRecord(&c)
	rec.Digest = w.digester.digest(&c)
	w.sketches++
	if len(c.hashes) <= maxPart {
		rec.Hashes, rec.Abundances = int64s(c.hashes), int64s(c.abundances)
		return w.append(rec)
	}
	for part := 0; len(c.hashes) > 0; part++ {
		n := min(maxPart, len(c.hashes))
		rec.Hashes, c.hashes = int64s(c.hashes[:n]), c.hashes[n:]
		if c.abundances != nil {
			rec.Abundances, c.abundances = int64s(c.abundances[:n]), c.abundances[n:]
		}
		number := int32(part)
		rec.Part = &number
		if err := w.append(rec); err != nil {
			return err
		}
	}
	return nil
}

// fill takes the parameters and values of s into c.
func (w *Writer) fill(c *content, s sketch.Sketch) error {
	p := s.Params()
	spelling, ok := w.params[p]
	if !ok {
		spelling = p.String()
		q, err := sketch.ParseParams(spelling)
		if err != nil {
			return fmt.Errorf("%s: %w", c.meta.Label(), err)
		}
		if q != p {
			return fmt.Errorf("%s: parameters spelled %q would be read as others", c.meta.Label(), spelling)
		}
		w.params[p] = spelling
	}
	c.params = spelling
	set, isSet := s.(sketch.HashSet)
	signature, isSignature := s.(sketch.Signature)
	switch {
	case isSet && isHashSet(p.Family):
		return c.fillSet(set)
	case isSignature && !isHashSet(p.Family):
		b, err := slotBytes(signature)
		if err != nil {
			return fmt.Errorf("%s: %w", c.meta.Label(), err)
		}
		c.signature = b
		return nil
	}
	return fmt.Errorf("%s: a sketch of family %q cannot be stored in a sketch table", c.meta.Label(), p.Family)
}

func (c *content) fillSet(s sketch.HashSet) error {
	c.hashes = notNil(s.Hashes())
	if !s.Params().Weighted {
		return nil
	}
	a, ok := s.(sketch.Abundant)
	if !ok || len(a.Abundances()) != len(c.hashes) {
		return fmt.Errorf("%s: a weighted sketch without an abundance for each hash", c.meta.Label())
	}
	c.abundances = notNil(a.Abundances())
	return nil
}

func newRecord(c *content) record {
	m := &c.meta
	return record{
		Row: m.Row, ID: m.ID, Source: m.Source, Comment: m.Comment,
		PerRecord: m.PerRecord, LengthEstimated: m.LengthEstimated, Params: c.params,
		Length: int64(m.Length), Records: int64(m.Records), Count: int64(m.Count),
		Signature: c.signature,
	}
}

// append hands rows on about a page at a time: parquet-go looks at the size of
// a page only between batches of rows.
func (w *Writer) append(rec record) error {
	w.chain.Write(rec.Digest[:])
	w.rows++
	w.batch = append(w.batch, rec)
	w.batchBytes += rowBytes + 8*(len(rec.Hashes)+len(rec.Abundances)) +
		len(rec.Signature) + len(rec.ID) + len(rec.Source) + len(rec.Comment) + len(rec.Params)
	if w.batchBytes < pageBytes {
		return nil
	}
	if err := w.flushBatch(); err != nil {
		return err
	}
	if w.groupBytes < w.groupLimit {
		return nil
	}
	w.groupBytes = 0
	return w.fail(w.pw.Flush())
}

func (w *Writer) flushBatch() error {
	_, err := w.pw.Write(w.batch)
	w.groupBytes += w.batchBytes
	w.batchBytes = 0
	clear(w.batch)
	w.batch = w.batch[:0]
	return w.fail(err)
}

// Close writes what is left and the footer with its digests. It does not close
// the underlying writer.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	if err := w.flushBatch(); err != nil {
		return err
	}
	if err := w.fail(w.pw.Flush()); err != nil {
		return err
	}
	w.out.hold()
	chain := w.chain.Sum128().Bytes()
	for _, kv := range [][2]string{
		{keyCreatedBy, w.options.CreatedBy},
		{keyDigest, hex.EncodeToString(chain[:])},
		{keyFormat, strconv.Itoa(formatVersion)},
		{keyTail, noDigest},
		{keyRowBase, strconv.FormatInt(w.options.RowBase, 10)},
		{keyRows, strconv.FormatInt(w.rows, 10)},
	} {
		w.pw.SetKeyValueMetadata(kv[0], kv[1])
	}
	if err := w.fail(w.pw.Close()); err != nil {
		return err
	}
	if err := w.fail(w.out.finish()); err != nil {
		return err
	}
	w.err = errClosed
	return nil
}

func (w *Writer) fail(err error) error {
	if w.err == nil {
		w.err = err
	}
	return err
}

func notNil(v []uint64) []uint64 {
	if v == nil {
		return []uint64{}
	}
	return v
}
