package claim

// Confidence intervals for a quantile from order statistics.
//
// The q-quantile is below the r-th smallest of n values exactly if fewer than r of them are below
// the quantile, and how many are is binomial(n, q) whatever the distribution (for one with atoms
// the interval covers more often than it says). So ranks, not a fit, carry the interval, and a
// quantile too far out for the sample has no upper rank at all. Rejected: interpolating between
// ranks and the kernel estimators, which assume a density that latencies do not have. Source:
// David and Nagaraja, Order Statistics, 3rd edition, section 7.1.

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Ranks are the order statistics between which a quantile lies, counted from 1 = the smallest.
type Ranks struct {
	Low, High int64
	Coverage  float64 // the probability that the quantile lies between, at least that asked for
}

// QuantileRanks are the ranks, of n independent values, between which the q-quantile lies with
// this confidence: the narrowest for which each side errs with a probability of at most
// (1-confidence)/2. It is an error if q or confidence is not between 0 and 1, and if n values
// cannot support the quantile: then no rank bounds it, however the values turned out.
func QuantileRanks(n int64, q, confidence float64) (Ranks, error) {
	need, err := QuantileSampleSize(q, confidence)
	if err != nil {
		return Ranks{}, err
	}
	if n < need {
		return Ranks{}, fmt.Errorf("%d values bound no %v-quantile at confidence %v; "+
			"it takes %d", n, q, confidence, need)
	}
	tail := (1 - confidence) / 2
	// The first rank from below that is above the quantile too often, less one.
	low := leastWith(1, func(r int64) bool { return r > n || below(n, r, q) > tail }) - 1
	high := leastWith(1, func(r int64) bool { return r > n || notBelow(n, r, q) <= tail })
	return Ranks{low, high, Coverage(n, q, low, high)}, nil
}

// Coverage is the probability that the q-quantile lies from the low-th to the high-th smallest of
// n independent values. Preconditions: 1 <= low <= high <= n, 0 < q < 1.
func Coverage(n int64, q float64, low, high int64) float64 {
	return 1 - below(n, low, q) - notBelow(n, high, q)
}

// below is the probability that the r-th smallest of n values is above the q-quantile: fewer than
// r are below it.
func below(n, r int64, q float64) float64 {
	return mathext.RegIncBeta(float64(n-r+1), float64(r), 1-q)
}

// notBelow is the probability that the r-th smallest of n values is below the q-quantile: r or
// more are.
func notBelow(n, r int64, q float64) float64 {
	return mathext.RegIncBeta(float64(r), float64(n-r+1), q)
}

// QuantileSampleSize is how many independent values it takes until the greatest and the smallest
// bound the q-quantile with this confidence. It is an error if either is not between 0 and 1, or
// the quantile is nearer to either than 1e-15.
func QuantileSampleSize(q, confidence float64) (int64, error) {
	if err := checkProbability(q); err != nil {
		return 0, fmt.Errorf("quantile: %w", err)
	}
	if err := checkProbability(confidence); err != nil {
		return 0, fmt.Errorf("confidence: %w", err)
	}
	beyond := min(q, 1-q) // the side that fills more slowly
	if beyond < rarest {
		return 0, fmt.Errorf("the %v-quantile is too far out for any sample", q)
	}
	return max(int64(math.Ceil(math.Log((1-confidence)/2)/math.Log1p(-beyond))), 1), nil
}

// MaximumBounds is the greatest quantile of which the maximum of n independent values is an upper
// bound with this confidence, and so all that a maximum says. Preconditions: n > 0, confidence is
// strictly between 0 and 1.
func MaximumBounds(n int64, confidence float64) float64 {
	return math.Exp(math.Log1p(-confidence) / float64(n))
}
