package model

// The global futex hash: one bucket a queue's word, its waiters on a plist by the priority they
// had when they armed. Source: kernel/futex/core.c, waitwake.c; io_uring/futex.c (7.4). A shared
// word hashes globally; strangers in the same bucket are not modelled here.

// operateHash performs an action on the bucket of the task's queue. All but ActHashWaiters,
// ActHashCount and the wake_q's are under hb->lock.
func (m *Machine) operateHash(t *Task, a Action) bool {
	q := &m.world.queues[t.regs.queue]
	switch a {
	case ActHashWaiters:
		return q.waiters > 0
	case ActHashCount:
		q.waiters++
	case ActHashQueue:
		return m.hashQueue(t, q)
	case ActHashNext:
		m.aim(t, q.hashFirst) // what was there before is unlinked by now
		return q.hashFirst != none
	case ActHashUnqueue:
		m.hashUnlink(q, t.regs.target)
	case ActHashCancel:
		if m.world.endpoints[t.regs.own].hashed {
			m.hashUnlink(q, t.regs.own)
		}
	case ActWakeQAdd:
		e := &m.world.endpoints[t.regs.target]
		if e.inWakeQ {
			return false // another's wake_q has it, and will wake it after this
		}
		e.inWakeQ = true
		e.wakeNext = none
		at := &t.regs.wakeq
		for *at != none {
			at = &m.world.endpoints[*at].wakeNext
		}
		*at = t.regs.target
	case ActWakeQNext:
		first := t.regs.wakeq
		m.aim(t, first)
		if first == none {
			return false
		}
		e := &m.world.endpoints[first]
		t.regs.wakeq, e.wakeNext, e.inWakeQ = e.wakeNext, none, false
	}
	return true
}

// hashQueue is the end of futex_wait_setup: it queues own if the word has the value that its loop
// last saw, else it takes the count back.
func (m *Machine) hashQueue(t *Task, q *queueState) bool {
	own := t.regs.own
	e := &m.world.endpoints[own]
	if e.seen != q.published {
		q.waiters--
		return false
	}
	e.hashed, e.prio = true, m.tasks[e.task].normal
	at := &q.hashFirst
	for *at != none && m.world.endpoints[*at].prio >= e.prio {
		at = &m.world.endpoints[*at].hashNext
	}
	e.hashNext = *at
	*at = own
	return true
}

func (m *Machine) hashUnlink(q *queueState, i int32) {
	at := &q.hashFirst
	for *at != i {
		if *at == none {
			m.broken("unlinks a waiter that is not in the bucket",
				m.world.endpoints[i].task, NoLock)
		}
		at = &m.world.endpoints[*at].hashNext
	}
	e := &m.world.endpoints[i]
	*at = e.hashNext
	e.hashNext, e.hashed = none, false
	q.waiters--
}
