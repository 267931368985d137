// SPDX-License-Identifier: Apache-2.0

// Package steps holds the tables that the steps of deduplication exchange with
// each other and with engines (DuckDB, Spark), as Parquet. docs/formats.md
// describes them.
package steps

import (
	"io"

	"github.com/parquet-go/parquet-go"
)

// A Band is a row of the table bands: a document is in the bucket of a key.
type Band struct {
	Band int32 `parquet:"band"`
	Key  int64 `parquet:"key"` // the bits of a uint64
	Row  int64 `parquet:"row"`
}

// A Candidate is a row of the table candidates; A < B.
type Candidate struct {
	A int64 `parquet:"a"`
	B int64 `parquet:"b"`
}

// An Edge is a row of the table edges: a pair that was compared; A < B.
type Edge struct {
	A             int64    `parquet:"a"`
	B             int64    `parquet:"b"`
	Jaccard       *float64 `parquet:"jaccard,optional"`        // null where the pair is still to be compared
	ContainmentAB *float64 `parquet:"containment_ab,optional"` // share of A that B has; null if not known
	ContainmentBA *float64 `parquet:"containment_ba,optional"`
}

// A Cluster is a row of the table clusters: a document that is not alone.
type Cluster struct {
	Row     int64 `parquet:"row"`
	Cluster int64 `parquet:"cluster"` // the smallest row of its cluster
}

// A Signature is a row of the table needed, which engines take from sketch tables.
type Signature struct {
	Row    int64  `parquet:"row"`
	Params string `parquet:"params"`
	Slots  []byte `parquet:"signature"`
}

// A Decision is a row of the table manifest.
type Decision struct {
	Row         int64    `parquet:"row"`
	ID          string   `parquet:"id"`
	Keep        bool     `parquet:"keep"`
	KeptRow     int64    `parquet:"kept_row"`
	KeptID      string   `parquet:"kept_id"`
	Cluster     int64    `parquet:"cluster"`
	Similarity  *float64 `parquet:"similarity,optional"`
	Containment *float64 `parquet:"containment,optional"`
	ClusterMin  *float64 `parquet:"cluster_min,optional"`
	Stage       string   `parquet:"stage"`
	Reason      string   `parquet:"reason"`
}

// A Writer writes a table as a stream; it holds one row group at a time. The
// bytes depend on nothing but the rows.
type Writer[T any] struct {
	pw    *parquet.GenericWriter[T]
	batch []T
	rows  int
}

const (
	batchRows = 1 << 12
	groupRows = 1 << 20
)

// NewWriter returns a Writer to w. Without Close there is no footer and no
// reader accepts the file.
func NewWriter[T any](w io.Writer) *Writer[T] {
	return &Writer[T]{pw: parquet.NewGenericWriter[T](w, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("gsketch", "1", "parquet-go"))}
}

// Write appends a row.
func (w *Writer[T]) Write(row T) error {
	if w.batch = append(w.batch, row); len(w.batch) < batchRows {
		return nil
	}
	return w.flush()
}

func (w *Writer[T]) flush() error {
	_, err := w.pw.Write(w.batch)
	w.rows += len(w.batch)
	w.batch = w.batch[:0]
	if err == nil && w.rows >= groupRows {
		w.rows = 0
		err = w.pw.Flush()
	}
	return err
}

// Close writes what is left and the footer. It does not close the underlying
// writer.
func (w *Writer[T]) Close() error {
	if err := w.flush(); err != nil {
		return err
	}
	return w.pw.Close()
}
