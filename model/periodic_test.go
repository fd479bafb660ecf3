package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios"
	"rtsim/sim"
)

const (
	periodicTasks = 20
	periodicCPUs  = 4
)

// periodOf and costOf are those of periodic task i: (i+1) ms and 0.12 of it.
func periodOf(i int) sim.Time { return sim.Time(i+1) * sim.Millisecond }
func costOf(i int) sim.Time   { return periodOf(i) * 12 / 100 }

// firstRelease is that of all tasks: each does one every at its arrival at 0, which ends at once,
// and its second sleeps until here.
const firstRelease = 10 * sim.Millisecond

// periodic is 20 rate-monotonic tasks on 4 CPUs; each release may be late by up to a jitter.
func periodic(jitter sim.Time) *model.Workload {
	w := &model.Workload{CPUs: periodicCPUs, Until: sim.Never}
	for i := range periodicTasks {
		cpu := i % periodicCPUs
		w.Tasks = append(w.Tasks, model.TaskDecl{Name: string(rune('a' + i)),
			Priority: int32(50 - i), CPUs: 1 << cpu, FirstCPU: int32(cpu), TimerCPU: int32(cpu),
			Program: []model.Word{
				{Kind: model.WordEvery, Time: firstRelease, Task: -1},
				{Kind: model.WordEvery, Time: periodOf(i), Aux: jitter, Task: -1},
				{Kind: model.WordRun, Time: costOf(i), Task: -1},
				{Kind: model.WordGoto, Arg: 1, Task: -1}}})
	}
	return w
}

// responses measures jobs from release to end while a run lasts.
type responses struct {
	released [periodicTasks]sim.Time
	worst    [periodicTasks]sim.Time
	all      *scenarios.Histogram
	events   int // releases and ends
}

// take reads a batch of records: a release is a sleep's end, a job's end that of word 2, the run.
func (r *responses) take(records []trace.Record) {
	for i := range records {
		rec := &records[i]
		switch {
		case rec.Kind == trace.SchedWakeup && rec.B == int32(trace.InSleep):
			r.released[rec.Task] = rec.At
			r.events++
		case rec.Kind == trace.Word && rec.A == 2:
			response := rec.At - r.released[rec.Task]
			r.worst[rec.Task] = max(r.worst[rec.Task], response)
			r.all.Add(response)
			r.events++
		}
	}
}

// runPeriodic simulates the tasks, from their first release on, with histogram, digest and trace.
func runPeriodic(tb testing.TB, w *model.Workload, costs *model.CostTable,
	duration sim.Time) (*responses, *model.Machine) {
	tb.Helper()
	r := &responses{all: scenarios.NewHistogram(nil)}
	m := model.New(w, costs, 1)
	m.KeepAll()
	end := firstRelease + duration - 1
	for m.Now() < end {
		require.NoError(tb, m.Run(min(end, m.Now()+100*sim.Millisecond)))
		r.take(m.Trace)
		m.Trace = m.Trace[:0]
	}
	return r, m
}

// jittering makes a switch take 1 us, more or less by up to a half.
func jittering() *model.CostTable {
	costs := &model.CostTable{Name: "jittering", JitterPercent: 50}
	for id := range model.FirstDesignCost {
		costs.Ns = append(costs.Ns, 0)
		costs.Names = append(costs.Names, string(rune('a'+id)))
	}
	costs.Ns[model.CostSwitch] = sim.Microsecond
	return costs
}

func BenchmarkPeriodic(b *testing.B) {
	const duration = 100 * sim.Second
	for _, c := range []struct {
		name   string
		jitter sim.Time
		costs  *model.CostTable
	}{{"constant", 0, model.ZeroCosts()}, {"jitter", 100 * sim.Microsecond, jittering()}} {
		b.Run(c.name, func(b *testing.B) {
			events, digest := 0, sim.Digest(0)
			for b.Loop() {
				r, m := runPeriodic(b, periodic(c.jitter), c.costs, duration)
				events, digest = events+r.events, m.Digest()
			}
			b.Logf("digest %v", digest)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
		})
	}
}

// worstResponse is response-time analysis: the least fixed point of the task's cost and those of
// the more frequent tasks of its CPU that are released meanwhile. Source: Joseph and Pandya,
// Finding Response Times in a Real-Time System, 1986.
func worstResponse(i int) sim.Time {
	response := costOf(i)
	for {
		next := costOf(i)
		for j := i - periodicCPUs; j >= 0; j -= periodicCPUs {
			next += (response + periodOf(j) - 1) / periodOf(j) * costOf(j)
		}
		if next == response {
			return response
		}
		response = next
	}
}

// jobsIn is how many jobs are released in a duration, and end in it if the responses are short.
func jobsIn(duration sim.Time) (jobs int) {
	for i := range periodicTasks {
		jobs += int((duration + periodOf(i) - 1) / periodOf(i))
	}
	return jobs
}

func TestPeriodicAgreesWithAnalysis(t *testing.T) {
	// Look at the task: released together, each has its worst response at once, and no later one
	// is worse; three of them were computed by hand. Every job has a release and an end.
	const duration = 840 * sim.Millisecond
	r, m := runPeriodic(t, periodic(0), model.ZeroCosts(), duration)
	for i := range periodicTasks {
		require.Equal(t, worstResponse(i), r.worst[i], "task %d", i)
	}
	require.Equal(t, 480*sim.Microsecond, r.worst[3])
	require.Equal(t, 1440*sim.Microsecond, r.worst[7])
	require.Equal(t, 7680*sim.Microsecond, r.worst[19])
	ended := int(r.all.Count())
	require.Equal(t, jobsIn(duration)+ended, r.events)
	require.InDelta(t, jobsIn(duration), ended, periodicTasks)

	whole := model.New(periodic(0), model.ZeroCosts(), 1)
	require.NoError(t, whole.Run(m.Now()))
	require.Equal(t, whole.Digest(), m.Digest(), "in batches that are kept, or in one piece")
}

func TestPeriodicJitter(t *testing.T) {
	// Look at the task: with random releases and switches each still meets every deadline, and
	// has a worse response than alone.
	const duration = 840 * sim.Millisecond
	r, _ := runPeriodic(t, periodic(100*sim.Microsecond), jittering(), duration)
	for i := range periodicTasks {
		require.Greater(t, r.worst[i], costOf(i), "task %d", i)
		require.Less(t, r.worst[i], periodOf(i), "task %d", i)
	}
	require.InDelta(t, 2*jobsIn(duration), r.events, 2*periodicTasks)
}
