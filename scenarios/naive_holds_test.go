package scenarios_test

import "slices"

// This file has what the kinds of locks do beyond the rtmutex: who may migrate, who counts as a
// holder, readers and writers, raw locks, and the lock of the BH-disabled sections.

// lockOf is the instance that a task's lock word names: a local lock has one a CPU.
func (s *naiveSim) lockOf(t *naiveTask) *naiveLock {
	list := s.named[t.program[t.pc].name]
	if len(list) > 1 {
		return list[t.cpu]
	}
	return list[0]
}

// lock does a `lock L`.
func (s *naiveSim) lock(t *naiveTask) {
	switch kind := s.named[t.program[t.pc].name][0].kind; kind {
	case "raw":
		s.lockRaw(t, s.lockOf(t))
	case "local":
		t.migrateOff++
		s.acquire(t, s.lockOf(t))
	default:
		s.acquire(t, s.lockOf(t))
	}
}

// lockRaw turns preemption off and takes the lock, or spins in the order of arrival (R2.16).
func (s *naiveSim) lockRaw(t *naiveTask, l *naiveLock) {
	t.preemptOff++
	if l.owner == nil && len(l.waiters) == 0 {
		l.owner = t
		s.granted(t, l)
		return
	}
	t.waits = l
	l.waiters = append(l.waiters, t)
	s.findDeadlock(t)
}

// taken goes on when a task has an rtmutex: a reader counts itself and releases it at once, a
// writer shuts readers out and waits for those inside without boosting them (R2.14).
func (s *naiveSim) taken(t *naiveTask, l *naiveLock) {
	switch t.program[t.pc].op {
	case "read_lock":
		s.enter(t, l)
		s.release(t, l)
	case "write_lock":
		l.closed = true
		if len(l.readers) == 0 {
			s.granted(t, l)
			return
		}
		s.sleep(t, "readers")
		s.findDeadlock(t)
	default:
		s.granted(t, l)
	}
}

// granted ends a lock word: the task holds the lock.
func (s *naiveSim) granted(t *naiveTask, l *naiveLock) {
	if l.kind == "spin" || l.kind == "rw" {
		t.migrateOff++
	}
	t.holds[l.name] = l
	if l.kind != "rw" && l.kind != "bh" {
		s.out.Acquired = append(s.out.Acquired, naiveAcquired{l.name, t.name, s.now})
	}
	s.finish(t)
}

// enter makes a task a reader.
func (s *naiveSim) enter(t *naiveTask, l *naiveLock) {
	l.readers = append(l.readers, t)
	s.granted(t, l)
}

// readLock needs the rtmutex only while a writer has shut readers out.
func (s *naiveSim) readLock(t *naiveTask) {
	if l := s.lockOf(t); l.closed {
		s.acquire(t, l)
	} else {
		s.enter(t, l)
	}
}

// unlock does any word that gives a lock back. Migration is allowed again before the release
// (R2.12), of a local lock after it.
func (s *naiveSim) unlock(t *naiveTask, op string) {
	l := t.holds[t.program[t.pc].name]
	delete(t.holds, l.name)
	if l.kind == "spin" || l.kind == "rw" {
		t.migrateOff--
	}
	switch {
	case l.kind == "raw":
		l.owner = nil
		t.preemptOff--
	case op == "read_unlock":
		i := slices.Index(l.readers, t)
		l.readers = slices.Delete(l.readers, i, i+1)
		if l.closed && len(l.readers) == 0 && l.owner.why == "readers" {
			l.owner.retry = true
			s.wake(l.owner)
		}
	default:
		l.closed = false
		s.release(t, l)
	}
	t.migrateOn = l.kind == "local"
	s.finish(t)
}

// bhOff enters a BH-disabled section; only the outermost one does anything (R3.8).
func (s *naiveSim) bhOff(t *naiveTask) {
	t.bhOff++
	if t.bhOff > 1 {
		s.finish(t)
		return
	}
	t.migrateOff++
	if s.bhLocks == nil || t.preemptOff > 0 || t.irqOff > 0 {
		s.finish(t)
		return
	}
	s.acquire(t, s.bhLocks[t.cpu])
}

// bhOn leaves a BH-disabled section.
func (s *naiveSim) bhOn(t *naiveTask) {
	t.bhOff--
	if t.bhOff == 0 {
		if l := t.holds["bh"]; l != nil {
			delete(t.holds, "bh")
			s.release(t, l)
		}
		t.migrateOn = true
	}
	s.finish(t)
}
