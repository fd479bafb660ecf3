package blame

import (
	"strings"

	"rtsim/model/trace"
	"rtsim/sim"
)

// Stretch says by whose fault a task's time from one instant to another passed. The instants are
// within what the history has, not forgotten and not beyond its last record.
func (h *History) Stretch(task int32, from, to sim.Time) []Part {
	return h.walk(task, from, to, 0)
}

// walk is Stretch below as many others.
func (h *History) walk(task int32, from, to sim.Time, depth int) []Part {
	var parts []Part
	for t := from; t < to; {
		until := to
		p := h.piece(task, t, &until, depth)
		p.Ns = until - t
		parts = join(parts, p)
		t = until
	}
	return parts
}

// piece is what a task's time at an instant passes with, but for its length. until is moved down
// to the piece's end, before anybody else is asked what he did in it.
func (h *History) piece(task int32, t sim.Time, until *sim.Time, depth int) Part {
	s := h.tasks[task].at(t, until)
	switch s.asleep {
	case trace.Runnable:
		if s.waits == none {
			return h.awake(task, &s, t, until, depth)
		}
		l := h.locks[s.waits].at(t, until)
		p := h.awake(task, &s, t, until, depth)
		if l.owner != none || l.top != task {
			return p
		}
		p.Ns = *until - t
		whole := h.on(Handover, s.waits)
		whole.Holder, whole.Because = h.Tasks[task].Name, []Part{p}
		return whole
	case trace.OnLock:
		return h.waits(Blocked, s.sleepsOn, task, t, until, depth)
	case trace.OnReaders: // the last one to leave wakes it
		p := h.on(Blocked, s.sleepsOn)
		h.blame(&p, h.waker(task, t), t, until, depth)
		return p
	}
	return h.asleep(task, &s, t, until, depth)
}

// waits is a task that spins or sleeps for a lock: it waits for the owner, or for the one to whom
// the lock is on its way.
func (h *History) waits(cause string, lock, task int32, t sim.Time, until *sim.Time,
	depth int) Part {
	if lock == none {
		return Part{Cause: cause} // the records do not say for which
	}
	p := h.on(cause, lock)
	l := h.locks[lock].at(t, until)
	switch {
	case l.owner != none:
		h.blame(&p, l.owner, t, until, depth)
	case l.top != none && l.top != task:
		p.Because = h.below(l.top, t, *until, depth)
	default: // a machine's unlock takes time between the release and the wake-up
		if by := h.waker(task, t); by != none {
			p.Because = h.below(by, t, *until, depth)
		}
	}
	return p
}

// on is a piece that passes because of a lock: what the kernel calls it, and which of several.
func (h *History) on(cause string, lock int32) Part {
	name, of, _ := strings.Cut(h.Locks[lock], " ")
	return Part{Cause: cause, Object: name, Of: of}
}

// asleep is a task that sleeps, and not for a lock: it waits for its wake-up.
func (h *History) asleep(task int32, s *taskState, t sim.Time, until *sim.Time, depth int) Part {
	by := s.claimed
	if s.asleep == trace.InSleep {
		by = none
	} else if by == none {
		by = h.waker(task, t)
	}
	if by == none || by == task {
		p := h.runs(s)
		switch s.asleep {
		case trace.NotYet:
			p.Why = "not there yet"
		case trace.Exited:
			p.Why = "gone"
		default:
			p.Why = "asleep"
		}
		return p
	}
	return h.claimedBy(by, t, until, depth)
}

// claimedBy is a wake-up that somebody has taken on himself.
func (h *History) claimedBy(by int32, t sim.Time, until *sim.Time, depth int) Part {
	p := Part{Cause: Claimed}
	h.blame(&p, by, t, until, depth)
	return p
}

// awaited is a task's time until a wake-up that others had been left with: whoever has claimed it
// is to blame, whether the task sleeps or was woken for nothing meanwhile.
func (h *History) awaited(task int32, from, to sim.Time) []Part {
	var parts []Part
	for t := from; t < to; {
		until := to
		var p Part
		if by := h.tasks[task].at(t, &until).claimed; by != none && by != task {
			p = h.claimedBy(by, t, &until, 0)
		} else {
			p = h.piece(task, t, &until, 0)
		}
		p.Ns = until - t
		parts = join(parts, p)
		t = until
	}
	return parts
}

// blame names who is waited for, with his priority, and what he did meanwhile.
func (h *History) blame(p *Part, holder int32, t sim.Time, until *sim.Time, depth int) {
	if holder == none {
		return
	}
	s := h.tasks[holder].at(t, until)
	p.Holder, p.HolderPriority = h.Tasks[holder].Name, s.prio
	p.Boosted = s.prio > s.own
	p.Because = h.below(holder, t, *until, depth)
}

// below is what somebody did meanwhile.
func (h *History) below(task int32, from, to sim.Time, depth int) []Part {
	if depth >= len(h.Tasks) {
		return nil // each waits for the next, in a circle: records of a deadlock
	}
	return h.walk(task, from, to, depth+1)
}

// waker is who ends the sleep that a task is in: none is an interrupt, or nobody so far.
func (h *History) waker(task int32, t sim.Time) int32 {
	l := &h.tasks[task]
	for i := l.index(t); i < len(l.values); i++ {
		if l.values[i].asleep == trace.Runnable {
			return l.values[i].by
		}
	}
	return none
}

// awake is a task that is on a CPU or ready.
func (h *History) awake(task int32, s *taskState, t sim.Time, until *sim.Time, depth int) Part {
	if !s.onCPU {
		return h.ready(s, t, until)
	}
	c := &h.cpus[s.cpu]
	move, irq := c.moving.at(t, until), c.irq.at(t, until)
	switch {
	case move == leavesIdle:
		return Part{Cause: IdleExit, CPU: cpuOf(s)}
	case move == switches:
		return Part{Cause: Runs, Step: contextSwitch}
	case irq != none:
		return h.interrupted(irq, s)
	case s.spins == spinsOnWord:
		return Part{Cause: Spins, Object: queueWord}
	case s.spins != none:
		return h.waits(Spins, s.spins, task, t, until, depth)
	case s.unlinked != none && s.unlinked != task:
		p := Part{Cause: Spins, Object: workList}
		h.blame(&p, s.unlinked, t, until, depth)
		return p
	}
	return h.runs(s)
}

// What is spun for and is no lock.
const (
	queueWord = "word"      // that a poller in user space reads
	workList  = "work list" // of a ring, whose oldest item is not linked yet
)

// contextSwitch is the step of a task that its CPU is switching to.
const contextSwitch = "context_switch"

// ready is a task that waits for its CPU. It is preempted by whoever is there, unless he is to go
// as soon as an interrupt comes that is on its way.
func (h *History) ready(s *taskState, t sim.Time, until *sim.Time) Part {
	c := &h.cpus[s.cpu]
	curr, move, irq := c.curr.at(t, until), c.moving.at(t, until), c.irq.at(t, until)
	comes := c.ipi.at(t, until)
	var other taskState
	if curr != none {
		other = h.tasks[curr].at(t, until)
	}
	goes := curr == none || other.prio < s.prio
	switch {
	case irq != none && !(comes && goes && h.isIPI(irq)):
		return h.interrupted(irq, s)
	case comes && goes:
		return Part{Cause: IPI, CPU: cpuOf(s)}
	case curr == none:
		return Part{Cause: IdleExit, CPU: cpuOf(s)} // it is just going idle, or about to leave it
	}
	p := Part{Cause: Preempted, By: h.Tasks[curr].Name, ByPriority: other.prio, CPU: cpuOf(s)}
	switch {
	case !goes:
	case move != settled:
		p.Why = "being switched to"
	case other.irqOff:
		p.Why = "interrupts off"
	case other.preemptOff:
		p.Why = "preemption off"
	}
	return p
}

func (h *History) isIPI(source int32) bool {
	return int(source) < len(h.Sources) && h.Sources[source] == trace.RescheduleIPI
}

func (h *History) interrupted(source int32, s *taskState) Part {
	p := Part{Cause: IRQ, CPU: cpuOf(s)}
	if int(source) < len(h.Sources) {
		p.Object = h.Sources[source]
	}
	return p
}

func (h *History) runs(s *taskState) Part {
	p := Part{Cause: Runs}
	if s.step != none && int(s.step) < len(h.Steps) {
		p.Step, p.Path = h.Steps[s.step].Text, h.Steps[s.step].Path
	}
	return p
}

func cpuOf(s *taskState) *int32 {
	c := int32(s.cpu)
	return &c
}
