package scenarios_test

import "slices"

// This file has the rtmutex: acquire, steal, spin, release, and priority inheritance.

// naiveLock is one lock: an rtmutex, or a raw spinlock. An rtmutex without an owner and with
// waiters is pending (2.2).
type naiveLock struct {
	name    string
	kind    string // spin, local, mutex, rw, raw, or bh
	owner   *naiveTask
	waiters []*naiveTask // best first; a raw lock's in the order of arrival
	readers []*naiveTask // of an rw lock
	closed  bool         // an rw lock that a writer holds or awaits
}

// acquire is R2.2: take the lock, or queue, boost, and spin or sleep.
func (s *naiveSim) acquire(t *naiveTask, l *naiveLock) {
	if s.tryTake(t, l) {
		s.taken(t, l)
		return
	}
	if l.kind == "mutex" {
		t.prepared = false
	}
	t.waits = l
	s.insertWaiter(t)
	if l.owner != nil {
		s.inherit(l.owner)
	}
	s.findDeadlock(t)
	s.spinOrSleep(t)
}

// insertWaiter queues a task at its effective priority, behind its equals (R2.3).
func (s *naiveSim) insertWaiter(t *naiveTask) {
	l := t.waits
	t.rank = t.eff
	i := 0
	for i < len(l.waiters) && l.waiters[i].rank >= t.rank {
		i++
	}
	l.waiters = slices.Insert(l.waiters, i, t)
}

// removeWaiter takes a task out of the queue it is in.
func (s *naiveSim) removeWaiter(t *naiveTask) {
	l := t.waits
	i := slices.Index(l.waiters, t)
	l.waiters = slices.Delete(l.waiters, i, i+1)
}

// tryTake is R2.8 and says whether the task owns the lock now.
func (s *naiveSim) tryTake(t *naiveTask, l *naiveLock) bool {
	if l.owner != nil {
		return false
	}
	if len(l.waiters) > 0 && l.waiters[0] != t {
		top := l.waiters[0].rank
		lateral := l.kind != "mutex" && t.eff == 0 && top == 0
		if t.eff <= top && !lateral {
			return false
		}
	}
	if t.waits == l {
		s.removeWaiter(t)
		t.waits = nil
		t.spinOwner = nil
	}
	l.owner = t
	return true
}

// maySpin is R2.6: the top waiter, whose own CPU is not asked to reschedule, spins while the
// owner is on a CPU.
func (s *naiveSim) maySpin(t *naiveTask) bool {
	l := t.waits
	return l.owner != nil && l.waiters[0] == t &&
		s.cpus[l.owner.cpu].curr == l.owner && !s.cpus[t.cpu].resched
}

// spinOrSleep decides what a waiter does that could not take the lock.
func (s *naiveSim) spinOrSleep(t *naiveTask) {
	t.spinOwner = nil
	if s.maySpin(t) {
		t.spinOwner = t.waits.owner
		return
	}
	s.sleep(t, "lock")
}

// tryAgain is a waiter's next round: take, else spin or sleep.
func (s *naiveSim) tryAgain(t *naiveTask) {
	l := t.waits
	if s.tryTake(t, l) {
		s.taken(t, l)
		return
	}
	s.spinOrSleep(t)
}

// spinnerActs is rule (2): the first spinner whose lock or owner changed acts.
func (s *naiveSim) spinnerActs() bool {
	for _, t := range s.tasks {
		l := t.waits
		if l == nil || !s.goesOn(t) {
			continue
		}
		s.here = t.cpu
		switch {
		case l.kind == "raw":
			if l.owner != nil || l.waiters[0] != t {
				continue
			}
			s.removeWaiter(t)
			t.waits = nil
			l.owner = t
			s.granted(t, l)
		case t.spinOwner == nil || t.spinOwner == l.owner && s.maySpin(t):
			continue
		case t.spinOwner != l.owner:
			s.tryAgain(t)
		default:
			t.spinOwner = nil
			s.sleep(t, "lock")
		}
		return true
	}
	return false
}

// release is R2.11: deboost, offer, wake; one step.
func (s *naiveSim) release(t *naiveTask, l *naiveLock) {
	l.owner = nil
	s.inherit(t)
	if len(l.waiters) > 0 {
		s.wakeForLock(l.waiters[0])
	}
}

// wakeForLock wakes a waiter that sleeps; one that spins, or is awake already, needs nothing; one
// that was preempted while it spun only asks an equal to make room.
func (s *naiveSim) wakeForLock(t *naiveTask) {
	switch {
	case t.why == "lock" && !t.blocking:
		t.retry = true
		s.wake(t)
	case t.spinOwner != nil:
		s.wakeQueued(t)
	}
}

// effective is R2.5: the highest of the task's own priority and the top waiters of its locks.
func (s *naiveSim) effective(t *naiveTask) int {
	eff := t.normal
	for _, l := range s.locks {
		if l.owner == t && l.kind != "raw" && len(l.waiters) > 0 {
			eff = max(eff, l.waiters[0].rank)
		}
	}
	return eff
}

// inherit sets a task's effective priority and walks the chain of what it waits for (R2.5).
func (s *naiveSim) inherit(t *naiveTask) {
	for {
		eff := s.effective(t)
		if eff == t.eff {
			return
		}
		s.setEffective(t, eff)
		l := t.waits
		if l == nil || l.kind == "raw" {
			return
		}
		top := l.waiters[0]
		s.removeWaiter(t)
		s.insertWaiter(t)
		if l.owner == nil {
			if l.waiters[0] != top {
				s.wakeForLock(l.waiters[0])
			}
			return
		}
		t = l.owner
	}
}

// findDeadlock looks for a cycle of tasks that wait for each other through the given one.
func (s *naiveSim) findDeadlock(t *naiveTask) {
	if cycle := s.waitCycle(t, t, nil); cycle != nil {
		for _, member := range cycle {
			s.out.Deadlock = append(s.out.Deadlock, member.name)
		}
	}
}

// waitCycle follows what a task waits for until it comes back to the start.
func (s *naiveSim) waitCycle(start, t *naiveTask, path []*naiveTask) []*naiveTask {
	if slices.Contains(path, t) {
		if t == start {
			return path
		}
		return nil
	}
	path = append(slices.Clone(path), t)
	for _, other := range s.waitsFor(t) {
		if cycle := s.waitCycle(start, other, path); cycle != nil {
			return cycle
		}
	}
	return nil
}

// waitsFor lists the tasks that have to act before a task can go on.
func (s *naiveSim) waitsFor(t *naiveTask) []*naiveTask {
	switch l := t.waits; {
	case t.why == "readers":
		return s.lockOf(t).readers
	case l == nil:
		return nil
	case l.kind == "raw":
		ahead := slices.Clone(l.waiters[:slices.Index(l.waiters, t)])
		if l.owner != nil {
			ahead = append(ahead, l.owner)
		}
		return ahead
	case l.owner != nil:
		return []*naiveTask{l.owner}
	}
	return nil
}
