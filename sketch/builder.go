// SPDX-License-Identifier: Apache-2.0

package sketch

// A Builder accumulates hashes into one sketch. It belongs to one goroutine.
//
// The result depends on the set of hashes added (on the multiset, if the
// sketch is weighted or a minimum number of copies is asked), never on their
// order, the size of batches or how they were split between merged builders.
type Builder interface {
	Params() Params

	// Bound is the hash above which no hash can change the result. It never
	// rises before Finish.
	Bound() uint64

	// AddHashes reads hashes and does not keep the slice. Hashes above Bound
	// are allowed. It fails only where counts spill to disk and the disk does.
	AddHashes(hashes []uint64) error

	// Merge takes over what other has accumulated; other is empty afterwards.
	// It fails with ErrIncompatible if the parameters differ.
	Merge(other Builder) error

	// Finish returns the sketch and empties the builder for reuse.
	Finish() (Sketch, error)
}

// A WeightedBuilder also takes elements with weights. AddHashes counts each
// hash with weight 1; weights of repeated elements add up.
type WeightedBuilder interface {
	Builder

	// AddWeighted reads weights parallel to hashes and keeps neither slice. It
	// fails for weights that are negative, infinite or not a number.
	AddWeighted(hashes []uint64, weights []float64) error
}
