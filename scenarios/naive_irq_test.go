package scenarios_test

// This file has interrupts, timers and arrivals, and what a CPU holds back of them.

// naiveIRQ is one interrupt of the file.
type naiveIRQ struct {
	at, cost int64
	cpu      int
	wakes    []string
	endsAt   int64 // of its handler, once that runs
}

// naiveHeld is something that a CPU with interrupts off lets in later: an interrupt, a timer, or
// a request to push.
type naiveHeld struct {
	irq    *naiveIRQ
	timer  *naiveTask
	pull   bool
	puller int
}

// irqsBlocked says whether a CPU takes no interrupt now: its task has them off, or a handler runs.
func irqsBlocked(c *naiveCPU) bool {
	return c.handler != nil || c.curr != nil && c.curr.irqOff > 0
}

// interrupts ends handlers and takes the interrupts of this instant, in the file's order.
func (s *naiveSim) interrupts() {
	for _, i := range s.irqs {
		c := s.cpus[i.cpu]
		if c.handler == i && i.endsAt == s.now {
			s.endHandler(c)
			s.drain(c)
		}
		if i.at == s.now {
			s.arrive(c, naiveHeld{irq: i})
		}
	}
}

// timers fires the timers and arrivals of this instant, in the order of the tasks.
func (s *naiveSim) timers() {
	for _, t := range s.tasks {
		if t.timerAt == s.now {
			s.arrive(s.cpus[t.timerCPU], naiveHeld{timer: t})
		}
	}
}

// arrive lets something in, or holds it.
func (s *naiveSim) arrive(c *naiveCPU, h naiveHeld) {
	c.held = append(c.held, h)
	s.drain(c)
}

// drain lets in what a CPU has held, in the order in which it was due, as far as it may.
func (s *naiveSim) drain(c *naiveCPU) {
	for len(c.held) > 0 && !irqsBlocked(c) {
		h := c.held[0]
		c.held = c.held[1:]
		s.here = c.id
		switch {
		case h.irq != nil:
			c.handler = h.irq
			h.irq.endsAt = s.now + h.irq.cost
			if h.irq.cost == 0 {
				s.endHandler(c)
			}
		case h.timer != nil:
			s.expire(c, h.timer)
		default:
			s.pull(h.puller, c.id)
		}
	}
}

// endHandler does the wake-ups of the handler that runs.
func (s *naiveSim) endHandler(c *naiveCPU) {
	s.here = c.id
	for _, name := range c.handler.wakes {
		s.wakeWord(s.task(name))
	}
	c.handler = nil
}

// expire wakes an arriving or sleeping task, or, for a soft timer, ktimers (R3.10).
func (s *naiveSim) expire(c *naiveCPU, t *naiveTask) {
	t.timerAt = -1
	if t.soft {
		c.expired = append(c.expired, t)
		if c.ktimers.why == "ktimers" {
			s.wake(c.ktimers)
		}
		return
	}
	t.returning = t.why == "sleep"
	s.wake(t)
}

// firstKtimers is who of the ktimers on a CPU acts: one that has nobody left to serve, else the one
// whose next sleeper is the first in the file.
func (s *naiveSim) firstKtimers() *naiveTask {
	var first *naiveTask
	for _, c := range s.cpus {
		if k := c.ktimers; k != nil && s.goesOn(k) && len(c.expired) == 0 {
			return k
		}
	}
	for _, t := range s.tasks {
		for _, c := range s.cpus {
			if k := c.ktimers; first == nil && k != nil && s.goesOn(k) && c.expired[0] == t {
				first = k
			}
		}
	}
	return first
}

// serveTimers is a step of ktimers: it wakes one sleeper, who may preempt it, or, when none is
// left, sleeps again.
func (s *naiveSim) serveTimers(k *naiveTask) {
	c := s.cpus[k.cpu]
	if len(c.expired) == 0 {
		s.sleep(k, "ktimers")
		return
	}
	t := c.expired[0]
	c.expired = c.expired[1:]
	t.returning = true
	s.server = k
	s.wake(t)
	s.server = nil
}
