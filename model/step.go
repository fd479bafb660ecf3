package model

import "rtsim/model/trace"

// The interpreter. A step pays its cost first and has its effect at the end; begin prepares the
// step at pc, step has its effect, stepDone goes on to the next. A step that blocks or spins
// leaves pc where it is and is entered again in another phase.

// begin prepares the step at a task's pc: a run or a cost becomes the time that is left.
func (m *Machine) begin(t *Task) {
	t.phase, t.left = phEffect, m.draw(&m.prog.pays[t.pc])
	if m.keep&(1<<trace.Step) != 0 && (t.left > 0 || m.prog.code[t.pc].Op.waits()) {
		m.note(trace.Step, t.cpu, m.cpus[t.cpu].curr, t.pc, 0)
	}
}

// runEnds is the end of what a task was spending time on: a run is recorded as ended, whatever
// else happens at that instant; any other step has its effect in its turn.
func (m *Machine) runEnds(id TaskID, t *Task) {
	t.armed, t.left = false, 0
	if s := &m.prog.code[t.pc]; s.Op == OpExec || s.Op == OpBurst {
		m.steps++
		if s.Word >= 0 {
			m.record(trace.Word, t.cpu, id, s.Word, 0)
		}
		t.pc++
		m.begin(t)
		if t.left > 0 {
			m.arm(id, t)
			return
		}
	}
	m.act |= bit(t.cpu)
}

// stepDone ends a task's step: it will be recorded when the task goes on after it.
func (m *Machine) stepDone(id TaskID) {
	t := &m.tasks[id]
	word := m.prog.code[t.pc].Word
	t.pc++
	m.stepEnded(t, word)
}

// stepEnded is stepDone after a jump has set pc.
func (m *Machine) stepEnded(t *Task, word int32) {
	m.steps++
	t.ending = word
	if (word >= 0 || t.pinEnds) && m.cpus[t.cpu].busy == notBusy {
		m.ended |= bit(t.cpu)
	}
	m.begin(t)
}

// resume lets a task that is still on its CPU go on with what it has to do.
func (m *Machine) resume(id TaskID, t *Task) {
	if !t.onCPU {
		return
	}
	if m.opened { // a wait_lock's raw section ended in this step
		m.opened = false
		if t.queued {
			m.takeHeld(t.cpu)
		}
	}
	if cpu := bit(t.cpu); t.left > 0 && m.act&cpu != 0 {
		m.arm(id, t)
		m.act &^= cpu
	}
}

// actOn does the zero-time step of a task on a CPU, and those after it while no other CPU has
// anything to do.
func (m *Machine) actOn(id TaskID, t *Task) {
	for m.countWord(id) {
		m.step(id, t)
		m.resume(id, t)
		if m.act|m.ended == 0 || !m.alone(t.cpu) {
			return
		}
		if m.ended != 0 {
			m.noteEnd(t.cpu)
			if m.act == 0 {
				return
			}
		}
	}
}

// step has the effect of the step that a task on a CPU stands at.
func (m *Machine) step(id TaskID, t *Task) {
	if t.phase == phReturn { // from wait, sleep, take or schedule
		t.state = running
		m.stepDone(id)
		return
	}
	s := &m.prog.code[t.pc]
	switch s.Op {
	case OpExec, OpBurst:
		m.stepDone(id)
	case OpLock, OpReadLock:
		l := m.lockRef(s, t)
		if m.locks[l].kind == Raw {
			m.rawLock(id, l)
		} else {
			m.stepLock(id, l, s.Op == OpReadLock)
		}
	case OpUnlock, OpReadUnlock:
		l := m.lockRef(s, t)
		if m.locks[l].kind == Raw {
			m.rawUnlock(id, l)
		} else {
			m.stepUnlock(id, l, s.Op == OpReadUnlock)
		}
	case OpJump, OpRepeat, OpEnd, OpFor:
		m.stepControl(id, t, s)
	case OpDo:
		m.do(id, t, s)
	case opOpen:
		m.decide(t, s, m.operateOpen(t, s.Action))
	case opNode:
		m.decide(t, s, m.operateNode(t, s.Action))
	case opAlloc:
		m.decide(t, s, m.operateAlloc(t, s.Action))
	case opFree:
		m.decide(t, s, m.operateFree(t, s.Action))
	case opHash:
		m.decide(t, s, m.operateHash(t, s.Action))
	case opRing:
		m.decide(t, s, m.operateRing(id, t, s.Action))
	case opPoll:
		m.decide(t, s, m.operatePoll(t, s.Action))
	case opLlist:
		m.decide(t, s, m.operateLlist(t, s.Action))
	case opCPUSlab:
		m.decide(t, s, m.operateCPUSlab(t, s.Action))
	case opCache:
		m.decide(t, s, m.operateCache(id, t, s.Action))
	case OpTry:
		m.tryLock(id, t, s)
	default:
		m.stepTask(id, t, s)
	}
}

// stepTask has the effect of the steps that concern tasks: sleeping, waking, yielding.
func (m *Machine) stepTask(id TaskID, t *Task, s *Step) {
	switch s.Op {
	case OpSleep:
		m.stepSleep(id, t, s)
	case OpEvery:
		m.stepEvery(id, t, s)
	case OpWait:
		if t.token {
			t.token = false
			m.stepDone(id)
			return
		}
		if m.serving>>t.cpu&1 != 0 && m.prog.ktimers[t.cpu] == id {
			m.serving &^= bit(t.cpu)
		}
		m.sleep(id, interruptible, trace.InWait)
	case OpWake:
		m.wakeWord(m.taskRef(s, t), id, t.cpu)
		m.stepDone(id)
	case OpPost:
		m.post(id, s.Arg)
		m.stepDone(id)
	case OpTake:
		m.take(id, &m.sems[s.Arg])
	case OpYield:
		m.yield(id)
		m.stepDone(id)
	case OpOff:
		m.stepOff(id, t, s)
	case OpOn:
		m.stepOn(id, t, s)
	case OpPrepare:
		t.state = interruptible
		m.stepDone(id)
	case OpSchedule:
		if t.state == interruptible {
			m.sleep(id, interruptible, trace.InSched)
			return
		}
		m.stepDone(id)
	case OpSetPriority:
		m.setPriority(id, s)
		m.stepDone(id)
	case OpExit:
		m.exit(id)
	default:
		m.broken("unknown operation", id, NoLock)
	}
}

// stepControl has the effect of the steps that only move pc.
func (m *Machine) stepControl(id TaskID, t *Task, s *Step) {
	switch s.Op {
	case OpJump:
		t.pc = s.Target
	case OpRepeat:
		t.loops[t.depth] = s.Arg
		t.depth++
		t.pc++
	case OpFor:
		t.loops[t.depth] = forLoop
		t.depth++
		t.pc++
		t.regs.lifeEnd, t.next = m.now+s.Time, m.now // a new life: its releases begin anew
	case OpEnd:
		again := m.now < t.regs.lifeEnd
		if t.loops[t.depth-1] != forLoop {
			t.loops[t.depth-1]--
			again = t.loops[t.depth-1] > 0
		}
		t.pc++
		if again {
			t.pc = s.Target
		} else {
			t.depth--
		}
	}
	m.stepEnded(t, s.Word)
}

// countWord guards against an instant that does not end.
func (m *Machine) countWord(id TaskID) bool {
	if m.wordsAt != m.now {
		m.wordsAt, m.words = m.now, 0
	}
	m.words++
	if m.words <= wordsMax {
		return true
	}
	m.fault = fault{kind: faultInstant, task: id}
	return false
}

// lockRef is the lock a step names: its own, or one of the task's registers.
func (m *Machine) lockRef(s *Step, t *Task) LockID {
	if s.Ref == RefNone {
		return s.Lock
	}
	return m.registerLock(s.Ref, t, s.Op == OpLock)
}

// taskRef is the task a step names.
func (m *Machine) taskRef(s *Step, t *Task) TaskID {
	if s.Ref == RefNone {
		return s.Task
	}
	return m.registerTask(s.Ref, t)
}
