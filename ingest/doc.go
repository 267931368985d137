// SPDX-License-Identifier: Apache-2.0

// Package ingest turns inputs into sketches: it reads files, packs their
// sequence into blocks, hashes the blocks and feeds the builders that a Plan
// asks for; many files at once, both inside one large file and across many
// small ones, and hands out results in the order of the inputs.
//
// One goroutine owns a sample from its first byte to its sketch. It hashes its
// blocks itself unless another goroutine has no sample of its own to work on:
// then that one takes the block, into builders of its own which are merged at
// the end. So Options.Threads goroutines are busy in either case, and since a
// sketch does not depend on how its hashes were split, neither does the output.
package ingest
