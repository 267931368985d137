// SPDX-License-Identifier: Apache-2.0

// Package table reads and writes the native sketch table: a Parquet file in
// which a sketch is a row and a collection is a table, so that DuckDB, Spark,
// Polars and R read it as it is. docs/formats.md ("Native table") is the
// contract, byte by byte.
//
// parquet-go writes the file, and decodes its footer and levels. It trusts what
// it reads: footers and page headers, which carry no checksum and may claim any
// length, and runs of levels. Here the lengths are checked before it allocates,
// and pages are read in the one shape that is written: version 2, PLAIN,
// uncompressed. The file is accepted only if pages with checksums and a tail
// with a digest tile it and the digests of table and sketches hold. So one bit
// changed anywhere is an error, and no allocation exceeds a small multiple of
// the file's size.
package table
