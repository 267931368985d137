// SPDX-License-Identifier: Apache-2.0

// Package lab is a laboratory of near-duplicate detection: synthetic documents
// of which everything is known, so that what banding does to them can be seen
// number by number, and Contracts, which compute each number a second way.
//
// # The documents
//
// A document is a head of boilerplate, which all documents of the corpus share,
// and a core of its own; all words come from a seeded vocabulary. Of W words,
// round(boilerplate * W) are the head. The near copy of a document has
// round(drift * core) words of the core replaced, at positions drawn without
// repetition, by words that stand nowhere else in either. A background document has the
// same head and another core.
//
// # The corpus
//
// It has n documents: n/2 originals, each with one near copy (one document
// more if n is odd). Of its n(n-1)/2 pairs, n/2 are near, the others background. What banding
// leaves of each kind is expected to be its number times its probability.
package lab
