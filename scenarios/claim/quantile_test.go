package claim_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios/claim"
)

func TestQuantileRanks(t *testing.T) {
	// Look at the published ranks: they cover as often as published, and are one rank wider at the
	// top than they need be. Ours are the narrowest, which the next test proves with fractions.
	const n = 1_200_000
	for _, row := range []struct {
		q         float64
		low, high int64 // counted from the greatest
		coverage  float64
	}{
		{0.9999, 143, 98, 0.9602},
		{0.99999, 20, 5, 0.9711},
	} {
		low, high := n+1-row.low, n+1-row.high
		assert.InDelta(t, row.coverage, claim.Coverage(n, row.q, low, high), 5e-5)
		r, err := claim.QuantileRanks(n, row.q, 0.95)
		require.NoError(t, err)
		assert.Equal(t, low, r.Low)
		assert.Equal(t, high-1, r.High)
		// The 99th greatest is below the quantile if at most 98 values are above it.
		errs := atMost(n, row.high, 1-row.q)
		assert.LessOrEqual(t, errs, 0.025)
		assert.Greater(t, atMost(n, row.high+1, 1-row.q), 0.025)
		assert.InDelta(t, atMost(n, row.low-1, 1-row.q)-errs, r.Coverage, 1e-9)
	}
	assert.Equal(t, int64(1_199_858), int64(n+1-143))
	assert.Equal(t, int64(1_199_903), int64(n+1-98))
}

// atMost is the probability of at most k successes in n trials, term by term.
func atMost(n, k int64, p float64) float64 {
	term, sum := math.Exp(float64(n)*math.Log1p(-p)), 0.0
	for i := range k + 1 {
		sum += term
		term *= p / (1 - p) * float64(n-i) / float64(i+1)
	}
	return sum
}

func TestQuantileRanksAreTheNarrowest(t *testing.T) {
	// Look at the tails: a rank further in would err too often. They are sums of exact fractions.
	for _, n := range []int64{22, 37, 60} {
		for _, percent := range []int64{20, 50, 87} {
			r, err := claim.QuantileRanks(n, float64(percent)/100, 0.9)
			require.NoError(t, err)
			fewer := func(rank int64) float64 { return exactlyFewer(n, rank, percent) }
			assert.LessOrEqual(t, fewer(r.Low), 0.05)
			assert.Greater(t, fewer(r.Low+1), 0.05)
			assert.LessOrEqual(t, 1-fewer(r.High), 0.05)
			assert.Greater(t, 1-fewer(r.High-1), 0.05)
			assert.InDelta(t, fewer(r.High)-fewer(r.Low), r.Coverage, 1e-12)
		}
	}
}

// exactlyFewer is the probability that of n values fewer than rank are below a percentile.
func exactlyFewer(n, rank, percent int64) float64 {
	sum := new(big.Rat)
	for k := range rank {
		term := new(big.Int).Binomial(n, k)
		for i := range n {
			factor := percent
			if i >= k {
				factor = 100 - percent
			}
			term.Mul(term, big.NewInt(factor))
		}
		sum.Add(sum, new(big.Rat).SetInt(term))
	}
	whole := new(big.Int).Exp(big.NewInt(100), big.NewInt(n), nil)
	value, _ := sum.Quo(sum, new(big.Rat).SetInt(whole)).Float64()
	return value
}

func TestQuantileBeyondTheSampleIsRefused(t *testing.T) {
	// Look at the first claim: 1.2 million messages bound no p99.9999 from above.
	_, err := claim.QuantileRanks(1_200_000, 0.999999, 0.95)
	assert.ErrorContains(t, err, "bound no 0.999999-quantile")
	need, err := claim.QuantileSampleSize(0.999999, 0.95)
	require.NoError(t, err)
	assert.InDelta(t, math.Log(40)*1e6, float64(need), 3, "ln 40 = -ln 0.025")
	r, err := claim.QuantileRanks(need, 0.999999, 0.95)
	require.NoError(t, err)
	assert.Equal(t, need, r.High, "the least sample has just its maximum for a bound")
	_, err = claim.QuantileRanks(need-1, 0.999999, 0.95)
	assert.Error(t, err)
	_, err = claim.QuantileRanks(5, 0.5, 0.95)
	assert.Error(t, err, "2*0.5^5 is 0.0625")
	r, err = claim.QuantileRanks(6, 0.5, 0.95)
	require.NoError(t, err)
	assert.Equal(t, claim.Ranks{Low: 1, High: 6, Coverage: r.Coverage}, r)
	_, err = claim.QuantileRanks(100, 1, 0.95)
	assert.ErrorContains(t, err, "quantile")
	_, err = claim.QuantileRanks(100, 0.5, 1)
	assert.ErrorContains(t, err, "confidence")
	_, err = claim.QuantileSampleSize(1e-300, 0.5)
	assert.ErrorContains(t, err, "too far out")
}

func TestMaximumBounds(t *testing.T) {
	// Look at the quantile: all that the maximum of 1.2 million messages says.
	assert.InDelta(t, 2.5e-6, 1-claim.MaximumBounds(1_200_000, 0.95), 5e-9)
	assert.InDelta(t, 0.05, math.Pow(claim.MaximumBounds(7, 0.95), 7), 1e-12)
}
