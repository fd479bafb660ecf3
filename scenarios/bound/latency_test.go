package bound

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// P40. Look at both ends: no wake-up of the sender or the receiver, each alone on its CPU, takes
// longer until the task runs than L, the fixed point of ready.go's first with the interrupts of the
// CPU; and some take more than half of it, so that L says something.
func TestNoWakeUpIsOverItsLatency(t *testing.T) {
	nearest := 0.0
	for _, design := range []string{"futex-plain", "eventfd", "doorbell"} {
		for _, costs := range []string{"orin-7.4", "orin-7.4-greatest", "orin-7.4-least"} {
			c, err := scenarios.Prepare("orin-queue", scenarios.Options{
				Duration: 60 * sim.Millisecond, Set: []file.Setting{{Name: "costs", Value: costs}}})
			require.NoError(t, err)
			d, _ := designs.Find(design)
			w := c.Workload(d)
			m := model.New(w, c.Profile.Table(), 7)
			m.Keep(trace.SchedWakeup, trace.Switching)
			require.NoError(t, m.Run(c.Options().Duration))
			for task, name := range []string{c.Scenario.Sender, c.Scenario.Receiver} {
				a, why := analyse(&System{Scenario: c.Scenario, Design: d.In(c.Era),
					Profile: c.Profile, Fixed: c.Fixed()}, name)
				require.Empty(t, why)
				most := a.interrupted(task, a.wakes(key{}, task, -1))
				woken := sim.Never
				for _, r := range m.Trace {
					switch {
					case int(r.Task) != task:
					case r.Kind == trace.SchedWakeup:
						woken = r.At
					case woken != sim.Never:
						took := r.At + sim.Time(r.A) + sim.Time(r.B) - woken
						assert.LessOrEqual(t, took, most, "%s, %s, at %v", design, name, woken)
						nearest = max(nearest, float64(took)/float64(most))
						woken = sim.Never
					}
				}
			}
		}
	}
	assert.Greater(t, nearest, 0.5)
	t.Logf("the nearest is at %.2f of it", nearest)
}
