package model

import (
	"math/bits"

	"rtsim/model/trace"
)

// Where RT tasks run when they may run on several CPUs: select at wake-up (R1.22), push (R1.23),
// pull (R1.25). CPUs are ranked by their highest queued RT priority; idle and fair-busy CPUs are
// one rank (R1.24). "May move" is the affinity alone, not migrate_disable (R1.27). Nothing moves
// on its own: a push follows a wake-up or a switch, a pull the drop of a CPU's RT level.

// single says whether a task's affinity is one CPU (nr_cpus_allowed < 2).
func (t *Task) single() bool { return t.affinity&(t.affinity-1) == 0 }

// cpupriFind returns the CPUs of the lowest rank that a task of this priority and affinity could
// take: those whose level is below prio, 0 if none (cpupri_find).
func (m *Machine) cpupriFind(affinity uint64, prio int32) uint64 {
	best, found := prio, uint64(0)
	for set := affinity; set != 0; set &= set - 1 {
		c := int32(bits.TrailingZeros64(set))
		switch l := m.level(c); {
		case l < best:
			best, found = l, 1<<c
		case l == best && found != 0:
			found |= 1 << c
		}
	}
	return found
}

// findLowest is find_lowest_rq: the task's own CPU, else the searching one, else the lowest
// number; -1 if none is lower (R1.24).
func (m *Machine) findLowest(t *Task, searching int32) int32 {
	if t.single() {
		return -1
	}
	set := m.cpupriFind(t.affinity, t.prio)
	m.firedIf(set != 0, RuleLowest)
	switch {
	case set == 0:
		return -1
	case set>>t.cpu&1 != 0:
		return t.cpu
	case searching >= 0 && set>>searching&1 != 0:
		return searching
	}
	return int32(bits.TrailingZeros64(set))
}

// selectCPU is select_task_rq: where a woken task is queued. A migrate-disabled one stays. by and
// searching are as in wakeUp.
func (m *Machine) selectCPU(t *Task, by TaskID, searching int32) int32 {
	if t.single() || t.migrateOff > 0 {
		return t.cpu
	}
	if t.prio == 0 {
		return m.selectFair(t, by)
	}
	curr := m.cpus[t.cpu].curr
	if curr == NoTask {
		return t.cpu
	}
	r := &m.tasks[curr]
	if r.prio > 0 && (r.single() || r.prio >= t.prio) {
		if c := m.findLowest(t, searching); c >= 0 && t.prio > m.level(c) {
			m.firedIf(c != t.cpu, RuleSelectGoes)
			return c
		}
	}
	m.fired(RuleSelectStays)
	if countRules && r.prio > 0 && r.prio < t.prio {
		m.firedIf(!r.single() && r.migrateOff > 0, RulePinnedCounts)
	}
	return t.cpu
}

// selectFair is the part of select_idle_sibling that matters here: the previous CPU if it is
// idle, or runs nothing but the kernel thread that wakes the task, else the lowest idle one, else
// the previous.
func (m *Machine) selectFair(t *Task, by TaskID) int32 {
	if m.isIdle(t.cpu) || m.stacks(t.cpu, by) {
		return t.cpu
	}
	for set := t.affinity; set != 0; set &= set - 1 {
		if c := int32(bits.TrailingZeros64(set)); m.isIdle(c) {
			return c
		}
	}
	return t.cpu
}

func (m *Machine) isIdle(c int32) bool {
	cpu := &m.cpus[c]
	return cpu.curr == NoTask && cpu.rtFirst == NoTask && cpu.fairFirst == NoTask
}

// stacks says whether a task may be queued beside the per-CPU kthread of CPU c that wakes it: the
// exception of select_idle_sibling for a waker that is about to sleep (its conditions: the waker
// runs on the previous CPU, nr_running <= 1, and capacity, which is symmetric here). The kernel has
// it for a waker in task context only, a kworker; ktimers serves in a softirq. There the kernel
// would look for an idle CPU by caches and recent_used_cpu, which are not modelled, and a lone
// sleeper would wander at each timer; a workload file promises the previous CPU.
func (m *Machine) stacks(c int32, by TaskID) bool {
	if int(by) < m.prog.fileTasks || m.cpus[c].curr != by {
		return false
	}
	first, other := m.cpus[c].rtFirst, m.cpus[c].fairFirst
	if first == NoTask {
		first, other = other, NoTask
	}
	return first == by && m.tasks[by].rqNext == NoTask && other == NoTask
}

// topPushable is pick_next_pushable_task: by priority, then in the order they became pushable.
func (m *Machine) topPushable(c int32) TaskID {
	best := NoTask
	for id := m.cpus[c].rtFirst; id != NoTask; id = m.tasks[id].rqNext {
		t := &m.tasks[id]
		if t.pushSeq == 0 {
			continue
		}
		if best != NoTask {
			b := &m.tasks[best]
			if t.prio < b.prio {
				break
			}
			if t.pushSeq > b.pushSeq {
				continue
			}
		}
		best = id
	}
	return best
}

// pushTasks is push_rt_tasks for CPU c, searched from another or from itself (R1.23).
func (m *Machine) pushTasks(c, searching int32) {
	if !m.prog.movable {
		return
	}
	for m.pushTask(c, searching, false) {
	}
}

// pushTask is push_rt_task: it moves the top candidate of CPU c to a CPU of lower rank and says
// whether it did. A migrate-disabled candidate stops it; a push for a pull then tries to move the
// running task away instead (R1.26).
func (m *Machine) pushTask(c, searching int32, pull bool) bool {
	id := m.topPushable(c)
	if id == NoTask {
		return false
	}
	t := &m.tasks[id]
	if m.currPrio(c) < t.prio {
		m.resched(c, searching)
		return false
	}
	if t.migrateOff > 0 {
		m.fired(RulePinnedStops)
		if pull {
			m.pushCurrent(c, searching)
		}
		return false
	}
	to := m.findLowest(t, searching)
	if to < 0 || to == c || m.level(to) >= t.prio {
		return false
	}
	m.dequeue(id)
	m.moveTo(id, to)
	m.enqueue(id, false)
	m.firedIf(!pull, RulePush)
	m.firedIf(pull, RulePull)
	m.resched(to, searching)
	return true
}

// pushCurrent is the branch of push_rt_task that asks the stopper to move the running task away
// (get_push_task), so that the pinned candidate can run (R1.26). The stopper is above everything
// but preempts nobody: it acts at the CPU's next reschedule.
func (m *Machine) pushCurrent(c, searching int32) {
	cpu := &m.cpus[c]
	id := cpu.curr
	if id == NoTask || cpu.stopper != NoTask {
		return // idle, or push_busy
	}
	t := &m.tasks[id]
	if t.prio == 0 || t.single() || t.migrateOff > 0 {
		return
	}
	if to := m.findLowest(t, searching); to >= 0 && to != c {
		cpu.stopper = id
		m.resched(c, c)
	}
}

// runStopper is push_cpu_stop: it moves the task that it was asked to, if that still can be.
func (m *Machine) runStopper(c int32) {
	cpu := &m.cpus[c]
	id := cpu.stopper
	cpu.stopper = NoTask
	t := &m.tasks[id]
	if t.cpu != c || !t.queued || t.migrateOff > 0 || t.prio == 0 {
		return
	}
	to := m.findLowest(t, c)
	if to < 0 || to == c || m.level(to) >= t.prio {
		return
	}
	m.dequeue(id)
	if cpu.curr == id {
		m.switchTo(c, id, m.pick(c))
	}
	m.moveTo(id, to)
	m.enqueue(id, false)
	m.fired(RuleCurrentPushed)
	m.resched(to, c)
}

// pullTasks is pull_rt_task with RT_PUSH_IPI: every CPU with candidates, in order of number, is
// asked to push what it can (R1.25); CPU c only said that its level dropped.
func (m *Machine) pullTasks(c int32) {
	if m.prog.movable && m.overloaded()&^(1<<c) != 0 {
		m.pullFrom(0)
	}
}

// pullFrom asks the overloaded CPUs from number first on. It is an interrupt there
// (rto_push_irq_work_func): a CPU with interrupts off takes it later, and those after it wait.
func (m *Machine) pullFrom(first int32) {
	for set := m.overloaded() >> first << first; set != 0; set &= set - 1 {
		d := int32(bits.TrailingZeros64(set))
		if m.irqsClosed(d) {
			m.raise(d, int32(m.prog.pullSlot)+d)
			return
		}
		for m.pushTask(d, d, true) {
		}
	}
}

// overloaded is the set of CPUs with candidates for a push (rto_mask).
func (m *Machine) overloaded() uint64 {
	over := uint64(0)
	for d := range m.cpus {
		if m.topPushable(int32(d)) != NoTask {
			over |= 1 << d
		}
	}
	return over
}

// moveTo changes the CPU of a task that is on no queue.
func (m *Machine) moveTo(id TaskID, c int32) {
	t := &m.tasks[id]
	if t.cpu == c {
		return
	}
	if t.migrateOff > 0 {
		m.broken("a migrate-disabled task moves", id, NoLock)
	}
	m.record(trace.SchedMigrate, c, id, t.cpu, 0)
	if t.prio == 0 {
		t.vruntime += m.cpus[c].fairMin - m.cpus[t.cpu].fairMin
	}
	t.cpu = c
}

// migrateEnable ends a task's innermost migrate_disable (R1.28).
func (m *Machine) migrateEnable(id TaskID) {
	t := &m.tasks[id]
	if t.migrateOff == 0 {
		m.broken("migrate_enable without disable", id, NoLock)
	}
	t.migrateOff--
	m.firedIf(t.migrateOff == 0, RuleMigrateOn)
}
