package tracepoint

import "rtsim/model/trace"

// Stream turns records into events, in order, in memory that does not grow with their number.
//
// A record does not say in whose context it came about where the machine has no use for that. A
// wake-up by an interrupt is held back until the handler's IRQExit, which comes with it in one
// step and names the CPU. A boost is done by the waiter that was queued before it, a deboost by
// the owner itself.
type Stream struct {
	names *trace.Names
	emit  func(*Event)
	tasks []task
	cpus  []cpu
	held  []trace.Record // from an interrupt's wake-up to its IRQExit
	actor int32          // the task on a CPU that was the last to do anything about locks
	event Event
	// submits are the opcodes of the steps that submit a request, "" of the others.
	submits []string
}

type task struct {
	eff    int32 // rt_priority
	cpu    int16
	onCPU  bool
	asleep trace.Sleep
	waits  int32 // lock among whose waiters it is, -1
	step   int32 // it is at, -1
	popped int   // work items since it last found none
}

type cpu struct {
	curr int32
	irqs int
}

// NewStream gives a stream that calls emit for each event; emit must not keep it.
func NewStream(names *trace.Names, emit func(*Event)) *Stream {
	s := &Stream{names: names, emit: emit, actor: -1, cpus: make([]cpu, names.CPUs)}
	for i := range names.Tasks {
		s.tasks = append(s.tasks, task{eff: names.Tasks[i].Prio, waits: -1, step: -1,
			asleep: trace.NotYet})
	}
	for i := range s.cpus {
		s.cpus[i].curr = -1
	}
	for i := range names.Steps {
		s.submits = append(s.submits, opcode(names.Steps[i].Text))
	}
	return s
}

// byInterrupt says whether a record is a wake-up by an interrupt.
func byInterrupt(r *trace.Record) bool {
	return r.Kind == trace.SchedWakeup && r.A < 0 && !trace.Ready(r)
}

// Add takes one record.
func (s *Stream) Add(r *trace.Record) {
	if len(s.held) > 0 && s.held[0].At != r.At {
		s.flush(-1) // of a machine that does not trace its interrupts
	}
	if len(s.held) == 0 && !byInterrupt(r) && r.Kind != trace.BurstDue {
		s.add(r, -1)
		return
	}
	s.held = append(s.held, *r)
	if r.Kind == trace.IRQExit {
		s.flush(r.CPU)
	}
}

// Close gives what is held back.
func (s *Stream) Close() { s.flush(-1) }

// flush gives what is held back, with the CPU of its interrupt, -1 if that is not known.
func (s *Stream) flush(irq int16) {
	for i := range s.held {
		s.add(&s.held[i], irq)
	}
	s.held = s.held[:0]
}

// Prio is the kernel's number of a task's effective priority now.
func (s *Stream) Prio(id int32) int32 {
	if id < 0 {
		return IdlePrio
	}
	return KernelPrio(s.tasks[id].eff, s.names.Tasks[id].Nice)
}

// Current is the task on a CPU, -1 idle.
func (s *Stream) Current(c int16) int32 { return s.cpus[c].curr }

// give emits the event of a record on a CPU.
func (s *Stream) give(p Point, r *trace.Record, c int16) {
	e := &s.event
	e.At, e.CPU, e.Point, e.Record = r.At, c, p, r
	e.Context, e.InIRQ = s.cpus[c].curr, s.cpus[c].irqs > 0 || byInterrupt(r)
	s.emit(e)
}

// add turns one record into its events; irq is the CPU of the interrupt that it came about in, -1
// if it is not known to be of one.
func (s *Stream) add(r *trace.Record, irq int16) {
	s.event = Event{Task: r.Task, Next: -1}
	switch r.Kind {
	case trace.SchedSwitch:
		s.schedSwitch(r)
	case trace.SchedWakeup:
		s.wakeup(r, irq)
	case trace.SchedMigrate:
		s.event.Prio, s.event.From, s.event.Target = s.Prio(r.Task), int16(r.A), r.CPU
		s.tasks[r.Task].cpu = r.CPU
		s.give(SchedMigrate, r, or(irq, r.CPU))
	case trace.SchedPISetprio:
		s.setprio(r)
	case trace.IRQEntry:
		s.give(IRQEntry, r, r.CPU)
		s.cpus[r.CPU].irqs++
	case trace.IRQExit:
		s.give(IRQExit, r, r.CPU)
		s.cpus[r.CPU].irqs = max(s.cpus[r.CPU].irqs-1, 0)
	case trace.IPI:
		s.event.Target = r.CPU
		s.give(IPISend, r, int16(r.A))
	case trace.TaskSleep:
		s.tasks[r.Task].asleep, s.tasks[r.Task].cpu = trace.Sleep(r.A), r.CPU
		s.give(Mark, r, r.CPU)
	default:
		s.lock(r)
	}
}

func or(a, b int16) int16 {
	if a < 0 {
		return b
	}
	return a
}

func (s *Stream) schedSwitch(r *trace.Record) {
	e := &s.event
	e.Task, e.Next, e.State = r.A, r.Task, trace.Sleep(r.B)
	e.Prio, e.NextPrio = s.Prio(e.Task), s.Prio(e.Next)
	s.give(SchedSwitch, r, r.CPU)
	if r.A >= 0 {
		s.tasks[r.A].onCPU = false
	}
	if r.Task >= 0 {
		s.tasks[r.Task].onCPU, s.tasks[r.Task].cpu = true, r.CPU
	}
	s.cpus[r.CPU].curr = r.Task
}

// wakeup is sched_waking and sched_wakeup, both where the waker is: on PREEMPT_RT it does all of
// the wake-up itself.
func (s *Stream) wakeup(r *trace.Record, irq int16) {
	t := &s.tasks[r.Task]
	c := or(irq, r.CPU)
	if r.A >= 0 {
		c = s.tasks[r.A].cpu
	}
	s.event.Prio, s.event.Target = s.Prio(r.Task), r.CPU
	if trace.Ready(r) {
		s.give(Mark, r, c)
	} else {
		s.give(SchedWaking, r, c)
		s.give(SchedWakeup, r, c)
	}
	t.asleep, t.cpu = trace.Runnable, r.CPU
}

func (s *Stream) setprio(r *trace.Record) {
	nice := s.names.Tasks[r.Task].Nice
	s.event.Prio, s.event.NextPrio = KernelPrio(r.A, nice), KernelPrio(r.B, nice)
	by := s.actor
	if r.B < r.A || by < 0 || !s.tasks[by].onCPU {
		by = r.Task
	}
	c := r.CPU
	if s.tasks[by].onCPU {
		c = s.tasks[by].cpu
	}
	s.give(SchedPISetprio, r, c)
	s.tasks[r.Task].eff = r.B
}

// lock turns the records of locks, and what has a tracepoint without further state.
func (s *Stream) lock(r *trace.Record) {
	p := Mark
	switch r.Kind {
	case trace.WaiterQueued:
		t := &s.tasks[r.Task]
		if t.onCPU && t.waits < 0 && r.B == t.eff {
			p = ContentionBegin
		}
		if t.onCPU {
			s.actor = r.Task
		}
		t.waits = r.A
	case trace.WaiterLeft:
		p = ContentionEnd
		s.tasks[r.Task].waits = -1
	case trace.SpinBegin, trace.SpinEnd:
		if r.B == 1 {
			p = ContentionBegin + Point(r.Kind-trace.SpinBegin)
		}
	case trace.LockAcquired, trace.LockReleased:
		p = LockAcquired + Point(r.Kind-trace.LockAcquired)
		s.actor = r.Task
	case trace.IRQOff:
		p = IRQEnable - Point(r.B)
	case trace.PreemptOff:
		p = PreemptEnable - Point(r.B)
	case trace.IPIArrives:
		p = IPIEntry
	case trace.TaskExit:
		p = SchedExit
		s.event.Prio = s.Prio(r.Task)
	case trace.SendBegin:
		p = SendBegin
	case trace.SendEnd:
		p = SendEnd
	}
	s.give(p, r, r.CPU)
	if r.Kind == trace.Step || r.Kind == trace.Event {
		s.uring(r)
	}
}
