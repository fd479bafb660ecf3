package bound_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios/file"
)

// Look at the slab's locks: with one receiver everybody takes them under the receiver's siglock, so
// nobody waits for them, and the only wait besides is for the receiver's poll, which takes
// signalfd_wqh.lock without it. With low-priority subscribers there are other siglocks.
func TestLocksUnderACommonLock(t *testing.T) {
	for subs, waits := range map[string]map[string]bool{
		"0": {"siglock": true, "signalfd_wqh.lock": true},
		"1": {"siglock": true, "signalfd_wqh.lock": true, "list_lock": true, "barn->lock": true},
	} {
		s := system(t, "orin-queue", "signalfd", file.Setting{Name: "low_subs", Value: subs},
			file.Setting{Name: "burst_gap_min", Value: "1ms"})
		b := compute(t, s, "send")
		require.NoError(t, check(s, b))
		for _, term := range b.Terms {
			lock, part, of := strings.Cut(term.Name, ": ")
			if of && part == "slow path" {
				assert.True(t, waits[lock], "%s subscribers: %s", subs, lock)
				delete(waits, lock)
			}
		}
		assert.Empty(t, waits, "%s subscribers", subs)
	}
}
