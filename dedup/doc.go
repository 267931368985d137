// SPDX-License-Identifier: Apache-2.0

// Package dedup finds near-duplicates and says of each document whether to keep
// it, why, and in favour of which other.
//
// The stages are functions over small types, so that one process, and the steps
// that exchange Parquet tables with a cluster engine, decide alike:
//
//	Exact      documents with the same elements in the same order
//	Pairs      buckets of a banding -> candidate pairs, each once
//	Verify     candidate pairs -> edges with their true similarity
//	Clusters   edges -> groups of documents
//	Decide     groups -> a manifest, which Run writes with a summary
//
// A document is known by its row, its place in the input. Where a choice is
// between equals, Order.Rank decides, by name and not by row, so that the result
// does not depend on the order of the inputs.
package dedup
