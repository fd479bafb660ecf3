package scenarios_test

// This file has what moves real-time tasks between CPUs: the choice of a target, push, pull, and
// the stopper.

// findLowest is R1.24: of the lowest-ranked CPUs below the task that it may use its own, else the
// one that searches, else the lowest number; -1 if there is none.
func (s *naiveSim) findLowest(t *naiveTask) int {
	if !movable(t) {
		return -1
	}
	best := t.eff
	for _, c := range s.cpus {
		if t.allowed[c.id] {
			best = min(best, level(c))
		}
	}
	if best == t.eff {
		return -1
	}
	for _, id := range []int{t.cpu, s.here} {
		if t.allowed[id] && level(s.cpus[id]) == best {
			return id
		}
	}
	for _, c := range s.cpus {
		if t.allowed[c.id] && level(c) == best {
			return c.id
		}
	}
	return -1
}

// pushable is the task that a push of this CPU would move: the highest real-time task that is
// queued, does not run and is movable; among equals the one that has been so for longest.
func (s *naiveSim) pushable(c *naiveCPU) *naiveTask {
	var best *naiveTask
	for _, t := range c.queue {
		if t == c.curr || t.eff == 0 || !movable(t) {
			continue
		}
		if best == nil || t.eff > best.eff ||
			t.eff == best.eff && t.pushableAt < best.pushableAt {
			best = t
		}
	}
	return best
}

// pushOne is one round of R1.23 on a CPU and says whether it moved a task. A round that a pull
// asked for, and that meets a migrate-disabled task, moves the running task instead (R1.26).
func (s *naiveSim) pushOne(c *naiveCPU, forPull bool) bool {
	t := s.pushable(c)
	if t == nil {
		return false
	}
	if c.curr == nil || t.eff > c.curr.eff {
		c.resched = true
		return false
	}
	if t.migrateOff > 0 {
		if forPull && c.stopper == nil && movable(c.curr) && c.curr.migrateOff == 0 {
			if s.findLowest(c.curr) >= 0 {
				c.stopper = c.curr
			}
		}
		return false
	}
	target := s.findLowest(t)
	if target < 0 {
		return false
	}
	s.move(t, target)
	return true
}

// move takes a queued task to another CPU, which has nothing that outranks it.
func (s *naiveSim) move(t *naiveTask, target int) {
	s.dequeue(t)
	t.cpu = target
	s.enqueue(t, false)
	s.cpus[target].resched = true
}

// runStopper moves the task that the stopper was asked to move, if that is still possible.
func (s *naiveSim) runStopper(c *naiveCPU) {
	t := c.stopper
	c.stopper = nil
	if !t.queued || t.cpu != c.id || t.migrateOff > 0 {
		return
	}
	target := s.findLowest(t)
	if target < 0 {
		return
	}
	if c.curr == t {
		c.curr = nil
	}
	s.move(t, target)
}

// pull asks the overloaded CPUs from number first on, one after another, to push (R1.25). It is
// an interrupt there: a CPU that has interrupts off holds it, and those after it wait. The puller
// is asked in its turn (rto_next_cpu does not leave it out), unless it alone is overloaded.
func (s *naiveSim) pull(puller, first int) {
	others := false
	for _, c := range s.cpus {
		others = others || c.id != puller && s.pushable(c) != nil
	}
	if first == 0 && !others {
		return
	}
	for _, c := range s.cpus[first:] {
		if s.pushable(c) == nil {
			continue
		}
		if irqsBlocked(c) {
			c.held = append(c.held, naiveHeld{pull: true, puller: puller})
			return
		}
		s.here = c.id
		for s.pushOne(c, true) {
		}
	}
}

// runPulls does the pulls of a step whose running task dropped, after the step's wake-ups.
func (s *naiveSim) runPulls() {
	for len(s.pulls) > 0 {
		puller := s.pulls[0]
		s.pulls = s.pulls[1:]
		s.pull(puller, 0)
	}
}
