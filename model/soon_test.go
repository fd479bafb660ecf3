package model

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rtsim/sim"
)

func TestSoonIsTheQueue(t *testing.T) {
	// Look at the operations: the list beside the queue, overflowing or not, must be the queue
	// alone, and leave it so. Times are few, so that most are ties.
	const slots = 3 * soonMax
	rapid.Check(t, func(t *rapid.T) {
		m := &Machine{}
		m.queue = sim.NewQueue(slots)
		m.soon.list[0].at = sim.Never
		alone := sim.NewQueue(slots)
		for range rapid.IntRange(1, 100).Draw(t, "operations") {
			slot := rapid.IntRange(0, slots-1).Draw(t, "slot")
			if at := alone.At(slot); at != sim.Never {
				require.Equal(t, at, m.clear(slot))
				alone.Set(slot, sim.Never)
			} else {
				at := sim.Time(rapid.IntRange(0, 5).Draw(t, "at"))
				m.setSoon(slot, at)
				alone.Set(slot, at)
			}
			at, first := alone.Next()
			gotAt, gotFirst := m.next()
			require.Equal(t, at, gotAt)
			if at != sim.Never {
				require.Equal(t, first, gotFirst)
			}
		}
		m.park()
		require.Equal(t, alone, m.queue)
	})
}
