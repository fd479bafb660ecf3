package scenarios

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/sim"
)

// Look at what a report explains: it is what explain says of the same design, seed and stretch,
// whatever the number of jobs, and the case of the comparison keeps its own duration.
func TestQuestionsOfAPlan(t *testing.T) {
	const stretch = 30 * sim.Millisecond
	c, err := Prepare("orin-queue", Options{Duration: sim.Second})
	require.NoError(t, err)
	asked, chosen, err := FindDesigns([]string{"futex-oneshot", "ideal-spin", "signalfd"})
	require.NoError(t, err)
	p := &Plan{Case: c, Asked: asked, Designs: chosen, Seeds: []uint64{3, 4}, Jobs: 2}
	answers, err := p.Questions(stretch, 0).Explain(t.Context())
	require.NoError(t, err)
	require.Len(t, answers, 3)
	assert.Equal(t, sim.Second, c.Options().Duration)
	short, err := Prepare("orin-queue", Options{Duration: stretch})
	require.NoError(t, err)
	for i, got := range answers {
		q := &Question{Case: short, Design: chosen[i], Asked: asked[i], Seed: 3,
			Metric: MetricSend, Worst: 1}
		want, err := q.Explain(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, got)
		require.Len(t, got.Worst, 1)
		assert.Equal(t, stretch, got.DurationNs)
	}
}

// Look at the longest send of the stretch: the comparison of the same stretch measures the same.
func TestQuestionsFindTheLongest(t *testing.T) {
	c, err := Prepare("orin-queue", Options{Duration: 200 * sim.Millisecond})
	require.NoError(t, err)
	asked, chosen, err := FindDesigns([]string{"futex-oneshot", "msg-ring"})
	require.NoError(t, err)
	p := &Plan{Case: c, Asked: asked, Designs: chosen, Seeds: []uint64{1}, Jobs: 1}
	results, err := p.Execute(t.Context())
	require.NoError(t, err)
	answers, err := p.Questions(ExplainedMost, 0).Explain(t.Context())
	require.NoError(t, err)
	for i, e := range answers {
		assert.Equal(t, results[i].Send.MaxNs, e.Worst[0].TotalNs)
		assert.Equal(t, results[i].Digest, e.Digest)
	}
}
