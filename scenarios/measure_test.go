package scenarios_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/sim"
)

func TestNoMessageIsReceivedBeforeItIsRead(t *testing.T) {
	// Look at the design whose least receive time is shorter than its loop takes to handle a
	// message: one that became visible while the loop handled others was counted as handled.
	c, err := scenarios.Prepare("orin-queue", scenarios.Options{})
	require.NoError(t, err)
	handle, ok := c.Profile.Find("handle")
	require.True(t, ok)
	least := handle.Typical - handle.Typical*sim.Time(c.Profile.Table().JitterPercent)/100
	require.Positive(t, least)
	for _, d := range designs.Bare() {
		r, err := scenarios.Run(d.Name, "orin-queue", 1, scenarios.Options{Duration: sim.Second})
		require.NoError(t, err)
		require.GreaterOrEqual(t, r.Receive.Histogram().Rank(1), least, d.Name)
		require.Zero(t, r.Lost, d.Name)
	}
}

func TestResponseOfAVeryLateSend(t *testing.T) {
	// Look at the response: the second send is due 1 ms after the first and begins after 5 s of
	// work, later than a record's number of nanoseconds can say. Nothing else takes time.
	path := filepath.Join(t.TempDir(), "late.yaml")
	require.NoError(t, os.WriteFile(path, []byte(`
cpus: 2
costs: zero
queues: [Q]
tasks:
  - {name: S, priority: 40, arrive: 1ms, program: "every 1ms; send Q; run 5s; goto 0"}
  - {name: R, priority: 40, cpus: [1], program: "open Q; receive Q; goto 1"}
measure: {sender: S, receiver: R}
`), 0o644))
	r, err := scenarios.Run("futex-plain", path, 1, scenarios.Options{Duration: 6 * sim.Second})
	require.NoError(t, err)
	require.EqualValues(t, 2, r.Messages)
	require.Equal(t, 5*sim.Second-sim.Millisecond, r.Response.MaxNs)
	require.Zero(t, r.Receive.MaxNs)
}
