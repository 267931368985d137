// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
	"time"
)

func TestBench(t *testing.T) {
	// Each run has a $TMP of its own: what the first leaves is not there.
	tasks, err := readTasks(strings.NewReader("make\tone\ttest ! -e $TMP/new && touch $TMP/new\nmake\tother\ttest ! -e $TMP/new\n"))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := bench(&out, tasks, 2); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[2], "| make | one | 0.") || !strings.HasSuffix(lines[2], "| 1.00 | 1.00 |") || !strings.HasPrefix(lines[3], "| make | other | 0.") {
		t.Errorf("got\n%s", &out)
	}
	if err := bench(&out, []task{{"fail", []string{"x"}, []string{"echo why >&2; exit 3"}}}, 1); err == nil || !strings.Contains(err.Error(), "why") {
		t.Errorf("a command that fails: %v", err)
	}
}

func TestRatio(t *testing.T) {
	seconds := func(s ...int) []cost {
		var costs []cost
		for _, v := range s {
			costs = append(costs, cost{wall: time.Duration(v) * time.Second})
		}
		return costs
	}
	wall := func(c cost) float64 { return c.wall.Seconds() }
	// The third round was slow for both: ratios 2, 4, 3.
	if got := ratio(seconds(2, 4, 30), seconds(1, 1, 10), wall); got != 3 {
		t.Errorf("ratio %v, want 3", got)
	}
	if got := median(seconds(4, 1, 2, 3), wall); got != 2.5 {
		t.Errorf("median %v, want 2.5", got)
	}
}
