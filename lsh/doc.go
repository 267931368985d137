// SPDX-License-Identifier: Apache-2.0

// Package lsh finds candidates: which of many signatures are likely to be
// similar to a given one, without comparing all. It knows sketch.Signature
// alone, so genomes and texts are the same to it. A candidate is not a verdict:
// it has yet to be compared.
//
// A Banding cuts a signature of b*r slots into b bands of r; two signatures are
// candidates if they agree in all slots of any band, which happens with
// probability 1-(1-s^r)^b at similarity s (Indyk and Motwani 1998,
// doi:10.1145/276698.276876; Leskovec, Rajaraman and Ullman, Mining of Massive
// Datasets, chapter 3). Optimal and ForRecall choose b and r. Banding.Probe
// looks into likely buckets besides, Rank compares candidates. A Forest gives the
// k best instead of a threshold; an Ensemble finds what contains the query among
// sets of any size. When to take which is in docs/lsh.md.
package lsh
