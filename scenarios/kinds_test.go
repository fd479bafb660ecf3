package scenarios_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios"
	"rtsim/sim"
)

// Look at both counts: the kinds of all messages of a run are those that explain tallies over 1 ns,
// and each message is of one.
func TestEachMessageIsOfOneKind(t *testing.T) {
	for _, metric := range []string{scenarios.MetricSend, scenarios.MetricReceive} {
		c, err := scenarios.Prepare("orin-queue", scenarios.Options{
			Duration: 200 * sim.Millisecond, Thresholds: []sim.Time{1}})
		require.NoError(t, err)
		d, err := scenarios.FindDesign("futex-oneshot")
		require.NoError(t, err)
		kinds, err := scenarios.Kinds(context.Background(), c, d, 2, metric)
		require.NoError(t, err)
		ask := scenarios.Question{Case: c, Design: d, Seed: 2, Metric: metric, Worst: 1}
		e, err := ask.Explain(context.Background())
		require.NoError(t, err)
		tallied := map[string]int64{}
		for _, k := range e.Over[0].Kinds {
			tallied[k.Kind] = k.Messages
		}
		assert.Equal(t, tallied, kinds, metric)
		sum := int64(0)
		for _, n := range kinds {
			sum += n
		}
		assert.Equal(t, int64(398), sum, "a message each 500 us from 1 ms on")
		assert.Greater(t, len(kinds), 2, "some wait for a lock, some do not")
	}
}
