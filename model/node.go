package model

// What the proposals add: a node for each registered futex, to which waiters stay linked
// (option 1), and a doorbell word in each ring (option 2).

// operateNode performs an action on the node or on a doorbell. The node's list is under
// node->lock or, in the rcu variant, walked without it.
func (m *Machine) operateNode(t *Task, a Action) bool {
	q := &m.world.queues[t.regs.queue]
	switch a {
	case ActNodeJoin:
		at := &q.nodeFirst
		for *at != none {
			at = &m.world.endpoints[*at].nodeNext
		}
		m.world.endpoints[t.regs.own].nodeNext = none
		*at = t.regs.own
	case ActNodeLeave:
		at := &q.nodeFirst
		for *at != none && *at != t.regs.own {
			at = &m.world.endpoints[*at].nodeNext
		}
		if *at != none {
			*at = m.world.endpoints[t.regs.own].nodeNext
		}
	case ActNodeNext:
		next := q.nodeFirst
		if t.regs.iter != walkStart {
			next = m.world.endpoints[t.regs.iter].nodeNext
		}
		t.regs.iter, t.regs.target = next, next
		if next == none {
			t.regs.iter = walkStart
		}
		return next != none
	case ActMarkPending:
		e := &m.world.endpoints[t.regs.target]
		was := e.pending
		e.pending = true
		return !was
	case ActClearPending:
		m.world.endpoints[t.regs.own].pending = false
	case ActBell:
		e := &m.world.endpoints[t.regs.target]
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
