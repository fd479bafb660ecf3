package model

// What can be polled: an eventfd, with its count and wait queue, and a signalfd, with its task's
// pending signals and the wait queue of its sighand. Source: fs/eventfd.c, fs/signalfd.c,
// kernel/signal.c, io_uring/poll.c (6.12 to 7.4). A ring's READ that finds nothing arms a poll: an
// entry on the wait queue, and poll_refs, whose first reference owns the request. Who gets it by
// a wake-up queues the ring's local work; later ones only count.
//
// Under wqh.lock: count and the eventfd's wait queue. Under signalfd_wqh.lock: that of the
// signalfd. Under siglock: pending signals. poll_refs is atomic.

// The operations. An endpoint has one poll, which is its own work item.
const (
	ActCountAdd    Action = firstPollAction + iota // target's count grows by one
	ActCountTake                                   // take own's count: was it more than zero?
	ActCountSeen                                   // is it?
	ActPollQueued                                  // is target's poll on its wait queue?
	ActPollGet                                     // target's poll_refs + 1: were there none?
	ActPollUnqueue                                 // take target's poll off the wait queue
	ActPollArm                                     // own's poll: poll_refs = 0, on the wait queue
	ActPollGetOwn                                  // own's poll_refs + 1: were there none? target
	ActPollRemove                                  // take own's poll off the wait queue
	ActPollPut                                     // own's poll_refs = 0: it stays armed
	ActPushedFirst                                 // was the list empty at the last push?
	ActPosted                                      // has own completions?
	ActSignalThere                                 // does target's task still live?
	ActSignalQueue                                 // the object allocated joins target's pending
	ActSignalSeen                                  // does own have a pending signal?
	ActSignalTake                                  // take own's oldest: is there one?
	firstCacheAction
)

// pollState is an endpoint's eventfd or signalfd.
type pollState struct {
	count    int64 // of the eventfd
	refs     int32 // poll_refs of the ring's poll
	queued   bool  // the poll is on the wait queue
	sigFirst int32 // pending signals, oldest first: objects of the sigqueue cache
	sigLast  int32
}

// operatePoll performs an action on the eventfd or signalfd of target or own.
func (m *Machine) operatePoll(t *Task, a Action) bool {
	switch a {
	case ActCountAdd, ActPollQueued, ActPollGet, ActPollUnqueue, ActSignalThere, ActSignalQueue:
		return !m.gone(t) && m.wakePoll(t, &m.world.endpoints[t.regs.target].poll, a)
	case ActPushedFirst:
		return t.regs.first
	}
	e := &m.world.endpoints[t.regs.own]
	p := &e.poll
	switch a {
	case ActCountTake:
		was := p.count
		p.count = 0
		return was > 0
	case ActCountSeen:
		return p.count > 0
	case ActPollArm:
		p.refs, p.queued = 0, true
	case ActPollGetOwn:
		p.refs++
		m.aim(t, t.regs.own)
		return p.refs == 1
	case ActPollRemove:
		p.queued = false
	case ActPollPut:
		p.refs = 0
	case ActPosted:
		return e.cqes > 0
	case ActSignalSeen:
		return p.sigFirst != none
	case ActSignalTake:
		return m.takeSignal(t, p)
	}
	return true
}

// wakePoll performs an action of whoever wakes target.
func (m *Machine) wakePoll(t *Task, p *pollState, a Action) bool {
	switch a {
	case ActCountAdd:
		p.count++
	case ActPollQueued:
		return p.queued
	case ActPollGet:
		p.refs++
		return p.refs == 1
	case ActPollUnqueue:
		p.queued = false
	case ActSignalQueue:
		o := t.regs.slab.obj
		c := &m.world.slabs[SlabSignal]
		c.objNext[o] = none
		if p.sigFirst == none {
			p.sigFirst = o
		} else {
			c.objNext[p.sigLast] = o
		}
		p.sigLast = o
	}
	return true
}

// takeSignal is __dequeue_signal of the oldest pending signal; what it was queued as is the task's
// to free.
func (m *Machine) takeSignal(t *Task, p *pollState) bool {
	o := p.sigFirst
	if o == none {
		return false
	}
	p.sigFirst = m.world.slabs[SlabSignal].objNext[o]
	t.regs.slab.obj = o
	return true
}
