// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/sketch"
)

// The measures of which the error is predicted, as Design.Measure spells them.
const (
	Mash        = "mash"        // Mash distance of k-mers
	ANI         = "ani"         // average nucleotide identity, a fraction
	Jaccard     = "jaccard"     // index of two sets; weighted, of icws
	Containment = "containment" // of one set in another
	Cosine      = "cosine"      // of the angle between two sets
)

// Measures lists what sketches of a family estimate.
func Measures(family string) []string {
	switch family {
	case sketch.FracMinHash:
		return []string{Mash, ANI, Jaccard, Containment}
	case sketch.BottomK, sketch.KPerm, sketch.OPH, sketch.BBit:
		return []string{Mash, ANI, Jaccard}
	case sketch.ICWS:
		return []string{Jaccard}
	case sketch.SimHash:
		return []string{Cosine}
	}
	return nil
}

// A Design is a kind of sketch and what is estimated from two of them.
type Design struct {
	Family   string
	Measure  string
	K        int     // Mash, ANI: letters of a k-mer, at least 1
	Bits     int     // bbit: bits of a slot, 1..32
	Elements float64 // distinct elements of each of the two sets, at least 1
}

// Check says whether the error of a design can be predicted.
func (d Design) Check() error {
	switch {
	case !slices.Contains(Measures(d.Family), d.Measure):
		return fmt.Errorf("%s sketches do not estimate %s", d.Family, d.Measure)
	case d.kmers() && (d.K < 1 || d.K > sketch.MaxK):
		return fmt.Errorf("k %d: 1 to %d", d.K, sketch.MaxK)
	case d.Family == sketch.BBit && (d.Bits < 1 || d.Bits > 32):
		return fmt.Errorf("%d bits: 1 to 32", d.Bits)
	case !(d.Elements >= 1 && d.Elements <= 1e15):
		return fmt.Errorf("%v elements: 1 to 1e15", d.Elements)
	}
	return nil
}

func (d Design) kmers() bool { return d.Measure == Mash || d.Measure == ANI }

// Range is the open interval in which the measure must lie for its error to be
// of interest: at its ends an estimate is exact, or nothing is shared.
func (d Design) Range() (low, high float64) {
	if d.Measure == Cosine {
		return -1, 1
	}
	return 0, 1
}

// An Expected is what is predicted of estimates: each lies in [Low, High] with
// the confidence asked for. High is infinite where so few slots agree that none
// may; all are NaN where the variance is not computable, as for FracMinHash
// sketches of a few hashes.
type Expected struct {
	Standard  float64 // standard error of the estimate, by the slope of the measure
	Low, High float64
	Error     float64 // the larger one of the distances of Low and High from the true value
}

// Predict says how far estimates lie from a true value in Range, from sketches
// of a size: hashes, slots or bits, or, for FracMinHash, scaled.
//
// What sketches count is a share: of hashes that are shared, of slots that agree
// or of bits that differ. It is taken as binomial with as many trials as give it
// its variance, which is
//
//	bottom-k        J(1-J)/s (f-s)/(f-1), f the elements of the union
//	FracMinHash     x(1-x)(1-1/scaled) E(1/m), m hashes; ANI: ContainmentVariance of package distance
//	kperm, icws     J(1-J)/k
//	oph             as bottom-k, with s the bins that are not empty in the union
//	bbit            P(1-P)/k, P = 2^-b + (1-2^-b) J
//	simhash         p(1-p)/n, cos = cos(pi p)
//
// and the ends of the interval are the quantiles of that, with half a trial for
// continuity, sent through the formula of the measure. The two sets are taken
// to be of equal size. Only the interval of ANI by FracMinHash includes the chance of where
// mutations fell.
func (d Design) Predict(value float64, size int, confidence float64) Expected {
	x := d.share(value)
	v := d.variance(x, value, float64(size))
	switch {
	case math.IsNaN(v):
		return Expected{Standard: v, Low: v, High: v, Error: v}
	case v == 0:
		return Expected{Low: value, High: value}
	}
	trials := x * (1 - x) / v
	tail := (1 - confidence) / 2
	e := Expected{Standard: math.Sqrt(v) * d.slope(x)}
	e.Low, e.High = d.measure(quantile(trials, x, tail)), d.measure(quantile(trials, x, 1-tail))
	if e.Low > e.High {
		e.Low, e.High = e.High, e.Low
	}
	e.Error = max(value-e.Low, e.High-value, 0)
	return e
}

// quantile is the share y of n trials with P(Y <= y) = q.
func quantile(n, p, q float64) float64 {
	low, high := -0.5, n+0.5
	for range 100 {
		x := (low + high) / 2
		if y := x - 0.5; y > -1 && y < n && mathext.RegIncBeta(n-y, y+1, 1-p) < q || y <= -1 {
			low = x
		} else {
			high = x
		}
	}
	return min(max(high/n, 0), 1)
}

// share is what sketches count where the measure has a value.
func (d Design) share(value float64) float64 {
	switch d.Measure {
	case Mash:
		value = 1 / (2*math.Exp(float64(d.K)*value) - 1)
	case ANI:
		value = math.Pow(value, float64(d.K))
		if d.Family != sketch.FracMinHash {
			value /= 2 - value
		}
	case Cosine:
		return math.Acos(value) / math.Pi
	}
	if d.Family == sketch.BBit {
		c := math.Ldexp(1, -d.Bits)
		return c + (1-c)*value
	}
	return value
}

// measure is the inverse of share.
func (d Design) measure(x float64) float64 {
	if d.Family == sketch.BBit {
		x = minhash.BBitJaccard(x, d.Bits, 0, 0)
	}
	switch d.Measure {
	case Mash:
		if x <= 0 {
			return math.Inf(1)
		}
		return -math.Log(2*x/(1+x)) / float64(d.K)
	case ANI:
		if x = max(x, 0); d.Family != sketch.FracMinHash {
			x = 2 * x / (1 + x)
		}
		return math.Pow(x, 1/float64(d.K))
	case Cosine:
		return math.Cos(math.Pi * x)
	}
	return x
}

// slope is the derivative of measure.
func (d Design) slope(x float64) float64 {
	h := 1e-6 * min(x, 1-x)
	return math.Abs(d.measure(x+h)-d.measure(x-h)) / (2 * h)
}

// variance is that of the share x.
func (d Design) variance(x, value, size float64) float64 {
	union := 2 * d.Elements / (1 + x) // where x is the Jaccard index
	switch d.Family {
	case sketch.BottomK:
		return minhash.SampledVariance(x, size, union)
	case sketch.OPH:
		full := -size * math.Expm1(union*math.Log1p(-1/size))
		return minhash.SampledVariance(x, full, union)
	case sketch.FracMinHash:
		switch d.Measure {
		case ANI:
			return distance.ContainmentVariance(value, d.K, size, d.Elements)
		case Containment:
			return fracVariance(x, d.Elements, size)
		}
		return fracVariance(x, union, size)
	}
	return x * (1 - x) / size
}

// fracVariance is that of a share of hashes, of which there are a binomial
// number m with mean n/scaled; the mean of 1/m is taken to second order.
func fracVariance(x, n, scaled float64) float64 {
	left := 1 - 1/scaled
	m := n / scaled
	return x * (1 - x) * left * (1 + left/m) / m
}

// ErrUnreachable is returned where no size gives the error that is wanted.
var ErrUnreachable = errors.New("no size gives so small an error")

// Sizes bounds what Size looks for.
const (
	mostHashes = math.MaxInt32
	mostScaled = 1 << 40
)

// Size is the smallest size, or, for FracMinHash, the largest scaled, with which
// the Error of Predict is at most the wanted one. It fails with ErrUnreachable,
// as for ANI by FracMinHash where the chance of where mutations fell is more
// than that already.
func (d Design) Size(value, wanted, confidence float64) (int, error) {
	enough := func(size int) bool { return d.Predict(value, size, confidence).Error <= wanted }
	switch d.Family {
	case sketch.SimHash:
		for _, bits := range []int{64, 128} {
			if enough(bits) {
				return bits, nil
			}
		}
		return 0, ErrUnreachable
	case sketch.FracMinHash:
		if !enough(1) {
			return 0, ErrUnreachable
		}
		return bisect(1, min(mostScaled, int(d.Elements)+1), enough), nil
	}
	most := sketch.MaxSlots
	if d.Family == sketch.BottomK {
		most = mostHashes
	}
	if !enough(most) {
		return 0, ErrUnreachable
	}
	return bisect(most, 0, enough), nil
}

// bisect finds the border between good, which is enough, and bad, and returns
// the last that is.
func bisect(good, bad int, enough func(int) bool) int {
	for max(good, bad)-min(good, bad) > 1 {
		if m := bad + (good-bad)/2; enough(m) {
			good = m
		} else {
			bad = m
		}
	}
	return good
}

// Bytes is how much a sketch of a size takes in memory: 8 bytes a hash, or the
// slots as they lie in files.
func (d Design) Bytes(size int) float64 {
	switch d.Family {
	case sketch.BottomK:
		return 8 * min(float64(size), d.Elements)
	case sketch.FracMinHash:
		return 8 * d.Elements / float64(size)
	}
	p := sketch.Params{Family: d.Family, Size: size, Bits: d.Bits, Hash: sketch.Hash{Bits: 64}}
	if d.Family == sketch.KPerm {
		p.Hash.Permutation = sketch.Affine32
	}
	return float64(p.SlotBytes())
}
