package scenarios

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
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
		CPU      *int16 `json:"cpu"`
		Name     string `json:"name"`
		Priority int64  `json:"rt_priority"`
	} `json:"args"`
}

// ns is a time of the file, which has three decimals.
func ns(us float64) int64 { return int64(math.Round(us * 1000)) }

// run is a stretch of a task on a CPU.
type run struct {
	from, to, pid int64
	cpu           int16
}

// chromeTrack is a thread of the file.
type chromeTrack struct {
	process int
	thread  int64
}

// The processes of the file that hold what is compared.
const (
	chromeWaits = 2
	chromeLocks = 3
)

// chromeFile is a file taken apart: where tasks ran, what they waited for and who had locks, and
// the effective priorities. Slices must nest, and each arrow have two ends at most.
type chromeFile struct {
	t      *testing.T
	runs   []run
	spans  []span
	values []span
	names  map[chromeTrack]string
	open   map[chromeTrack][]span // the innermost last
	arrows map[int]string
}

func chromeOf(t *testing.T, r recorded) *chromeFile {
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
	f := &chromeFile{t: t, names: map[chromeTrack]string{}, open: map[chromeTrack][]span{},
		arrows: map[int]string{}}
	for i := range file.Events {
		f.take(&file.Events[i])
	}
	for id, ends := range f.arrows {
		require.Contains(t, []string{"s", "sf"}, ends, "arrow %d", id)
	}
	return f
}

func (f *chromeFile) take(e *chromeEvent) {
	track, at := chromeTrack{e.Process, e.Thread}, ns(e.At)
	switch e.Phase {
	case "M":
		if e.Name == "thread_name" {
			f.names[track] = e.Args.Name
		}
	case "B":
		f.open[track] = append(f.open[track], span{name: e.Name, from: at})
	case "E":
		last := len(f.open[track]) - 1
		require.GreaterOrEqual(f.t, last, 0, "an end too many")
		s := f.open[track][last]
		f.open[track], s.to = f.open[track][:last], at
		switch name := f.names[track]; e.Process {
		case chromeWaits:
			s.track = "waits of " + name
			f.spans = append(f.spans, s)
		case chromeLocks:
			s.track = name
			f.spans = append(f.spans, s)
		}
	case "s", "f":
		f.arrows[e.ID] += e.Phase
	case "C":
		f.values = append(f.values, span{track: e.Name, from: at, to: at, value: e.Args.Priority})
	case "T":
		if e.Name == "Running" {
			f.runs = append(f.runs, run{at, ns(e.At + e.Length), e.Thread, *e.Args.CPU})
		}
	}
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

// chromeSpans are those of the slices that the records say that this format has: what tasks wait
// for, and who has locks. There a writer of an rwlock has one slice from its rtmutex on.
func chromeSpans(x *expected) []span {
	const waiting = ", waiting for readers"
	var all []span
	begun := map[string]int64{} // by lock: the rtmutex of its writer
	for _, s := range x.spans {
		isLock := slices.Contains(x.r.names.Locks, s.track)
		switch {
		case isLock && strings.HasSuffix(s.name, waiting):
			begun[s.track] = s.from
			continue
		case isLock:
			if from, ok := begun[s.track]; ok {
				s.from = from
				delete(begun, s.track)
			}
		case !strings.HasPrefix(s.track, "waits of "):
			continue
		}
		all = append(all, s)
	}
	return all
}

// Look at who ran where from when to when, what tasks waited for, who had which lock, and the
// effective priorities: the file says what the records do, of every workload that is drawn
// anywhere and of every design, to the nanosecond.
func TestChromeSaysTheRecords(t *testing.T) {
	byRun := func(a, b run) int {
		return slices.Compare([]int64{a.from, int64(a.cpu)}, []int64{b.from, int64(b.cpu)})
	}
	waits, locks := 0, 0
	check := func(name string, r recorded) {
		found, x := chromeOf(t, r), expect(r)
		want := runsOf(r)
		slices.SortFunc(want, byRun)
		slices.SortFunc(found.runs, byRun)
		requireSame(t, name, want, found.runs)
		spans := chromeSpans(x)
		slices.SortFunc(spans, bySpan)
		slices.SortFunc(found.spans, bySpan)
		requireSame(t, name+": waits and locks", spans, found.spans)
		slices.SortFunc(x.values, bySpan)
		slices.SortFunc(found.values, bySpan)
		requireSame(t, name+": priorities", x.values, found.values)
		for _, s := range spans {
			if strings.HasPrefix(s.track, "waits of ") {
				waits++
			} else {
				locks++
			}
		}
	}
	eachWorkload(t, check)
	for _, d := range designs.Bare() {
		check(d.Variant, recordedDesign(t, d))
	}
	require.Greater(t, waits, 100)
	require.Greater(t, locks, 1000)
}
