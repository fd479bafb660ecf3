package ftrace

import (
	"strings"

	"rtsim/model/trace"
	"rtsim/sim"
)

// onSwitch is sched_switch.
func (r *inference) onSwitch(l *line) bool {
	e, ok := parseSwitch(l.args)
	if !ok {
		return false
	}
	prev := r.named(l.at, e.prev, l.cpu, trace.Runnable)
	next := r.named(l.at, e.next, l.cpu, trace.Runnable)
	r.seenOn(next, l.cpu)
	why := trace.Runnable
	if prev >= 0 {
		why = r.leaves(l, prev, e.state)
	}
	if prev != r.cpus[l.cpu].curr {
		return false // the line's own task is another
	}
	r.switchTo(l.at, l.cpu, next, why)
	return true
}

// leaves is why a task leaves its CPU, by the letter of its state.
func (r *inference) leaves(l *line, id int32, state byte) trace.Sleep {
	t := &r.tasks[id]
	why := trace.InWait
	switch {
	case state == 'R':
		return trace.Runnable
	case state == 'X' || state == 'Z':
		why = trace.Exited
	case t.waits >= 0:
		why = trace.OnLock
	}
	r.stopSpin(l.at, id)
	switch why {
	case trace.Exited:
		r.emit(l.at, trace.TaskExit, l.cpu, id, 0, 0)
	case trace.OnLock:
		t.queued = len(r.records)
		r.emit(l.at, trace.LockWait, l.cpu, id, t.waits, r.lock[t.waits].owner)
	}
	r.emit(l.at, trace.TaskSleep, l.cpu, id, int32(why), 0)
	t.asleep = why
	return why
}

// switchTo puts a task, or -1, on a CPU.
func (r *inference) switchTo(at sim.Time, cpu int16, next int32, why trace.Sleep) {
	c := &r.cpus[cpu]
	prev := c.curr
	for len(c.irqs) > 0 { // no switch happens in a handler: its end is not in the trace
		r.leaveIRQ(at, cpu)
	}
	if next >= 0 && r.tasks[next].asleep != trace.Runnable { // its wake-up is not in the trace
		r.wake(at, cpu, next, -1)
	}
	if prev >= 0 {
		r.tasks[prev].onCPU = false
		r.stopSpin(at, prev)
		r.ownerLeaves(at, prev)
	}
	r.emit(at, trace.SchedSwitch, cpu, next, prev, int32(why))
	c.curr = next
	if next < 0 {
		return
	}
	t := &r.tasks[next]
	t.onCPU, t.cpu = true, cpu
	if t.waits >= 0 && !t.traced && r.lock[t.waits].owner < 0 {
		r.taken(at, next) // a PI futex, released to it
	}
}

// wake makes a task ready; by is -1 for an interrupt.
func (r *inference) wake(at sim.Time, cpu int16, id, by int32) {
	t := &r.tasks[id]
	r.emit(at, trace.SchedWakeup, cpu, id, by, int32(t.asleep))
	t.asleep, t.cpu, t.waker = trace.Runnable, cpu, noWaker
}

// onWaking is sched_waking and sched_wakeup. The first that finds the task asleep is the wake-up:
// a sched_waking may come before the sleep, which its sched_wakeup then ends.
func (r *inference) onWaking(l *line, interrupt bool) bool {
	p, cpu, ok := parseWaking(l.args)
	if !ok || p.pid == 0 || cpu < 0 || cpu > maxCPU {
		return ok && p.pid == 0
	}
	by := r.cpus[l.cpu].curr
	if interrupt {
		by = -1
	}
	asleep := trace.InWait
	if l.event == "sched_wakeup_new" {
		asleep = trace.NotYet
	}
	id := r.named(l.at, p, int16(cpu), asleep)
	r.seenOn(id, int16(cpu))
	t := &r.tasks[id]
	waking := l.event == "sched_waking"
	if !waking && t.waker != noWaker {
		by = t.waker
	}
	if t.waits >= 0 && by >= 0 && waking {
		r.releasedTo(l.at, id, by)
	}
	if t.asleep == trace.Runnable {
		t.waker = noWaker
		if waking {
			t.waker = by
		}
		return true
	}
	r.wake(l.at, int16(cpu), id, by)
	return true
}

// inInterrupt says whether a line happened in a hard interrupt, or in a softirq on its way out.
// On PREEMPT_RT softirqs run in tasks, and so do they in the tasks that are made for them.
func (r *inference) inInterrupt(l *line, context byte) bool {
	c := &r.cpus[l.cpu]
	switch context {
	case 'h', 'H', 'z', 'Z':
		return true
	case 's':
		if c.curr < 0 {
			return true
		}
		for _, kind := range []string{"ksoftirqd/", "ktimers/", "rcuc/", "irq/"} {
			if strings.HasPrefix(l.comm, kind) {
				return false
			}
		}
		return len(l.flags) < flagsRT
	}
	return len(c.irqs) > 0 || c.curr < 0
}

// flagsRT is how many flags PREEMPT_RT printed while its lazy preemption was its own.
const flagsRT = 6

// onMigrate is sched_migrate_task.
func (r *inference) onMigrate(l *line) bool {
	p, from, to, ok := parseMigrate(l.args)
	if !ok || p.pid == 0 || to < 0 || to > maxCPU {
		return false
	}
	id := r.named(l.at, p, int16(from), trace.InWait)
	r.seenOn(id, int16(to))
	r.tasks[id].cpu = int16(to)
	r.emit(l.at, trace.SchedMigrate, int16(to), id, from, 0)
	return true
}

// onInterrupt is what happens in hard interrupts; events of other kinds are left out.
func (r *inference) onInterrupt(l *line) bool {
	switch l.event {
	case "irq_handler_entry":
		v, ok := fields(l.args, "irq=", " name=")
		if !ok {
			return false
		}
		r.enterIRQ(l, "irq "+v[0]+" "+v[1])
	case "local_timer_entry":
		r.enterIRQ(l, "local_timer")
	case "irq_handler_exit", "local_timer_exit":
		r.leaveIRQ(l.at, l.cpu)
	case "ipi_send_cpu":
		v, ok := fields(l.args, "cpu=", " callsite=", " callback=")
		if !ok {
			return false
		}
		to, ok := numberIn(v[0])
		if !ok || to < 0 || to > maxCPU {
			return false
		}
		curr := int32(-1)
		if int(to) < len(r.cpus) {
			curr = r.cpus[to].curr
		}
		r.emit(l.at, trace.IPI, int16(to), curr, int32(l.cpu), 0)
	}
	return true
}

func (r *inference) enterIRQ(l *line, name string) {
	source, c := r.source(name), &r.cpus[l.cpu]
	c.irqs = append(c.irqs, source)
	r.emit(l.at, trace.IRQEntry, l.cpu, c.curr, source, 0)
}

// leaveIRQ ends the innermost handler of a CPU, if its entry is in the trace.
func (r *inference) leaveIRQ(at sim.Time, cpu int16) {
	c := &r.cpus[cpu]
	if n := len(c.irqs); n > 0 {
		r.emit(at, trace.IRQExit, cpu, c.curr, c.irqs[n-1], 0)
		c.irqs = c.irqs[:n-1]
	}
}

func (r *inference) source(name string) int32 {
	id, known := r.sources[name]
	if !known {
		id = int32(len(r.names.Sources))
		r.sources[name] = id
		r.names.Sources = append(r.names.Sources, name)
	}
	return id
}
