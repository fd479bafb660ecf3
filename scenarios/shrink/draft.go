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
	length           sim.Time // how long they ran at a time, at most
	queues           []queueDecl
	fair             bool // somebody is of policy other
	unsure           bool // the chain does not say what some holder was doing
}

// burstsMost bounds how many bursts a draft has.
const burstsMost = 8

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
	var known []int32
	c.sender, c.receiver = as(o.sender, sends), as(o.receiver, receives)
	c.sender.measured, c.receiver.measured = true, true
	for i := range o.chain {
		p := &o.chain[i]
		id := o.names.TaskCalled(p.Holder)
		if id >= 0 && id != o.sender && id != o.receiver && !slices.Contains(known, id) {
			c.addHolder(o, id, p, as)
			known = append(known, id)
		}
		if id := o.names.TaskCalled(p.By); id >= 0 {
			c.preempting = as(id, runs)
			c.preempting.cpu = *p.CPU
			c.length = o.busy[id]
		}
		if p.Cause == blame.IRQ {
			c.preempting = happening{kind: interrupt, cpu: *p.CPU}
			c.length = p.Ns
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
	k, known := kindOf[in]
	if !known {
		k, c.unsure = unknown, true
	}
	c.holders = append(c.holders, as(id, k))
}

// kindOf is what a task does that is in a listing.
var kindOf = map[string]kind{"send": sends, "receive": receives, "open": receives, "close": closes}

// unknown is the kind of a holder of whom the chain does not say what he did.
const unknown kind = 255

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
		if h.kind == unknown {
			h.kind = v.kind
		}
		if h.kind == sends {
			h.calls = v.calls
		}
		after := firstGap
		if i > 0 {
			after = v.gap
		}
		if h.queue != c.sender.queue { // to which nobody else listens
			reader := c.receiver
			reader.measured, reader.cpu, reader.queue = false, -1, h.queue
			add(reader, 0)
		}
		add(h, after)
		if i == 0 && v.woken {
			waker := c.sender
			waker.measured, waker.cpu = false, -1
			add(waker, firstGap)
		}
		if i == 0 {
			c.addBurst(s, limit)
		}
	}
	alone := len(c.holders) == 0 && c.thread == ""
	if !alone && len(c.holders) == 0 {
		c.addBurst(s, limit)
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
		c.addBurst(s, limit)
	}
	c.addMore(s, limit)
	if v.fair {
		s.relabel(true)
		return s
	}
	for i := range s.all { // whoever preempts is above whom he preempts
		if h := &s.all[i]; h.kind == runs && len(c.holders) > 0 {
			h.priority = max(h.priority, c.holders[0].priority+1)
		}
	}
	s.relabel(false)
	return s
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
			h.priority = 10 * int32(slices.Index(below, p)+1)
		case p > sender:
			h.priority = 50 + 10*int32(slices.Index(above, p))
		default:
			h.priority = 40
		}
	}
}
