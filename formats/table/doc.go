// SPDX-License-Identifier: Apache-2.0

// Package table reads and writes the native sketch table: a Parquet file in
// which a sketch is a row and a collection is a table, so that DuckDB, Spark,
// Polars and R read it as it is. docs/formats.md ("Native table") is the
// contract, byte by byte.
//
// Pages are written, and decoded, by parquet-go. What it takes on trust, this
// package checks first: the footer and page headers (Thrift), which carry no
// checksum and may claim any length, and the run lengths of the levels. A file
// is accepted only if its bytes are tiled by pages with checksums and a footer
// with a digest, and if the digest of every row holds; so damage anywhere is an
// error, and no allocation exceeds a small multiple of the file's size.
package table
