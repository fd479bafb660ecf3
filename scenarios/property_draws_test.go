package scenarios_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios"
	"rtsim/sim"
)

func TestStrangersShiftNoDraws(t *testing.T) {
	// Look at the arrivals: a task and a burst source of their own on a further CPU leave every
	// burst, device interrupt and release of the others where it was, for draws are named.
	data, ok := scenarios.Builtin("orin-queue")
	require.True(t, ok)
	with := strings.NewReplacer("cpus: 6\n", "cpus: 7\n",
		"  - device: device-cpu{cpu}\n", "  - burst: stranger\n    cpu: 6\n    priority: 50\n"+
			"    shape: uniform\n    least: 5us\n    greatest: 50us\n    duty: 0.5\n"+
			"    gap_min: 1us\n"+
			"  - device: device-cpu{cpu}\n").Replace(string(data))
	require.NotEqual(t, string(data), with)
	before, after := dueTimes(t, string(data)), dueTimes(t, with)
	require.Greater(t, len(before["irq-50-cpu0"]), 5)
	for name, times := range before {
		require.Equal(t, times, after[name], name)
	}
	require.Greater(t, len(after["stranger"]), 100)
}

// dueTimes are when the bursts are due that ideal-spin, which delays none, sees in 20 ms; by task.
func dueTimes(t *testing.T, text string) map[string][]sim.Time {
	t.Helper()
	c, err := scenarios.Load("orin.yaml", []byte(text),
		scenarios.Options{Duration: 20 * sim.Millisecond})
	require.NoError(t, err)
	d, err := designs.Parse("ideal-spin")
	require.NoError(t, err)
	m := model.New(c.Workload(d), c.Profile.Table(), 1)
	m.Keep(trace.BurstDue)
	require.NoError(t, m.Run(20*sim.Millisecond))
	due := map[string][]sim.Time{}
	for _, r := range m.Trace {
		name := m.Program().TaskName(r.Task)
		due[name] = append(due[name], r.At)
	}
	return due
}
