package claim_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rtsim/scenarios/claim"
)

func TestClopperPearson(t *testing.T) {
	// Look at the rows: textbook values of Clopper and Pearson, then the counts of the RFC.
	for _, row := range []struct {
		over, of  int64
		low, high string
	}{
		{3, 20, "0.0320709", "0.3789268"},
		{10, 100, "0.0490047", "0.1762226"},
		{0, 100, "0", "0.0362167"},
		{0, 1_200_000, "0", "3.07406e-06"},
		{55, 1_200_000, "3.4528e-05", "5.9658e-05"},
		{10_285, 1_200_000, "0.00840667", "0.00873737"},
	} {
		e := claim.Exceedances{Over: row.over, Of: row.of}
		is, err := e.Interval(0.95)
		require.NoError(t, err)
		assertDigits(t, row.low, is.Low)
		assertDigits(t, row.high, is.High)
		atMost, err := e.AtMost(0.975)
		require.NoError(t, err)
		assert.InEpsilon(t, is.High, atMost, 1e-9, "one side at half the error")
		atLeast, err := e.AtLeast(0.975)
		require.NoError(t, err)
		assert.InDelta(t, is.Low, atLeast, 1e-9)
	}
}

// assertDigits says that a value, rounded to as many digits as are given, is what is given.
func assertDigits(t *testing.T, given string, value float64) {
	t.Helper()
	mantissa, _, _ := strings.Cut(given, "e")
	digits := len(strings.TrimLeft(strings.Replace(mantissa, ".", "", 1), "0"))
	assert.Equal(t, given, strconv.FormatFloat(value, 'g', max(digits, 1), 64))
}

func TestRuleOfThree(t *testing.T) {
	// Look at the last row: 20 clean runs of ten minutes each, taken as independent messages.
	for _, row := range []struct {
		of   int64
		high string
	}{
		{1_200_000, "2.49644e-06"},
		{20 * 1_200_000, "1.24822e-07"}, // a twentieth, as 1-0.05^(1/n) is linear there
	} {
		atMost, err := claim.Exceedances{Of: row.of}.AtMost(0.95)
		require.NoError(t, err)
		assertDigits(t, row.high, atMost)
		assert.InEpsilon(t, 3/float64(row.of), atMost, 2e-3, "3/n is -ln 0.05 / n, rounded up")
	}
}

func TestSampleSize(t *testing.T) {
	// Look at the second row: 17.3 days of sends every 500 us, which is why there is splitting.
	for _, row := range []struct {
		limit, confidence float64
		want              int64
	}{
		{1e-6, 0.95, 2_995_731},
		{1e-9, 0.95, 2_995_732_273},
		{1e-9, 0.99, 4_605_170_184}, // ln 100 / -ln(1-1e-9) = 4605170183.69
		{0.5, 0.75, 2},
	} {
		n, err := claim.SampleSize(row.limit, row.confidence, 0)
		require.NoError(t, err)
		assert.Equal(t, row.want, n, "%v at %v", row.limit, row.confidence)
	}
	assert.InDelta(t, 17.3, 2_995_732_273*500e-6/86400, 0.05)
	for over := range int64(4) {
		n, err := claim.SampleSize(1e-3, 0.95, over)
		require.NoError(t, err)
		enough, err := claim.Exceedances{Over: over, Of: n}.AtMost(0.95)
		require.NoError(t, err)
		short, err := claim.Exceedances{Over: over, Of: n - 1}.AtMost(0.95)
		require.NoError(t, err)
		assert.LessOrEqual(t, enough, 1e-3, "%d over", over)
		assert.Greater(t, short, 1e-3, "%d over: one message less does not do", over)
	}
}

func TestIntervalsCover(t *testing.T) {
	// Look at the sum: for any n and p, the outcomes whose interval misses p are rare together.
	// The probabilities of outcomes are multiplied out, not taken from the code under test.
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, 40).Draw(t, "n")
		p := rapid.Float64Range(0.001, 0.999).Draw(t, "p")
		var missed float64
		outcome := math.Pow(1-p, float64(n))
		for k := range n + 1 {
			is, err := claim.Exceedances{Over: k, Of: n}.Interval(0.9)
			require.NoError(t, err)
			if p < is.Low || p > is.High {
				missed += outcome
			}
			outcome *= p / (1 - p) * float64(n-k) / float64(k+1)
		}
		assert.LessOrEqual(t, missed, 0.1+1e-12)
	})
}

func TestBoundsLeaveTheTailTheyPromise(t *testing.T) {
	// Look at the confidence of one in a million: a library's inverse of the beta function gives
	// 3.7 % for the rows of the first loop. At the bound the outcome and all beyond have the
	// probability that is left.
	for over := range int64(10) {
		for _, of := range []int64{30_638, 1_289_802} {
			checkBounds(t, claim.Exceedances{Over: over, Of: of}, 1e-6)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.Int64Range(1, 1_000_000).Draw(t, "of")
		over := rapid.Int64Range(0, min(of, 60)).Draw(t, "over")
		left := math.Pow(10, -rapid.Float64Range(0.1, 6).Draw(t, "digits"))
		checkBounds(t, claim.Exceedances{Over: over, Of: of}, left)
	})
}

func checkBounds(t require.TestingT, e claim.Exceedances, left float64) {
	high, err := e.AtMost(1 - left)
	require.NoError(t, err)
	if e.Over < e.Of {
		assert.InEpsilon(t, left, atMost(e.Of, e.Over, high), 1e-6, "%v at most %v", e, high)
	}
	low, err := e.AtLeast(1 - left)
	require.NoError(t, err)
	if e.Over > 0 {
		assert.InEpsilon(t, left, 1-atMost(e.Of, e.Over-1, low), 1e-6, "%v at least %v", e, low)
	}
}

func TestPValueIsTheBoundTurnedRound(t *testing.T) {
	// Look at the equivalence: the claim is shown at c exactly if its p-value is at most 1-c.
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.Int64Range(1, 100_000).Draw(t, "of")
		e := claim.Exceedances{Over: rapid.Int64Range(0, min(of, 50)).Draw(t, "over"), Of: of}
		limit := rapid.Float64Range(1e-6, 0.9).Draw(t, "limit")
		p, err := e.PValue(limit)
		require.NoError(t, err)
		bound, err := e.AtMost(0.95)
		require.NoError(t, err)
		if math.Abs(p-0.05) > 1e-9 { // at the border rounding decides
			assert.Equal(t, p <= 0.05, bound <= limit, "p-value %v, bound %v", p, bound)
		}
	})
}

func TestNoSampleNoStatement(t *testing.T) {
	// Look at each row: none is a sample, so none gets a number.
	for _, e := range []claim.Exceedances{{0, 0}, {-1, 5}, {6, 5}} {
		_, err := e.Interval(0.95)
		assert.ErrorContains(t, err, "not a sample")
		_, err = e.AtMost(0.95)
		assert.ErrorContains(t, err, "not a sample")
		_, err = e.PValue(0.5)
		assert.ErrorContains(t, err, "not a sample")
	}
	for _, confidence := range []float64{0, 1, 95, math.NaN()} {
		_, err := claim.Exceedances{Over: 1, Of: 5}.Interval(confidence)
		assert.ErrorContains(t, err, "not strictly between")
		_, err = claim.SampleSize(1e-6, confidence, 0)
		assert.ErrorContains(t, err, "confidence")
	}
	_, err := claim.SampleSize(1e-17, 0.95, 0)
	assert.ErrorContains(t, err, "more messages than there are numbers")
}
