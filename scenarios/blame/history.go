package blame

import (
	"slices"

	"rtsim/model/trace"
	"rtsim/sim"
)

// none is the absence of a task, a lock, a step.
const none int32 = -1

// spinsOnWord is what a task that polls in user space spins for instead of a lock.
const spinsOnWord int32 = -2

// taskState is what the records say of a task at a time.
type taskState struct {
	asleep   trace.Sleep // Runnable: awake
	by       int32       // awake: who woke it last, none an interrupt
	waits    int32       // lock among whose waiters it is
	sleepsOn int32       // asleep for a lock: which
	spins    int32       // lock it spins for, spinsOnWord
	step     int32
	prio     int32 // effective
	own      int32 // its own priority
	claimed  int32 // who has taken its wake-up on himself
	unlinked int32 // it waits for this task to link the oldest item of its work list
	cpu      int16
	onCPU    bool
	preemptOff,
	irqOff bool
}

// lockState is the same of a lock.
type lockState struct {
	owner int32
	top   int32 // of its waiters; raw: who spins longest
}

// moving is whether a CPU is on the way from one task to another.
type moving uint8

const (
	settled moving = iota
	leavesIdle
	switches
)

// cpuLines is what a CPU is over time.
type cpuLines struct {
	curr   line[int32]
	irq    line[int32] // source of the handler that runs
	moving line[moving]
	ipi    line[bool] // an IPI is on its way here
}

// waiter is one in the queue of a lock.
type waiter struct{ task, rank int32 }

// item is one in the work list of a ring: by whom, and whether he has linked it.
type item struct {
	by     int32
	linked bool
}

// History is what records have told, as far back as it is not forgotten.
type History struct {
	*trace.Names
	now     sim.Time
	tasks   []line[taskState]
	cpus    []cpuLines
	locks   []line[lockState]
	waiters [][]waiter // by lock, in order
	claims  [][]int32  // by task: who has taken its wake-up on himself, oldest first
	work    [][]item   // by task: what its ring's list holds
}

// NewHistory knows of nothing but the names.
func NewHistory(s *trace.Names) *History {
	h := &History{Names: s, waiters: make([][]waiter, len(s.Locks)),
		claims: make([][]int32, len(s.Tasks)), work: make([][]item, len(s.Tasks))}
	for i := range s.Tasks {
		h.tasks = append(h.tasks, newLine(taskState{asleep: trace.NotYet, by: none, waits: none,
			sleepsOn: none, spins: none, step: none, prio: s.Tasks[i].Prio,
			own: s.Tasks[i].Prio, claimed: none, unlinked: none}))
	}
	for range s.CPUs {
		h.cpus = append(h.cpus, cpuLines{newLine(none), newLine(none), newLine(settled),
			newLine(false)})
	}
	for range s.Locks {
		h.locks = append(h.locks, newLine(lockState{owner: none, top: none}))
	}
	return h
}

// Forget drops what was over before an instant: nothing before it will be asked.
func (h *History) Forget(before sim.Time) {
	for i := range h.tasks {
		h.tasks[i].forget(before)
	}
	for i := range h.locks {
		h.locks[i].forget(before)
	}
	for i := range h.cpus {
		c := &h.cpus[i]
		c.curr.forget(before)
		c.irq.forget(before)
		c.moving.forget(before)
		c.ipi.forget(before)
	}
}

// Changes is how much is remembered.
func (h *History) Changes() int {
	n := 0
	for i := range h.tasks {
		n += len(h.tasks[i].from)
	}
	for i := range h.locks {
		n += len(h.locks[i].from)
	}
	return n
}

// change changes a task's state now.
func (h *History) change(task int32, do func(*taskState)) { do(h.tasks[task].now(h.now)) }

// Take reads the next record.
func (h *History) Take(r *trace.Record) {
	h.now = r.At
	switch r.Kind {
	case trace.SchedSwitch:
		h.takeSwitch(r)
	case trace.SchedWakeup:
		h.change(r.Task, func(s *taskState) {
			s.asleep, s.by, s.cpu = trace.Runnable, r.A, r.CPU
		})
		if r.A != none {
			h.endClaim(r.Task, r.A)
		}
	case trace.SchedMigrate:
		h.change(r.Task, func(s *taskState) { s.cpu = r.CPU })
	case trace.SchedPISetprio:
		h.change(r.Task, func(s *taskState) { s.prio = r.B })
	case trace.SetPriority:
		h.change(r.Task, func(s *taskState) { s.own = r.B })
	case trace.LockWait:
		h.change(r.Task, func(s *taskState) { s.sleepsOn = r.A })
	case trace.TaskSleep:
		h.change(r.Task, func(s *taskState) { s.asleep = trace.Sleep(r.A) })
	case trace.TaskExit:
		h.change(r.Task, func(s *taskState) { s.asleep = trace.Exited })
	case trace.PreemptOff:
		h.change(r.Task, func(s *taskState) { s.preemptOff = r.B == 1 })
	case trace.IRQOff:
		h.change(r.Task, func(s *taskState) { s.irqOff = r.B == 1 })
	case trace.Step:
		h.change(r.Task, func(s *taskState) { s.step = r.A })
	case trace.SendEnd:
		h.endClaims(r.Task)
	case trace.Event:
		h.takeEvent(r)
	default:
		h.takeCPU(r)
		h.takeLock(r)
	}
}

func (h *History) takeSwitch(r *trace.Record) {
	if r.A != none {
		h.change(r.A, func(s *taskState) { s.onCPU = false })
	}
	if r.Task != none {
		h.change(r.Task, func(s *taskState) { s.onCPU, s.cpu = true, r.CPU })
	}
	h.cpus[r.CPU].curr.set(r.At, r.Task)
}

func (h *History) takeCPU(r *trace.Record) {
	if r.CPU < 0 || int(r.CPU) >= len(h.cpus) {
		return
	}
	c := &h.cpus[r.CPU]
	switch r.Kind {
	case trace.IRQEntry:
		c.irq.set(r.At, r.A)
	case trace.IRQExit:
		c.irq.set(r.At, none)
	case trace.IPI, trace.IPIArrives:
		c.ipi.set(r.At, r.Kind == trace.IPI)
	case trace.Switching: // what follows until its end is known: nothing interrupts it
		c.moving.set(r.At, leavesIdle)
		c.moving.set(r.At+sim.Time(r.A), switches)
		c.moving.set(r.At+sim.Time(r.A)+sim.Time(r.B), settled)
	}
}

// takeLock is about locks.
func (h *History) takeLock(r *trace.Record) {
	switch r.Kind {
	case trace.LockAcquired, trace.LockReleased:
		if r.B == trace.ModeRead {
			return
		}
		h.own(r.A, r.Task, r.Kind == trace.LockAcquired)
	case trace.WaitLock:
		h.own(r.A+int32(len(h.locks)/2), r.Task, r.B == 1)
	case trace.WaiterQueued:
		h.leave(r.A, r.Task)
		h.join(r.A, r.Task, r.B)
		h.change(r.Task, func(s *taskState) { s.waits = r.A })
	case trace.WaiterLeft:
		h.leave(r.A, r.Task)
		h.change(r.Task, func(s *taskState) { s.waits = none })
	case trace.SpinBegin:
		if r.A >= 0 && r.B == 1 {
			h.join(r.A, r.Task, 0)
		}
		h.change(r.Task, func(s *taskState) {
			s.spins = r.A
			if r.A < 0 {
				s.spins = spinsOnWord
			}
		})
	case trace.SpinEnd:
		if r.A >= 0 && r.B == 1 {
			h.leave(r.A, r.Task)
		}
		h.change(r.Task, func(s *taskState) { s.spins = none })
	}
}

func (h *History) own(lock, task int32, takes bool) {
	s := h.locks[lock].last()
	if s.owner = none; takes {
		s.owner = task
	}
	h.locks[lock].set(h.now, s)
}

// join queues a waiter behind those of its rank and above.
func (h *History) join(lock, task, rank int32) {
	w := h.waiters[lock]
	at := 0
	for at < len(w) && w[at].rank >= rank {
		at++
	}
	h.waiters[lock] = slices.Insert(w, at, waiter{task, rank})
	h.setTop(lock)
}

func (h *History) leave(lock, task int32) {
	h.waiters[lock] = slices.DeleteFunc(h.waiters[lock],
		func(w waiter) bool { return w.task == task })
	h.setTop(lock)
}

func (h *History) setTop(lock int32) {
	s := h.locks[lock].last()
	if s.top = none; len(h.waiters[lock]) > 0 {
		s.top = h.waiters[lock][0].task
	}
	h.locks[lock].set(h.now, s)
}
