package scenarios

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/sim"
)

// Look at what a report explains: of each design the longest send of all seeds, as it was measured.
// It is what explain says with the same seed, and with the duration that the answer names.
func TestQuestionsFindTheLongest(t *testing.T) {
	c, err := Prepare("orin-queue", Options{Duration: 200 * sim.Millisecond})
	require.NoError(t, err)
	asked, chosen, err := FindDesigns([]string{"futex-oneshot", "ideal-spin", "signalfd"})
	require.NoError(t, err)
	p := &Plan{Case: c, Asked: asked, Designs: chosen, Seeds: []uint64{3, 4, 5}, Jobs: 2}
	results, err := p.Execute(t.Context())
	require.NoError(t, err)
	answers, err := p.Questions(results, 0).Explain(t.Context())
	require.NoError(t, err)
	require.Len(t, answers, 3)
	assert.Equal(t, 200*sim.Millisecond, c.Options().Duration, "the comparison's case is its own")
	shorter := 0
	for i, got := range answers {
		longest := sim.Time(0)
		for _, r := range results[3*i : 3*i+3] {
			longest = max(longest, r.Send.MaxNs)
			if r.Seed == got.Seed {
				assert.Equal(t, got.Worst[0].TotalNs, r.Send.MaxNs)
			}
		}
		require.Len(t, got.Worst, 1)
		assert.Equal(t, longest, got.Worst[0].TotalNs)
		if got.DurationNs < 200*sim.Millisecond {
			shorter++
		}
		short, err := Prepare("orin-queue", Options{Duration: got.DurationNs})
		require.NoError(t, err)
		q := &Question{Case: short, Design: chosen[i], Asked: asked[i], Seed: got.Seed,
			Metric: MetricSend, Worst: 1}
		want, err := q.Explain(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	assert.Positive(t, shorter)
}

// Look at a run that is too short for a measured send: there is nothing to explain.
func TestQuestionsWithoutASend(t *testing.T) {
	c, err := Prepare("orin-queue", Options{Duration: sim.Millisecond + 1})
	require.NoError(t, err)
	asked, chosen, err := FindDesigns([]string{"ideal-spin"})
	require.NoError(t, err)
	p := &Plan{Case: c, Asked: asked, Designs: chosen, Seeds: []uint64{1}, Jobs: 1}
	results, err := p.Execute(t.Context())
	require.NoError(t, err)
	assert.Empty(t, p.Questions(results, 0).All)
}
