// SPDX-License-Identifier: Apache-2.0

// Package minhash holds sketches of aligned slots: signatures whose slot i
// agrees, for two sets, with a probability that grows with their similarity.
//
//   - KPerm: the minimum under each of k permutations (datasketch's MinHash)
//   - OPH: the minimum of each of k bins of one hash, a hundred times cheaper to
//     make
//   - ICWS: consistent samples of a weighted set (datasketch's WeightedMinHash)
//   - BBit: the low bits of any of these
//
// NewBuilder makes the builder of any family from its sketch.Params, New the
// sketch from slots that were stored. Cardinality estimates numbers of elements
// from them, and from bottom-k and FracMinHash sketches.
//
// # Errors and intervals
//
// Each Similarity has the variance of its estimator and a confidence interval.
// Where the number of slots that agree has an estimated variance of at least 10
// that is Wilson's, which covers the truth at the stated confidence on average;
// elsewhere it is exact and covers it at least so often. The formulas, and how
// they were verified, are in docs/estimators.md.
//
// # Hostile input
//
// Someone who knows the hash and the permutations can make documents whose
// signatures agree with others, or with none. A seed that is kept secret
// prevents it: Params.Hash.Seed seeds the permutations of KPerm, and for the
// other families the hash of elements itself. Elements of KPerm are hashed
// without seed, so that collisions of the element hash can still be searched
// for, within minutes for the 32 bits that affine32 and legacy see: take
// affine64, or OPH with a secret seed. Whatever is found must be verified on
// the sets themselves. A secret seed is stored in the files of its sketches.
package minhash
