// SPDX-License-Identifier: Apache-2.0

// Package generate makes sequences whose truth is known: clusters of genomes
// with known identity, reads of a mixture with known depths, documents in
// families, and the small inputs of the golden tests. The same seed gives the
// same bytes on every processor and with every release of Go. It is for tests and
// benchmarks.
package generate
