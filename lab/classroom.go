// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/sketch"
)

// A Classroom is banding small enough to be followed by hand: four sets of
// numbers of words, six functions (a x + b) mod 17, and four ways to cut the six
// rows into bands.
type Classroom struct {
	Names     []string   `json:"names"`
	Sets      [][]int    `json:"sets"`      // words, 0..12
	Functions [][2]int   `json:"functions"` // a and b of each row
	Rows      [][]uint64 `json:"rows"`      // of each set, its smallest value under each function
	Pairs     []Met      `json:"pairs"`
	Cuts      []Cut      `json:"cuts"`
}

// Met is a pair of sets and how similar they are.
type Met struct {
	A        int     `json:"a"`
	B        int     `json:"b"`
	Shared   int     `json:"shared"`
	Union    int     `json:"union"`
	Estimate float64 `json:"estimate"` // share of rows that agree
}

// A Cut is a way to make bands of the rows.
type Cut struct {
	Bands     int     `json:"bands"`
	Rows      int     `json:"rows"`
	Threshold float64 `json:"threshold"`
	Meet      [][]int `json:"meet"` // of each pair, the bands, from 0, in which it meets
}

// NewClassroom computes the classroom. Its functions are chosen so that sets A
// and B agree in all rows but the fourth: they meet in the first and the third
// of 3 bands of 2, and 6 bands of 1 row join three other pairs too.
func NewClassroom() (*Classroom, error) {
	c := &Classroom{
		Names:     []string{"A", "B", "C", "D"},
		Sets:      [][]int{{0, 1, 2, 3, 4, 5}, {1, 2, 3, 4, 5, 6}, {0, 1, 2, 3, 7, 8}, {4, 9, 10, 11, 12}},
		Functions: [][2]int{{2, 15}, {12, 9}, {4, 7}, {5, 0}, {13, 3}, {7, 5}},
	}
	// The slots are our own, so only their number matters of the parameters.
	p := Settings{Width: 1, Bands: len(c.Functions), Rows: 1}.params()
	signatures := make([]*minhash.KPerm, len(c.Sets))
	for i, words := range c.Sets {
		slots := make([]uint64, len(c.Functions))
		for row, f := range c.Functions {
			slots[row] = 17
			for _, x := range words {
				slots[row] = min(slots[row], uint64((f[0]*x+f[1])%17))
			}
		}
		c.Rows = append(c.Rows, slots)
		var err error
		if signatures[i], err = minhash.NewKPerm(p, slots); err != nil {
			return nil, err
		}
	}
	for a := range c.Sets {
		for b := a + 1; b < len(c.Sets); b++ {
			m := Met{A: a, B: b, Shared: common(c.Sets[a], c.Sets[b])}
			m.Union = len(c.Sets[a]) + len(c.Sets[b]) - m.Shared
			for row := range c.Functions {
				if c.Rows[a][row] == c.Rows[b][row] {
					m.Estimate += 1 / float64(len(c.Functions))
				}
			}
			c.Pairs = append(c.Pairs, m)
		}
	}
	for _, cut := range [][2]int{{6, 1}, {3, 2}, {2, 3}, {1, 6}} {
		bands, err := c.cut(p, signatures, cut[0], cut[1])
		if err != nil {
			return nil, err
		}
		c.Cuts = append(c.Cuts, bands)
	}
	return c, nil
}

// cut finds the bands in which each pair meets.
func (c *Classroom) cut(p sketch.Params, signatures []*minhash.KPerm, b, r int) (Cut, error) {
	cut := Cut{Bands: b, Rows: r, Threshold: lsh.Threshold(b, r)}
	index, err := lsh.NewBanding(p, b, r, lsh.NewMemStore())
	if err != nil {
		return cut, err
	}
	keys := make([][]lsh.Key, len(signatures))
	for i, s := range signatures {
		if keys[i], err = index.Keys(nil, s); err != nil {
			return cut, err
		}
	}
	for _, pair := range c.Pairs {
		met := []int{}
		for band := range b {
			if keys[pair.A][band] == keys[pair.B][band] {
				met = append(met, band)
			}
		}
		cut.Meet = append(cut.Meet, met)
	}
	return cut, nil
}

// common counts the words that two short lists share.
func common(a, b []int) int {
	n := 0
	for _, x := range a {
		for _, y := range b {
			if x == y {
				n++
			}
		}
	}
	return n
}
