package model

// An io_uring ring with DEFER_TASKRUN: local work on an mpscq, cq_wait_nr, completions. Source:
// io_uring/tw.c, mpscq.h, wait.c (7.2 and later); the llist that was before is in llist.go. The
// mpscq's push is two instructions: the exchange of the tail publishes, the store to the
// predecessor links; between them what follows can't be reached (window W2). cq_wait_nr > 0 says
// that the ring's task waits for that many events; an adder that takes it to INIT has claimed the
// wake-up (window W1).

// operateRing performs an action on the ring of own or target.
func (m *Machine) operateRing(id TaskID, t *Task, a Action) bool {
	switch a {
	case ActWorkPush, ActWorkLink, ActWorkAdd:
		t.regs.first = m.addWork(t, a)
		return t.regs.first
	case ActArmed, ActClaim, ActClaimLazy, ActClaimKept:
		return !m.gone(t) && m.claim(&m.world.endpoints[t.regs.target], a)
	}
	e := &m.world.endpoints[t.regs.own]
	switch a {
	case ActNoCQE:
		return e.cqes == 0
	case ActArm:
		e.waitNr = 1
	case ActDisarm:
		e.waitNr = waitInit
		t.state = running
	case ActNoWork:
		return !e.hasWork()
	case ActWork:
		return e.hasWork()
	case ActWorkPop:
		t.regs.item = e.workFirst
		return m.workPop(e)
	case ActPostCQE:
		if e.cqes == cqEntries {
			e.overflowed++
			return false
		}
		e.cqes++
	case ActReap:
		e.cqes, e.overflowed = min(e.overflowed, cqEntries), max(e.overflowed-cqEntries, 0)
	default:
		m.broken("unknown action", id, NoLock)
	}
	return true
}

// hasWork is io_local_work_pending.
func (e *endpoint) hasWork() bool { return e.workFirst != none || e.run.retry != none }

// addWork pushes the item of the registers on the target's list, or links it; it says whether the
// list was empty. On a ring that has
// died since it was chosen an endpoint's own item has no effect; a request reaches the next life.
func (m *Machine) addWork(t *Task, a Action) bool {
	if a == ActWorkLink {
		if i := t.regs.item; i != none {
			m.world.items[i].linked = true
		}
		return t.regs.first
	}
	if m.gone(t) && t.regs.item == t.regs.target {
		t.regs.item = none
		return false
	}
	t.regs.life = m.world.endpoints[t.regs.target].life
	was := m.workPush(t.regs.item)
	m.world.items[t.regs.item].linked = a == ActWorkAdd
	return was
}

// claim reads a target's cq_wait_nr, or claims the wake-up by it.
func (m *Machine) claim(e *endpoint, a Action) bool {
	was := e.waitNr
	switch a {
	case ActClaim:
		e.waitNr = waitInit
	case ActClaimLazy:
		e.waitNr--
		return e.waitNr == 0
	case ActClaimKept:
		e.waitNr = min(was, 0)
		return e.waitNr == 0
	}
	return was > 0
}

// workPush publishes an item on its owner's list; it says whether the list was empty.
func (m *Machine) workPush(i int32) bool {
	item := &m.world.items[i]
	e := &m.world.endpoints[item.owner]
	if item.queued {
		m.broken("pushes a work item that is queued", e.task, NoLock)
	}
	item.queued, item.linked, item.next = true, false, none
	was := e.workLast
	e.workLast = i
	if was == none {
		e.workFirst = i
		return true
	}
	m.world.items[was].next = i
	return false
}

// workPop takes the oldest item if it is linked.
func (m *Machine) workPop(e *endpoint) bool {
	i := e.workFirst
	if i == none || !m.world.items[i].linked {
		return false
	}
	item := &m.world.items[i]
	item.queued = false
	e.workFirst = item.next
	if e.workFirst == none {
		e.workLast = none
	}
	return true
}
