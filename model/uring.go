package model

// An io_uring ring with DEFER_TASKRUN: local work on an mpscq, cq_wait_nr, completions. Source:
// io_uring/tw.c, mpscq.h, wait.c (7.2 and later). The mpscq's push is two instructions: the
// exchange of the tail publishes, the store to the predecessor links; between them what follows
// can't be reached (window W2). cq_wait_nr > 0 says that the ring's task waits for that many
// events; an adder that takes it to INIT has claimed the wake-up (window W1).

// operateRing performs an action on the ring of own or target.
func (m *Machine) operateRing(id TaskID, t *Task, a Action) bool {
	switch a {
	case ActWorkPush:
		return m.workPush(t.regs.target)
	case ActWorkLink:
		m.world.items[t.regs.target].linked = true
		return true
	case ActArmed:
		return m.world.endpoints[t.regs.target].waitNr > 0
	case ActClaim:
		e := &m.world.endpoints[t.regs.target]
		was := e.waitNr
		e.waitNr = waitInit
		return was > 0
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
		return e.workFirst == none
	case ActWork:
		return e.workFirst != none
	case ActWorkPop:
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

// workPush publishes an endpoint's item on its ring's list; it says whether the list was empty.
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
