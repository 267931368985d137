// SPDX-License-Identifier: Apache-2.0

// Package sig reads and writes the signature files of sourmash: JSON (.sig,
// .sig.gz), collections (.zip, with a manifest), directories of .sig.gz files,
// and, for reading, lists of paths and standalone manifests. sourmash is
// Pierce et al. 2019, doi:10.12688/f1000research.19675.1.
//
// A signature file holds bottom-k sketches (num) and FracMinHash sketches
// (scaled, stored as max_hash) side by side, so reading gives items of any
// parameters; sketch.Group sorts them. Hashes are 64 bits wide and pass as
// integers, never through a float64.
//
// Each sketch has a digest, md5sum, over its ksize and its hashes. It is
// computed anew and compared on reading; a mismatch is an error.
package sig
