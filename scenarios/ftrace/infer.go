package ftrace

import (
	"slices"
	"strconv"
	"strings"

	"rtsim/model/trace"
	"rtsim/sim"
)

// What a machine's trace says, and what is inferred.
//
//	tasks    who is on a CPU is in every line; who left it how, in sched_switch; who was woken by
//	         whom, in sched_waking, as soon as it was asleep. What was before the first line that
//	         names a task is put at the trace's beginning: asleep if it is then woken, else ready.
//	priority sched_pi_setprio is inherited; any other change of prev_prio and its like is its own.
//	locks    contention_begin has the lock's address and the waiter; a stack trace below it, the
//	         function that takes the lock. Who then boosts names the owner by sched_pi_setprio;
//	         else the task that wakes the waiter is taken for it. It is drawn as owner from where
//	         the wait began, since the waiter found the lock taken and nobody can take it from
//	         under the wait_lock; when it really took it is not in the trace.
//	         The owner releases at its own deboost, or else where it wakes the waiter. Who ends to
//	         contend has the lock; for how long, only shows if others still wait.
//	         A boost without contention_begin is a PI futex of user space: a lock named after its
//	         owner, acquired when the waiter runs again.
//	spinning a waiter on a CPU spins while the owner is on another (rtmutex_spin_on_owner).
//
// Not in the trace, and so not in the records: sections without preemption or interrupts,
// handlers of which no irq_handler_entry or local_timer_entry was traced, softirqs, readers of an
// rwlock, what a sleep that is not for a lock waits for (all are InWait), and programs.

// inference translates a machine's events.
type inference struct {
	names   trace.Names
	records []trace.Record
	before  []trace.Record // what held when the trace began
	began   sim.Time
	started bool

	pids    map[int32]int32  // task by pid
	locks   map[string]int32 // lock by address
	sources map[string]int32 // interrupt source by name
	tasks   []taskState
	lock    []lockState
	cpus    []cpuState

	stackOf int32 // the lock whose contention_begin the next stack trace belongs to, -1
}

// taskState is what is known of a task.
type taskState struct {
	eff, own int32 // rt_priority, 0 in the fair class
	ownSeen  bool  // own was seen to change, and is not only the first one seen
	asleep   trace.Sleep
	onCPU    bool
	cpu      int16
	waker    int32 // of a sched_waking that came before it slept; noWaker

	waits  int32 // lock it waits for, -1
	traced bool  // by contention_begin
	since  sim.Time
	queued int // record of its LockWait, -1
	spins  bool
	mode   int32
	raw    int32 // raw lock it spins for, -1
}

const noWaker = -2

// lockState is what is known of a lock.
type lockState struct {
	owner    int32
	released bool // the last owner did, and nobody has taken it since
}

type cpuState struct {
	seen bool
	curr int32   // -1: idle
	irqs []int32 // sources of the handlers that run, the innermost last
}

func newInference() *inference {
	return &inference{pids: map[int32]int32{}, locks: map[string]int32{},
		sources: map[string]int32{}, stackOf: -1}
}

// emit adds a record.
func (r *inference) emit(at sim.Time, k trace.Kind, cpu int16, task, a, b int32) {
	r.records = append(r.records, trace.Record{At: at, Kind: k, CPU: cpu, Task: task, A: a, B: b})
}

// event takes one line into account; false: its fields are not as the kernel writes them.
func (r *inference) event(l *line, context byte) bool {
	if !r.started {
		r.began, r.started = l.at, true
	}
	r.context(l)
	if l.event != "<stack trace>" {
		r.stackOf = -1
	}
	switch l.event {
	case "sched_switch":
		return r.onSwitch(l)
	case "sched_waking", "sched_wakeup", "sched_wakeup_new":
		return r.onWaking(l, r.inInterrupt(l, context))
	case "sched_migrate_task":
		return r.onMigrate(l)
	case "sched_pi_setprio":
		return r.onSetprio(l)
	case "contention_begin":
		return r.onContentionBegin(l)
	case "contention_end":
		return r.onContentionEnd(l)
	}
	return r.onInterrupt(l)
}

// context notes whom a line names as the task on its CPU. If that is another than the switches so
// far say, some are missing.
func (r *inference) context(l *line) {
	for int(l.cpu) >= len(r.cpus) {
		r.cpus = append(r.cpus, cpuState{curr: -1})
	}
	r.names.CPUs = len(r.cpus)
	c := &r.cpus[l.cpu]
	id := int32(-1)
	if l.pid > 0 {
		id = r.task(party{l.comm, l.pid, -1}, l.cpu, trace.Runnable)
		r.seenOn(id, l.cpu)
		if r.names.Tasks[id].Name == "" && l.comm != "<...>" {
			r.names.Tasks[id].Name = l.comm
		}
	}
	if !c.seen {
		c.seen, c.curr = true, id
		if id >= 0 {
			r.before = append(r.before, trace.Record{Kind: trace.SchedSwitch, CPU: l.cpu,
				Task: id, A: -1})
			r.tasks[id].onCPU, r.tasks[id].cpu = true, l.cpu
		}
		return
	}
	if c.curr != id {
		r.switchTo(l.at, l.cpu, id, trace.Runnable)
	}
}

// task gives the task of a pid. One that is new is as asleep as the first line that names it
// says; the idle task is -1.
func (r *inference) task(p party, cpu int16, asleep trace.Sleep) int32 {
	if p.pid == 0 {
		return -1
	}
	id, known := r.pids[p.pid]
	if !known {
		id = int32(len(r.tasks))
		r.pids[p.pid] = id
		r.tasks = append(r.tasks, taskState{eff: -1, asleep: asleep, cpu: cpu, waker: noWaker,
			waits: -1, queued: -1, raw: -1})
		r.names.Tasks = append(r.names.Tasks, trace.TaskName{PID: p.pid, Prio: -1})
		first := trace.Record{Kind: trace.TaskSleep, CPU: cpu, Task: id, A: int32(asleep)}
		if asleep == trace.Runnable {
			first = trace.Record{Kind: trace.SchedWakeup, CPU: cpu, Task: id, A: -1,
				B: int32(trace.Runnable)}
		}
		if asleep != trace.NotYet {
			r.before = append(r.before, first)
		}
	}
	return id
}

// seenOn notes that a task may run on a CPU.
func (r *inference) seenOn(id int32, cpu int16) {
	if id >= 0 && cpu < 64 {
		r.names.Tasks[id].CPUs |= 1 << cpu
	}
}

// named is task, with the name and the priority that an event gives. A priority that differs
// from the last one without a sched_pi_setprio is its own that changed.
func (r *inference) named(at sim.Time, p party, cpu int16, asleep trace.Sleep) int32 {
	id := r.task(p, cpu, asleep)
	if id < 0 {
		return id
	}
	t, n := &r.tasks[id], &r.names.Tasks[id]
	n.Name = p.comm
	prio := userPrio(p.prio)
	switch {
	case t.eff < 0:
		t.eff, t.own, n.Prio = prio, prio, prio
		n.Nice = niceOf(p.prio)
	case t.eff != prio:
		r.emit(at, trace.SetPriority, t.cpu, id, t.own, prio)
		r.emit(at, trace.SchedPISetprio, t.cpu, id, t.eff, prio)
		t.eff, t.own, t.ownSeen = prio, prio, true
	}
	return id
}

// deadlinePrio stands for SCHED_DEADLINE, above every rt_priority.
const deadlinePrio = 100

// userPrio is the rt_priority of the kernel's priority, 0 in the fair class.
func userPrio(prio int32) int32 {
	switch {
	case prio < 0:
		return deadlinePrio
	case prio < 100:
		return 99 - prio
	}
	return 0
}

func niceOf(prio int32) int32 {
	if prio < 100 {
		return 0
	}
	return prio - 120
}

// finish gives the records in the order of time, and the names, each task's distinct.
func (r *inference) finish() ([]trace.Record, *trace.Names) {
	for i := range r.before {
		r.before[i].At = r.began
	}
	// Ready before on a CPU: a task's first record comes before the switch to it.
	slices.SortStableFunc(r.before, func(a, b trace.Record) int {
		return boolInt(a.Kind == trace.SchedSwitch) - boolInt(b.Kind == trace.SchedSwitch)
	})
	all := append(r.before, r.records...)
	slices.SortStableFunc(all, func(a, b trace.Record) int {
		return int(min(max(a.At-b.At, -1), 1))
	})
	r.distinct()
	return all, &r.names
}

// distinct adds the pid to names that several tasks have.
func (r *inference) distinct() {
	count := map[string]int{}
	for i := range r.names.Tasks {
		n := &r.names.Tasks[i]
		if n.Name == "" {
			n.Name = "<...>"
		}
		n.Prio = max(n.Prio, 0)
		count[n.Name]++
	}
	for i := range r.names.Tasks {
		if n := &r.names.Tasks[i]; count[n.Name] > 1 || n.Name == "<...>" {
			n.Name += "-" + strconv.Itoa(int(n.PID))
		}
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// frame is one function of a stack trace, innermost first. The first that is not about locking
// names the lock of the contention_begin above it.
func (r *inference) frame(text string) {
	name, _, _ := strings.Cut(strings.TrimSpace(text), "+")
	for _, part := range []string{"lock", "contention", "rtmutex", "rwbase"} {
		if strings.Contains(name, part) {
			return
		}
	}
	if r.stackOf < 0 {
		return
	}
	if address, bare := strings.CutPrefix(r.names.Locks[r.stackOf], "lock "); bare {
		what := name + "'s lock"
		if strings.HasPrefix(name, "futex_") {
			what = "hb->lock" // the only lock that these functions contend for
		}
		r.names.Locks[r.stackOf] = what + " " + address
	}
	r.stackOf = -1
}
