package scenarios_test

import "fmt"

// This file has rule (3), the zero-time steps of a task, and the words that are not about locks.

// naiveWord is one word of a program.
type naiveWord struct {
	op   string
	name string // a lock, semaphore or task
	time int64
	n    int // goto's target, repeat's count, set_priority's priority
}

// naiveSem is a semaphore.
type naiveSem struct {
	count  int
	takers []*naiveTask
}

// taskSteps is rule (3): ktimers first, for a wake-up by a timer comes before the words; then the
// first task on a CPU with a zero-time word, with a return from a wait, with the retry of a lock,
// or with its exit does that.
func (s *naiveSim) taskSteps() bool {
	if k := s.firstKtimers(); k != nil {
		s.here = k.cpu
		s.serveTimers(k)
		return true
	}
	for _, t := range s.tasks {
		if !s.goesOn(t) || s.inRun(t) || t.waits != nil && !t.retry {
			continue
		}
		s.here = t.cpu
		s.steps++
		switch {
		case t.retry:
			s.retryLock(t)
		case t.returning:
			t.returning = false
			s.finish(t)
		case t.pc >= len(t.program):
			s.sleep(t, "dead")
		default:
			s.word(t)
		}
		return true
	}
	return false
}

// retryLock is what a task does that was woken for a lock.
func (s *naiveSim) retryLock(t *naiveTask) {
	t.retry = false
	if t.waits == nil {
		s.granted(t, s.lockOf(t)) // a writer: the last reader has gone and none can come
		return
	}
	s.tryAgain(t)
}

// finish ends a word; it is recorded when the task goes on.
func (s *naiveSim) finish(t *naiveTask) {
	t.ended = t.pc
	t.pc++
}

// sleep takes a task out of its queue: a voluntary schedule() is part of the step, so the CPU
// counts as lower from here on. The switch follows at the next rule (1).
func (s *naiveSim) sleep(t *naiveTask, why string) {
	t.why = why
	t.blocking = true
	s.dequeue(t)
	if why != "lock" && why != "readers" {
		t.prepared = false
	}
}

// word does the zero-time word at which a task is.
func (s *naiveSim) word(t *naiveTask) {
	w := t.program[t.pc]
	switch w.op {
	case "lock":
		s.lock(t)
	case "write_lock":
		s.acquire(t, s.lockOf(t))
	case "read_lock":
		s.readLock(t)
	case "unlock", "read_unlock", "write_unlock":
		s.unlock(t, w.op)
	case "bh_off":
		s.bhOff(t)
	case "bh_on":
		s.bhOn(t)
	case "sleep":
		s.sleepUntil(t, s.now+w.time)
	case "sleep_until":
		s.sleepUntil(t, w.time)
	case "wait":
		s.wait(t)
	case "take":
		s.take(t, s.sems[w.name])
	case "schedule":
		if t.prepared {
			s.sleep(t, "schedule")
		} else {
			s.finish(t)
		}
	default:
		s.plainWord(t, w)
		s.finish(t)
		if w.op == "goto" {
			t.pc = w.n
		} else if w.op == "end" {
			s.endRound(t)
		}
	}
}

// plainWord does a word that never waits.
func (s *naiveSim) plainWord(t *naiveTask, w naiveWord) {
	switch w.op {
	case "wake":
		s.wakeWord(s.task(w.name))
	case "post":
		s.post(s.sems[w.name])
	case "repeat":
		t.loops = append(t.loops, w.n)
	case "yield":
		s.yield(t)
	case "preempt_off":
		t.preemptOff++
	case "preempt_on":
		t.preemptOff--
	case "irq_off":
		t.irqOff++
	case "irq_on":
		t.irqOff--
		s.drain(s.cpus[t.cpu])
	case "prepare":
		t.prepared = true
	case "set_priority":
		other := t
		if w.name != "" {
			other = s.task(w.name)
		}
		other.normal = w.n
		other.policy = "fifo"
		s.inherit(other)
	}
}

// endRound jumps back behind the repeat of the end that has just been done, or leaves the loop.
func (s *naiveSim) endRound(t *naiveTask) {
	top := len(t.loops) - 1
	t.loops[top]--
	if t.loops[top] == 0 {
		t.loops = t.loops[:top]
		return
	}
	for depth := 0; ; {
		t.pc--
		switch t.program[t.pc].op {
		case "end":
			depth++
		case "repeat":
			depth--
		}
		if depth == 0 {
			t.pc++
			return
		}
	}
}

// task finds a task by its name.
func (s *naiveSim) task(name string) *naiveTask {
	for _, t := range s.tasks {
		if t.name == name {
			return t
		}
	}
	return nil
}

// sleepUntil arms a timer on this CPU; a sleeper of the fair policy has a soft one (R3.9).
func (s *naiveSim) sleepUntil(t *naiveTask, at int64) {
	if at <= s.now {
		s.finish(t)
		return
	}
	t.timerAt = at
	t.timerCPU = t.cpu
	t.soft = t.policy == "other"
	s.sleep(t, "sleep")
}

// wait consumes the token or sleeps.
func (s *naiveSim) wait(t *naiveTask) {
	if t.token {
		t.token = false
		s.finish(t)
		return
	}
	s.sleep(t, "wait")
}

// wakeWord is `wake T`, of a task or of an interrupt.
func (s *naiveSim) wakeWord(t *naiveTask) {
	switch {
	case t.why == "wait" || t.why == "schedule":
		t.returning = true
		s.wake(t)
	case t.why == "asleep":
		s.wake(t)
	case t.prepared:
		t.prepared = false
	default:
		for _, w := range t.program {
			if w.op == "wait" {
				t.token = true
			}
		}
	}
}

// take takes one from a semaphore or queues by the priority of this moment.
func (s *naiveSim) take(t *naiveTask, q *naiveSem) {
	if q.count > 0 {
		q.count--
		s.finish(t)
		return
	}
	t.takeRank = t.eff
	i := 0
	for i < len(q.takers) && q.takers[i].takeRank >= t.takeRank {
		i++
	}
	q.takers = append(q.takers, nil)
	copy(q.takers[i+1:], q.takers[i:])
	q.takers[i] = t
	s.sleep(t, "take")
}

// post hands one to the best taker, or counts it.
func (s *naiveSim) post(q *naiveSem) {
	if len(q.takers) == 0 {
		q.count++
		if q.count > naiveSemLimit {
			s.failed = fmt.Errorf("a semaphore counts too far at %d ns", s.now)
		}
		return
	}
	t := q.takers[0]
	q.takers = q.takers[1:]
	t.returning = true
	s.wake(t)
}
