package shrink

import (
	"slices"
	"strings"

	"rtsim/model"
	"rtsim/scenarios/blame"
	"rtsim/sim"
)

// A draft is a first sketch of a witness. It has who is in the witness's chain of causes and
// nobody else, in the order in which a chain comes about: who is at its end first, then whoever
// preempts him, then those who wait for him, the sender last. From the witness it takes what each
// of them was doing, his policy and priority, who shares a CPU with whom, and how long those who
// preempt ran; not when, for costs jitter, and without all the others it would be another time.
// When they come is found anew, by what they must hit (align.go).
//
// Rejected: to cut the witness's window out and leave parts of it away until nothing can go. What
// a window inherits from before it (a cache that is nearly empty, a round of a loop) is in no file,
// so most windows do not even repeat the violation; and what is left would have its odd times.

// cast is who is in a chain.
type cast struct {
	holders          []happening // that of the deepest part first
	thread           string      // kworker: the deepest holder is a thread of the kernel
	threadCPU        int32
	sender, receiver happening
	preempting       happening
	bursts           int      // how often those who preempt ran, at most
	length           sim.Time // how long they ran at a time, at most
	queues           []queueDecl
	fair             bool // somebody is of policy other
}

// burstsMost bounds how many bursts a draft has.
const burstsMost = 4

// cast finds who is in the witness's chain.
func (in *Input) cast(o *observed) *cast {
	c := &cast{}
	w := o.workload
	main := o.queueOf(o.sender, 0)
	index := map[int32]int32{}
	c.addQueue(w, in.Case.Scenario.Designs, main, index)
	as := func(task int32, k kind) happening {
		h := happening{kind: k, calls: 1, queue: index[main]}
		if task < int32(len(w.Tasks)) {
			d := &w.Tasks[task]
			h.cpu, h.priority = d.FirstCPU, d.Priority
			c.fair = c.fair || d.Policy == model.Other
			q := o.queueOf(task, main)
			c.addQueue(w, in.Case.Scenario.Designs, q, index)
			h.queue = index[q]
		}
		return h
	}
	c.sender, c.receiver = as(o.sender, sends), as(o.receiver, receives)
	c.sender.measured, c.receiver.measured = true, true
	for i := range o.chain {
		p := &o.chain[i]
		if id := o.names.TaskCalled(p.Holder); id >= 0 && id != o.sender && id != o.receiver {
			c.addHolder(o, id, p, as)
		}
		if id := o.names.TaskCalled(p.By); id >= 0 {
			c.preempting = as(id, runs)
			c.preempting.cpu = *p.CPU
			c.length = o.busy[id]
			c.bursts = int(min(p.Ns/max(c.length, 1)+1, burstsMost))
		}
		if p.Cause == blame.IRQ {
			c.preempting = happening{kind: interrupt, cpu: *p.CPU}
			c.length, c.bursts = p.Ns, 1
		}
	}
	slices.Reverse(c.holders)
	return c
}

// addHolder adds whom somebody waits for.
func (c *cast) addHolder(o *observed, id int32, p *blame.Part,
	as func(int32, kind) happening) {
	in := path(p)
	if thread, cpu, is := strings.Cut(o.names.Task(id), "/"); is {
		c.thread = thread
		c.threadCPU = int32(number(cpu))
		return
	}
	k := map[string]kind{"receive": receives, "open": receives, "close": closes}[in]
	c.holders = append(c.holders, as(id, k))
}

// number is a decimal number of a name that the model has made.
func number(text string) int {
	n := 0
	for _, digit := range text {
		n = 10*n + int(digit-'0')
	}
	return n
}

// queueOf is the queue by which a task sends or receives; other if it does neither.
func (o *observed) queueOf(task, other int32) int32 {
	for _, w := range o.workload.Tasks[task].Program {
		if w.Kind == model.WordSend || w.Kind == model.WordReceive {
			return w.Lock
		}
	}
	return other
}

// addQueue adds a queue, and before it the one in whose bucket it is.
func (c *cast) addQueue(w *model.Workload, fixed []string, q int32, index map[int32]int32) {
	if _, known := index[q]; known {
		return
	}
	d := queueDecl{name: w.Queues[q]}
	if bucket := w.Buckets[q]; bucket != q {
		c.addQueue(w, fixed, bucket, index)
		d.bucketOf = w.Queues[bucket]
	}
	d.design = fixed[q]
	index[q] = int32(len(c.queues))
	c.queues = append(c.queues, d)
}

// variant is what the chain does not say.
type variant struct {
	fair  bool     // policy other stays; else it becomes the lowest priority
	calls int32    // how often who is at the end of the chain sends
	woken bool     // somebody else sends first, so that readers run
	late  bool     // the receiver comes after the bursts, not before all
	gap   sim.Time // between a burst and whoever comes after it
}

const firstGap = 20 * sim.Microsecond

// variants are tried in this order: simple ones first.
func (c *cast) variants() []variant {
	var all []variant
	fairs := []bool{false}
	if c.fair {
		fairs = append(fairs, true)
	}
	calls := []int32{1, 2, 4, 8, 16, 32, 64}
	if c.thread != "" {
		calls = []int32{1, 600}
	}
	for _, n := range calls {
		for _, woken := range []bool{false, true} {
			for _, late := range []bool{false, true} {
				for _, fair := range fairs {
					for _, gap := range []sim.Time{10 * sim.Microsecond, 0} {
						all = append(all, variant{fair, n, woken, late, gap})
					}
				}
			}
		}
	}
	return all
}

// draft is the first sketch of a variant; its bursts are not where they must be.
func (c *cast) draft(v variant, limit sim.Time) *sketch {
	s := &sketch{queues: c.queues}
	add := func(h happening, after sim.Time) {
		h.after = after
		s.all = append(s.all, h)
	}
	if !v.late {
		add(c.receiver, 0)
	}
	if c.thread != "" { // frees what a reader of its CPU has handled
		reader, writer := c.receiver, c.sender
		reader.measured, reader.cpu = false, c.threadCPU
		writer.measured, writer.calls, writer.cpu = false, v.calls, -1
		reader.priority, writer.priority = 0, 0
		add(reader, 0)
		add(writer, firstGap)
	}
	for i, h := range c.holders {
		if h.kind == sends {
			h.calls = v.calls
		}
		after := firstGap
		if i > 0 {
			after = v.gap
		}
		add(h, after)
		if i == 0 && v.woken {
			waker := c.sender
			waker.measured, waker.cpu = false, -1
			add(waker, firstGap)
		}
		if i == 0 {
			c.addBursts(s, limit)
		}
	}
	alone := len(c.holders) == 0 && c.thread == ""
	if !alone && len(c.holders) == 0 {
		c.addBursts(s, limit)
	}
	gap := v.gap
	if alone {
		gap = firstGap
	}
	if v.late {
		add(c.receiver, gap)
		gap = firstGap
	}
	add(c.sender, gap)
	if alone {
		c.addBursts(s, limit)
	}
	s.relabel(v.fair)
	return s
}

// addBursts adds as many as may be needed to exceed the limit.
func (c *cast) addBursts(s *sketch, limit sim.Time) {
	h, left := c.preempting, 2*limit
	for i := 0; i < c.bursts && left > 0; i++ {
		h.length = min(left, c.length)
		left -= h.length
		h.after = 0
		if i > 0 {
			h.after = s.all[len(s.all)-1].length + firstGap
		}
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
			h.priority = 10 * int32(slices.Index(below, p)+1)
		case p > sender:
			h.priority = 50 + 10*int32(slices.Index(above, p))
		default:
			h.priority = 40
		}
	}
}
