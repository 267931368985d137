// SPDX-License-Identifier: Apache-2.0

package distance

import "math"

// logUpperTail returns ln P(X >= x) for X ~ Binomial(n, r), where r is given
// as odds = r/(1-r) > 0.
//
// Both tails are sums of positive, falling terms, so nothing cancels: the
// upper one is added up where x lies above the mean, otherwise the lower one,
// which is then at most about 1/2, is taken from 1.
func logUpperTail(x, n uint64, odds float64) float64 {
	switch {
	case x == 0:
		return 0
	case x > n:
		return math.Inf(-1)
	}
	fx, fn := float64(x), float64(n)
	if fx > fn*odds/(1+odds) {
		return logBinomial(fx, fn, odds) + math.Log(fallingSum(fn-fx, fx+1, odds))
	}
	ln := logBinomial(fx-1, fn, odds) + math.Log(fallingSum(fx-1, fn-fx+2, 1/odds))
	return noNegativeZero(math.Log1p(-math.Exp(ln)))
}

// fallingSum returns 1 + t1 + t2 + ... with t(i+1) = t(i) * up/down * odds,
// where up falls and down rises by one at each step: the terms of a binomial
// distribution relative to the first, walking away from the mean.
func fallingSum(up, down, odds float64) float64 {
	sum, term := 1.0, 1.0
	for up > 0 && term > sum*0x1p-60 {
		term *= up / down * odds
		sum += term
		up--
		down++
	}
	return sum
}

// logBinomial returns ln P(X = x) for X ~ Binomial(n, r), odds = r/(1-r), by
// Loader's expansion about the saddle point: each term is small where the
// probability is not, while differences of log-gammas lose all digits for
// large n. Loader 2000, "Fast and accurate computation of binomial
// probabilities".
func logBinomial(x, n, odds float64) float64 {
	switch {
	case x == 0:
		return -n * math.Log1p(odds)
	case x == n:
		return -n * math.Log1p(1/odds)
	}
	y := n - x
	mean, rest := n*odds/(1+odds), n/(1+odds)
	return stirlingError(n) - stirlingError(x) - stirlingError(y) -
		deviance(x, mean) - deviance(y, rest) +
		0.5*math.Log(n/(2*math.Pi*x*y))
}

// deviance returns x ln(x/m) + m - x, which is not negative.
func deviance(x, m float64) float64 {
	if math.Abs(x-m) >= 0.1*(x+m) {
		return x*math.Log(x/m) + m - x
	}
	// With v = (x-m)/(x+m): ln(x/m) = 2 atanh(v), written as a series whose
	// leading terms cancel against m - x by hand.
	v := (x - m) / (x + m)
	sum := (x - m) * v
	term := 2 * x * v
	for k := 3.0; ; k += 2 {
		term *= v * v
		next := sum + term/k
		if next == sum {
			return sum
		}
		sum = next
	}
}

// stirlingError returns ln(n!) - ln(sqrt(2 pi n) (n/e)^n) for n >= 1.
func stirlingError(n float64) float64 {
	if n < 16 {
		g, _ := math.Lgamma(n + 1)
		return g - (n+0.5)*math.Log(n) + n - 0.5*math.Log(2*math.Pi)
	}
	// Stirling's series; at n = 16 the first omitted term is below 1e-16.
	m := n * n
	return (1./12 - (1./360-(1./1260-(1./1680-1./1188/m)/m)/m)/m) / n
}
