package scenarios_test

import (
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
