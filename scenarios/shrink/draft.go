package shrink

import (
	"slices"

	"rtsim/sim"
)

// A draft is a first sketch of a witness. It has who is in the witness's chain of causes and
// nobody else, in the order in which a chain comes about: who is at its end first, then whoever
// preempts him, then those who wait for him, the sender last. From the witness it takes what each
// of them was doing, his policy and priority, who shares a CPU with whom, and how long those who
// preempt ran; not when, for costs jitter, and without all the others it would be another time.
// When they come is found anew, by what they must hit (align.go).
//
// A small file is a world of its own. It keeps nobody to a period, to the least gap between two
// bursts, or to how often a task sends; it says what may happen once, not how often.
//
// Rejected: to cut the witness's window out and leave parts of it away until nothing can go. What
// a window inherits from before it (a cache that is nearly empty, a round of a loop) is in no file,
// so most windows do not even repeat the violation; and what is left would have its odd times.

// They bound how many bursts and readers a draft has.
const (
	burstsMost  = 8
	readersMost = 8
)

// draft is the first sketch of a variant; its bursts are not where they must be.
func (c *cast) draft(v variant, limit sim.Time) *sketch {
	s := &sketch{queues: c.queues}
	if v.comes == beforeAll {
		s.add(c.receiver, 0)
	}
	for range v.readers {
		s.add(c.other(receives, -1), 0)
	}
	if c.thread != "" { // frees what a reader of its CPU has handled
		writer := c.other(sends, -1)
		writer.calls = v.calls
		s.add(c.other(receives, c.threadCPU), 0)
		s.add(writer, firstGap)
	}
	c.addHolders(s, v, limit)
	gap, alone := v.gap, len(c.holders) == 0 && c.thread == ""
	switch {
	case alone:
		gap = firstGap
	case len(c.holders) == 0:
		c.addBurst(s, limit)
	}
	if v.comes == afterBurst {
		s.add(c.receiver, gap)
		gap = firstGap
	}
	s.add(c.sender, gap)
	if v.comes == afterSender {
		s.add(c.receiver, firstGap)
	}
	if alone {
		c.addBurst(s, limit)
	}
	c.addMore(s, limit)
	for i := range s.all { // whoever preempts is above whom he preempts
		if h := &s.all[i]; h.kind == runs && len(c.holders) > 0 && !v.fair {
			h.priority = max(h.priority, c.holders[0].priority+1)
		}
	}
	s.relabel(v.fair)
	return s
}

// addHolders adds those who are waited for, the burst after the first of them.
func (c *cast) addHolders(s *sketch, v variant, limit sim.Time) {
	after := firstGap
	for i, h := range c.holders {
		if h.kind == unknown {
			h.kind = v.kind
		}
		if h.kind == sends {
			h.calls = v.calls
		}
		if h.queue != c.sender.queue { // to which nobody else listens
			reader := c.receiver
			reader.measured, reader.cpu, reader.queue = false, -1, h.queue
			s.add(reader, 0)
		}
		s.add(h, after)
		if after = v.gap; i > 0 {
			continue
		}
		if v.woken {
			waker := c.sender
			waker.measured, waker.cpu = false, -1
			s.add(waker, firstGap)
		}
		c.addBurst(s, limit)
	}
}

// add adds a happening so long after the last one.
func (s *sketch) add(h happening, after sim.Time) {
	h.after = after
	s.all = append(s.all, h)
}

// other is one of no importance who sends or receives as the measured ones do; on a CPU of its own
// if that is -1.
func (c *cast) other(k kind, cpu int32) happening {
	return happening{kind: k, cpu: cpu, queue: c.sender.queue, calls: 1}
}

// addBurst adds the first burst, or interrupt, if the chain has one.
func (c *cast) addBurst(s *sketch, limit sim.Time) {
	if h := c.preempting; c.length > 0 {
		h.length = min(2*limit, c.length)
		s.all = append(s.all, h)
	}
}

// addMore adds as many bursts as may be needed to exceed the limit. Each comes when the one before
// would end if it had begun at once.
func (c *cast) addMore(s *sketch, limit sim.Time) {
	first, _ := s.preempted("")
	if first < 0 {
		return
	}
	passed := sim.Time(0) // since the last burst
	for i := first + 1; i < len(s.all); i++ {
		passed += s.all[i].after
	}
	left := 2*limit - s.all[first].length
	for n := 1; n < burstsMost && left > 0; n++ {
		h := s.all[first]
		h.after, passed = max(h.length-passed, 0), 0
		h.length = min(left, c.length)
		left -= h.length
		s.all = append(s.all, h)
	}
}

// relabel gives the CPUs their numbers, that of whoever is preempted the first; and priorities in
// tens: the sender has 40, who is above it 50 and more, who is below 10 and more.
func (s *sketch) relabel(fair bool) {
	var order []int32
	cpus := map[int32]int32{-1: -1}
	number := func(h *happening) {
		if _, known := cpus[h.cpu]; !known {
			cpus[h.cpu] = int32(len(order))
			order = append(order, h.cpu)
		}
	}
	sender := int32(0)
	for i := range s.all {
		if h := &s.all[i]; h.kind == runs || h.kind == interrupt {
			number(h)
		}
	}
	for _, measured := range []bool{false, true} {
		for i := range s.all {
			if h := &s.all[i]; h.measured == measured {
				number(h)
			}
		}
	}
	var below, above []int32
	for i := range s.all {
		if h := &s.all[i]; h.measured && h.kind == sends {
			sender = h.priority
		}
	}
	for i := range s.all {
		switch p := s.all[i].priority; {
		case s.all[i].kind == interrupt, p == 0 && fair:
		case p < sender:
			below = append(below, p)
		case p > sender:
			above = append(above, p)
		}
	}
	for _, l := range []*[]int32{&below, &above} {
		slices.Sort(*l)
		*l = slices.Compact(*l)
	}
	for i := range s.all {
		h := &s.all[i]
		if h.cpu = cpus[h.cpu]; h.cpu < 0 {
			h.cpu = int32(len(order))
			order = append(order, -1)
		}
		switch p := h.priority; {
		case h.kind == interrupt, p == 0 && fair:
		case p < sender:
			h.priority = min(10, 39/int32(len(below))) * int32(slices.Index(below, p)+1)
		case p > sender:
			h.priority = 50 + min(10, 49/int32(len(above)))*int32(slices.Index(above, p))
		default:
			h.priority = 40
		}
	}
}
