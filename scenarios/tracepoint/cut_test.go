package tracepoint_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"rtsim/model/trace"
	"rtsim/scenarios/tracepoint"
	"rtsim/sim"
)

// names are two tasks on one CPU, and a lock.
var names = &trace.Names{CPUs: 1, Locks: []string{"S"},
	Tasks: []trace.TaskName{{Name: "L", PID: 1, Prio: 10}, {Name: "H", PID: 2, Prio: 30}}}

// inversion is the schedule of the README by hand: L takes S at 0, H comes at 2, boosts it and
// sleeps; L releases at 6, and H runs.
var inversion = []trace.Record{
	{At: 0, Kind: trace.SchedWakeup, Task: 0, A: -1, B: int32(trace.NotYet)},
	{At: 0, Kind: trace.SchedSwitch, Task: 0, A: -1},
	{At: 0, Kind: trace.LockAcquired, Task: 0, A: 0},
	{At: 2, Kind: trace.SchedWakeup, Task: 1, A: -1, B: int32(trace.NotYet)},
	{At: 2, Kind: trace.SchedSwitch, Task: 1, A: 0},
	{At: 2, Kind: trace.WaiterQueued, Task: 1, A: 0, B: 30},
	{At: 2, Kind: trace.SchedPISetprio, Task: 0, A: 10, B: 30},
	{At: 2, Kind: trace.TaskSleep, Task: 1, A: int32(trace.OnLock)},
	{At: 2, Kind: trace.SchedSwitch, Task: 0, A: 1, B: int32(trace.OnLock)},
	{At: 6, Kind: trace.LockReleased, Task: 0, A: 0},
	{At: 6, Kind: trace.SchedPISetprio, Task: 0, A: 30, B: 10},
	{At: 6, Kind: trace.SchedWakeup, Task: 1, A: 0, B: int32(trace.OnLock)},
	{At: 6, Kind: trace.SchedSwitch, Task: 1, A: 0},
}

// taken cuts one record at a time, so that nothing depends on how they come.
func taken(windows ...tracepoint.Window) []trace.Record {
	c := tracepoint.NewCut(names, windows)
	var all []trace.Record
	for i := range inversion {
		all = append(all, c.Take(inversion[i:i+1])...)
	}
	return all
}

// A window from the beginning to the end has all records and no others.
func TestCutWhole(t *testing.T) {
	assert.Equal(t, inversion, taken(tracepoint.Window{From: 0, To: sim.Never}))
}

// From 4 on: at 4 L is ready, boosted, on the CPU and has S, and H sleeps for it. Then comes what
// comes.
func TestCutBegins(t *testing.T) {
	want := append([]trace.Record{
		{At: 4, Kind: trace.SchedWakeup, Task: 0, A: -1, B: int32(trace.Runnable)},
		{At: 4, Kind: trace.SchedPISetprio, Task: 0, A: 10, B: 30},
		{At: 4, Kind: trace.TaskSleep, Task: 1, A: int32(trace.OnLock)},
		{At: 4, Kind: trace.SchedSwitch, Task: 0, A: -1},
		{At: 4, Kind: trace.LockAcquired, Task: 0, A: 0},
		{At: 4, Kind: trace.WaiterQueued, Task: 1, A: 0, B: 30},
	}, inversion[9:]...)
	assert.Equal(t, want, taken(tracepoint.Window{From: 4, To: 6}))
}

// Between two windows nothing is shown: at the end of the first, at 3, S is given back, nobody
// waits or is boosted, the CPU is idle. The second begins at 5 as one alone would.
func TestCutLeavesAGap(t *testing.T) {
	got := taken(tracepoint.Window{From: 0, To: 3}, tracepoint.Window{From: 5, To: 5})
	want := append(append([]trace.Record(nil), inversion[:9]...),
		trace.Record{At: 3, Kind: trace.LockReleased, Task: 0, A: 0},
		trace.Record{At: 3, Kind: trace.SchedPISetprio, Task: 0, A: 30, B: 10},
		trace.Record{At: 3, Kind: trace.WaiterLeft, Task: 1, A: 0, B: 30},
		trace.Record{At: 3, Kind: trace.SchedSwitch, Task: -1, A: 0})
	assert.Equal(t, want, got[:len(want)])
	begin := taken(tracepoint.Window{From: 5, To: 5})
	assert.Equal(t, begin, got[len(want):])
	assert.NotEmpty(t, begin)
}
