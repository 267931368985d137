// SPDX-License-Identifier: Apache-2.0

// Package cluster groups items by distance: connected components, hierarchical
// clustering cut at a threshold, greedy grouping around representatives, and
// trees (UPGMA, neighbour joining) in Newick form. It knows numbers of items
// and distances between them, not what the items are.
package cluster
