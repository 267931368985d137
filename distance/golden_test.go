// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// table reads one of the tables that testdata/goldens.py writes.
func table(t *testing.T, name string) []row {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows []row
	var header []string
	for s := bufio.NewScanner(f); s.Scan(); {
		cells := strings.Split(s.Text(), "\t")
		if header == nil {
			header = cells
			continue
		}
		r := row{}
		for i, c := range cells {
			r[header[i]] = c
		}
		rows = append(rows, r)
	}
	if len(rows) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return rows
}

type row map[string]string

func (r row) float(t *testing.T, column string) float64 {
	t.Helper()
	if r[column] == "NA" {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(r[column], 64)
	if err != nil {
		t.Fatalf("%s: %v", column, err)
	}
	return v
}

func (r row) uint(t *testing.T, column string) uint64 {
	t.Helper()
	v, err := strconv.ParseUint(r[column], 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", column, err)
	}
	return v
}

// near says whether got is want to within a relative error; NaN is near NaN.
func near(got, want, relative float64) bool {
	if math.IsNaN(want) {
		return math.IsNaN(got)
	}
	return got == want || math.Abs(got-want) <= relative*math.Abs(want)
}

func TestPValueOfExactSums(t *testing.T) {
	for _, r := range table(t, "pvalue.tsv") {
		k := int(r.uint(t, "k"))
		p := Pair{
			Shared: r.uint(t, "shared"), Of: r.uint(t, "of"),
			K: k, Space: math.Pow(r.float(t, "alphabet"), float64(k)),
			LengthA: r.uint(t, "length_a"), LengthB: r.uint(t, "length_b"),
		}
		value, log10 := p.PValue()
		if want := r.float(t, "log10_p"); !near(log10, want, 1e-9) {
			t.Errorf("%v: log10 p = %v, want %v", r, log10, want)
		}
		if want := r.float(t, "p"); !math.IsNaN(want) && !near(value, want, 1e-9) {
			t.Errorf("%v: p = %v, want %v", r, value, want)
		}
	}
}

func TestSizeAccurateAsSourmash(t *testing.T) {
	for _, r := range table(t, "size_accurate.tsv") {
		scaled := r.uint(t, "scaled")
		for i, c := range r["accurate"] {
			if got := sizeAccurate(uint64(i+1), scaled); got != (c == '1') {
				t.Errorf("%d hashes at scaled %d: %t", i+1, scaled, got)
			}
		}
	}
}

func TestPairAsSourmash(t *testing.T) {
	for _, r := range table(t, "sourmash_pairs.tsv") {
		p := Pair{
			Shared: r.uint(t, "shared"), A: r.uint(t, "a"), B: r.uint(t, "b"),
			Scaled: r.uint(t, "scaled"), K: int(r.uint(t, "k")),
		}
		p.Of = p.A + p.B - p.Shared
		low, high := p.ANIInterval(0.95)
		maxLow, maxHigh := p.MaxANIInterval(0.95)
		for column, got := range map[string]float64{
			"jaccard": p.Jaccard(), "containment": p.Containment(), "reverse_containment": p.ReverseContainment(),
			"max_containment": p.MaxContainment(), "avg_containment": p.AvgContainment(),
			"ani": p.ContainmentANI(), "ani_low": low, "ani_high": high,
			"max_ani": p.MaxContainmentANI(), "max_ani_low": maxLow, "max_ani_high": maxHigh,
			"avg_ani": p.AvgContainmentANI(), "jaccard_ani": p.JaccardANI(),
		} {
			want := r.float(t, column)
			if math.IsNaN(got) && want == 0 && (p.A == 0 || p.B == 0) {
				continue // sourmash calls the undefined 0
			}
			if !near(got, want, 1e-9) {
				t.Errorf("%v: %s = %v, want %v", r, column, got, want)
			}
		}
	}
}
