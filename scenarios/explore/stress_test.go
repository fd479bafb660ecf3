package explore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios"
	"rtsim/sim"
)

// Look at the witness: what no window of a plain run has is found in a stressed one within a few
// runs, and repeated from the seed. The sender waits for list_lock: it filled its sheaf with 28
// requests in its first message, and this is the 29th that no cache has for it. Subscribers that
// have no CPU leave nothing in theirs. The search knows of no sheaf; here the steps are counted.
func TestStressEmptiesTheSheaf(t *testing.T) {
	c, err := scenarios.Prepare("orin-queue", scenarios.Options{})
	require.NoError(t, err)
	d, err := scenarios.FindDesign("msg-ring-cache")
	require.NoError(t, err)
	const limit = 100 * sim.Microsecond
	p := &Problem{Case: c, Design: d, Metric: scenarios.MetricSend, Seed: 1}
	f, report, err := Stressed(t.Context(), p, limit)
	require.NoError(t, err)
	assert.Greater(t, f.Total, limit)
	assert.LessOrEqual(t, len(sim.AnswerTexts(f.Answers)), 4, "%v", f.Flags())
	t.Logf("%s after %d runs: %v", f.Total, report.Evaluations, f.Flags())

	a, err := newArena(p)
	require.NoError(t, err)
	w := c.Answering(f.Answers).Within(f.Until).Workload(d)
	m := model.New(w, c.Profile.Table(), f.Seed)
	m.Keep(trace.SendBegin, trace.Step, trace.LockAcquired)
	require.NoError(t, m.Run(f.Until))
	objects, refills := 0, []sim.Time{}
	for i := range m.Trace {
		r := &m.Trace[i]
		if r.Task != a.sender {
			continue
		}
		name := func() string { return a.names.Steps[r.A].Text }
		switch {
		case r.Kind == trace.Step && name() == "alloc_from_pcs: local_trylock":
			objects++
		case r.Kind == trace.LockAcquired && a.names.Locks[r.A] == "list_lock":
			refills = append(refills, r.At)
		}
	}
	sheaf, _ := model.SlabObjects(model.SlabRequest)
	assert.Equal(t, sheaf+1, objects)
	assert.Less(t, refills[0], f.Begin, "the first message")
	assert.Greater(t, refills[1], f.Begin+limit, "and the late one")
}
