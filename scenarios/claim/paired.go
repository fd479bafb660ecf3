package claim

// Comparing two designs on the same draws.
//
// The arrivals and bursts of a run are named draws (sim.Tape), so message i meets the same world
// under both designs, and what they share cancels in the difference of the pair. Exceedances are
// compared by the pairs that differ, exactly, since a mean of rare events has no useful normal
// approximation. Rejected: two independent samples, which need several times the runs for the
// same width, and the t test on latencies, whose tails are what we look at. Sources: McNemar,
// Psychometrika 12, 1947 (here in its exact binomial form); Holm, Scandinavian Journal of
// Statistics 6, 1979.

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// McNemar is the two-sided p-value of the hypothesis that of two designs neither is over the
// threshold more often, from the messages that are over with one and not with the other. The
// same is the sign test, for any pairs of which one side is greater. Preconditions: the counts are
// not negative.
func McNemar(onlyFirst, onlySecond int64) float64 {
	return min(1, 2*binomial(onlyFirst+onlySecond, min(onlyFirst, onlySecond), 0.5))
}

// Comparison is what pairs of values say: of messages on the same draws, or of runs with the same
// seeds.
type Comparison struct {
	Difference Mean // second less first
	// Gain is by how much the pairing cut the variance of the difference: that of two independent
	// samples over this one. 0 if all differences are equal.
	Gain float64
	// Pairs by sign of the difference.
	Less, Equal, Greater int64
	P                    float64 // sign test: neither tends to be greater
}

// Compare compares pairs, element by element; differences are taken as independent, so messages
// of one run must be put together first (a run's count, a batch's mean). It is an error if the
// lengths differ or are below 2, or the confidence is not between 0 and 1.
func Compare(first, second []float64, confidence float64) (Comparison, error) {
	if len(first) != len(second) {
		return Comparison{}, fmt.Errorf("%d values and %d are not pairs", len(first), len(second))
	}
	var c Comparison
	differences := make([]float64, len(first))
	for i := range first {
		differences[i] = second[i] - first[i]
		switch d := differences[i]; {
		case d < 0:
			c.Less++
		case d > 0:
			c.Greater++
		default:
			c.Equal++
		}
	}
	var err error
	if c.Difference, err = Replications(differences, confidence); err != nil {
		return Comparison{}, err
	}
	if variance := c.Difference.SD * c.Difference.SD; variance > 0 {
		c.Gain = (stat.Variance(first, nil) + stat.Variance(second, nil)) / variance
	}
	c.P = McNemar(c.Less, c.Greater)
	return c, nil
}

// Holm corrects p-values for their number: if each claim whose corrected value, in the order of
// the argument, is at most 1-c is taken as shown, all of these hold together with confidence c,
// whatever they have to do with each other. The family is every claim of the report, also those
// that look hopeless, and the report states its size. It never corrects more than Bonferroni's
// factor. Preconditions: p-values are from 0 to 1.
func Holm(pValues []float64) []float64 {
	order := make([]int, len(pValues))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case pValues[a] < pValues[b]:
			return -1
		case pValues[a] > pValues[b]:
			return 1
		}
		return 0
	})
	corrected := make([]float64, len(pValues))
	greatest := 0.0
	for rank, i := range order {
		greatest = max(greatest, min(1, float64(len(pValues)-rank)*pValues[i]))
		corrected[i] = greatest
	}
	return corrected
}
