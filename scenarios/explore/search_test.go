package explore_test

import (
	"context"
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios"
	"rtsim/scenarios/explore"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// searches is from how many seeds the searches of the tests start; 0 stands for one, of those
// designs only for which it takes a second.
var searches = flag.Int("searches", 0, "how many seeds each search starts from")

// scenarioRuns is the volume of the searches of the built-in scenarios; 0 stands for a few of one.
var scenarioRuns = flag.Int("scenario.runs", 0, "runs of the search of each scenario")

// problem is a design on the published experiment.
func problem(t *testing.T, design, metric string, set ...file.Setting) *explore.Problem {
	t.Helper()
	return problemIn(t, "orin-queue", design, metric, set...)
}

// problemIn is a design in a scenario.
func problemIn(t *testing.T, scenario, design, metric string,
	set ...file.Setting) *explore.Problem {
	t.Helper()
	c, err := scenarios.Prepare(scenario, scenarios.Options{Set: set})
	require.NoError(t, err)
	d, err := scenarios.FindDesign(design)
	require.NoError(t, err)
	return &explore.Problem{Case: c, Design: d, Metric: metric, Seed: 1}
}

// Look at the table: nobody tells the search what is wrong with a design, and it finds a message
// that takes longer than 100 us. The witness is then explained from the beginning, as rtsim explain
// does it, and the message is there.
func TestSearchFinds(t *testing.T) {
	for _, row := range []struct {
		design, metric string
		seconds        bool
	}{
		{"futex-oneshot", scenarios.MetricSend, false},
		{"eventfd", scenarios.MetricSend, false},
		{"signalfd", scenarios.MetricSend, false},
		{"msg-ring", scenarios.MetricSend, true},
		{"futex-persistent/rcu-walk+no-wake-fix", scenarios.MetricReceive, false},
		{"doorbell/first-wake", scenarios.MetricReceive, true},
		{"msg-ring-cache", scenarios.MetricReceive, true},
		{"msg-ring-cache", scenarios.MetricSend, false},
	} {
		n := uint64(*searches)
		if n == 0 && !row.seconds {
			n = 1
		}
		for seed := range n {
			p := problem(t, row.design, row.metric)
			const limit = 100 * sim.Microsecond
			f, r, err := explore.Search(context.Background(), p,
				explore.Plan{Seed: seed, Target: limit})
			require.NoError(t, err)
			require.Greater(t, f.Total, limit, "%s, %d runs", row.design, r.Evaluations)
			t.Logf("%s, %s: %s after %d runs, %d steps, %d answers", row.design, row.metric,
				f.Total, r.Evaluations, r.Steps, len(f.Answers))
			again(t, p, &f)
		}
	}
}

// again explains a witness.
func again(t *testing.T, p *explore.Problem, f *explore.Found) {
	t.Helper()
	q := &scenarios.Question{Case: p.Case.Answering(f.Answers).Within(f.Until), Design: p.Design,
		Asked: p.Design.Variant, Seed: f.Seed, Metric: p.Metric, Worst: 1000}
	e, err := q.Explain(context.Background())
	require.NoError(t, err)
	for _, w := range e.Worst {
		if w.Message == f.Message {
			assert.Equal(t, f.Begin, w.AtNs)
			assert.Equal(t, f.Total, w.TotalNs)
			return
		}
	}
	t.Errorf("message %d is not among those that are explained", f.Message)
}

// Look at the second search: with the same seed it is the same one, to the last answer; with
// another it is not, where all of it is drawn, as there is no sleeping lock to plan for.
func TestSearchIsDetermined(t *testing.T) {
	p := problem(t, "futex-oneshot", scenarios.MetricSend)
	search := func(seed uint64) (explore.Found, explore.SearchReport) {
		f, r, err := explore.Search(context.Background(), p,
			explore.Plan{Seed: seed, Evaluations: 300})
		require.NoError(t, err)
		return f, r
	}
	f, r := search(1)
	again, report := search(1)
	assert.Equal(t, f, again)
	assert.Equal(t, r, report)
	p = problem(t, "doorbell", scenarios.MetricSend)
	_, r = search(1)
	_, other := search(2)
	assert.NotEqual(t, r.Moves, other.Moves)
}

// Look at the error: whoever ends a search gets what it has.
func TestSearchEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := problem(t, "futex-oneshot", scenarios.MetricSend)
	f, _, err := explore.Search(ctx, p, explore.Plan{Seed: 1})
	assert.ErrorIs(t, err, context.Canceled)
	assert.Zero(t, f.Total)
	p.Metric = "recieve"
	_, _, err = explore.Search(context.Background(), p, explore.Plan{Seed: 1})
	assert.EqualError(t, err, `no metric "recieve" to search; write send or receive`)
}

// Look at a scenario that asks nothing: no burst, no jitter. The search ends by itself, and what it
// gives is the seed's own run.
func TestSearchWithoutQuestions(t *testing.T) {
	p := problem(t, "doorbell", scenarios.MetricSend, file.Setting{Name: "burst_duty", Value: "0"},
		file.Setting{Name: "low_jitter", Value: "0us"}, file.Setting{Name: "low_pubs", Value: "0"},
		file.Setting{Name: "irq_min", Value: "1us"}, file.Setting{Name: "irq_max", Value: "1us"},
		file.Setting{Name: "irq_every", Value: "1h"},
		file.Setting{Name: "system_jitter", Value: "0us"},
		file.Setting{Name: "cost_jitter_percent", Value: "0"})
	f, _, err := explore.Search(context.Background(), p, explore.Plan{Seed: 1})
	require.NoError(t, err)
	assert.Positive(t, f.Total)
	assert.Empty(t, f.Answers)
}

// Look at the built-in scenarios: the adversary knows nothing of the published experiment's tasks,
// and finds a message, and a run that has it, in each.
func TestSearchOfEveryScenario(t *testing.T) {
	names, runs := scenarios.BuiltinNames(), *scenarioRuns
	if runs == 0 {
		names, runs = []string{"start-stop"}, 30
	}
	for _, name := range names {
		c, err := scenarios.Prepare(name, scenarios.Options{})
		require.NoError(t, err)
		d, err := scenarios.FindDesign("msg-ring")
		require.NoError(t, err)
		p := &explore.Problem{Case: c, Design: d, Metric: scenarios.MetricReceive, Seed: 1}
		f, r, err := explore.Search(context.Background(), p,
			explore.Plan{Seed: 1, Evaluations: runs})
		require.NoError(t, err, name)
		assert.Positive(t, f.Total, name)
		t.Logf("%s: %s after %d runs", name, f.Total, r.Evaluations)
	}
}
