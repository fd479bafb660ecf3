package scenarios_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// Look at the number of the late message in testdata/sheaf.yaml: 28, the 29th. By hand, of the
// listing and the typical costs:
//
//	writer  arrives at 90 us; idle exit and switch take 4 us, 30 us of its own, so it sends at
//	        124 us. 200 enter, 30 uring_lock, 150 and 50 to the target, 30 + 20 + 30 for a cache
//	        that is empty, 30 cpu_sheaves->lock, 20 + 20 + 20 for main, spare and barn, 30 unlock,
//	        20 and 30: it has list_lock at 124.680 us, for two looks of 105 ns and 30 to unlock,
//	        until 124.920 us.
//	burst   comes in this.
//	sender  arrives at 100 us, is there at 104 us, and sends then and every 10 us. Message 0
//	        fills the sheaf, 28 objects, and takes one; messages 1 to 27 take the others. Message
//	        28 is released at 384 us; 1.8 us of timer and 4 us later it begins, and needs
//	        list_lock. The burst has the writer's CPU until after 624 us.
//
// With one message less there is nothing to wait for, and with credits neither.
func TestSheafRunsEmpty(t *testing.T) {
	data, err := os.ReadFile("testdata/sheaf.yaml")
	require.NoError(t, err)
	late := func(text string, d *designs.Design) []scenarios.Explained {
		c, err := scenarios.Load("sheaf", []byte(text), scenarios.Options{
			Duration: 2 * sim.Millisecond,
			Set:      []file.Setting{{Name: "cost_jitter_percent", Value: "0"}}})
		require.NoError(t, err)
		q := &scenarios.Question{Case: c, Design: d, Asked: d.Variant, Seed: 1,
			Metric: scenarios.MetricSend, Worst: 30}
		e, err := q.Explain(t.Context())
		require.NoError(t, err)
		over := 0
		for over < len(e.Worst) && e.Worst[over].TotalNs > 100*sim.Microsecond {
			over++
		}
		return e.Worst[:over]
	}
	all := late(string(data), designs.MsgRingCache)
	require.Len(t, all, 1)
	assert.Equal(t, int32(28), all[0].Message)
	assert.Equal(t, 389800*sim.Nanosecond, all[0].AtNs)
	assert.Greater(t, all[0].TotalNs, 624*sim.Microsecond-all[0].AtNs)
	assert.Contains(t, all[0].Sentence,
		"on list_lock: held by writer, boosted to 40, preempted by burst (50) on CPU 0")
	assert.Empty(t, late(strings.Replace(string(data), "repeat 29", "repeat 28", 1),
		designs.MsgRingCache))
	credits, err := scenarios.FindDesign("msg-ring-cache/credits")
	require.NoError(t, err)
	assert.Empty(t, late(string(data), credits))
}
