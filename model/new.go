package model

import (
	"rtsim/model/trace"
	"rtsim/sim"
)

// New builds a machine for a workload; it panics on a declaration that a reader of files should
// have refused. The seed names the answers of the choice tape.
func New(w *Workload, costs *CostTable, seed uint64) *Machine {
	p := newProgram(w, costs)
	for i := range w.Tasks {
		p.compile(i, &w.Tasks[i], &w.Paths)
	}
	p.addKtimers(w)
	p.addNetwork(w)
	return newMachine(w, p, seed)
}

// addKtimers adds a ktimers thread, SCHED_FIFO 1, for each CPU on which fair tasks may sleep
// (R3.10). It waits, wakes whoever is due, and waits again.
func (p *Program) addKtimers(w *Workload) {
	var cpus uint64
	for i := range w.Tasks {
		if w.Tasks[i].Policy == Other {
			cpus |= w.Tasks[i].CPUs
		}
	}
	p.ktimers = make([]TaskID, w.CPUs)
	for c := range w.CPUs {
		p.ktimers[c] = NoTask
		if cpus>>c&1 == 0 {
			continue
		}
		p.ktimers[c] = TaskID(len(p.names))
		p.names = append(p.names, "ktimers/"+itoa(c))
		p.arrive = append(p.arrive, sim.Never)
		p.timerCPU = append(p.timerCPU, int32(c))
		p.hasWait = append(p.hasWait, true)
		base := int32(len(p.code))
		p.entry = append(p.entry, base)
		none := Step{Cost: NoCost, Lock: NoLock, Task: NoTask, Word: -1}
		wait, expire, again := none, none, none
		wait.Op, expire.Op, again.Op = OpWait, OpDo, OpJump
		expire.Action, again.Target = ActExpire, base
		if p.costs.fixed(CostTimer) > 0 {
			expire.Cost = CostTimer
		}
		p.code = append(p.code, wait, expire, again)
	}
}

// layOut numbers the slots in the order of one instant (machine.go).
func (p *Program) layOut(tasks, cpus, loads int) int {
	p.runSlot = 0
	p.irqSlot = tasks
	p.loadSlot = p.irqSlot + len(p.interrupts)
	p.timerSlot = p.loadSlot + loads
	p.cpuSlot = p.timerSlot + tasks
	p.ipiSlot = p.cpuSlot + cpus
	p.sliceSlot = p.ipiSlot + cpus
	p.serverSlot = p.sliceSlot + cpus
	p.pullSlot = p.serverSlot + cpus
	return p.pullSlot + cpus
}

func newMachine(w *Workload, p *Program, seed uint64) *Machine {
	if w.CPUs < 1 || w.CPUs > MaxCPUs {
		panic(Broken{"a machine needs 1 to 64 CPUs"})
	}
	m := &Machine{prog: p}
	tasks := len(p.names)
	slots := p.layOut(tasks, w.CPUs, len(w.Loads))
	m.queue = sim.NewQueue(slots)
	m.held = make([]int32, slots)
	for i := range m.held {
		m.held[i] = -1
	}
	m.State.digest = sim.NewDigest()
	m.wordsAt = sim.Never
	m.tape = sim.NewTape(seed)
	m.addCPUs(w)
	m.addLocks(w, p)
	for _, d := range w.Semaphores {
		m.sems = append(m.sems, Semaphore{count: d.Count, first: NoTask})
	}
	for i := range tasks {
		d := &TaskDecl{Policy: FIFO, Priority: 1, Asleep: true, Arrive: sim.Never}
		if i < len(w.Tasks) {
			d = &w.Tasks[i]
		} else {
			d.FirstCPU, d.CPUs = p.timerCPU[i], 1<<p.timerCPU[i]
		}
		m.addTask(TaskID(i), d)
	}
	for i := range p.interrupts {
		m.queue.Set(p.irqSlot+i, p.interrupts[i].At)
	}
	m.addWorld(w)
	return m
}

func (m *Machine) addCPUs(w *Workload) {
	for range w.CPUs {
		m.cpus = append(m.cpus, CPU{curr: NoTask, rtFirst: NoTask, fairFirst: NoTask,
			stopper: NoTask,
			handler: -1, heldFirst: -1, heldLast: -1, expFirst: NoTask})
	}
	for _, d := range w.FairServers {
		s := &m.cpus[d.CPU].server
		if d.Runtime > 0 {
			*s = fairServer{runtime: d.Runtime, period: d.Period, state: serverOff}
		}
	}
}

func (m *Machine) addLocks(w *Workload, p *Program) {
	n := len(p.lockOf)
	for l := range n {
		var kind LockKind
		if d := p.lockOf[l]; d >= 0 {
			kind = p.kinds[d]
		} else {
			kind = p.internal[l-(n-len(p.internal))]
		}
		m.locks = append(m.locks, freeLock(kind))
	}
	slow := p.costs.fixed(CostLockSlow) + p.costs.fixed(CostRetake) +
		p.costs.fixed(CostUnlockSlow)
	if slow == 0 {
		return
	}
	p.waitLocks = LockID(n)
	for range n {
		m.locks = append(m.locks, freeLock(Raw))
	}
}

func freeLock(kind LockKind) lockState {
	return lockState{owner: NoTask, first: NoTask, piNext: NoLock, kind: kind}
}

func (m *Machine) addTask(id TaskID, d *TaskDecl) {
	t := Task{affinity: d.CPUs, normal: d.Priority, nice: d.Nice, prio: d.Priority,
		policy: d.Policy, cpu: d.FirstCPU, pc: m.prog.entry[id], ending: -1, rrLeft: rrSlice,
		rqNext: NoTask, rqPrev: NoTask, wNext: NoTask, wPrev: NoTask, expNext: NoTask,
		rawNext: NoTask, blockedOn: NoLock, rawOn: NoLock, spinOwner: NoTask, piFirst: NoLock}
	t.state = interruptible
	m.tasks = append(m.tasks, t)
	m.alive++
	p := &m.tasks[id]
	m.begin(id, p)
	switch {
	case !d.Asleep:
		p.asleep, p.state = trace.NotYet, running
		m.queue.Set(m.prog.timerSlot+int(id), d.Arrive)
	case m.prog.code[p.pc].Op == OpWait:
		p.asleep, p.phase, p.left = trace.InWait, phReturn, 0
	default:
		p.asleep = trace.Parked
	}
}

// Clone returns an independent copy of the machine: a snapshot of its state; the program is
// shared, kept records are not copied.
func (m *Machine) Clone() *Machine {
	c := &Machine{prog: m.prog, keep: m.keep}
	c.CopyFrom(m)
	return c
}

// CopyFrom makes the machine's state a copy of another's of the same program, reusing memory.
func (m *Machine) CopyFrom(src *Machine) {
	cpus, tasks, locks := m.cpus, m.tasks, m.locks
	sems, held, queue, tape, world := m.sems, m.held, m.queue, m.tape, m.world
	m.State = src.State
	m.cpus = append(cpus[:0], src.cpus...)
	m.tasks = append(tasks[:0], src.tasks...)
	m.locks = append(locks[:0], src.locks...)
	m.sems = append(sems[:0], src.sems...)
	m.held = append(held[:0], src.held...)
	queue.CopyFrom(&src.queue)
	tape.CopyFrom(&src.tape)
	world.copyFrom(&src.world)
	m.queue, m.tape, m.world = queue, tape, world
}
