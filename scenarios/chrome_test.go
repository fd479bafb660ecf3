package scenarios

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model/trace"
	"rtsim/scenarios/chrome"
)

// chromeEvent is one event of the file.
type chromeEvent struct {
	Phase   string  `json:"ph"`
	Name    string  `json:"name"`
	Process int     `json:"pid"`
	Thread  int64   `json:"tid"`
	At      float64 `json:"ts"`
	Length  float64 `json:"dur"`
	ID      int     `json:"id"`
	Args    struct {
		CPU *int16 `json:"cpu"`
	} `json:"args"`
}

// ns is a time of the file, which has three decimals.
func ns(us float64) int64 { return int64(math.Round(us * 1000)) }

// run is a stretch of a task on a CPU.
type run struct {
	from, to, pid int64
	cpu           int16
}

// chromeRuns takes a file apart: where tasks ran. Slices must nest, and each arrow have two ends
// at most.
func chromeRuns(t *testing.T, r recorded) []run {
	t.Helper()
	var b bytes.Buffer
	w := chrome.NewWriter(&b, r.names, nil)
	require.NoError(t, w.Add(r.records))
	require.NoError(t, w.Close())
	var file struct {
		Unit   string        `json:"displayTimeUnit"`
		Events []chromeEvent `json:"traceEvents"`
	}
	require.NoError(t, json.Unmarshal(b.Bytes(), &file))
	require.Equal(t, "ns", file.Unit)
	type track struct {
		process int
		thread  int64
	}
	open, arrows := map[track]int{}, map[int]string{}
	var runs []run
	for _, e := range file.Events {
		switch e.Phase {
		case "B":
			open[track{e.Process, e.Thread}]++
		case "E":
			open[track{e.Process, e.Thread}]--
			require.GreaterOrEqual(t, open[track{e.Process, e.Thread}], 0, "an end too many")
		case "s", "f":
			arrows[e.ID] += e.Phase
		case "T":
			if e.Name == "Running" {
				runs = append(runs, run{ns(e.At), ns(e.At + e.Length), e.Thread, *e.Args.CPU})
			}
		}
	}
	for id, ends := range arrows {
		require.Contains(t, []string{"s", "sf"}, ends, "arrow %d", id)
	}
	return runs
}

// runsOf are the stretches that the switches say; what has no length is in no file.
func runsOf(r recorded) []run {
	var runs []run
	since := map[int16]run{}
	cut := func(cpu int16, at int64) {
		if s, ok := since[cpu]; ok && at > s.from {
			s.to = at
			runs = append(runs, s)
		}
		delete(since, cpu)
	}
	last := int64(0)
	for _, rec := range r.records {
		last = int64(rec.At)
		if rec.Kind == trace.SchedSwitch {
			cut(rec.CPU, last)
			if rec.Task >= 0 {
				since[rec.CPU] = run{from: last, pid: r.pidOf(rec.Task), cpu: rec.CPU}
			}
		}
	}
	for cpu := range int16(r.names.CPUs) {
		cut(cpu, last)
	}
	return runs
}

// Look at who ran where from when to when: the file's states are the records' switches, of every
// workload that is drawn anywhere and of every design, to the nanosecond.
func TestChromeSaysTheRecords(t *testing.T) {
	byRun := func(a, b run) int {
		return slices.Compare([]int64{a.from, int64(a.cpu)}, []int64{b.from, int64(b.cpu)})
	}
	check := func(name string, r recorded) {
		want, found := runsOf(r), chromeRuns(t, r)
		slices.SortFunc(want, byRun)
		slices.SortFunc(found, byRun)
		requireSame(t, name, want, found)
	}
	eachWorkload(t, check)
	for _, d := range designs.Bare() {
		check(d.Variant, recordedDesign(t, d))
	}
}
