package claim_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios/claim"
	"rtsim/sim"
)

// Look at the p-values of clean runs: that of the messages is (1-p)^n, and that of batches, which
// counts, the same with a tenth of n; so a claim of 1e-4 takes 460,500 messages, not 46,050.
func TestSampleOfCleanRuns(t *testing.T) {
	clean := func(messages int64) *claim.Sample {
		run := make([]claim.Exceedances, messages/claim.BatchLength)
		for i := range run {
			run[i].Of = claim.BatchLength
		}
		return &claim.Sample{Runs: [][]claim.Exceedances{run}}
	}
	for messages, shown := range map[int64]bool{46_060: false, 460_400: false, 460_600: true} {
		s := clean(messages)
		p, err := s.Holds(1e-4)
		require.NoError(t, err)
		assert.InEpsilon(t, math.Pow(1-1e-4, float64(messages/claim.BatchLength)), p, 1e-9)
		assert.Equal(t, shown, p <= 0.01)
		atMost, err := s.AtMost(0.99)
		require.NoError(t, err)
		assert.Equal(t, shown, atMost <= 1e-4, "the interval agrees")
		fails, err := s.Fails(1e-4)
		require.NoError(t, err)
		assert.InDelta(t, 1, fails, 0)
	}
	_, err := (&claim.Sample{}).Holds(0.1)
	assert.Error(t, err)
}

// Look at the two shares of intervals that miss the truth: messages come in clusters of 100, so
// the binomial interval misses it far more often than it says, and the sample's does not.
func TestSampleOfClusters(t *testing.T) {
	const runs, batches, p, confidence = 400, 1000, 0.1, 0.95
	draws := sim.NewStream(7, "clusters")
	naive, cautious := 0, 0
	for range runs {
		run := make([]claim.Exceedances, batches)
		over := false
		for i := range run {
			if i%10 == 0 { // ten batches are alike
				over = draws.Between(0, 999) < 1000*p
			}
			run[i].Of = claim.BatchLength
			if over {
				run[i].Over = claim.BatchLength
			}
		}
		s := &claim.Sample{Runs: [][]claim.Exceedances{run}}
		iid, err := s.All().Interval(confidence)
		require.NoError(t, err)
		is, err := s.Interval(confidence)
		require.NoError(t, err)
		missed := func(i claim.Interval) int {
			if i.Low > p || i.High < p {
				return 1
			}
			return 0
		}
		naive, cautious = naive+missed(iid), cautious+missed(is)
	}
	assert.Greater(t, float64(naive)/runs, 0.5)
	assert.Less(t, float64(cautious)/runs, 2*(1-confidence))
}

// Look at a sample whose share is a tenth: that it is at most a fifth is shown, that it is at most
// a twentieth is refuted, and of an eighth nothing is known; p-values and interval agree.
func TestSampleDecides(t *testing.T) {
	draws := sim.NewStream(1, "decides")
	s := &claim.Sample{Runs: make([][]claim.Exceedances, 4)}
	for i := range s.Runs {
		for range 50 {
			b := claim.Exceedances{Of: claim.BatchLength}
			for range claim.BatchLength {
				if draws.Between(0, 9) == 0 {
					b.Over++
				}
			}
			s.Runs[i] = append(s.Runs[i], b)
		}
	}
	for limit, want := range map[float64][2]bool{0.2: {true, false}, 0.05: {false, true},
		0.11: {false, false}} {
		holds, err := s.Holds(limit)
		require.NoError(t, err)
		fails, err := s.Fails(limit)
		require.NoError(t, err)
		assert.Equal(t, want, [2]bool{holds <= 0.01, fails <= 0.01}, "%v: %v %v", limit, holds,
			fails)
		is, err := s.Interval(0.98)
		require.NoError(t, err)
		assert.Equal(t, want, [2]bool{is.High <= limit, is.Low > limit}, "%v", is)
	}
}
