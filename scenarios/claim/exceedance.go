// Package claim says what samples prove about a claim, and no more than that.
//
// A claim is about the probability that a message is over a threshold, or about a quantile. The
// samples come from runs, and messages of one run are not independent: one burst spoils two or
// three sends in a row. So there are three ways to go from a sample to a statement, and a report
// states which one it took:
//
//   - exact for independent trials, whatever the distribution: Exceedances, QuantileRanks;
//   - from independent runs: Replications, and RunsOver where nothing was over;
//   - from one long run, cut into batches that are long against its bursts: BatchMeans.
//
// Designs are compared on the same draws: Compare, McNemar. A file that makes several claims pays
// for each: Holm.
//
// Rejected: the normal approximation, whose interval for 0 of n is a point; the bootstrap, which
// cannot see beyond the sample's maximum; and a fit of an extreme-value distribution, whose
// greatest value may lie below the maximum already seen (the test of this package shows one) and
// never beyond the kinds of contention that occurred. Nothing here turns a fit into a bound.
package claim

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Exceedances are how many messages of a number were strictly over a threshold.
//
// Its intervals are those of Clopper and Pearson (Biometrika 26, 1934): exact for independent
// messages, since they invert the binomial test instead of approximating it. The price is that
// they are somewhat too wide; the cheaper ones (Wald, Wilson, Jeffreys) cover less than they say
// for some probabilities, above all near 0, where our claims are.
type Exceedances struct {
	Over, Of int64 // 0 <= Over <= Of
}

// Interval is where a quantity lies, with some confidence; both ends belong to it.
type Interval struct {
	Low, High float64
}

// Interval is where the probability of an exceedance lies; each side errs with a probability of
// at most (1-confidence)/2. It is an error if there is no message, a count is impossible, or the
// confidence is not between 0 and 1. Relative accuracy, as log-factorials cancel: 1e-7 for 10^7
// messages, 1e-5 for 10^9, 1e-4 for 10^10; for none over, that of a float64.
func (e Exceedances) Interval(confidence float64) (Interval, error) {
	if err := e.check(confidence); err != nil {
		return Interval{}, err
	}
	tail := (1 - confidence) / 2
	return Interval{e.low(tail), e.high(tail)}, nil
}

// AtMost is the one-sided bound: the probability of an exceedance is at most that, with this
// confidence. Errors are those of Interval.
func (e Exceedances) AtMost(confidence float64) (float64, error) {
	if err := e.check(confidence); err != nil {
		return 0, err
	}
	return e.high(1 - confidence), nil
}

// AtLeast is the other one-sided bound: the probability of an exceedance is at least that, with
// this confidence. Errors are those of Interval.
func (e Exceedances) AtLeast(confidence float64) (float64, error) {
	if err := e.check(confidence); err != nil {
		return 0, err
	}
	return e.low(1 - confidence), nil
}

// PValue is the probability of so few exceedances or fewer, if each message is over with the
// probability limit: the p-value of the hypothesis that the claim "at most limit" is wrong. The
// claim is shown with confidence c if it is at most 1-c, exactly when AtMost(c) <= limit. It is
// an error if the limit is not between 0 and 1, and as with Interval.
func (e Exceedances) PValue(limit float64) (float64, error) {
	if err := e.check(limit); err != nil {
		return 0, err
	}
	return binomial(e.Of, e.Over, limit), nil
}

// low is the probability at which Over or more exceedances have the probability tail.
func (e Exceedances) low(tail float64) float64 {
	if e.Over == 0 {
		return 0
	}
	return greatest(func(p float64) bool {
		return mathext.RegIncBeta(float64(e.Over), float64(e.Of-e.Over+1), p) <= tail
	})
}

// high is the probability at which Over or fewer exceedances have the probability tail.
func (e Exceedances) high(tail float64) float64 {
	switch e.Over {
	case e.Of:
		return 1
	case 0: // the closed form has all digits, also for 10^10 messages
		return -math.Expm1(math.Log(tail) / float64(e.Of))
	}
	return greatest(func(p float64) bool { return binomial(e.Of, e.Over, p) >= tail })
}

// greatest is the greatest probability for which a condition holds that holds for all below it.
// gonum's InvRegIncBeta is not used: at a confidence of 1-1e-6 it gives 3.7 % for 3 of 1.3 million.
func greatest(holds func(p float64) bool) float64 {
	low, high := -700.0, 0.0 // logarithms
	for range 64 {
		if middle := (low + high) / 2; holds(math.Exp(middle)) {
			low = middle
		} else {
			high = middle
		}
	}
	return math.Exp(low)
}

// check refuses impossible counts and a probability that is not strictly between 0 and 1.
func (e Exceedances) check(probability float64) error {
	if e.Of <= 0 || e.Over < 0 || e.Over > e.Of {
		return fmt.Errorf("%d exceedances of %d messages: not a sample", e.Over, e.Of)
	}
	return checkProbability(probability)
}

// rarest is the least probability whose sample size is a number; a float64 tells 1-p from 1 for it.
const rarest = 1e-15

func checkProbability(p float64) error {
	if !(p > 0 && p < 1) { // also refuses NaN
		return fmt.Errorf("%v is not strictly between 0 and 1", p)
	}
	return nil
}

// binomial is the probability of at most k successes in n independent trials.
func binomial(n, k int64, p float64) float64 {
	switch {
	case k < 0:
		return 0
	case k >= n:
		return 1
	case k == 0:
		return math.Exp(float64(n) * math.Log1p(-p))
	}
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 1-p)
}

// SampleSize is how many independent messages show that the probability of an exceedance is at
// most limit, with this confidence, if over of them are over. Fix it before the run: who stops
// when the numbers please shows less than he says. It is an error if limit or confidence is not
// between 0 and 1, the limit is below 1e-15, or over is negative.
func SampleSize(limit, confidence float64, over int64) (int64, error) {
	if err := checkProbability(limit); err != nil {
		return 0, fmt.Errorf("limit: %w", err)
	}
	if err := checkProbability(confidence); err != nil {
		return 0, fmt.Errorf("confidence: %w", err)
	}
	if over < 0 || limit < rarest {
		return 0, fmt.Errorf("%d exceedances, limit %v: neither is negative, and a limit below "+
			"%v takes more messages than there are numbers for", over, limit, rarest)
	}
	return leastWith(over+1, func(n int64) bool {
		return binomial(n, over, limit) <= 1-confidence
	}), nil
}

// leastWith is the least n from the given one on for which a condition holds that, once it holds,
// holds for all greater n.
func leastWith(n int64, holds func(n int64) bool) int64 {
	if holds(n) {
		return n
	}
	fails := n
	for n *= 2; !holds(n); n *= 2 {
		fails = n
	}
	for n-fails > 1 {
		if middle := fails + (n-fails)/2; holds(middle) {
			n = middle
		} else {
			fails = middle
		}
	}
	return n
}
