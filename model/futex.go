package model

// The global futex hash: one bucket a queue's word, its waiters on a plist by the priority they
// had when they armed. Source: kernel/futex/core.c, waitwake.c; io_uring/futex.c (7.4). A shared
// word hashes globally, so words of strangers may fall into the bucket: they share its lock, and
// a waker looks at their waiters too (futex_match).

// operateHash performs an action on the bucket of the task's queue. All but ActHashWaiters,
// ActHashCount and the wake_q's are under hb->lock.
func (m *Machine) operateHash(t *Task, a Action) bool {
	b := &m.world.queues[m.prog.net.buckets[t.regs.queue]].bucket
	switch a {
	case ActHashWaiters:
		return b.waiters > 0
	case ActHashCount:
		b.waiters++
	case ActHashQueue:
		return m.hashQueue(t, b)
	case ActHashNext:
		return m.hashNext(t, b)
	case ActHashMatch:
		return m.world.endpoints[t.regs.target].queue == t.regs.queue
	case ActHashUnqueue:
		m.hashUnlink(b, t.regs.target)
	case ActHashCancel:
		if m.world.endpoints[t.regs.own].hashed {
			m.hashUnlink(b, t.regs.own)
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

// hashNext goes on with a walk of the plist. The lock is held all the time, so what comes next is
// known before the waiter that is looked at is unlinked (plist_for_each_entry_safe).
func (m *Machine) hashNext(t *Task, b *bucket) bool {
	next := t.regs.iter
	if next == walkStart {
		next = b.first
	}
	m.aim(t, next)
	t.regs.iter = walkStart
	if next != none {
		t.regs.iter = m.world.endpoints[next].hashNext
	}
	return next != none
}

// hashQueue is the end of futex_wait_setup: it queues own if the word has the value that its loop
// last saw, else it takes the count back.
func (m *Machine) hashQueue(t *Task, b *bucket) bool {
	own := t.regs.own
	e := &m.world.endpoints[own]
	if e.seen != m.world.queues[e.queue].published {
		b.waiters--
		return false
	}
	e.hashed, e.prio = true, m.tasks[e.task].normal
	at := &b.first
	for *at != none && m.world.endpoints[*at].prio >= e.prio {
		at = &m.world.endpoints[*at].hashNext
	}
	e.hashNext = *at
	*at = own
	return true
}

func (m *Machine) hashUnlink(b *bucket, i int32) {
	at := &b.first
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
	b.waiters--
}

// hashLockKind is the kind of hb->lock: a spinlock, or as a mutex if a path asks what that changes.
func (w *Workload) hashLockKind() LockKind {
	if w.names(RefHashFree) {
		return Mutex
	}
	return Spin
}
