package watch_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/model/trace"
	"rtsim/model/watch"
	"rtsim/sim"
)

// The planted system: A and B (10 and 20) come to CPU 0, C (30) to CPU 1, F is fair. S and W pin
// who holds them, M is a mutex, R is raw.
const (
	a int32 = iota
	b
	c
	f
)

const (
	lockS int32 = iota
	lockW
	lockM
	lockR
)

func planted() watch.System {
	return watch.System{CPUs: 2, SwitchMax: 3,
		Tasks: []watch.Task{{"A", 10, 0}, {"B", 20, 0}, {"C", 30, 1}, {"F", 0, 1}},
		Locks: []watch.Lock{{"S", true}, {"W", true}, {"M", false}, {"R", false}}}
}

// One happening each, at time 0 and on CPU 0 unless at and on say otherwise.

func is(kind trace.Kind, task, a, b int32) trace.Record {
	return trace.Record{Kind: kind, Task: task, A: a, B: b}
}

func at(ns int, r trace.Record) trace.Record {
	r.At = sim.Time(ns)
	return r
}

func on(cpu int16, r trace.Record) trace.Record {
	r.CPU = cpu
	return r
}

func wakes(task int32) trace.Record        { return is(trace.SchedWakeup, task, -1, 0) }
func runs(task, after int32) trace.Record  { return is(trace.SchedSwitch, task, after, 0) }
func sleeps(task int32) trace.Record       { return is(trace.TaskSleep, task, 0, 0) }
func takes(task, l int32) trace.Record     { return is(trace.LockAcquired, task, l, 0) }
func reads(task, l int32) trace.Record     { return is(trace.LockAcquired, task, l, 1) }
func releases(task, l int32) trace.Record  { return is(trace.LockReleased, task, l, 0) }
func queues(task, l, p int32) trace.Record { return is(trace.WaiterQueued, task, l, p) }
func leaves(task, l int32) trace.Record    { return is(trace.WaiterLeft, task, l, 0) }
func boosted(task, p int32) trace.Record   { return is(trace.SchedPISetprio, task, 0, p) }
func spins(task, l, raw int32) trace.Record {
	return is(trace.SpinBegin, task, l, raw)
}
func stops(task, l, raw int32) trace.Record { return is(trace.SpinEnd, task, l, raw) }

// A planted list: every monitor is content with the first records and the one named is not when
// the last one follows.
type row struct {
	monitor string
	first   []trace.Record
	last    trace.Record
	fault   string
}

var rows = []row{
	{"time goes on", list(at(2, wakes(a))), at(1, wakes(c)), "the record before is of 2ns"},

	{"a task on one CPU", list(wakes(a), runs(a, -1)), on(1, runs(a, -1)),
		"A comes to a CPU and is on one"},
	{"a task on one CPU", list(wakes(a)), on(1, runs(a, -1)),
		"A comes to a CPU and is queued on another"},
	{"a task on one CPU", list(wakes(a), runs(a, -1)), runs(-1, b),
		"B leaves a CPU that A is on"},

	{"woken before it runs", list(), runs(a, -1), "A runs and was not woken"},
	{"woken before it runs", list(wakes(a), runs(a, -1), sleeps(a), runs(-1, a)), runs(a, -1),
		"A runs and was not woken"},
	{"woken before it runs", list(wakes(a), runs(a, -1)), wakes(a), "A is woken and was awake"},

	{"the highest runs", list(wakes(a), runs(a, -1)), at(4, wakes(b)), "B waits for A"},
	{"the highest runs", list(), on(1, wakes(f)), "F waits for idle"},
	{"the highest runs", list(wakes(a), runs(a, -1), is(trace.PreemptOff, a, 0, 1),
		at(4, wakes(b))), at(5, is(trace.PreemptOff, a, 0, 0)), "B waits for A"},
	{"the highest runs", list(wakes(a), runs(a, -1), is(trace.IRQOff, a, 0, 1),
		at(4, wakes(b))), at(5, is(trace.IRQOff, a, 0, 0)), "B waits for A"},
	{"the highest runs", list(wakes(a), runs(a, -1), at(4, is(trace.IRQEntry, a, 9, 0)),
		at(4, wakes(b))), at(5, is(trace.IRQExit, a, 9, 0)), "B waits for A"},
	{"the highest runs", list(wakes(a), runs(a, -1), at(4, is(trace.IPI, a, 1, 0)),
		at(4, wakes(b))), at(5, is(trace.IPIArrives, a, 0, 0)), "B waits for A"},
	{"the highest runs", list(wakes(a), runs(a, -1), at(2, wakes(b))), at(3, wakes(c)),
		"B waits for A"},

	{"a pinned task stays", list(wakes(a), takes(a, lockS), is(trace.SchedMigrate, b, 1, 0)),
		on(1, is(trace.SchedMigrate, a, 0, 0)), "A moves and holds a lock that pins it"},
	{"a pinned task stays", list(takes(a, lockM), on(1, is(trace.SchedMigrate, a, 0, 0)),
		reads(a, lockW)), is(trace.SchedMigrate, a, 1, 0), "A moves and holds"},

	{"mutual exclusion", list(takes(a, lockS)), takes(b, lockS), "B takes, past the owner of S"},
	{"mutual exclusion", list(reads(a, lockW), reads(b, lockW),
		is(trace.LockAcquired, c, lockW, trace.ModeMutex)), takes(c, lockW),
		"C writes, past the readers of W"},
	{"mutual exclusion", list(is(trace.LockAcquired, c, lockW, trace.ModeMutex)),
		reads(a, lockW), "A reads, past the owner of W"},
	{"mutual exclusion", list(takes(a, lockS)), releases(b, lockS),
		"B releases, and is not the owner of S"},
	{"mutual exclusion", list(), is(trace.LockReleased, a, lockW, trace.ModeRead),
		"A stops reading, and nobody reads W"},

	{"effective priority", list(takes(a, lockS)), queues(b, lockS, 20),
		"A is below a waiter of its lock"},
	{"effective priority", list(takes(a, lockS), queues(b, lockS, 20), boosted(a, 20),
		releases(a, lockS), boosted(a, 10), wakes(b)), boosted(a, 20),
		"A is above its own and its waiters' priority"},
	{"effective priority", list(), is(trace.SetPriority, a, 10, 40),
		"A is below a waiter of its lock"},

	{"no lost wake-up", list(takes(a, lockS), queues(b, lockS, 5)), releases(a, lockS),
		"B sleeps, and nobody owns S"},
	{"no lost wake-up", list(wakes(b), queues(b, lockS, 20)), queues(c, lockS, 30),
		"C sleeps, and nobody owns S"},

	{"no lateral steal", list(wakes(b), queues(b, lockS, 20), is(trace.SetPriority, a, 10, 20),
		boosted(a, 20)), takes(a, lockS), "A takes S before B"},
	{"no lateral steal", list(wakes(c), queues(c, lockM, 0)), takes(f, lockM),
		"F takes M before C"},

	{"spins for a reason", list(wakes(a), runs(a, -1), takes(a, lockS), on(1, wakes(c)),
		on(1, runs(c, -1)), queues(c, lockS, 10), spins(c, lockS, 0)), at(4, runs(-1, a)),
		"C spins and nobody on a CPU owns S"},
	{"spins for a reason", list(wakes(a), runs(a, -1), takes(a, lockS), on(1, wakes(c)),
		on(1, runs(c, -1)), queues(c, lockS, 5), spins(c, lockS, 0)), at(4, queues(b, lockS, 10)),
		"C spins and is not the top waiter of S"},

	{"raw locks in order", list(takes(a, lockR), spins(b, lockR, 1), spins(c, lockR, 1),
		releases(a, lockR)), stops(c, lockR, 1), "C has R before its turn"},
	{"raw locks in order", list(takes(a, lockR), spins(b, lockR, 1), releases(a, lockR),
		stops(b, lockR, 1), takes(b, lockR), spins(c, lockR, 1), releases(b, lockR)),
		takes(a, lockR), "A takes R past who spins for it"},
}

func list(records ...trace.Record) []trace.Record { return records }

func TestMonitorsFindWhatIsPlanted(t *testing.T) {
	// Look at the fault: the last record of the row makes it, the ones before are in order.
	seen := map[string]bool{}
	for _, row := range rows {
		seen[row.monitor] = true
		t.Run(row.monitor+"/"+row.fault, func(t *testing.T) {
			assert.Empty(t, faultOf(named(t, row.monitor), row.first))
			got := faultOf(named(t, row.monitor), append(row.first, row.last))
			assert.Contains(t, got, row.monitor+": "+row.fault)
		})
	}
	for _, m := range watch.Monitors {
		assert.True(t, seen[m.Name], "nothing is planted for %q", m.Name)
	}
}

func named(t *testing.T, name string) *watch.Monitor {
	for _, m := range watch.Monitors {
		if m.Name == name {
			return m
		}
	}
	require.Fail(t, "no monitor is named "+name)
	return nil
}

func faultOf(m *watch.Monitor, records []trace.Record) string {
	s := watch.Of(planted(), m)
	for i := range records {
		s.Observe(&records[i])
	}
	s.Settle()
	return s.Fault()
}

func TestMonitorsWaitForTheEndOfAnInstant(t *testing.T) {
	// Look at the time of the fault: B's wake-up at 5 ns is in order while its CPU switches to it
	// at 5 ns; it is a fault of that instant, not of the next record's, if it does not.
	records := list(wakes(a), runs(a, -1), at(5, wakes(b)), at(5, runs(b, a)), at(9, sleeps(b)),
		at(9, runs(a, b)))
	assert.Empty(t, faultOf(named(t, "the highest runs"), records))
	missing := append(append([]trace.Record{}, records[:3]...), records[4:]...)
	assert.Equal(t, "5ns: the highest runs: B waits for A",
		faultOf(named(t, "the highest runs"), missing))
}

func TestMonitorsAllowWhatTheRulesAllow(t *testing.T) {
	// Look at the rule: each list is odd, and right.
	all := func(s watch.System, records ...trace.Record) string {
		set := watch.All(s)
		for i := range records {
			set.Observe(&records[i])
		}
		set.Settle()
		return set.Fault()
	}
	fair := func(task int32) trace.Record { return on(1, wakes(task)) }
	assert.Empty(t, all(planted(), fair(f), on(1, runs(f, -1)), wakes(b), runs(b, -1),
		is(trace.SetPriority, b, 20, 20), queues(f, lockS, 0), leaves(f, lockS),
		takes(f, lockS)), "R2.8: the top waiter takes what is offered")
	assert.Empty(t, all(planted(), wakes(a), runs(a, -1), wakes(b), queues(a, lockS, 10),
		runs(b, a), takes(b, lockS)), "R2.8: strictly higher priority steals")
	server := planted()
	server.FairServers = 2
	assert.Empty(t, all(server, fair(f), on(1, runs(f, -1)), at(9, on(1, wakes(c)))),
		"R1.21: a fair server's task goes first")
}
