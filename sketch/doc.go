// SPDX-License-Identifier: Apache-2.0

// Package sketch is the vocabulary that the other packages of gsketch share:
// what a sketch is (Sketch, HashSet, Signature), how it was made (Params), how
// it is built (Source, Builder, Feed), and how many of them lie together
// (Collection). It depends on nothing but the standard library.
//
// Data flows one way. A reader yields elements, a Source turns them into
// 64-bit hashes, a Builder reduces the hashes to one sketch, and a distance or
// an index answers questions about sketches:
//
//	reader -> Source -> Feed -> Builder -> Sketch -> Collection -> estimator
//
// Building is apart from reading: a Builder is mutable and belongs to one
// goroutine, a Sketch is immutable and safe for concurrent use.
package sketch
