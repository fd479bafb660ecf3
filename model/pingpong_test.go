package model_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/sim"
)

// pingPong is two tasks that wake each other, on one CPU or on two, at no cost: what is left is
// the machine's own work. Time passes once a round, by 1 ns, so a run of n ns has n rounds.
func pingPong(cpus int) *model.Workload {
	w := &model.Workload{CPUs: cpus, Until: sim.Never}
	word := func(k model.WordKind, task int32) model.Word { return model.Word{Kind: k, Task: task} }
	run := model.Word{Kind: model.WordRun, Time: 1, Task: -1}
	wait, again := word(model.WordWait, -1), word(model.WordGoto, -1)
	for i, program := range [][]model.Word{
		{run, word(model.WordWake, 1), wait, again},
		{wait, word(model.WordWake, 0), again},
	} {
		cpu := i % cpus
		w.Tasks = append(w.Tasks, model.TaskDecl{Name: string(rune('a' + i)), Priority: 10,
			CPUs: 1 << cpu, FirstCPU: int32(cpu), TimerCPU: int32(cpu), Asleep: i == 1,
			Program: program})
	}
	return w
}

// switchesOf a round: from one task to the other and back; on two CPUs each to and from idle.
func switchesOf(cpus int) int { return 2 * cpus }

func BenchmarkPingPong(b *testing.B) {
	const rounds = 10_000 // an iteration
	for _, cpus := range []int{1, 2} {
		b.Run(fmt.Sprintf("%dcpu", cpus), func(b *testing.B) {
			m := model.New(pingPong(cpus), model.ZeroCosts(), 1)
			require.NoError(b, m.Run(rounds))
			b.Logf("digest %v", m.Digest())
			steps := m.Steps()
			for b.Loop() {
				if err := m.Run(m.Now() + rounds); err != nil {
					b.Fatal(err)
				}
			}
			ns := float64(b.Elapsed().Nanoseconds())
			b.ReportMetric(ns/float64(b.N*rounds*switchesOf(cpus)), "ns/switch")
			b.ReportMetric(ns/float64(m.Steps()-steps), "ns/step")
		})
	}
}

func TestPingPong(t *testing.T) {
	// Look at the counts: every round has two wake-ups and its switches and nothing else, so the
	// benchmark divides by the right number. Before the first, a comes from idle; after the last,
	// a runs.
	const rounds = 10
	for _, cpus := range []int{1, 2} {
		m := model.New(pingPong(cpus), model.ZeroCosts(), 1)
		m.KeepAll()
		require.NoError(t, m.Run(rounds))
		var count [trace.NKinds]int
		for _, r := range m.Trace {
			count[r.Kind]++
		}
		require.Equal(t, 2*rounds+1, count[trace.SchedWakeup], "%d CPUs", cpus)
		require.Equal(t, rounds*switchesOf(cpus)+1, count[trace.SchedSwitch], "%d CPUs", cpus)
	}
}
