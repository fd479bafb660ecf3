package explore_test

import (
	"context"
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios"
	"rtsim/scenarios/explore"
	"rtsim/sim"
)

// rareSteps is the volume of the estimates; rareLong is how much of the runs is simulated that they
// are compared with.
var (
	rareSteps = flag.Int64("rare.steps", 1_500_000, "steps of each estimate of rare events")
	rareLong  = flag.Int("rare.seconds", 10, "seconds that are simulated to compare with")
	rareLimit = flag.String("rare.limit", "100us", "the limit of futex-oneshot's sends")
)

// Look at the interval: it has the share that a plain run counts. By default the event is frequent,
// so that both see it soon; with -rare.limit 900us, -rare.steps 40000000 and -rare.seconds 500 it
// is one in 5000.
func TestProbabilityAgreesWithARun(t *testing.T) {
	p := problem(t, "futex-oneshot", scenarios.MetricSend)
	limit, err := sim.ParseTime(*rareLimit)
	require.NoError(t, err)
	r, err := explore.Probability(context.Background(), p, limit, *rareSteps)
	require.NoError(t, err)
	over, of := int64(0), int64(0)
	run := &scenarios.Probe{Case: p.Case.Within(sim.Time(*rareLong) * sim.Second),
		Design: p.Design, Seed: 77, See: func(v scenarios.Value) bool {
			if v.Metric == scenarios.MetricSend {
				of++
				if v.Total() > limit {
					over++
				}
			}
			return true
		}}
	_, err = run.Run(context.Background())
	require.NoError(t, err)
	share := float64(over) / float64(of)
	t.Logf("%s: %.3g, %.3g to %.3g, relative error of one repetition %.2g, %d of %d without, "+
		"%d steps, %d flights; a run of %d messages: %.3g", limit, r.Estimate, r.Low, r.High,
		r.RelativeError, r.Zero, r.Runs, r.Steps, r.Flights, of, share)
	if *rareSteps >= 20_000_000 {
		assert.True(t, r.Trusted, r.Why)
	}
	assert.LessOrEqual(t, r.Low, share)
	assert.GreaterOrEqual(t, r.High, share)
}

// Look at the messages: what cannot be estimated is said before anything is simulated.
func TestProbabilityMistakes(t *testing.T) {
	p := problem(t, "doorbell", scenarios.MetricSend)
	_, err := explore.Probability(context.Background(), p, 0, 1)
	assert.EqualError(t, err, "a limit of 0ns; write more than 0")
	_, err = explore.Probability(context.Background(), p, sim.Second, 1)
	assert.ErrorContains(t, err, "is more than 8 bursts")
}
