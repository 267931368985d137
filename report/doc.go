// SPDX-License-Identifier: Apache-2.0

// Package report draws: figures as SVG and one-file HTML pages that hold them
// beside their tables. It knows numbers and labels, not what they come from.
//
// A figure needs nothing but itself: its fonts are those of the reader, and no
// label is clipped, since the space for each is taken from a width that no
// common font exceeds (TextWidth). Colours are viridis for values and those of
// Okabe and Ito for kinds; both can be told apart by colour-blind readers and in
// print. All text is escaped, in figures and in pages.
//
// The same input gives the same bytes.
package report
