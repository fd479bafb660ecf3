package scenarios_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/designs"
	k "rtsim/model"
	"rtsim/scenarios"
	"rtsim/sim"
)

func TestBrokenListingDoesNotRun(t *testing.T) {
	// Look at the error: the listing is broken on purpose, and no command runs its design.
	d, ok := designs.Find("futex-plain")
	require.True(t, ok)
	whole := d.Paths
	t.Cleanup(func() { d.Paths = whole })
	for want, send := range map[string]k.Code{
		"design futex-plain: send, ends holding [hb->lock]": k.Lock(k.RefHash),
		"design futex-plain: send, line 2, lock uring_lock: takes uring_lock, which may sleep, " +
			"holding [irqs off]": k.Seq(k.IRQOff(), k.Lock(k.RefOwnRing)),
	} {
		d.Paths.Send = send
		_, err := scenarios.Run("futex-plain", "orin-queue", 1,
			scenarios.Options{Duration: 2 * sim.Millisecond})
		require.EqualError(t, err, want)
		_, _, err = scenarios.FindDesigns(nil)
		require.ErrorContains(t, err, want)
		_, _, err = scenarios.FindDesigns([]string{"all"})
		require.ErrorContains(t, err, want)
	}
}
