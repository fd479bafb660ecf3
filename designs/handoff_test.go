package designs_test

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/scenarios/explore/protocol"
)

// allWindows explores every variant, not only those that differ in the wake-up.
var allWindows = flag.Bool("windows", false, "explore the orders of steps of every variant")

func TestWindows(t *testing.T) {
	// Look at the design: all orders of the steps of its listings, explored by code that is not
	// the simulator's, leave open what its verdict says: W2 where the receiver stands before an
	// entry that is not linked, another window where it is parked. A wake-up can be lost in those
	// designs only that are listed.
	for _, era := range designs.Eras() {
		for _, d := range designs.All() {
			d = d.In(era)
			verdict, exists := verdicts[era.Kernel][d.Variant]
			if !exists || !*allWindows && repeats(d.Variant) {
				continue
			}
			t.Run(era.Kernel+"/"+d.Variant, func(t *testing.T) {
				r, err := protocol.Explore(t.Context(), d, protocol.Options{Reduced: true})
				require.NoError(t, err)
				open := map[protocol.Kind]string{}
				for _, w := range r.Windows {
					open[w.Kind] = w.Step + "\n" + w.Trail.String()
				}
				parked := strings.Contains(verdict, "W1") || strings.Contains(verdict, "W3")
				assert.Equal(t, parked, open[protocol.Parked] != "", open[protocol.Parked])
				assert.Equal(t, strings.Contains(verdict, "W2"), open[protocol.Unlinked] != "",
					open[protocol.Unlinked])
				loses := era.Kernel == "7.4" && slices.Contains(losing, d.Variant)
				assert.Equal(t, loses, r.Lost != nil, r.Lost)
			})
		}
	}
}

// repeats says of a variant that another one has the same wake-up, and that it takes long.
func repeats(variant string) bool {
	return strings.Contains(variant, "direct-free") ||
		strings.HasPrefix(variant, "msg-ring-cache") && !strings.Contains(variant, "pool") ||
		strings.Contains(variant, "rcu-walk+fix")
}

func TestLosingDesignsExist(t *testing.T) {
	// Look at the name: each design that is listed as losing wake-ups is one of 7.4.
	for _, name := range losing {
		assert.Contains(t, verdicts["7.4"], name)
	}
}
