// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"context"
	"errors"
	"slices"
	"testing"
)

func TestRowsComeInOrder(t *testing.T) {
	for _, threads := range []int{0, 1, 3, 16} {
		for _, n := range []int{0, 1, 7, 500} {
			var got []int
			err := Rows(context.Background(), n, threads, func(row, _ int) (int, error) { return row * row, nil },
				func(v int) error { got = append(got, v); return nil })
			if err != nil || len(got) != n || !slices.IsSorted(got) || n > 2 && got[n-1] != (n-1)*(n-1) {
				t.Errorf("%d rows, %d threads: %d values, %v", n, threads, len(got), err)
			}
		}
	}
	stop := errors.New("stop")
	emitted := 0
	err := Rows(context.Background(), 100, 4, func(row, _ int) (int, error) {
		if row == 50 {
			return 0, stop
		}
		return row, nil
	}, func(int) error { emitted++; return nil })
	if !errors.Is(err, stop) || emitted != 50 {
		t.Errorf("emitted %d rows before the failing one, %v", emitted, err)
	}
}
