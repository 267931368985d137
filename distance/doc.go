// SPDX-License-Identifier: Apache-2.0

// Package distance turns sketches into numbers: Jaccard index, Mash distance
// and its p-value, containment, average nucleotide identity (ANI) with its
// confidence interval, angular similarity, for one pair or for all pairs of a
// collection.
//
// Two hash sets are first counted (Compare): how many of the hashes that both
// sketches can speak about are shared. All values but the angular similarity
// follow from those counts, so Pair computes each when asked for it. An
// Estimator is one such value by name.
//
// What is undefined is NaN here and NA in tables: the Jaccard index of two
// empty sketches, a p-value without lengths, an ANI from a sketch too small
// for it. Where the peers print a number, PeerMash gives that of Mash; that of
// sourmash is 0.
// No value is ever -0.
//
// The formulas, their sources and the ranges they hold in are in
// docs/estimators.md, the differences from the peers in docs/differences.md.
package distance
