// SPDX-License-Identifier: Apache-2.0

package distance

// A Count is what AllPairs finds of a row and column Col: Shared of Of hashes,
// as in Pair.
type Count struct{ Col, Shared, Of uint32 }
