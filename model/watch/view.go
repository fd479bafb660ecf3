package watch

import (
	"slices"

	"rtsim/model/trace"
	"rtsim/sim"
)

// none is an absent task or lock.
const none = -1

// view is the system as the records up to now tell it.
type view struct {
	System
	now   sim.Time
	tasks []task
	cpus  []cpu
	locks []lock
}

type task struct {
	cpu        int32
	prio       int32 // effective
	normal     int32
	rank       int32 // among the waiters it is in, as recorded: it may lag behind prio (R2.5)
	pins       int32 // locks it holds that pin it
	spinsOn    int32 // adaptively, also while it is preempted
	queued     bool  // on a run queue, or running
	onCPU      bool
	preemptOff bool
	irqOff     bool
}

type cpu struct {
	curr     int32
	handler  bool
	ipi      bool // one is on its way
	switched bool // at the time below
	since    sim.Time
}

type lock struct {
	owner    int32 // of the rtmutex or raw lock
	readers  int32
	writing  bool    // an rwlock's owner is in
	waiters  []int32 // by rank, then first come
	spinners []int32 // of a raw lock, in the order of arrival
	topLeft  int32   // who was the top waiter and left just now
	granted  int32   // who stopped to spin for the raw lock just now
}

func newView(s System) view {
	v := view{System: s, cpus: make([]cpu, s.CPUs)}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		v.tasks = append(v.tasks, task{cpu: t.CPU, prio: t.Prio, normal: t.Prio, spinsOn: none})
	}
	for c := range v.cpus {
		v.cpus[c].curr = none
	}
	return v
}

// lock is a lock's state; locks come into being when a record first names them.
func (v *view) lock(l int32) *lock {
	for int32(len(v.locks)) <= l {
		v.locks = append(v.locks, lock{owner: none, topLeft: none, granted: none})
	}
	return &v.locks[l]
}

func (v *view) taskName(id int32) string {
	if id < 0 {
		return "idle"
	}
	return v.Tasks[id].Name
}

func (v *view) lockName(l int32) string {
	if int(l) < len(v.Locks) {
		return v.Locks[l].Name
	}
	return "an internal lock"
}

// isMutex says whether a lock is known and pins nobody.
func (v *view) isMutex(l int32) bool { return int(l) < len(v.Locks) && !v.Locks[l].Pins }

// take brings the view up to date.
func (v *view) take(r *trace.Record) {
	v.now = r.At
	switch r.Kind {
	case trace.SchedSwitch:
		v.takeSwitch(r)
	case trace.SchedWakeup:
		v.tasks[r.Task].cpu, v.tasks[r.Task].queued = int32(r.CPU), true
	case trace.SchedMigrate:
		v.tasks[r.Task].cpu = int32(r.CPU)
	case trace.TaskSleep:
		v.tasks[r.Task].queued = false
	case trace.SchedPISetprio:
		v.tasks[r.Task].prio = r.B
	case trace.SetPriority:
		v.tasks[r.Task].normal = r.B
	case trace.PreemptOff:
		v.tasks[r.Task].preemptOff = r.B == 1
	case trace.IRQOff:
		v.tasks[r.Task].irqOff = r.B == 1
	case trace.IRQEntry, trace.IRQExit:
		v.cpus[r.CPU].handler = r.Kind == trace.IRQEntry
	case trace.IPI, trace.IPIArrives:
		v.cpus[r.CPU].ipi = r.Kind == trace.IPI
	default:
		v.takeLock(r)
	}
}

func (v *view) takeSwitch(r *trace.Record) {
	c := &v.cpus[r.CPU]
	if c.curr != none {
		v.tasks[c.curr].onCPU = false
	}
	c.curr, c.switched, c.since = r.Task, true, r.At
	if r.Task != none {
		v.tasks[r.Task].onCPU = true
	}
}

// takeLock is the part about locks.
func (v *view) takeLock(r *trace.Record) {
	if r.A < 0 {
		return // a task polls a word
	}
	switch r.Kind {
	case trace.WaiterQueued:
		v.leave(r.A, r.Task)
		v.join(r.A, r.Task, r.B)
	case trace.WaiterLeft:
		v.lock(r.A).topLeft = none
		if w := v.lock(r.A).waiters; len(w) > 0 && w[0] == r.Task {
			v.lock(r.A).topLeft = r.Task
		}
		v.leave(r.A, r.Task)
	case trace.LockAcquired:
		v.acquired(r)
	case trace.LockReleased:
		v.released(r)
	case trace.SpinBegin:
		if r.B == 1 {
			v.lock(r.A).spinners = append(v.lock(r.A).spinners, r.Task)
		} else {
			v.tasks[r.Task].spinsOn = r.A
		}
	case trace.SpinEnd:
		if l := v.lock(r.A); r.B == 1 && len(l.spinners) > 0 {
			l.spinners, l.granted = slices.Delete(l.spinners, 0, 1), r.Task
		}
		v.tasks[r.Task].spinsOn = none
	}
}

// join queues a waiter behind its equals (R2.3).
func (v *view) join(id, waiter, rank int32) {
	l := v.lock(id)
	v.tasks[waiter].rank = rank
	at := 0
	for at < len(l.waiters) && v.tasks[l.waiters[at]].rank >= rank {
		at++
	}
	l.waiters = slices.Insert(l.waiters, at, waiter)
}

func (v *view) leave(id, waiter int32) {
	l := v.lock(id)
	if at := slices.Index(l.waiters, waiter); at >= 0 {
		l.waiters = slices.Delete(l.waiters, at, at+1)
	}
}

func (v *view) acquired(r *trace.Record) {
	l := v.lock(r.A)
	switch r.B {
	case trace.ModeRead:
		l.readers++
	case trace.ModeMutex:
		l.owner = r.Task
	default:
		l.owner, l.writing = r.Task, true
	}
	l.topLeft, l.granted = none, none
	v.pin(r, 1)
}

func (v *view) released(r *trace.Record) {
	l := v.lock(r.A)
	if r.B == trace.ModeRead {
		l.readers--
	} else {
		l.owner, l.writing = none, false
	}
	v.pin(r, -1)
}

func (v *view) pin(r *trace.Record, by int32) {
	if int(r.A) < len(v.Locks) && v.Locks[r.A].Pins && r.B != trace.ModeMutex {
		v.tasks[r.Task].pins += by
	}
}

// canReschedule says whether nothing keeps a CPU from running the highest task.
func (v *view) canReschedule(c *cpu) bool {
	if c.handler || c.ipi || c.switched && v.now < c.since+v.SwitchMax {
		return false
	}
	return c.curr == none || !v.tasks[c.curr].preemptOff && !v.tasks[c.curr].irqOff
}
