package shrink

import (
	"slices"
	"strings"

	"rtsim/model"
	"rtsim/scenarios/blame"
	"rtsim/sim"
)

// Who is in a witness, as its chain of causes and its workload tell.

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
	readers          int  // how many others receive what is sent
	unsure           bool // the chain does not say what some holder was doing
}

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
		if p.Cause == blame.Handover {
			c.addOwners(o, o.parts, p, func(id int32, q *blame.Part) {
				if id != o.sender && id != o.receiver && !slices.Contains(known, id) {
					c.addHolder(o, id, q, as)
					known = append(known, id)
				}
			})
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
	for i := range w.Tasks {
		if o.queueOf(int32(i), -1) == main && o.receives(int32(i)) {
			c.readers++
		}
	}
	c.readers = min(c.readers-1, readersMost)
	return c
}

// addOwners adds those who had a lock that was on its way to somebody.
func (c *cast) addOwners(o *observed, parts []blame.Part, lock *blame.Part,
	add func(int32, *blame.Part)) {
	for i := range parts {
		q := &parts[i]
		if q.Object == lock.Object && q.Of == lock.Of && q.Holder != lock.Holder {
			if id := o.names.TaskCalled(q.Holder); id >= 0 {
				add(id, q)
			}
		}
		c.addOwners(o, q.Because, lock, add)
	}
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

// receives says whether a task is a reader.
func (o *observed) receives(task int32) bool {
	return slices.ContainsFunc(o.workload.Tasks[task].Program,
		func(w model.Word) bool { return w.Kind == model.WordReceive })
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
