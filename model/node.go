package model

// What the proposals add: a node for each registered futex, to which waiters stay linked
// (option 1), and a doorbell word in each ring (option 2).

// A walker of the node without its lock, or a sender with an SQE for each ring, may be preempted
// while the endpoint it stands at leaves, and comes back: as another process, in the scenarios.
// In the kernel an RCU grace period, or the reference to the ring's file, keeps what he stands
// on: he goes on to whoever was behind it, and what he does to a ring that has died reaches
// nobody. Here a walk goes by the order of registration, not by links, and a target is an
// endpoint in one of its lives.

// aim makes an endpoint, in its present life, the task's target, its own work item to be pushed.
func (m *Machine) aim(t *Task, e int32) {
	t.regs.target, t.regs.item = e, e
	if e != none {
		t.regs.life = m.world.endpoints[e].life
	}
}

// gone says whether the target's ring has died since it was chosen.
func (m *Machine) gone(t *Task) bool {
	return m.world.endpoints[t.regs.target].life != t.regs.life
}

// ringDies ends a life of an endpoint's ring. Work that is queued is run by the ring's exit, for
// nothing; a mark whose setter has not pushed yet goes, as his push will.
func (m *Machine) ringDies(i int32) {
	e := &m.world.endpoints[i]
	e.life++
	e.bits, e.pending = 0, m.world.items[i].queued
	e.poll.count, e.poll.queued, e.poll.refs = 0, false, 0
}

// nodeNext goes on with a walk of the node: to the first who registered after the last one.
func (m *Machine) nodeNext(t *Task, q *queueState) bool {
	next := q.nodeFirst
	for next != none && m.world.endpoints[next].joined <= t.regs.iter {
		next = m.world.endpoints[next].nodeNext
	}
	m.aim(t, next)
	t.regs.iter = walkStart
	if next != none {
		t.regs.iter = m.world.endpoints[next].joined
	}
	return next != none
}

// operateNode performs an action on the node or on a doorbell. The node's list changes under
// node->lock; it is walked under it or, in the rcu variant, without it.
func (m *Machine) operateNode(t *Task, a Action) bool {
	q := &m.world.queues[t.regs.queue]
	switch a {
	case ActNodeJoin:
		at := &q.nodeFirst
		for *at != none {
			at = &m.world.endpoints[*at].nodeNext
		}
		q.order++
		e := &m.world.endpoints[t.regs.own]
		e.nodeNext, e.joined = none, q.order
		*at = t.regs.own
	case ActNodeLeave:
		at := &q.nodeFirst
		for *at != none && *at != t.regs.own {
			at = &m.world.endpoints[*at].nodeNext
		}
		if *at != none {
			*at = m.world.endpoints[t.regs.own].nodeNext
		}
		m.ringDies(t.regs.own)
	case ActNodeNext:
		return m.nodeNext(t, q)
	case ActMarkPending:
		e := &m.world.endpoints[t.regs.target]
		if m.gone(t) || e.pending {
			return false
		}
		e.pending = true
	case ActClearPending:
		m.world.endpoints[t.regs.own].pending = false
	case ActBell:
		e := &m.world.endpoints[t.regs.target]
		if m.gone(t) {
			return false
		}
		was := e.bits
		e.bits |= 1 << uint(t.regs.queue&63)
		return was == 0
	case ActBellSilent:
		return m.world.endpoints[t.regs.own].bits == 0
	case ActBellSet:
		return m.world.endpoints[t.regs.own].bits != 0
	case ActTakeBell:
		e := &m.world.endpoints[t.regs.own]
		was := e.bits
		e.bits = 0
		return was != 0
	}
	return true
}
