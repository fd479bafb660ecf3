package ftrace

import (
	"strings"

	"rtsim/model/trace"
)

// exact reads back what Writer wrote: a line is a record, and the header has the names. What a
// record has and its line has not is known from the lines before: why a task that is woken was
// asleep, the priority of a waiter, the CPU of a task that is boosted.
type exact struct {
	names   trace.Names
	records []trace.Record
	pids    map[int32]int32
	locks   map[string]int32
	tasks   []exactTask
	curr    []int32 // by CPU
	waker   int32   // of the sched_waking before
}

type exactTask struct {
	eff    int32
	cpu    int16
	asleep trace.Sleep
	raw    int32 // raw lock it spins for, -1
}

func newExact() *exact {
	return &exact{pids: map[int32]int32{0: -1}, locks: map[string]int32{}}
}

// header reads one line of the header: false if it is damaged.
func (x *exact) header(text string) bool {
	switch key, _, _ := strings.Cut(text, "="); key {
	case "cpus":
		n, ok := number(strings.TrimPrefix(text, "cpus="))
		if !ok || n < 1 || n > maxCPU {
			return false
		}
		x.names.CPUs = int(n)
		for range n {
			x.curr = append(x.curr, -1)
		}
	case "task":
		return x.headerTask(text)
	case "lock":
		v, ok := fields(text, "lock=", " at=", " name=")
		if !ok {
			return false
		}
		x.locks[v[1]] = int32(len(x.names.Locks))
		x.names.Locks = append(x.names.Locks, v[2])
	case "irq":
		v, ok := fields(text, "irq=", " name=")
		if !ok {
			return false
		}
		x.names.Sources = append(x.names.Sources, v[1])
	case "step":
		v, ok := fields(text, "step=", " path=", " text=")
		if !ok {
			return false
		}
		x.names.Steps = append(x.names.Steps, trace.StepName{Path: v[1], Text: v[2]})
	case "endpoint":
		v, ok := fields(text, "endpoint=", " task=")
		if !ok {
			return false
		}
		task, ok := numberIn(v[1])
		if !ok || task < 0 || int(task) >= len(x.tasks) {
			return false
		}
		x.names.Endpoints = append(x.names.Endpoints, task)
	}
	return true
}

func (x *exact) headerTask(text string) bool {
	v, ok := fields(text, "task=", " pid=", " rt_priority=", " nice=", " cpus=", " comm=")
	if !ok {
		return false
	}
	pid, pidOK := numberIn(v[1])
	prio, prioOK := numberIn(v[2])
	nice, niceOK := numberIn(v[3])
	cpus, cpusOK := hexadecimal(v[4])
	if !pidOK || !prioOK || !niceOK || !cpusOK || pid <= 0 {
		return false
	}
	x.pids[pid] = int32(len(x.tasks))
	x.names.Tasks = append(x.names.Tasks, trace.TaskName{Name: v[5], PID: pid, Prio: prio,
		Nice: nice, CPUs: cpus})
	x.tasks = append(x.tasks, exactTask{eff: prio, asleep: trace.NotYet, raw: -1})
	return true
}

func (x *exact) frame(string) {}

func (x *exact) finish() ([]trace.Record, *trace.Names) { return x.records, &x.names }

// event reads one line.
func (x *exact) event(l *line, context byte) bool {
	if int(l.cpu) >= len(x.curr) {
		return false
	}
	r := trace.Record{At: l.at, CPU: l.cpu, Task: x.curr[l.cpu]}
	switch l.event {
	case "sched_switch":
		return x.onSwitch(l, r)
	case "sched_waking":
		x.waker = x.curr[l.cpu]
		if context == 'h' {
			x.waker = -1
		}
		return true
	case "sched_wakeup":
		return x.onWakeup(l, r)
	case "sched_migrate_task":
		return x.onMigrate(l, r)
	case "sched_pi_setprio":
		return x.onSetprio(l, r)
	case "sched_process_exit":
		r.Kind = trace.TaskExit
		x.records = append(x.records, r)
		return true
	case "tracing_mark_write":
		return x.onMark(l, r)
	}
	return x.onLock(l, r) || x.onInterrupt(l, r)
}

func (x *exact) onSwitch(l *line, r trace.Record) bool {
	e, ok := parseSwitch(l.args)
	if !ok {
		return false
	}
	prev, prevOK := x.pids[e.prev.pid]
	next, nextOK := x.pids[e.next.pid]
	if !prevOK || !nextOK {
		return false
	}
	r.Kind, r.Task, r.A = trace.SchedSwitch, next, prev
	if e.state != 'R' && prev >= 0 {
		r.B = int32(x.tasks[prev].asleep)
	}
	if next >= 0 {
		x.tasks[next].cpu = l.cpu
	}
	x.curr[l.cpu] = next
	x.records = append(x.records, r)
	return true
}

func (x *exact) onWakeup(l *line, r trace.Record) bool {
	p, cpu, ok := parseWaking(l.args)
	id, known := x.pids[p.pid]
	if !ok || !known || id < 0 {
		return false
	}
	t := &x.tasks[id]
	r.Kind, r.CPU, r.Task, r.A, r.B = trace.SchedWakeup, int16(cpu), id, x.waker, int32(t.asleep)
	t.asleep, t.cpu = trace.Runnable, int16(cpu)
	x.records = append(x.records, r)
	return true
}

func (x *exact) onMigrate(l *line, r trace.Record) bool {
	p, from, to, ok := parseMigrate(l.args)
	id, known := x.pids[p.pid]
	if !ok || !known || id < 0 {
		return false
	}
	r.Kind, r.CPU, r.Task, r.A = trace.SchedMigrate, int16(to), id, from
	x.tasks[id].cpu = int16(to)
	x.records = append(x.records, r)
	return true
}

func (x *exact) onSetprio(l *line, r trace.Record) bool {
	p, now, ok := parseSetprio(l.args)
	id, known := x.pids[p.pid]
	if !ok || !known || id < 0 {
		return false
	}
	t := &x.tasks[id]
	r.Kind, r.CPU, r.Task = trace.SchedPISetprio, t.cpu, id
	r.A, r.B = userPrio(p.prio), userPrio(now)
	t.eff = r.B
	x.records = append(x.records, r)
	return true
}
