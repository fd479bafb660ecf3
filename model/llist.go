package model

// Local work on an llist, as until 7.1. Source: io_uring/io_uring.c, io_req_local_work_add,
// __io_run_local_work, io_cqring_wait (6.18).
//
//	work_llist   newest first. An adder reads the first entry and its nr_tw, writes his own, and
//	             exchanges the head if it is that entry still; who was overtaken reads again. The
//	             exchange publishes and links at once
//	nr_tw        how many events the entries up to this one are worth: one more than the entry
//	             before if it is lazy, else more than anybody waits for. Whose own is enough for
//	             the waiter while the one before was not has the wake-up; everybody else trusts
//	             him (window W1)
//	retry_llist  what a run has taken and left, oldest first. A run takes at most so many: 20 when
//	             io_cqring_wait begins, after it has slept as many as it waited for
//
// An adder does not notice that the head was taken meanwhile and added anew, nor does the
// kernel's: he then trusts an entry that is worth no less than the one he has read.

// The actions on it.
const (
	ActLlistRead       Action = firstLlistAction + iota // read target's first entry and its nr_tw
	ActLlistBeaten                                      // add the item, or was another faster?
	ActLlistBeatenLazy                                  // the same of a lazy item
	ActEnough                                           // is its nr_tw enough for who waits?
	ActEnoughFirst                                      // and the one before's was not?
	ActRunEntry                                         // a run as io_cqring_wait begins
	ActRunWoken                                         // and one after it has slept
	ActRunTurn                                          // retry_llist, or take work_llist: any?
	ActRunNext                                          // may it run the oldest entry? Take it
)

// workForce is IO_CQ_WAKE_FORCE, more than anybody waits for.
const workForce = 1 << 30

// localWorkMax is IO_LOCAL_TW_DEFAULT_MAX.
const localWorkMax = 20

// What a run of __io_run_local_work has turned to.
const (
	runBegins uint8 = iota
	runRetries
	runTook
)

// llistAdd is what an adder keeps.
type llistAdd struct {
	head   int32 // the first entry that he read
	before int32 // its nr_tw, 0 if there was none
	nrTw   int32 // and that of his own
}

// llistRun is a ring's run of local work, or its last one.
type llistRun struct {
	retry int32 // retry_llist: oldest entry
	left  int32 // how many it may still run
	turn  uint8
	fresh bool // nothing of this turn was run yet: one may, whatever is left
}

// operateLlist performs an action on the llist of own or target.
func (m *Machine) operateLlist(t *Task, a Action) bool {
	switch a {
	case ActLlistRead:
		t.regs.add.head = m.world.endpoints[t.regs.target].workFirst
		t.regs.add.before = 0
		if t.regs.add.head != none {
			t.regs.add.before = m.world.items[t.regs.add.head].nrTw
		}
	case ActLlistBeaten:
		return m.llistBeaten(t, workForce)
	case ActLlistBeatenLazy:
		return m.llistBeaten(t, t.regs.add.before+1)
	case ActEnough, ActEnoughFirst:
		nr := m.world.endpoints[t.regs.target].waitNr
		enough := nr > 0 && t.regs.add.nrTw >= nr && !m.gone(t)
		return enough && (a == ActEnough || t.regs.add.before < nr)
	default:
		return m.operateRun(t, &m.world.endpoints[t.regs.own], a)
	}
	return true
}

// operateRun performs an action of __io_run_local_work on own.
func (m *Machine) operateRun(t *Task, e *endpoint, a Action) bool {
	switch a {
	case ActRunEntry:
		e.run.left, e.run.turn = localWorkMax, runBegins
	case ActRunWoken:
		e.run.left, e.run.turn = 1, runBegins
	case ActRunTurn:
		return m.runTurn(e)
	case ActRunNext:
		return m.runNext(t, e)
	default:
		m.broken("unknown action", NoTask, NoLock)
	}
	return true
}

// llistBeaten adds the item of the registers with its nr_tw, unless the head has changed since it
// was read: then it says so. On a ring that has died since it was chosen an endpoint's own item
// has no effect; a request reaches the next life.
func (m *Machine) llistBeaten(t *Task, nrTw int32) bool {
	i := t.regs.item
	if m.gone(t) && i == t.regs.target {
		t.regs.item, t.regs.add.nrTw, t.regs.first = none, 0, false
		return false
	}
	e := &m.world.endpoints[t.regs.target]
	if e.workFirst != t.regs.add.head {
		return true
	}
	item := &m.world.items[i]
	if item.queued {
		m.broken("pushes a work item that is queued", e.task, NoLock)
	}
	item.queued, item.linked, item.next, item.nrTw = true, true, e.workFirst, nrTw
	e.workFirst = i
	t.regs.life, t.regs.add.nrTw, t.regs.first = e.life, nrTw, item.next == none
	return false
}

// runTurn turns to retry_llist, then, once that is empty, to work_llist, which it takes; it says
// whether there is something to run. After that min_events, which is 1, is reached.
func (m *Machine) runTurn(e *endpoint) bool {
	r := &e.run
	if r.turn == runBegins {
		r.turn = runRetries
		if r.retry != none {
			r.fresh = true
			return true
		}
	}
	if r.turn == runTook || r.retry != none {
		return false
	}
	for r.turn = runTook; e.workFirst != none; { // llist_del_all, llist_reverse_order
		i := e.workFirst
		item := &m.world.items[i]
		e.workFirst, item.next, r.retry = item.next, r.retry, i
	}
	r.fresh = true
	return r.retry != none
}

// runNext takes the oldest entry if the run may still run one.
func (m *Machine) runNext(t *Task, e *endpoint) bool {
	r := &e.run
	if r.retry == none || r.left <= 0 && !r.fresh {
		return false
	}
	item := &m.world.items[r.retry]
	t.regs.item = r.retry
	r.retry, item.queued = item.next, false
	r.left--
	r.fresh = false
	return true
}
