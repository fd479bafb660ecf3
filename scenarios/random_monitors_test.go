package scenarios_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/model"
	"rtsim/scenarios"
	"rtsim/scenarios/file"
)

func TestMonitorsAreContentWithRandomWorkloads(t *testing.T) {
	// Look at the fault: it names the instant, the monitor and the task; the workload follows.
	const parts = 8
	var counts [parts][]int64
	t.Run("run", func(t *testing.T) {
		for part := range parts {
			t.Run(fmt.Sprint(part), func(t *testing.T) {
				t.Parallel()
				counts[part] = monitorRandomWorkloads(t, int64(part), parts)
			})
		}
	})
	if !countsRules || t.Failed() {
		return
	}
	for rule := range model.NRules {
		fired := int64(0)
		for _, count := range counts {
			fired += count[rule]
		}
		t.Logf("%8d %s", fired, rule)
		assert.GreaterOrEqual(t, fired, int64(100), "%s", rule)
	}
}

// monitorRandomWorkloads runs every parts'th workload, from the part'th on, under all monitors,
// and returns how often each rule acted.
func monitorRandomWorkloads(t *testing.T, part, parts int64) []int64 {
	fired := make([]int64, model.NRules)
	for seed := 1 + part; seed <= monitoredWorkloads; seed += parts {
		text := moreWorkloadYAML(seed)
		f, err := file.Read("random.yaml", []byte(text))
		require.NoError(t, err, text)
		costs := moreCosts(seed)
		m, err := runRandom(&f.Workload, costs)
		if !errors.Is(err, model.ErrDeadlock) {
			require.NoError(t, err, "seed %d\n%s", seed, text)
		}
		fault := scenarios.Watch(&f.Workload, m, costs)
		if !assert.Empty(t, fault, "seed %d, costs %v\n%s", seed, costs, text) {
			return fired
		}
		for rule, n := range m.RulesFired() {
			fired[rule] += n
		}
	}
	return fired
}

// runRandom runs a workload; a broken invariant is an error.
func runRandom(w *model.Workload, costs *model.CostTable) (m *model.Machine, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case model.Broken:
			err = p
		default:
			panic(p)
		}
	}()
	return scenarios.RunWorkload(w, costs, 1)
}
