package tracepoint

import (
	"rtsim/model/trace"
	"rtsim/sim"
)

// Window is a part of a run, both ends included.
type Window struct{ From, To sim.Time }

// Cut passes on the records that lie in windows. At the beginning of each it puts what holds then
// as records of that instant: who is asleep or ready, boosted, on a CPU, holds, waits, sends. At
// the end of each but the last it takes all that back, so that a viewer shows nothing between.
type Cut struct {
	windows []Window // in order, apart from each other
	tasks   []cutTask
	cpus    []cutCPU
	holds   []trace.Record // LockAcquired of locks that are held
	open    bool
	out     []trace.Record
}

type cutTask struct {
	cpu          int16
	asleep       trace.Sleep
	own, eff     int32
	waits, spins trace.Record // the WaiterQueued and SpinBegin that hold; Kind NKinds: none
	sends        trace.Record // the same of SendBegin
	off          [2]int32     // depth of IRQOff and PreemptOff
}

type cutCPU struct {
	curr int32
	irqs []int32 // slots of the handlers that run
}

// NewCut cuts the records of the named tasks and CPUs.
func NewCut(names *trace.Names, windows []Window) *Cut {
	c := &Cut{windows: windows}
	none := trace.Record{Kind: trace.NKinds}
	for i := range names.Tasks {
		p := names.Tasks[i].Prio
		c.tasks = append(c.tasks, cutTask{asleep: trace.NotYet, own: p, eff: p, waits: none,
			spins: none, sends: none})
	}
	for range names.CPUs {
		c.cpus = append(c.cpus, cutCPU{curr: -1})
	}
	return c
}

// Take gives those of the records, and of what is put between them, that lie in windows. They are
// valid until the next call.
func (c *Cut) Take(records []trace.Record) []trace.Record {
	c.out = c.out[:0]
	for i := range records {
		r := &records[i]
		c.advance(r.At)
		if c.open {
			c.out = append(c.out, *r)
		}
		c.follow(r)
	}
	return c.out
}

// End gives what is put at the beginning of a window after the last record, if the run went on
// for so long.
func (c *Cut) End(at sim.Time) []trace.Record {
	c.out = c.out[:0]
	c.advance(at)
	return c.out
}

// Done says whether no record can lie in a window any more.
func (c *Cut) Done() bool { return len(c.windows) == 0 }

// advance opens and closes windows before a record of an instant.
func (c *Cut) advance(at sim.Time) {
	for len(c.windows) > 0 {
		w := c.windows[0]
		switch {
		case !c.open && at >= w.From && w.From > 0:
			c.state(w.From, false)
			c.open = true
		case !c.open && at >= w.From:
			c.open = true // from the beginning on nothing is missing
		case c.open && at > w.To:
			if len(c.windows) > 1 {
				c.state(w.To, true)
			}
			c.open = false
			c.windows = c.windows[1:]
		default:
			return
		}
	}
}

// put appends a record.
func (c *Cut) put(at sim.Time, k trace.Kind, cpu int16, task, a, b int32) {
	c.out = append(c.out, trace.Record{At: at, Kind: k, CPU: cpu, Task: task, A: a, B: b})
}

// state puts what holds, or takes it back.
func (c *Cut) state(at sim.Time, back bool) {
	if !back {
		for id := range c.tasks {
			c.stateTask(at, int32(id))
		}
	}
	for i := range c.cpus {
		cpu := &c.cpus[i]
		if cpu.curr >= 0 && !back {
			c.put(at, trace.SchedSwitch, int16(i), cpu.curr, -1, 0)
		}
		for _, slot := range cpu.irqs {
			c.put(at, trace.IRQEntry+boolKind(back), int16(i), cpu.curr, slot, 0)
		}
	}
	for i := range c.holds {
		h := &c.holds[i]
		c.put(at, trace.LockAcquired+boolKind(back), c.tasks[h.Task].cpu, h.Task, h.A, h.B)
	}
	for id := range c.tasks {
		c.stateLocks(at, int32(id), back)
	}
	for i := range c.cpus {
		if curr := c.cpus[i].curr; curr >= 0 && back {
			c.put(at, trace.SchedSwitch, int16(i), -1, curr, int32(c.tasks[curr].asleep))
		}
	}
}

func boolKind(b bool) trace.Kind {
	if b {
		return 1 // the kinds that end come after those that begin
	}
	return 0
}

// stateTask puts a task's state and priority.
func (c *Cut) stateTask(at sim.Time, id int32) {
	t := &c.tasks[id]
	switch t.asleep {
	case trace.NotYet:
		return
	case trace.Runnable:
		c.put(at, trace.SchedWakeup, t.cpu, id, -1, int32(trace.Runnable))
	default:
		c.put(at, trace.TaskSleep, t.cpu, id, int32(t.asleep), 0)
	}
	if t.eff != t.own {
		c.put(at, trace.SchedPISetprio, t.cpu, id, t.own, t.eff)
	}
}

// stateLocks puts or takes back what a task waits for, where it spins, what it sends and what it
// keeps off.
func (c *Cut) stateLocks(at sim.Time, id int32, back bool) {
	t := &c.tasks[id]
	if t.waits.Kind != trace.NKinds {
		c.put(at, trace.WaiterQueued+boolKind(back), t.cpu, id, t.waits.A, t.waits.B)
	}
	if t.spins.Kind != trace.NKinds {
		c.put(at, trace.SpinBegin+boolKind(back), t.cpu, id, t.spins.A, t.spins.B)
	}
	if t.sends.Kind != trace.NKinds {
		late := min(sim.Time(t.sends.B)+at-t.sends.At, 1<<31-1)
		c.put(at, trace.SendBegin+boolKind(back), t.cpu, id, t.sends.A, int32(late))
	}
	for i, depth := range t.off {
		for range depth {
			c.put(at, trace.IRQOff+trace.Kind(i), t.cpu, id, 0, 1-int32(boolKind(back)))
		}
	}
	if back && t.eff != t.own {
		c.put(at, trace.SchedPISetprio, t.cpu, id, t.eff, t.own)
	}
}

// follow keeps what holds after a record.
func (c *Cut) follow(r *trace.Record) {
	if r.Kind == trace.IRQEntry || r.Kind == trace.IRQExit {
		cpu := &c.cpus[r.CPU]
		if r.Kind == trace.IRQEntry {
			cpu.irqs = append(cpu.irqs, r.A)
		} else if n := len(cpu.irqs); n > 0 {
			cpu.irqs = cpu.irqs[:n-1]
		}
		return
	}
	if r.Kind == trace.SchedSwitch {
		c.cpus[r.CPU].curr = r.Task
	}
	if r.Task < 0 {
		return
	}
	t := &c.tasks[r.Task]
	switch r.Kind {
	case trace.SchedSwitch, trace.SchedMigrate:
		t.cpu = r.CPU
	case trace.SchedWakeup:
		t.cpu, t.asleep = r.CPU, trace.Runnable
	case trace.TaskSleep:
		t.cpu, t.asleep = r.CPU, trace.Sleep(r.A)
	case trace.SchedPISetprio:
		t.eff = r.B
	case trace.SetPriority:
		t.own = r.B
	case trace.IRQOff, trace.PreemptOff:
		t.off[r.Kind-trace.IRQOff] += 2*r.B - 1
	default:
		c.followLock(t, r)
	}
}

func (c *Cut) followLock(t *cutTask, r *trace.Record) {
	none := trace.Record{Kind: trace.NKinds}
	switch r.Kind {
	case trace.WaiterQueued:
		t.waits = *r
	case trace.WaiterLeft:
		t.waits = none
	case trace.SpinBegin:
		t.spins = *r
	case trace.SpinEnd:
		t.spins = none
	case trace.SendBegin:
		t.sends = *r
	case trace.SendEnd:
		t.sends = none
	case trace.LockAcquired:
		c.release(r) // an rwlock's writer has its rtmutex first
		c.holds = append(c.holds, *r)
	case trace.LockReleased:
		c.release(r)
	}
}

// release forgets that a task holds a lock.
func (c *Cut) release(r *trace.Record) {
	for i := len(c.holds) - 1; i >= 0; i-- {
		if h := &c.holds[i]; h.Task == r.Task && h.A == r.A {
			c.holds = append(c.holds[:i], c.holds[i+1:]...)
			return
		}
	}
}

// Message is one message of a sender that a viewer is to find.
type Message struct {
	Number     int32
	Begin, End sim.Time // of the call, or of the way from its begin to the receiver's handling
}
