// SPDX-License-Identifier: Apache-2.0

package table

import (
	"fmt"

	"github.com/parquet-go/parquet-go/format"
)

// formatVersion is the version of the table that is written, and the newest
// that is read. docs/formats.md says what changed with each.
const formatVersion = 1

// The keys of the file metadata.
const (
	keyPrefix    = "gsketch."
	keyFormat    = "gsketch.format"
	keyCreatedBy = "gsketch.created_by"
	keyRowBase   = "gsketch.row_base"
	keyRows      = "gsketch.rows"            // rows of the table, parts counted
	keyDigest    = "gsketch.digest"          // over the digest column
	keyTail      = "gsketch.metadata_digest" // over all bytes behind the last page
)

// maxPart is the number of hashes at which a sketch is cut into several rows:
// a page never splits a row, and pages of more than about 1 MB make reading
// and writing slow and hungry.
const maxPart = 125_000

// A record is a row of the table. The order of fields is that of the columns.
type record struct {
	Row             int64    `parquet:"row"`
	ID              string   `parquet:"id,plain"`
	Source          string   `parquet:"source,plain"`
	Comment         string   `parquet:"comment,plain"`
	PerRecord       bool     `parquet:"per_record"`
	LengthEstimated bool     `parquet:"length_estimated"`
	Params          string   `parquet:"params,plain"`
	Length          int64    `parquet:"length"`
	Records         int64    `parquet:"records"`
	Count           int64    `parquet:"count"`
	Hashes          []int64  `parquet:"hashes,optional,list"`
	Signature       []byte   `parquet:"signature,optional,plain"`
	Abundances      []int64  `parquet:"abundances,optional,list"`
	Part            *int32   `parquet:"part,optional"`
	Digest          [16]byte `parquet:"digest"`
}

// The columns, as they lie in each row group.
const (
	colRow = iota
	colID
	colSource
	colComment
	colPerRecord
	colLengthEstimated
	colParams
	colLength
	colRecords
	colCount
	colHashes
	colSignature
	colAbundances
	colPart
	colDigest
	numColumns
)

// An element of the schema: what of format.SchemaElement decides how bytes are
// read. Logical types are advice to other readers and may vary.
type element struct {
	name       string
	typ        format.Type // of a leaf
	repetition format.FieldRepetitionType
	children   int32 // 0 for a leaf
}

var schema = []element{
	{name: "record", children: numColumns},
	{name: "row", typ: format.Int64},
	{name: "id", typ: format.ByteArray},
	{name: "source", typ: format.ByteArray},
	{name: "comment", typ: format.ByteArray},
	{name: "per_record", typ: format.Boolean},
	{name: "length_estimated", typ: format.Boolean},
	{name: "params", typ: format.ByteArray},
	{name: "length", typ: format.Int64},
	{name: "records", typ: format.Int64},
	{name: "count", typ: format.Int64},
	{name: "hashes", repetition: format.Optional, children: 1},
	{name: "list", repetition: format.Repeated, children: 1},
	{name: "element", typ: format.Int64},
	{name: "signature", typ: format.ByteArray, repetition: format.Optional},
	{name: "abundances", repetition: format.Optional, children: 1},
	{name: "list", repetition: format.Repeated, children: 1},
	{name: "element", typ: format.Int64},
	{name: "part", typ: format.Int32, repetition: format.Optional},
	{name: "digest", typ: format.FixedLenByteArray},
}

// A column is a leaf of the schema with the highest levels its values have.
type column struct {
	typ                          format.Type
	maxRepetition, maxDefinition uint8
}

var columns = [numColumns]column{
	colRow:             {typ: format.Int64},
	colID:              {typ: format.ByteArray},
	colSource:          {typ: format.ByteArray},
	colComment:         {typ: format.ByteArray},
	colPerRecord:       {typ: format.Boolean},
	colLengthEstimated: {typ: format.Boolean},
	colParams:          {typ: format.ByteArray},
	colLength:          {typ: format.Int64},
	colRecords:         {typ: format.Int64},
	colCount:           {typ: format.Int64},
	colHashes:          {typ: format.Int64, maxRepetition: 1, maxDefinition: 2},
	colSignature:       {typ: format.ByteArray, maxDefinition: 1},
	colAbundances:      {typ: format.Int64, maxRepetition: 1, maxDefinition: 2},
	colPart:            {typ: format.Int32, maxDefinition: 1},
	colDigest:          {typ: format.FixedLenByteArray},
}

// width is the bytes of a value in PLAIN encoding: of a byte array those of its
// length, of a boolean, which is a bit, 0.
func (c *column) width() int64 {
	switch c.typ {
	case format.Int64:
		return 8
	case format.Int32, format.ByteArray:
		return 4
	case format.FixedLenByteArray:
		return digestSize
	}
	return 0
}

// fits says whether size bytes can be n values in PLAIN encoding.
func (c *column) fits(size, n int64) bool {
	switch c.typ {
	case format.Boolean:
		return size == (n+7)/8
	case format.ByteArray:
		return size >= n*c.width()
	}
	return size == n*c.width()
}

// checkSchema says whether a file has exactly the columns of the table: none
// missing, none added, in order. An added column would not be covered by any
// digest; a new one comes with a new version of the format.
func checkSchema(got []format.SchemaElement) error {
	if len(got) != len(schema) {
		return fmt.Errorf("%d elements in the schema, %d expected", len(got), len(schema))
	}
	for i, want := range schema {
		g := &got[i]
		switch {
		case i > 0 && g.Name != want.name: // the root's name says nothing
			return fmt.Errorf("column %q where %q is expected", g.Name, want.name)
		case g.NumChildren.V != want.children,
			i > 0 && g.RepetitionType.V != want.repetition,
			want.children == 0 && (!g.Type.Valid || g.Type.V != want.typ),
			want.typ == format.FixedLenByteArray && g.TypeLength.V != digestSize:
			return fmt.Errorf("column %q has another type than in a sketch table", want.name)
		}
	}
	return nil
}
