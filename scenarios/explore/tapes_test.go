package explore_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios/explore"
)

func sum(choices []int64) (total int64) {
	for _, c := range choices {
		total += c
	}
	return total
}

func least(choices []int64) int64 {
	lowest := choices[0]
	for _, c := range choices {
		lowest = min(lowest, c)
	}
	return lowest
}

// below counts the vectors of so many numbers >= 0 whose sum is at most s: C(s+n, n).
func below(n, s int64) float64 {
	count, _ := new(big.Float).SetInt(new(big.Int).Binomial(s+n, n)).Float64()
	return count
}

// thousands are n choices from 0 to 999, moved up so that nothing depends on the origin.
func thousands(n int, from int64) []explore.Range {
	ranges := make([]explore.Range, n)
	for i := range ranges {
		ranges[i] = explore.Range{Least: from, Greatest: from + 999}
	}
	return ranges
}

func TestTapesOfKnownProbability(t *testing.T) {
	// Look at the row with atoms: 95 of 100 vectors have the same score, "no contention", and must
	// die in one round. The probabilities are counts of lattice points.
	for _, row := range []struct {
		name    string
		choices []explore.Range
		target  int64
		score   func([]int64) int64
		exact   float64
	}{
		{"sum of six", thousands(6, 5000), 6*5999 - 290, sum, below(6, 290) / 1e18},
		{"least of three", thousands(3, -500), 490, least, 1e-6}, // (10/1000)^3
		{"atoms", thousands(2, 0), 1998 - 8 - 1700, func(c []int64) int64 {
			return max(0, sum(c)-1700)
		}, below(2, 8) / 1e6},
		// The sum is 2+4+6 = 12 once and 11 three times, in 3*5*7 vectors.
		{"small", []explore.Range{{Least: 0, Greatest: 2}, {Least: 0, Greatest: 4},
			{Least: 0, Greatest: 6}}, 11, sum, 4. / 105},
	} {
		r, err := explore.Repeat(40, 1, 0.95, func(seed uint64) (explore.Estimate, error) {
			e, best, err := explore.Tapes(explore.Chain{Choices: row.choices, Target: row.target,
				Replicas: 200, Kill: 100, Moves: 30, Seed: seed}, row.score)
			assert.Equal(t, best.Score, row.score(best.Choices), "the witness is what it says")
			if e.Probability > 0 {
				assert.GreaterOrEqual(t, best.Score, row.target)
			}
			for i, c := range best.Choices {
				assert.GreaterOrEqual(t, c, row.choices[i].Least)
				assert.LessOrEqual(t, c, row.choices[i].Greatest)
			}
			return e, err
		})
		require.NoError(t, err)
		t.Logf("%-15s exact %.4g mean %.4g error %.3f predicted %.3f runs of the score %.2g",
			row.name, row.exact, r.Mean.Mean, r.RelativeError(), r.Predicted, float64(r.Steps)/40)
		agrees(t, row.exact, r, row.name)
		assert.Less(t, r.RelativeError(), 1.0, row.name)
	}
}

func TestTapesWithoutALevelIsCrude(t *testing.T) {
	// Look at the stages: a target that half the vectors meet needs no move, only a count.
	chain := explore.Chain{Choices: thousands(1, 0), Target: 500, Replicas: 10_000, Kill: 10_000,
		Moves: 1, Seed: 1}
	calls := int64(0)
	e, _, err := explore.Tapes(chain, func(c []int64) int64 {
		calls++
		return c[0] / 500 * 500
	})
	require.NoError(t, err)
	assert.InDelta(t, 0.5, e.Probability, 4*math.Sqrt(0.25/10_000))
	assert.Len(t, e.Stages, 1)
	assert.Equal(t, int64(10_000), calls)
	assert.Equal(t, calls, e.Steps)
}

func TestTapesRefuse(t *testing.T) {
	// Look at the words: each says what is wrong with the plan.
	good := explore.Chain{Choices: thousands(2, 0), Target: 5, Replicas: 10, Kill: 5, Moves: 3}
	one := func(least, greatest int64) []explore.Range { return []explore.Range{{least, greatest}} }
	for want, spoil := range map[string]func(c *explore.Chain){
		"at least one of each":    func(c *explore.Chain) { c.Choices = nil },
		"0 moves":                 func(c *explore.Chain) { c.Moves = 0 },
		"11 of 10 replicas":       func(c *explore.Chain) { c.Kill = 11 },
		"choice 0 is from 3 to 2": func(c *explore.Chain) { c.Choices = one(3, 2) },
		"empty, or too wide":      func(c *explore.Chain) { c.Choices = one(0, 1<<62) },
	} {
		bad := good
		spoil(&bad)
		_, _, err := explore.Tapes(bad, sum)
		assert.ErrorContains(t, err, want)
	}
}
