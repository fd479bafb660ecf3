package scenarios_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/model"
	"rtsim/scenarios"
	"rtsim/scenarios/file"
)

// machineSchedule runs a workload file on the machine, in the naive scheduler's shape.
func machineSchedule(t *testing.T, text string) naiveSchedule {
	t.Helper()
	f, err := file.Read("random.yaml", []byte(text))
	require.NoError(t, err, text)
	m, err := scenarios.RunWorkload(&f.Workload, model.ZeroCosts(), 1)
	if errors.Is(err, model.ErrDeadlock) {
		return naiveSchedule{Deadlock: []string{"deadlock"}}
	}
	require.NoError(t, err, text)
	got := scenarios.ScheduleOf(&f.Workload, m)
	data, err := json.Marshal(got)
	require.NoError(t, err)
	var s naiveSchedule
	require.NoError(t, json.Unmarshal(data, &s))
	return s
}

func TestMachineRunsTheCases(t *testing.T) {
	// Look at the case's own comment: it derives the schedule by hand.
	files, err := filepath.Glob("testdata/cases*/*.yaml")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 25)
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			expect, err := os.ReadFile(strings.TrimSuffix(path, ".yaml") + ".expect.json")
			require.NoError(t, err)
			var want naiveSchedule
			require.NoError(t, json.Unmarshal(expect, &want))
			require.Equal(t, want, machineSchedule(t, string(text)))
		})
	}
}

func TestBothRefuseAFullSemaphore(t *testing.T) {
	// Look at the second post: the count is at its greatest, and neither scheduler wraps it.
	const text = "cpus: 1\nsemaphores: {Q: 2147483646}\ntasks:\n" +
		"  - {name: B, priority: 10, program: \"post Q; run 2ns; post Q\"}\n"
	_, err := naiveRun(text)
	require.ErrorContains(t, err, "counts too far at 2 ns")
	f, err := file.Read("full.yaml", []byte(text))
	require.NoError(t, err)
	_, err = scenarios.RunWorkload(&f.Workload, model.ZeroCosts(), 1)
	require.ErrorIs(t, err, model.ErrSemaphore)
	require.ErrorContains(t, err, "at 2ns: post Q by B")
}

// comparedWorkloads is how many random workloads the two schedulers must agree on.
const comparedWorkloads = 10_000

func TestMachineAgreesWithNaive(t *testing.T) {
	// Look at the workload that is printed: two schedulers that share no code, one event by
	// event, one a nanosecond at a time, give different schedules for it.
	bad := 0
	for seed := int64(1); seed <= comparedWorkloads; seed++ {
		text := randomWorkloadYAML(seed)
		want, err := naiveRun(text)
		require.NoError(t, err, text)
		if want.Deadlock != nil {
			want = naiveSchedule{Deadlock: []string{"deadlock"}}
		}
		got := machineSchedule(t, text)
		if !equalSchedules(want, got) {
			bad++
			if bad <= 3 {
				a, _ := json.Marshal(want)
				b, _ := json.Marshal(got)
				t.Errorf("seed %d\n%s\nnaive   %s\nmachine %s", seed, text, a, b)
			}
		}
	}
	require.Zero(t, bad)
}

func equalSchedules(a, b naiveSchedule) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}
