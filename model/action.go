package model

import "rtsim/model/trace"

// Action is a named operation on the kernel's structures; its result is the flag of the step.
type Action uint8

// The operations. "own" is the executing task's endpoint, "target" the one a walk chose.
const (
	ActNone        Action = iota
	ActExpire             // ktimers: wake the sleeper whose soft timer is due: is there another?
	ActSendBegin          // the message is in shared memory; the measured call starts
	ActCallBegin          // the measured call starts, of a path that has ActPublish
	ActPublish            // the message's store is over: it is visible
	ActSendEnd            // the call has returned
	ActReceive            // the task turns to its endpoint of the queue
	ActRead               // the loop reads how much is published
	ActHandle             // and has handled that
	ActOpen               // the endpoint joins its queue
	ActClose              // and leaves it
	ActNextOpen           // walk the open endpoints, highest priority first: target
	ActStateMatch         // would a wake-up of target's task change its state?
	ActHashWaiters        // does the bucket count a waiter?
	ActHashCount          // hb_waiters_inc
	ActHashQueue          // the word still has its expected value: queue own on the plist
	ActHashNext           // walk the plist: target
	ActHashMatch          // does target wait on the queue's word?
	ActHashUnqueue        // unlink target
	ActHashCancel         // unlink own, if it is queued
	ActWakeQAdd           // wake_q_add of target's task
	ActWakeQNext          // take the next of the wake_q: target
	ActNodeJoin           // own is linked to the queue's node
	ActNodeLeave
	ActNodeNext     // walk the node's endpoints: target
	ActMarkPending  // target becomes pending: was it not?
	ActClearPending // own's pending mark is consumed
	ActBell         // or the bits into target's doorbell word: was it zero?
	ActTakeBell     // exchange own's word with zero
	ActBellSilent   // is own's word zero?
	ActBellSet      // is it not?
	ActWorkPush     // mpscq_push of the item, published, not linked: was target's list empty?
	ActWorkLink     // and linked
	ActWorkAdd      // llist_add of the item, published and linked in one step: the same
	ActArmed        // is target's cq_wait_nr > 0?
	ActClaim        // exchange target's cq_wait_nr with INIT: was it > 0?
	ActClaimLazy    // decrement it: is it 0?
	ActClaimKept    // set it to 0 unless it is INIT, which only the waiter sets: is it 0?
	ActNoCQE        // are too few completions in own's CQ?
	ActArm          // own's cq_wait_nr = 1
	ActDisarm       // own's cq_wait_nr = INIT, state running
	ActNoWork       // is own's work list empty?
	ActWork         // is it not?
	ActWorkPop      // take the oldest item: is it linked?
	ActPostCQE      // one completion for own, or one on the overflow list
	ActReap         // the loop takes all completions
	ActPoll         // spin in user space until something is published

	ActSheafPop     // an object from the main sheaf: was there one?
	ActSheafSpare   // swap in the spare sheaf: has it objects?
	ActBarnLooks    // does the barn seem to have a full sheaf?
	ActBarnTake     // take it: was it there?
	ActPartialLooks // does the partial list seem to have slabs?
	ActPageDetach   // detach one more slab: is one needed, and there?
	ActPageTake     // take a detached slab's objects: was there something to do?
	ActPageNew      // a new slab: are objects still missing?
	ActPageLeft     // has a detached slab objects left?
	ActPageBack     // put them back on the partial list
	ActSheafInstall // the refilled sheaf becomes the CPU's
	ActTakeOne      // one object straight from a slab
	ActMemory       // may the cache have another slab?
	ActRequestFill  // the object that was allocated becomes target's next work item
	ActKfreeRCU     // the request that was handled waits for RCU
	ActBatchReady   // the kworker takes the batch: is there one?
	ActBatchFull    // has the next batch filled meanwhile?
	ActBatchGroup   // the next objects of one slab to free: are there any?
	ActFlushGroup   // the same of a sheaf that is flushed
	ActFreeSingle   // the request that was handled is to be freed alone
	ActSheafRoom    // has the main sheaf room?
	ActSpareRoom    // has the spare, then swapped in?
	ActBarnPut      // the full main sheaf to the barn, for an empty one: does it take it?
	ActSheafPush    // the request that was handled into the main sheaf
	ActFreeListed   // does freeing them change the partial list?
	ActFreeGroup    // free them

	ActBurstBegin // an interrupt thread's burst begins
	ActBurstEnd   // and has ended: the next is due after its gap

	firstPollAction // those of poll.go follow, then those of cache.go
)

// Where the actions of a former kernel's structures begin; their files list them.
const (
	firstLlistAction   Action = 160
	firstCPUSlabAction Action = 180
)

// walkStart makes the next ActNext... operation begin anew.
const walkStart int32 = -2

// do has the effect of an OpDo step: the operation, then the jump if it says no.
func (m *Machine) do(id TaskID, t *Task, s *Step) {
	if s.Action == ActPoll && m.startPoll(id, t) {
		return
	}
	m.decide(t, s, m.operate(id, t, s))
}

// decide goes on after an operation.
func (m *Machine) decide(t *Task, s *Step, yes bool) {
	if m.keep&(1<<trace.Event) != 0 {
		m.noteEvent(t, s.Action, yes)
	}
	t.pc++
	if !yes && s.Target != 0 {
		t.pc = s.Target
	}
	m.stepEnded(t, s.Word)
}

// operate performs an action and returns its result.
func (m *Machine) operate(id TaskID, t *Task, s *Step) bool {
	switch s.Action {
	case ActExpire:
		return m.expire(id)
	case ActSendBegin, ActCallBegin, ActPublish, ActSendEnd:
		m.send(id, t, s)
	case ActReceive:
		t.regs.queue = s.Arg
		t.regs.own = m.endpointOf(id, s.Arg)
		m.aim(t, t.regs.own)
	case ActRead:
		m.world.endpoints[t.regs.own].seen = m.world.queues[t.regs.queue].published
	case ActHandle:
		seen := m.world.endpoints[t.regs.own].seen
		m.record(trace.Handle, t.cpu, id, int32(seen), t.regs.queue)
	case ActStateMatch:
		p := &m.tasks[m.world.endpoints[t.regs.target].task]
		return p.state == interruptible && p.asleep != trace.InSleep ||
			p.saved == interruptible
	case ActBurstBegin:
		m.record(trace.BurstBegin, t.cpu, id, s.Arg, 0)
	case ActBurstEnd:
		m.burstEnds(int(s.Arg))
	case ActPoll:
		return true
	default:
		m.broken("unknown action", id, NoLock)
	}
	return true
}

// op is the operation that resolve makes of OpDo.
func (a Action) op() Op {
	switch {
	case a >= firstCPUSlabAction:
		return opCPUSlab
	case a >= firstLlistAction:
		return opLlist
	case a >= firstCacheAction:
		return opCache
	case a >= firstPollAction:
		return opPoll
	}
	switch a {
	case ActOpen, ActClose, ActNextOpen:
		return opOpen
	case ActNodeJoin, ActNodeLeave, ActNodeNext, ActMarkPending, ActClearPending, ActBell,
		ActTakeBell, ActBellSilent, ActBellSet:
		return opNode
	case ActSheafPop, ActSheafSpare, ActBarnLooks, ActBarnTake, ActPartialLooks, ActPageDetach,
		ActPageTake, ActPageNew, ActPageLeft, ActPageBack, ActSheafInstall, ActTakeOne,
		ActMemory,
		ActSheafRoom, ActSpareRoom, ActBarnPut, ActSheafPush, ActRequestFill:
		return opAlloc
	case ActKfreeRCU, ActBatchReady, ActBatchFull, ActBatchGroup, ActFreeListed, ActFreeGroup,
		ActFlushGroup, ActFreeSingle:
		return opFree
	case ActHashWaiters, ActHashCount, ActHashQueue, ActHashNext, ActHashMatch,
		ActHashUnqueue, ActHashCancel, ActWakeQAdd, ActWakeQNext:
		return opHash
	case ActExpire, ActSendBegin, ActCallBegin, ActPublish, ActSendEnd, ActReceive, ActRead,
		ActHandle, ActStateMatch, ActBurstBegin, ActBurstEnd, ActPoll:
		return OpDo
	}
	return opRing
}

// send begins or ends a call that wakes, or publishes its message. A loop that read before the
// message was visible does not handle it.
func (m *Machine) send(id TaskID, t *Task, s *Step) {
	switch s.Action {
	case ActSendEnd:
		m.record(trace.SendEnd, t.cpu, id, t.regs.message, 0)
		t.regs.message++
		return
	case ActSendBegin, ActCallBegin:
		t.regs.queue, t.regs.iter, t.regs.wakeq = s.Arg, walkStart, none
		late := m.now - t.regs.release
		if late >= trace.LateLap {
			m.record(trace.SendLate, t.cpu, id, int32(late/trace.LateLap), 0)
		}
		m.record(trace.SendBegin, t.cpu, id, t.regs.message, int32(late%trace.LateLap))
		if s.Action == ActCallBegin {
			return
		}
	}
	q := &m.world.queues[t.regs.queue]
	q.published++
	m.record(trace.Publish, t.cpu, id, int32(q.published), t.regs.queue)
}

// operateOpen keeps and walks the list of a queue's open endpoints.
func (m *Machine) operateOpen(t *Task, a Action) bool {
	q := &m.world.queues[t.regs.queue]
	switch a {
	case ActOpen:
		e := &m.world.endpoints[t.regs.own]
		q.order++
		e.open, e.opened = true, q.order
		e.seen = q.published
		at := &q.openFirst
		for *at != none && m.openRank(*at) >= m.openRank(t.regs.own) {
			at = &m.world.endpoints[*at].openNext
		}
		e.openNext = *at
		*at = t.regs.own
	case ActClose:
		e := &m.world.endpoints[t.regs.own]
		e.open = false
		at := &q.openFirst
		for *at != t.regs.own {
			at = &m.world.endpoints[*at].openNext
		}
		*at = e.openNext
		e.openNext = none
		m.ringDies(t.regs.own)
	case ActNextOpen:
		next := q.openFirst
		if t.regs.iter != walkStart {
			next = m.nextOpen(q, t.regs.target, t.regs.iter)
		}
		m.aim(t, next)
		t.regs.iter = walkStart
		if next != none {
			t.regs.iter = m.world.endpoints[next].opened
		}
		return next != none
	}
	return true
}

// nextOpen is who follows an endpoint that was opened as the opened-th; it may have closed since,
// and opened again.
func (m *Machine) nextOpen(q *queueState, after, opened int32) int32 {
	if e := &m.world.endpoints[after]; e.open && e.opened == opened {
		return e.openNext
	}
	rank := m.openRank(after)
	for e := q.openFirst; e != none; e = m.world.endpoints[e].openNext {
		if r := m.openRank(e); r < rank || r == rank && m.world.endpoints[e].opened > opened {
			return e
		}
	}
	return none
}

// openRank orders endpoints by their tasks' own priority.
func (m *Machine) openRank(e int32) int32 { return m.tasks[m.world.endpoints[e].task].normal }

// startPoll lets a task spin in user space, unless something is published already.
func (m *Machine) startPoll(id TaskID, t *Task) bool {
	if t.phase == phReturn || !m.nothingNew(t) {
		return false
	}
	t.spin = spinPoll
	m.record(trace.SpinBegin, t.cpu, id, -1, 0)
	m.refresh(t.cpu)
	return true
}

func (m *Machine) nothingNew(t *Task) bool {
	return m.world.endpoints[t.regs.own].seen == m.world.queues[t.regs.queue].published
}

// pollEnds says whether a polling task's word has changed.
func (m *Machine) pollEnds(id TaskID) bool { return !m.nothingNew(&m.tasks[id]) }

// pollDone lets it see the new value: the cost of the cache line's transfer, then the step again.
func (m *Machine) pollDone(id TaskID) {
	t := &m.tasks[id]
	m.record(trace.SpinEnd, t.cpu, id, -1, 0)
	t.left = m.cost(m.prog.code[t.pc].Cost, id)
}
