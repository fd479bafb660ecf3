package model

import "rtsim/sim"

// The fair class, as far as a study of real-time latencies needs it (R1.18): it runs when no RT
// task is runnable on the CPU; several fair tasks share by weight, least virtual time first, each
// for a slice; a wake-up does not preempt another fair task within its slice (RUN_TO_PARITY). A
// fair owner boosted by an RT waiter is in the RT class until it unlocks (R1.19). RT tasks are not
// throttled (R1.20); the fair server is what is left of that (R1.21). Not modelled: lag, deadlines,
// load balancing between CPUs, and lazy preemption, on which RT timing does not depend.

// fairSlice is base_slice_ns, 0.7 ms, scaled by 1+log2(6 CPUs) (R1.18).
const fairSlice = 2100 * sim.Microsecond

// serverState is where a CPU's fair server stands (R1.21).
type serverState uint8

const (
	serverNone   serverState = iota // this CPU has none
	serverOff                       // no fair task is runnable
	serverArmed                     // deferred: fires at deadline - left
	serverActive                    // fair tasks run above FIFO until left is used up
	serverSpent                     // used up, until the deadline
)

// fairServer is the deferred reservation of a CPU's fair tasks.
type fairServer struct {
	runtime, period sim.Time
	deadline, left  sim.Time
	state           serverState
}

func (m *Machine) pickFair(c int32) TaskID {
	best := m.cpus[c].fairFirst
	if countRules && m.tasks[best].rqNext != NoTask {
		m.fired(RuleFairShares)
	}
	for id := m.tasks[best].rqNext; id != NoTask; id = m.tasks[id].rqNext {
		if m.tasks[id].vruntime < m.tasks[best].vruntime {
			best = id
		}
	}
	if m.cpus[c].fairMin < m.tasks[best].vruntime {
		m.cpus[c].fairMin = m.tasks[best].vruntime
	}
	return best
}

// fairArrives places a task that becomes runnable in the fair class of CPU c, and arms the server
// if it is the first.
func (m *Machine) fairArrives(c int32, t *Task) {
	cpu := &m.cpus[c]
	t.vruntime = max(t.vruntime, cpu.fairMin)
	if cpu.server.state == serverOff {
		m.armServer(c)
	}
	if id := cpu.curr; id != NoTask && cpu.counting && m.tasks[id].prio == 0 {
		m.setFairSlice(c)
	}
}

// fairLeaves stops the server when the last fair task of CPU c has gone.
func (m *Machine) fairLeaves(c int32) {
	cpu := &m.cpus[c]
	if cpu.server.state > serverOff && cpu.fairFirst == NoTask {
		cpu.server.state = serverOff
		m.queue.Set(m.prog.serverSlot+int(c), sim.Never)
	}
}

// fairRuns: the current fair task begins to consume slice and server.
func (m *Machine) fairRuns(c int32, t *Task) {
	m.setFairSlice(c)
	s := &m.cpus[c].server
	if s.state == serverArmed || s.state == serverActive {
		m.queue.Set(m.prog.serverSlot+int(c), m.now+max(s.left, 0))
	}
}

// setFairSlice ends the current fair task's turn a slice after it began, if another waits.
func (m *Machine) setFairSlice(c int32) {
	cpu := &m.cpus[c]
	if first := cpu.fairFirst; first == NoTask || m.tasks[first].rqNext == NoTask {
		return
	}
	m.queue.Set(m.prog.sliceSlot+int(c), max(m.now, cpu.since+fairSlice))
}

// fairRan takes ran to the account of the current fair task and of the server.
func (m *Machine) fairRan(c int32, t *Task, ran sim.Time) {
	t.vruntime += ran * 1024 / sim.Time(fairWeight(t.nice))
	s := &m.cpus[c].server
	switch s.state {
	case serverArmed:
		s.left -= ran
		m.queue.Set(m.prog.serverSlot+int(c), max(m.now, s.deadline-s.left))
	case serverActive:
		s.left -= ran
		m.queue.Set(m.prog.serverSlot+int(c), sim.Never)
	}
}

func (m *Machine) armServer(c int32) {
	s := &m.cpus[c].server
	s.state, s.left, s.deadline = serverArmed, s.runtime, m.now+s.period
	m.queue.Set(m.prog.serverSlot+int(c), s.deadline-s.left)
}

// serverTimer is dl_server_timer and the end of the runtime (R1.21).
func (m *Machine) serverTimer(c int32) {
	cpu := &m.cpus[c]
	s := &cpu.server
	m.queue.Set(m.prog.serverSlot+int(c), sim.Never)
	counting := cpu.counting && m.tasks[cpu.curr].prio == 0
	if counting {
		m.stopCounting(c, &m.tasks[cpu.curr])
		m.queue.Set(m.prog.serverSlot+int(c), sim.Never)
	}
	switch {
	case s.state == serverArmed && s.left <= 0: // fair tasks had their share: a new period
		m.fired(RuleServerRestarts)
		m.armServer(c)
	case s.state == serverArmed: // starved: above every FIFO task from now
		m.fired(RuleServerFires)
		s.state, s.left, s.deadline = serverActive, s.runtime, m.now+s.period
		m.resched(c, c)
	case s.state == serverActive: // used up, until the next period
		m.fired(RuleServerSpent)
		s.state = serverSpent
		m.queue.Set(m.prog.serverSlot+int(c), max(m.now, s.deadline))
		m.resched(c, c)
	case s.state == serverSpent:
		s.state, s.left = serverActive, s.runtime
		s.deadline += s.period
		m.resched(c, c)
	}
	if counting {
		m.startCounting(c, &m.tasks[cpu.curr])
	}
}

// fairWeight is the weight of a nice level: 1024 for 0, a factor 1.25 a level.
func fairWeight(nice int32) int64 {
	w := int64(1024) << 16
	for ; nice > 0; nice-- {
		w = w * 4 / 5
	}
	for ; nice < 0; nice++ {
		w = w * 5 / 4
	}
	return max(w>>16, 1)
}
