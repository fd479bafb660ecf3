package scenarios_test

import "slices"

// This file has the run queue of a CPU, the switch, and the wake-up with its placement.

// rescheduleAll is rule (1): every CPU that must and may reschedule does, in the order of their
// numbers, again until none is left, for a push on one CPU can ask another. Then those pull that
// a task has left: what had asked others to reschedule came before.
func (s *naiveSim) rescheduleAll() {
	var pulls []int
	for again := true; again; {
		again = false
		for _, c := range s.cpus {
			must := c.resched || c.stopper != nil || c.curr != nil && c.curr.blocking
			if must && mayReschedule(c) {
				if s.reschedule(c) {
					pulls = append(pulls, c.id)
				}
				again = true
			}
		}
		if !again && len(pulls) > 0 {
			s.pull(pulls[0], 0)
			pulls = pulls[1:]
			again = true
		}
	}
}

// mayReschedule is R1.8 and R1.9; a task that blocks leaves whatever it has turned off.
func mayReschedule(c *naiveCPU) bool {
	t := c.curr
	return c.handler == nil &&
		(t == nil || t.blocking || t.preemptOff == 0 && t.irqOff == 0)
}

// reschedule picks the first task of the highest list (R1.1), pushes what it can after a switch
// to a real-time task (R1.23), and says whether the CPU is to pull because a real-time task that
// left lowers it (R1.25).
func (s *naiveSim) reschedule(c *naiveCPU) bool {
	s.here = c.id
	c.resched = false
	lost := 0
	if t := c.curr; t != nil && t.blocking {
		t.blocking = false
		lost = t.eff
		c.curr = nil
	}
	drops := level(c) < lost
	if c.stopper != nil {
		s.runStopper(c)
	}
	var next *naiveTask
	if len(c.queue) > 0 {
		next = c.queue[0]
	}
	if next != c.curr {
		if c.curr != nil {
			s.becomesPushable(c.curr)
		}
		c.curr = next
		if next != nil && next.eff > 0 {
			for s.pushOne(c, false) {
			}
		}
	}
	s.drain(c)
	return drops
}

// level is the highest real-time priority queued on a CPU; fair-busy and idle are both 0.
func level(c *naiveCPU) int {
	if len(c.queue) == 0 {
		return 0
	}
	return c.queue[0].eff
}

// enqueue puts a task into the list of its priority, at its head or tail (1.2).
func (s *naiveSim) enqueue(t *naiveTask, atHead bool) {
	c := s.cpus[t.cpu]
	i := 0
	for i < len(c.queue) && (c.queue[i].eff > t.eff || !atHead && c.queue[i].eff == t.eff) {
		i++
	}
	c.queue = slices.Insert(c.queue, i, t)
	t.queued = true
	if c.curr != t {
		s.becomesPushable(t)
	}
}

// dequeue takes a task out of its CPU's queue.
func (s *naiveSim) dequeue(t *naiveTask) {
	c := s.cpus[t.cpu]
	i := slices.Index(c.queue, t)
	c.queue = slices.Delete(c.queue, i, i+1)
	t.queued = false
}

// becomesPushable notes that a task is queued and does not run from now on.
func (s *naiveSim) becomesPushable(t *naiveTask) {
	s.events++
	t.pushableAt = s.events
}

// yield puts a task behind its equals (sched_yield, or a round robin slice used up).
func (s *naiveSim) yield(t *naiveTask) {
	c := s.cpus[t.cpu]
	equals := 0
	for _, other := range c.queue {
		if other.eff == t.eff {
			equals++
		}
	}
	if equals < 2 {
		return
	}
	s.dequeue(t)
	s.enqueue(t, false)
	c.resched = true
}

// setEffective changes a task's effective priority, requeues it and preempts by R1.7.
func (s *naiveSim) setEffective(t *naiveTask, eff int) {
	drops := eff < t.eff
	t.eff = eff
	if !t.queued {
		return
	}
	c := s.cpus[t.cpu]
	s.dequeue(t)
	s.enqueue(t, drops)
	if c.curr != t {
		if c.curr == nil || eff > c.curr.eff {
			c.resched = true
		}
		return
	}
	if drops && (eff > 0 || level(c) == 0) { // switched_from_rt leaves it to other RT tasks
		s.pulls = append(s.pulls, c.id)
	}
	if level(c) > eff || drops && eff == 0 {
		c.resched = true
	}
}

// wake makes a sleeping task runnable; s.here is the CPU of whoever wakes it.
func (s *naiveSim) wake(t *naiveTask) {
	t.why = ""
	t.cpu = s.place(t)
	s.enqueue(t, false)
	c := s.cpus[t.cpu]
	switch {
	case c.curr == nil || t.eff > c.curr.eff: // R1.5
		c.resched = true
	case t.eff == c.curr.eff && t.eff > 0 && !c.resched:
		s.wakeEqual(c, t)
	}
	if t.eff > 0 && !c.resched && movable(t) && c.curr.eff > 0 &&
		(!movable(c.curr) || c.curr.eff >= t.eff) {
		for s.pushOne(c, false) { // R1.23
		}
	}
}

// wakeQueued is the wake-up of a task that is queued and not on a CPU (ttwu_runnable): it may
// still ask an equal to make room (R1.6).
func (s *naiveSim) wakeQueued(t *naiveTask) {
	c := s.cpus[t.cpu]
	if t.queued && c.curr != nil && c.curr != t && t.eff == c.curr.eff && t.eff > 0 && !c.resched {
		s.wakeEqual(c, t)
	}
}

// wakeEqual is R1.6: a woken task that nobody can take goes to the head if the running one, its
// equal, can go elsewhere.
func (s *naiveSim) wakeEqual(c *naiveCPU, t *naiveTask) {
	if s.findLowest(c.curr) < 0 || s.findLowest(t) >= 0 {
		return
	}
	s.dequeue(t)
	s.enqueue(t, true)
	c.resched = true
}

// place is R1.22 for real-time tasks; a fair task goes to its previous CPU, else the lowest
// idle one.
func (s *naiveSim) place(t *naiveTask) int {
	c := s.cpus[t.cpu]
	if !movable(t) || t.migrateOff > 0 {
		return t.cpu
	}
	if t.eff == 0 {
		if idle(c) || c.curr != nil && c.curr == s.server && len(c.queue) == 1 {
			return t.cpu // ktimers, which is about to sleep, does not make it busy
		}
		for _, other := range s.cpus {
			if t.allowed[other.id] && idle(other) {
				return other.id
			}
		}
		return t.cpu
	}
	if c.curr == nil || c.curr.eff == 0 || movable(c.curr) && c.curr.eff < t.eff {
		return t.cpu
	}
	if target := s.findLowest(t); target >= 0 {
		return target
	}
	return t.cpu
}

// idle says whether a CPU has nothing to run.
func idle(c *naiveCPU) bool { return c.curr == nil && len(c.queue) == 0 }

// movable looks at the affinity alone, not at migrate-disable (R1.27).
func movable(t *naiveTask) bool {
	n := 0
	for _, ok := range t.allowed {
		if ok {
			n++
		}
	}
	return n > 1
}
