// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/sketch"
)

// overlapText writes what sourmash sig overlap prints.
func overlapText(w io.Writer, v *overlap) error {
	var b strings.Builder
	frac := v.pair.Scaled > 0
	if frac {
		fmt.Fprintf(&b, "size_estimate_inaccurate: %s\n", csvBool(!v.pair.SizesAccurate()))
	}
	for i, which := range []string{"first", "second"} {
		fmt.Fprintf(&b, "%s signature:\n", which)
		describeSignature(&b, v.files[i], v.original[i])
	}
	fmt.Fprintf(&b, "\n--- Similarity measures ---\njaccard similarity:          %.5f\n", v.pair.Jaccard())
	c, r := v.pair.Containment(), v.pair.ReverseContainment()
	switch {
	case !frac:
		b.WriteString("containment and ANI not available (one or both signatures are not scaled)\n\n")
	case !v.pair.SizesAccurate():
		fmt.Fprintf(&b, "first contained in second:   %.5f\nsecond contained in first:   %.5f\n\n"+
			"Note: cANI values not reported. One or more sketches contains too few hashes for accurate size estimation.\n", c, r)
	default:
		x, y := v.pair.ContainmentANI(), v.pair.ReverseContainmentANI()
		fmt.Fprintf(&b, "first contained in second:   %.5f (cANI: %.5f)\nsecond contained in first:   %.5f (cANI: %.5f)\n"+
			"average containment ANI:     %.5f\n\n", c, x, r, y, (x+y)/2)
	}
	n, first, second := v.common(), v.a.Sketch.Len(), v.b.Sketch.Len()
	fmt.Fprintf(&b, "\n--- Hash overlap summary ---\nnumber of hashes in first:   %d\nnumber of hashes in second:  %d\n\n"+
		"number of hashes in common:  %d\nonly in first:               %d\nonly in second:              %d\ntotal (union):               %d\n\n\n",
		first, second, n, first-n, second-n, v.union)
	if v.weighted() && frac {
		v.weightedText(&b)
	}
	b.WriteString("\n\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// describeSignature writes the summary that sourmash gives of a signature.
func describeSignature(b *strings.Builder, file string, it sketch.Item) {
	set := it.Sketch.(sketch.Abundant)
	p := set.Params()
	fmt.Fprintf(b, `  signature filename: %s
  signature name: %s
  source filename: %s
  md5: %s
  k=%d molecule=%s num=%d scaled=%d track_abundance=%s
  size: %d
  sum hashes: %d
  signature license: CC0

`, file, it.Meta.ID, cmp.Or(it.Meta.Source, "N/A"), md5Of(set), p.Elements.K, moltype(p), p.Size, p.Scaled, csvBool(p.Weighted), set.Len(), total(set))
}

// total is the sum of the abundances of a sketch; the number of its hashes if it
// has none.
func total(set sketch.Abundant) uint64 {
	counts := set.Abundances()
	if counts == nil {
		return uint64(set.Len())
	}
	var sum uint64
	for _, n := range counts {
		sum += n
	}
	return sum
}

// weightedText writes what follows from abundances.
func (v *overlap) weightedText(b *strings.Builder) {
	first, second := v.a.Sketch.(sketch.Abundant), v.b.Sketch.(sketch.Abundant)
	both := sketch.Intersection(first, second)
	share := func(of sketch.Abundant) float64 {
		var sum uint64
		_, counts := sketch.Inflated(both, of)
		for _, n := range counts {
			sum += n
		}
		return float64(sum) / float64(total(of))
	}
	fmt.Fprintf(b, `--- Abundance-weighted similarity: ---
angular similarity:          %.5f
first contained in second (weighted): %.5f
second contained in first (weighted): %.5f

number of hashes in first (weighted): %d
number of hashes in second (weighted): %d
    `, distance.Angular(first, second), share(first), share(second), total(first), total(second))
}
