package scenarios

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/sim"
)

func TestNotesAreNotHashed(t *testing.T) {
	// Look at the digest and the records: notes change neither, and between the happenings they
	// say of whoever is on a CPU what he does, by a name.
	const duration = 30 * sim.Millisecond
	c := orinCase(t, duration)
	seen := map[trace.Kind]int{}
	for _, d := range designs.All() {
		bare := model.New(c.Workload(d), c.Profile.Table(), 1)
		bare.KeepAll()
		require.NoError(t, bare.Run(duration))
		noted := model.New(c.Workload(d), c.Profile.Table(), 1)
		noted.KeepAll()
		noted.KeepNotes()
		require.NoError(t, noted.Run(duration))
		require.Equal(t, bare.Digest(), noted.Digest(), d.Variant)
		require.Equal(t, bare.Trace, happenings(t, noted, seen), d.Variant)
	}
	for k := trace.FirstNote; k < trace.NKinds; k++ {
		require.NotZero(t, seen[k], "a note of each kind")
	}
	require.Equal(t, seen[trace.SchedSwitch], seen[trace.Switching], "every switch takes time")
}

// happenings are the records without the notes, which it checks, and counts what it has seen.
func happenings(t *testing.T, m *model.Machine, seen map[trace.Kind]int) []trace.Record {
	var rest []trace.Record
	names := m.Program().StepNames()
	curr := map[int16]int32{}
	for _, r := range m.Trace {
		seen[r.Kind]++
		if r.Kind < trace.FirstNote {
			rest = append(rest, r)
		}
		switch r.Kind {
		case trace.SchedSwitch:
			curr[r.CPU] = r.Task
		case trace.Step:
			require.NotEmpty(t, names[r.A].Text)
			require.True(t, r.At == 0 || curr[r.CPU] == r.Task)
		case trace.Event, trace.WaitLock, trace.Switching:
			require.Equal(t, curr[r.CPU], r.Task)
		}
	}
	return rest
}
