// SPDX-License-Identifier: Apache-2.0

// Package calibrate answers which settings to take: how large sketches must be
// for a wanted error (Precision, MashBounds), and what settings of
// near-duplicate search find, miss and wrongly join on a corpus of the user's
// own (Sweep), from the exact similarities of a sample of it or from pairs that
// people have labelled (Draw makes such a list of pairs).
package calibrate
