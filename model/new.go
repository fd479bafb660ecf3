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
		p.compile(i, w)
	}
	p.addThreads(w)
	p.addNetwork(w)
	return newMachine(w, p, seed)
}

// addThreads adds the kernel's own threads. A ktimers thread, SCHED_FIFO 1, for each CPU on which
// fair tasks may sleep (R3.10): it waits, wakes whoever is due, one after another, and waits again.
// A kworker, fair, for each CPU of a design that reclaims: it waits until a batch is due, lets a
// grace period pass, frees the batch.
func (p *Program) addThreads(w *Workload) {
	var cpus uint64
	for i := range w.Tasks {
		if w.Tasks[i].Policy == Other {
			cpus |= w.Tasks[i].CPUs
		}
	}
	p.ktimers = make([]TaskID, w.CPUs)
	p.net.kworkers = make([]TaskID, w.CPUs)
	order, reclaim := cpuOrder(w), w.reclaim()
	for _, c := range order {
		p.net.kworkers[c] = NoTask
		if reclaim != nil {
			cpus |= 1 << c
			p.net.kworkers[c] = p.addThread("kworker/", c, Other, 0)
			p.compileReclaim(reclaim)
		}
	}
	for _, c := range order {
		p.ktimers[c] = NoTask
		if cpus>>c&1 == 0 {
			continue
		}
		p.ktimers[c] = p.addThread("ktimers/", c, FIFO, 1)
		wait, expire, again := threadStep(OpWait), threadStep(OpDo), threadStep(OpJump)
		expire.Action, expire.Cost = ActExpire, p.costs.known(CostTimer)
		expire.Target = int32(len(p.code)) // when none is left
		again.Target = expire.Target + 1
		p.code = append(p.code, wait, expire, again)
	}
}

// cpuOrder is the CPUs by the order of the first tasks that may run on them, so that another
// numbering of the CPUs gives the same schedule.
func cpuOrder(w *Workload) (order []int32) {
	seen := uint64(0)
	add := func(c int32) {
		if seen>>c&1 == 0 {
			seen |= 1 << c
			order = append(order, c)
		}
	}
	for i := range w.Tasks {
		add(w.Tasks[i].FirstCPU)
	}
	for c := range int32(w.CPUs) {
		add(c)
	}
	return order
}

// addThread adds one thread, asleep in its first step; its code follows.
func (p *Program) addThread(name string, c int32, policy Policy, priority int32) TaskID {
	p.threads = append(p.threads, TaskDecl{Policy: policy, Priority: priority, Asleep: true,
		FirstCPU: c, CPUs: 1 << c, Arrive: sim.Never})
	p.names = append(p.names, name+itoa(int(c)))
	p.arrive = append(p.arrive, sim.Never)
	p.timerCPU = append(p.timerCPU, c)
	p.hasWait = append(p.hasWait, true)
	p.entry = append(p.entry, int32(len(p.code)))
	return TaskID(len(p.names) - 1)
}

func threadStep(op Op) Step {
	return Step{Op: op, Cost: NoCost, Lock: NoLock, Task: NoTask, Word: -1}
}

// compileReclaim is a kworker's program around a design's Reclaim.
func (p *Program) compileReclaim(code Code) {
	base := int32(len(p.code))
	ready, grace := threadStep(OpDo), threadStep(OpSleep)
	ready.Action, ready.Target = ActBatchReady, base
	grace.Time = kworkerGrace
	p.code = append(p.code, threadStep(OpWait), ready, grace)
	c := compiler{p: p}
	c.splice("reclaim", code)
	full, again := threadStep(OpDo), threadStep(OpJump)
	full.Action, full.Target = ActBatchFull, base
	again.Target = base + 1
	p.code = append(p.code, full, again)
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
	m.addStreams(w)
	m.tape.AnswerAll(w.Answers) // before the first question, which addLoads asks
	p.resolve()
	m.addCPUs(w)
	m.addLocks(w, p)
	for _, d := range w.Semaphores {
		m.sems = append(m.sems, Semaphore{count: d.Count, first: NoTask})
	}
	m.addLoads(w) // before the tasks, whose first steps may draw a cost
	for i := range tasks {
		if i < len(w.Tasks) {
			m.addTask(TaskID(i), &w.Tasks[i])
		} else {
			m.addTask(TaskID(i), &p.threads[i-len(w.Tasks)])
		}
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
		next:   noRelease,
		rqNext: NoTask, rqPrev: NoTask, wNext: NoTask, wPrev: NoTask, expNext: NoTask,
		rawNext: NoTask, blockedOn: NoLock, rawOn: NoLock, spinOwner: NoTask, piFirst: NoLock}
	t.state = interruptible
	m.tasks = append(m.tasks, t)
	m.alive++
	p := &m.tasks[id]
	m.begin(p)
	switch {
	case !d.Asleep:
		p.asleep, p.state = trace.NotYet, running
		if m.prog.code[p.pc].Op == OpEvery {
			p.next = d.Arrive
		}
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
func (m *Machine) CopyFrom(src *Machine) { m.State.copyFrom(&src.State) }
