// SPDX-License-Identifier: Apache-2.0

package simhash

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
)

// Hyperplanes makes fingerprints of dense vectors: bit j says on which side of
// a random hyperplane through the origin the vector lies. Two vectors at the
// angle t differ in a bit with the probability t/pi. Charikar 2002,
// doi:10.1145/509907.509965.
type Hyperplanes struct {
	bits, dims int
	normals    []float64 // one after the other
}

// NewHyperplanes draws 1 to 128 hyperplanes for vectors of the given dimension.
// The same seed gives the same ones.
func NewHyperplanes(bits, dims int, seed uint64) (*Hyperplanes, error) {
	if bits < 1 || bits > 128 || dims < 1 {
		return nil, fmt.Errorf("%d hyperplanes in %d dimensions: 1 to 128 in at least 1", bits, dims)
	}
	h := &Hyperplanes{bits: bits, dims: dims, normals: make([]float64, bits*dims)}
	r := rand.NewPCG(seed, 0)
	for i := range h.normals {
		u := (float64(r.Uint64()>>12) + 0.5) / (1 << 52)
		h.normals[i] = math.Erfinv(2*u - 1) // normal, up to a factor
	}
	return h, nil
}

// Fingerprint returns the sides on which a vector lies. It fails for a vector
// of another dimension, with a number that is not finite, or of zeros, which
// has no direction.
func (h *Hyperplanes) Fingerprint(vector []float64) (Fingerprint, error) {
	var f Fingerprint
	if len(vector) != h.dims {
		return f, fmt.Errorf("a vector of %d dimensions, want %d", len(vector), h.dims)
	}
	largest := 0.0
	for i, v := range vector {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return f, fmt.Errorf("number %d of a vector is %v", i, v)
		}
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 {
		return f, errors.New("a vector of zeros has no direction")
	}
	unit := make([]float64, h.dims) // the sums of the largest numbers would be infinite
	for i, v := range vector {
		unit[i] = v / largest
	}
	for j := range h.bits {
		sum := 0.0
		for i, n := range h.normals[j*h.dims : (j+1)*h.dims] {
			sum += unit[i] * n
		}
		if sum > 0 {
			f[j/64] |= 1 << (j % 64)
		}
	}
	return f, nil
}
