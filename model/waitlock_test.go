package model

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/model/trace"
	"rtsim/sim"
)

func TestWaitLockSerialises(t *testing.T) {
	// Look at when the waiters have queued: both meet the owned lock at 10 us, each needs 800 ns
	// under its raw wait_lock, so the second burns its CPU for 800 ns first (R2.17).
	word := func(k WordKind, d sim.Time) Word { return Word{Kind: k, Time: d, Task: -1} }
	taker := func(name string, cpu int32, first, hold sim.Time) TaskDecl {
		return TaskDecl{Name: name, Policy: FIFO, Priority: 20, CPUs: 1 << cpu, FirstCPU: cpu,
			TimerCPU: cpu, Program: []Word{word(WordRun, first), word(WordLock, 0),
				word(WordRun, hold), word(WordUnlock, 0)}}
	}
	const us = sim.Microsecond
	w := &Workload{CPUs: 3, Until: sim.Never, Locks: []LockDecl{{"S", Spin}}, Tasks: []TaskDecl{
		taker("owner", 0, 1*us, 100*us), taker("a", 1, 10*us, us), taker("b", 2, 10*us, us)}}
	costs := &CostTable{Ns: make([]sim.Time, FirstDesignCost)}
	costs.Ns[CostLockSlow] = 800
	m := New(w, costs, 1)
	m.KeepAll()
	require.NoError(t, m.Run(sim.Never))
	queued, spun := map[string]sim.Time{}, sim.Time(0)
	for _, r := range m.Trace {
		name := m.Program().TaskName(r.Task)
		switch {
		case r.Kind == trace.WaiterQueued:
			queued[name] = r.At
		case r.Kind == trace.SpinBegin && r.B == 1:
			require.Equal(t, "b", name)
			spun -= r.At
		case r.Kind == trace.SpinEnd && r.B == 1:
			spun += r.At
		}
	}
	require.Equal(t, map[string]sim.Time{"a": 10*us + 800, "b": 10*us + 1600}, queued)
	require.Equal(t, sim.Time(800), spun)
}
