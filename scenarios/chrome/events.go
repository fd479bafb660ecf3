package chrome

import (
	"fmt"

	"rtsim/model/trace"
	"rtsim/scenarios/tracepoint"
	"rtsim/sim"
)

// event shows what a tracepoint says.
func (w *Writer) event(e *tracepoint.Event) {
	r := e.Record
	switch e.Point {
	case tracepoint.SchedSwitch:
		w.switches(r)
	case tracepoint.SchedWaking:
		w.wakes(r)
	case tracepoint.SchedPISetprio:
		w.priority(e.At, r.Task, r.B)
	case tracepoint.IRQEntry:
		w.put(event{Phase: "B", Name: w.names.Sources[r.A], Process: cpus, Thread: int32(r.CPU),
			At: stamp(r.At)})
	case tracepoint.IRQExit:
		w.put(event{Phase: "E", Process: cpus, Thread: int32(r.CPU), At: stamp(r.At)})
	case tracepoint.SendBegin:
		w.put(event{Phase: "B", Name: fmt.Sprintf("send %d", r.A), Process: tasks,
			Thread: w.pid(r.Task), At: stamp(r.At), Args: map[string]any{"late_ns": r.B}})
	case tracepoint.SendEnd:
		w.put(event{Phase: "E", Process: tasks, Thread: w.pid(r.Task), At: stamp(r.At)})
	case tracepoint.LockAcquired, tracepoint.LockRelease:
		w.lock(r)
	case tracepoint.ContentionBegin, tracepoint.ContentionEnd:
		w.wait(r)
	case tracepoint.Mark:
		w.mark(r)
	}
}

func (w *Writer) pid(id int32) int32 { return w.names.Tasks[id].PID }

func (w *Writer) mark(r *trace.Record) {
	switch r.Kind {
	case trace.Handle:
		w.put(event{Phase: "i", Name: "handle", Process: tasks, Thread: w.pid(r.Task),
			At: stamp(r.At), Scope: "t"})
	case trace.SchedWakeup: // ready when the trace begins
		w.turn(r.At, r.Task, "Runnable", r.CPU)
	case trace.WaiterQueued, trace.SpinBegin, trace.SpinEnd:
		w.wait(r)
	case trace.TaskSleep:
		if w.tasks[r.Task].state == "" {
			w.turn(r.At, r.Task, sleepName(trace.Sleep(r.A)), r.CPU)
		}
	}
}

// turn ends the state that a task was in and begins another; "" begins none.
func (w *Writer) turn(at sim.Time, id int32, state string, cpu int16) {
	t := &w.tasks[id]
	if t.state != "" && at > t.since {
		length := stamp(at - t.since)
		args := map[string]any{}
		if t.state == "Running" {
			args["cpu"] = t.cpu
		}
		w.put(event{Phase: "T", Name: t.state, Process: tasks, Thread: w.pid(id),
			At: stamp(t.since), Length: &length, Args: args})
	}
	t.state, t.cpu, t.since = state, cpu, at
}

// sleepName is the state of a task that sleeps, as Perfetto calls it.
func sleepName(why trace.Sleep) string {
	switch why {
	case trace.Runnable:
		return "Runnable (Preempted)"
	case trace.OnLock, trace.OnReaders, trace.InTake:
		return "Uninterruptible Sleep"
	case trace.Exited:
		return "Exit (Dead)"
	}
	return "Sleeping"
}

func (w *Writer) switches(r *trace.Record) {
	if r.A >= 0 {
		w.turn(r.At, r.A, sleepName(trace.Sleep(r.B)), r.CPU)
	}
	if r.Task < 0 {
		return
	}
	w.turn(r.At, r.Task, "Running", r.CPU)
	if t := &w.tasks[r.Task]; t.flow != 0 {
		w.arrow("f", r.At, r.Task, t.flow)
		t.flow = 0
	}
}

// wakes makes a task runnable; an arrow goes from a task that woke it to where it runs.
func (w *Writer) wakes(r *trace.Record) {
	w.turn(r.At, r.Task, "Runnable", r.CPU)
	if r.A >= 0 {
		w.flow++
		w.tasks[r.Task].flow = w.flow
		w.arrow("s", r.At, r.A, w.flow)
	}
}

// arrow begins (s) or ends (f) a flow at an instant of a task's.
func (w *Writer) arrow(phase string, at sim.Time, id int32, flow int) {
	w.put(event{Phase: "i", Name: map[string]string{"s": "wakes", "f": "runs"}[phase],
		Process: tasks, Thread: w.pid(id), At: stamp(at), Scope: "t"})
	w.put(event{Phase: phase, Name: "wake-up", Kind: "wake-up", Process: tasks,
		Thread: w.pid(id), At: stamp(at), ID: flow, Bind: "e"})
}

func (w *Writer) priority(at sim.Time, id, prio int32) {
	name := "priority of " + w.names.Task(id)
	w.put(event{Phase: "C", Name: name, Process: tasks, Thread: w.pid(id), At: stamp(at),
		Args: map[string]any{"rt_priority": prio}})
}

// lock shows the owner. An rwlock's writer has its rtmutex before, in the same slice.
func (w *Writer) lock(r *trace.Record) {
	if r.B == trace.ModeRead {
		return
	}
	e := event{Phase: "E", Process: locks, Thread: r.A, At: stamp(r.At)}
	if r.Kind == trace.LockReleased {
		w.owners[r.A] = -1
		w.put(e)
		return
	}
	if w.owners[r.A] != r.Task {
		w.owners[r.A] = r.Task
		e.Phase, e.Name = "B", w.names.Task(r.Task)
		w.put(e)
	}
}

// wait shows what a task waits or spins for.
func (w *Writer) wait(r *trace.Record) {
	t := &w.tasks[r.Task]
	e := event{Phase: "B", Process: waits, Thread: w.pid(r.Task), At: stamp(r.At)}
	switch r.Kind {
	case trace.WaiterQueued:
		if t.waits {
			return // it is ranked anew
		}
		t.waits = true
		e.Name = "waits for " + w.names.Locks[r.A]
	case trace.SpinBegin:
		e.Name = "polls"
		if r.A >= 0 {
			e.Name = "spins for " + w.names.Locks[r.A]
		}
	case trace.WaiterLeft:
		t.waits = false
		e.Phase = "E"
	default:
		e.Phase = "E"
	}
	w.put(e)
}
