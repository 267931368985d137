// SPDX-License-Identifier: Apache-2.0

// Package shingle turns text into the hashes of its elements: runs of words,
// runs of characters or whole tokens. It is to text what package kmer is to
// sequence: a Shingler is the sketch.Source of one document.
//
// A Recipe says how text is normalised and what an element is, and is part of
// the parameters of every sketch made by it, as "words=5/norm=1". A recipe
// means the same for ever: what characters are letters, what their lower case
// is and how they compose is that of Unicode 15.0 whatever the version of the
// compiler, and a released recipe is never changed, only joined by another.
//
// # Widths
//
// Which width fits depends on length and on what copies differ by:
//
//	chars=5    short texts: titles, posts, log lines. One changed character
//	           changes 5 elements.
//	chars=9    long texts in which characters change: scans, typing errors. With
//	           5 characters two long texts of one language share most elements.
//	words=3    sentences and short paragraphs; words that are replaced.
//	words=5    documents; text that is cut, moved and joined. One changed word
//	           changes 5 elements.
//	tokens=1   sets of words as they are; order is of no account.
//
// Where a share e of the words was replaced at random, the Jaccard index of runs
// of w words is about q/(2-q) with q = (1-e)^w; the same holds for characters.
package shingle
