package scenarios

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/model/trace"
	"rtsim/sim"
)

// Look at the begin of the first burst: the first gap of a load is drawn while the machine is
// built, so it is the hardest answer to give in time. The others' first bursts stay where they
// were.
func TestAnswersReachTheFirstQuestion(t *testing.T) {
	due := func(answers ...sim.Answer) (first []sim.Time) {
		c, err := Prepare("orin-queue", Options{Duration: 20 * sim.Millisecond, Answers: answers})
		require.NoError(t, err)
		d, err := FindDesign("doorbell")
		require.NoError(t, err)
		w := c.Workload(d)
		w.Until = 20 * sim.Millisecond
		m, err := (&World{Workload: w, Profile: c.Profile}).Run(context.Background(), 3)
		require.NoError(t, err)
		for i := range w.Loads {
			for j := range m.Trace {
				if r := &m.Trace[j]; r.Kind == trace.BurstDue && r.A == int32(i) {
					first = append(first, r.At)
					break
				}
			}
		}
		return first
	}
	drawn, told := due(), due(sim.Answer{Site: "load-gap/irq-50-cpu0", Value: 123_456})
	require.Len(t, drawn, 2)
	require.Len(t, told, 2)
	assert.GreaterOrEqual(t, told[0], sim.Time(123_456))
	assert.Less(t, told[0], sim.Time(130_000), "its handler has run by then")
	assert.NotEqual(t, drawn[0], told[0])
	assert.Equal(t, drawn[1], told[1])
}

// Look at the digests: what the seed draws anyhow changes nothing, another answer does.
func TestAnswersOfTheSeedChangeNothing(t *testing.T) {
	digest := func(answers ...sim.Answer) string {
		r, err := Run("futex-oneshot", "orin-queue", 1,
			Options{Duration: 10 * sim.Millisecond, Answers: answers})
		require.NoError(t, err)
		return r.Digest
	}
	tape := sim.NewTape(1)
	site := "arrivals/low-pub-0/0"
	drawn := tape.Choose(tape.Stream(site), 0, int64(20*sim.Microsecond))
	plain := digest()
	assert.Equal(t, plain, digest(sim.Answer{Site: site, Value: drawn}))
	assert.Equal(t, plain, digest(sim.Answer{Site: site, Ordinal: 1 << 40, Value: 1}))
	assert.NotEqual(t, plain, digest(sim.Answer{Site: site, Value: drawn + 1}))
}

// Look at the message: the flag as it was given, and the near sites.
func TestAnswersToUnknownSites(t *testing.T) {
	_, err := Prepare("orin-queue", Options{Answers: []sim.Answer{
		{Site: "load-gap/irq-50-cpu0"}, {Site: "load-gap/irq-50-cpu2", Ordinal: 3, Value: 4},
		{Site: "cost/cache_move/kworker/0"}}})
	assert.EqualError(t, err, `--answer load-gap/irq-50-cpu2#3=4: no question has the site `+
		`"load-gap/irq-50-cpu2"; did you mean load-gap/irq-50-cpu0 or load-gap/irq-50-cpu1 or `+
		`load-length/irq-50-cpu0?`)
}
