// SPDX-License-Identifier: Apache-2.0

package lsh_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/lsh/storetest"
)

func TestMemStore(t *testing.T) {
	storetest.Run(t, func(*rapid.T) (lsh.Store, func() (lsh.Store, error)) { return lsh.NewMemStore(), nil })
}

// A bucket that all ids share takes time in proportion to them, and knows ids
// that come again in any order.
func TestHotBucketIsLinear(t *testing.T) {
	const n = 200_000 // a chain walked for each of them would take a minute
	m, k := lsh.NewMemStore(), []lsh.Key{{Hash: 1}}
	for id := range uint32(n) {
		if err := m.Put(k, []uint32{id + 1}); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []uint32{1, n, 77, 0, n / 2} {
		if err := m.Put(k, []uint32{id}); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := m.Get(nil, k); len(got) != n+1 || got[n] != 0 {
		t.Errorf("%d ids, the last is %d", len(got), got[len(got)-1])
	}
}
