package scenarios

import (
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/scenarios/tracepoint"
	"rtsim/sim"
)

// heapMeter is written to: it counts, and measures what is live whenever so many bytes came.
type heapMeter struct {
	bytes, next int
	live        []uint64
}

func (h *heapMeter) Write(data []byte) (int, error) {
	if h.bytes += len(data); h.bytes >= h.next {
		h.next += 1 << 20
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		h.live = append(h.live, m.HeapAlloc)
	}
	return len(data), nil
}

func TestTraceMemoryDoesNotGrow(t *testing.T) {
	// Look at what is live while a trace is written: in the last fifth it is no more than in the
	// second, but for a tenth, in each format; the first fifth has the buffers' growth.
	data, ok := Builtin("orin-queue")
	require.True(t, ok)
	for _, format := range TraceFormats {
		worlds, err := Worlds("orin-queue", data, []string{"futex-oneshot"}, Options{},
			sim.Second/2)
		require.NoError(t, err)
		w := &worlds[0]
		var h heapMeter
		out, err := NewTraceWriter(format, &h, w.Names(), nil)
		require.NoError(t, err)
		all := []tracepoint.Window{{From: 0, To: sim.Never}}
		require.NoError(t, w.Trace(t.Context(), 1, out, all))
		n := len(h.live)
		require.Greater(t, n, 10, format)
		early, late := slices.Max(h.live[n/5:2*n/5]), slices.Max(h.live[4*n/5:])
		require.Less(t, late, early+early/10, "%s: of %d bytes", format, h.bytes)
		t.Logf("%s: %d bytes written, live %d, later %d", format, h.bytes, early, late)
	}
}
