// SPDX-License-Identifier: Apache-2.0

package cluster

import "fmt"

// A Matrix holds the distances of n items, each pair once.
type Matrix struct {
	n int
	d []float64
}

// MaxItems bounds a Matrix: its n(n-1)/2 doubles are 8 GiB.
const MaxItems = 1 << 16 >> 1

// NewMatrix returns a Matrix of n items, all distances 0.
func NewMatrix(n int) (*Matrix, error) {
	if n > MaxItems {
		return nil, fmt.Errorf("%d items; a matrix of all distances holds at most %d", n, MaxItems)
	}
	return &Matrix{n: n, d: make([]float64, n*max(n-1, 0)/2)}, nil
}

// Len is the number of items.
func (m *Matrix) Len() int { return m.n }

// Row is the distances of item i to the items 0..i-1; it may be written to.
func (m *Matrix) Row(i int) []float64 { return m.d[i*(i-1)/2 : i*(i+1)/2] }

// At is the distance of two items, 0 of an item to itself.
func (m *Matrix) At(i, j int) float64 {
	switch {
	case i == j:
		return 0
	case i < j:
		i, j = j, i
	}
	return m.d[i*(i-1)/2+j]
}

func (m *Matrix) set(i, j int, d float64) {
	if i < j {
		i, j = j, i
	}
	m.d[i*(i-1)/2+j] = d
}

func (m *Matrix) clone() *Matrix {
	return &Matrix{n: m.n, d: append([]float64(nil), m.d...)}
}
