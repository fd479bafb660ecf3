package scenarios_test

import (
	"fmt"
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

func TestMessagesWhileTheSystemStarts(t *testing.T) {
	// Look at the counts: of ten messages the first two begin before 2 ms. They are sent, and the
	// first, which nobody takes before the third wakes the receiver, is not lost; but its 2 ms are
	// not there. The digest is that of the same run with all of them measured.
	const text = `
cpus: 2
costs: zero
queues: [Q]
tasks:
  - {name: S, priority: 40, program: "every 1ms; send Q; goto 0"}
  - {name: R, priority: 40, cpus: [1], arrive: 1500us, program: "open Q; receive Q; goto 1"}
measure: {sender: S, receiver: R, from: %s}
`
	run := func(from string) *scenarios.Result {
		path := filepath.Join(t.TempDir(), "early.yaml")
		require.NoError(t, os.WriteFile(path, []byte(fmt.Sprintf(text, from)), 0o644))
		r, err := scenarios.Run("doorbell", path, 1, scenarios.Options{
			Duration: 10 * sim.Millisecond})
		require.NoError(t, err)
		require.EqualValues(t, 10, r.Messages)
		require.Zero(t, r.Lost)
		return r
	}
	all, late := run("0us"), run("2ms")
	require.EqualValues(t, 10, all.Receive.Count)
	require.Equal(t, 2*sim.Millisecond, all.Receive.MaxNs)
	require.EqualValues(t, 8, late.Send.Count)
	require.EqualValues(t, 8, late.Receive.Count)
	require.EqualValues(t, 8, late.Response.Count)
	require.Zero(t, late.Receive.MaxNs)
	require.Equal(t, all.Digest, late.Digest)
}

func TestWorstMessageIsAMeasuredOne(t *testing.T) {
	// Look at the number: with this seed the first message of all takes 220 us, for the receiver
	// has not opened its end when it is sent; explain and trace find the worst of the others, and
	// no kind of chain is counted for it.
	c, err := scenarios.Prepare("orin-queue", scenarios.Options{Duration: 3 * sim.Millisecond})
	require.NoError(t, err)
	d, err := scenarios.FindDesign("doorbell")
	require.NoError(t, err)
	for _, from := range []sim.Time{0, sim.Millisecond} {
		c.Scenario.From = from
		q := &scenarios.Question{Case: c, Design: d, Seed: 3522, Metric: "receive", Worst: 1}
		e, err := q.Explain(t.Context())
		require.NoError(t, err)
		kinds, err := scenarios.Kinds(t.Context(), c, d, 3522, "receive")
		require.NoError(t, err)
		world := scenarios.World{Workload: c.Workload(d), Profile: c.Profile, Receiver: 1,
			From: from}
		world.Workload.Until = 3 * sim.Millisecond
		worst, err := world.Worst(t.Context(), 3522, 1, true)
		require.NoError(t, err)
		require.Equal(t, e.Worst[0].AtNs, worst[0].Begin)
		n := int64(0)
		for _, k := range kinds {
			n += k
		}
		require.Equal(t, e.Messages, n)
		if from == 0 {
			require.Greater(t, e.Worst[0].TotalNs, 200*sim.Microsecond)
			require.Zero(t, e.Worst[0].Message)
			continue
		}
		require.Less(t, e.Worst[0].TotalNs, 20*sim.Microsecond)
		require.GreaterOrEqual(t, e.Worst[0].AtNs, from)
	}
}
