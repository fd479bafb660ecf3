package model

// Left says what a task's endpoints have left in the kernel's structures, "" if nothing: of one
// that is closed any registration, mark or work; of any, requests in use that nobody will handle.
// Preconditions: nothing is left to happen, all tasks sleep or have ended.
func (m *Machine) Left(task int32) string {
	for i := range m.world.endpoints {
		e := &m.world.endpoints[i]
		if int32(e.task) != task {
			continue
		}
		if what := m.leftOpen(e); what != "" {
			return what
		}
		for _, item := range m.world.items[len(m.world.endpoints):] {
			if item.used && item.owner == int32(i) && !item.queued {
				return "a request is in use"
			}
		}
		if !e.open {
			return m.leftClosed(int32(i), e)
		}
	}
	return ""
}

// leftOpen is what nobody may leave, closed or not.
func (m *Machine) leftOpen(e *endpoint) string {
	switch {
	case e.inWakeQ:
		return "it is in a wake_q"
	case e.hasWork() && e.open:
		return "local work is queued"
	case e.bits != 0 && e.open:
		return "its doorbell has rung"
	}
	return ""
}

// leftClosed is what only an open endpoint may have.
func (m *Machine) leftClosed(i int32, e *endpoint) string {
	for n := m.world.queues[e.queue].nodeFirst; n != none; n = m.world.endpoints[n].nodeNext {
		if n == i {
			return "it is linked to the node"
		}
	}
	switch {
	case e.hashed:
		return "it is on the plist"
	case e.poll.queued:
		return "its poll is on the wait queue"
	case e.poll.sigFirst != none:
		return "signals are pending"
	case e.waitNr != waitInit:
		return "it waits for completions"
	case e.pending:
		return "its mark is set"
	case e.bits != 0:
		return "its doorbell has rung"
	case e.hasWork():
		return "local work is queued"
	}
	return ""
}
