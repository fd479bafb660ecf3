package scenarios

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/sim"
)

// BenchmarkRecording simulates a second an iteration with nothing kept, with what compare keeps,
// with every record, and with the notes too; what is kept is dropped every millisecond, and
// nothing is encoded. Compare the lines pairwise: recording may cost a fifth, off nothing.
func BenchmarkRecording(b *testing.B) {
	for _, mode := range []struct {
		name string
		keep func(m *model.Machine)
	}{
		{"off", func(*model.Machine) {}},
		{"measured", func(m *model.Machine) { m.Keep(measuredKinds...) }},
		{"records", (*model.Machine).KeepAll},
		{"notes", func(m *model.Machine) { m.KeepAll(); m.KeepNotes() }},
	} {
		b.Run(mode.name, func(b *testing.B) {
			c := orinCase(b, sim.Second)
			for b.Loop() {
				m := model.New(c.Workload(designs.FutexOneshot), c.Profile.Table(), 1)
				mode.keep(m)
				for at := sim.Millisecond; at <= sim.Second; at += sim.Millisecond {
					require.NoError(b, m.Run(at))
					m.Trace = m.Trace[:0]
				}
			}
		})
	}
}
