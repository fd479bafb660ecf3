package claim_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rtsim/scenarios/claim"
	"rtsim/sim"
)

func TestMcNemar(t *testing.T) {
	// Look at the first row: 55 messages late under one design, the same 55 in time under the
	// other.
	for _, row := range []struct {
		first, second int64
		want          float64
	}{
		{55, 0, 2 * math.Pow(2, -55)},
		{0, 55, 2 * math.Pow(2, -55)},
		{0, 0, 1},
		{3, 3, 1},
		{5, 1, 14.0 / 64}, // 2*(1+6)/2^6
		{2, 8, 112.0 / 1024},
	} {
		assert.InEpsilon(t, row.want, claim.McNemar(row.first, row.second), 1e-12,
			"%d and %d", row.first, row.second)
	}
}

func TestPairingOnCommonDraws(t *testing.T) {
	// Look at the gain: services of 1 and 0.95 on the same arrivals differ by little each time,
	// while each mean alone swings with the arrivals.
	const runs, customers = 60, 4000
	wait := func(run uint64, service float64) float64 {
		return mean(waits(station{rho: 0.8, servers: 1, scale: service}, run, customers))
	}
	var slow, fast, other []float64
	for run := range uint64(runs) {
		slow = append(slow, wait(run, 1))
		fast = append(fast, wait(run, 0.95))
		other = append(other, wait(run+runs, 0.95))
	}
	paired, err := claim.Compare(slow, fast, 0.95)
	require.NoError(t, err)
	// A gain of 6.1 is on record for this pair, at a load that is not: so up to a factor of two.
	assert.Greater(t, paired.Gain, 6.1/2)
	assert.Less(t, paired.Gain, 6.1*2)
	assert.Equal(t, int64(runs), paired.Less, "a shorter service helps on every sequence")
	assert.Equal(t, claim.McNemar(runs, 0), paired.P)
	// Exact: the wait in M/M/1 is rho/(mu-lambda), 4 at a service of 1 and 0.76/(1/0.95-0.8) =
	// 3.0083 at 0.95.
	assert.Less(t, paired.Difference.Is.Low, 3.0083-4)
	assert.Greater(t, paired.Difference.Is.High, 3.0083-4)
	apart, err := claim.Compare(slow, other, 0.95)
	require.NoError(t, err)
	assert.InDelta(t, 1, apart.Gain, 0.5, "other draws: nothing cancels")
	same, err := claim.Compare(slow, slow, 0.95)
	require.NoError(t, err)
	assert.Equal(t, claim.Comparison{Difference: claim.Mean{N: runs}, Equal: runs, P: 1}, same,
		"a design against itself: no difference, and no doubt about it")
}

func TestCompareRefuses(t *testing.T) {
	// Look at the words: what is not a list of pairs is not compared.
	_, err := claim.Compare([]float64{1, 2}, []float64{1}, 0.95)
	assert.ErrorContains(t, err, "2 values and 1 are not pairs")
	_, err = claim.Compare([]float64{1}, []float64{1}, 0.95)
	assert.ErrorContains(t, err, "no spread")
	_, err = claim.Compare([]float64{1, 2}, []float64{1, 2}, 1)
	assert.ErrorContains(t, err, "confidence")
}

func TestHolm(t *testing.T) {
	// Look at the third claim: 3*0.03 and then 2*0.04, which may not come below it.
	got := claim.Holm([]float64{0.01, 0.04, 0.03, 0.005})
	want := []float64{3 * 0.01, 2 * 0.03, 2 * 0.03, 4 * 0.005}
	assert.InDeltaSlice(t, want, got, 1e-15)
	assert.Equal(t, []float64{1, 1}, claim.Holm([]float64{0.7, 0.9}))
	assert.Equal(t, []float64{0.2}, claim.Holm([]float64{0.2}), "a family of one pays nothing")
	assert.Empty(t, claim.Holm(nil))
}

func TestHolmKeepsItsPromise(t *testing.T) {
	// Look at the corrected values: never below the raw ones, never above Bonferroni's, in the same
	// order, and the same whatever the order of the claims.
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 8).Draw(t, "p")
		corrected := claim.Holm(p)
		for i := range p {
			assert.GreaterOrEqual(t, corrected[i], p[i])
			assert.LessOrEqual(t, corrected[i], min(1, float64(len(p))*p[i]))
			for j := range p {
				if p[i] < p[j] {
					assert.LessOrEqual(t, corrected[i], corrected[j])
				}
			}
		}
		turned := append(append([]float64{}, p[1:]...), p[0])
		assert.Equal(t, append(append([]float64{}, corrected[1:]...), corrected[0]),
			claim.Holm(turned))
	})
}

func TestHolmErrsRarelyInAWholeFamily(t *testing.T) {
	// Look at the share of reports with any false claim: 5 %, where uncorrected it is 40 %.
	const reports, family = 4000, 10
	draws := sim.NewStream(1, "p-values")
	anyHolm, anyRaw := 0, 0
	for range reports {
		p := make([]float64, family) // every claim is false, so every p-value is uniform
		for i := range p {
			p[i] = unit(&draws)
		}
		raw, holm := false, false
		for i, corrected := range claim.Holm(p) {
			raw = raw || p[i] <= 0.05
			holm = holm || corrected <= 0.05
		}
		anyRaw += count(raw)
		anyHolm += count(holm)
	}
	assert.InDelta(t, 1-math.Pow(0.95, family), float64(anyRaw)/reports, 0.03)
	assert.InDelta(t, 1-math.Pow(1-0.05/family, family), float64(anyHolm)/reports, 0.014)
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
