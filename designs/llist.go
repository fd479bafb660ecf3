package designs

import k "rtsim/model"

// Local work on an llist, and who wakes its ring's task. Source: io_uring/io_uring.c,
// io_req_local_work_add, __io_run_local_work, __io_run_local_work_loop, io_cqring_wait (6.18).
// The list is in model/llist.go.

// llistAdd publishes and links the work item in one exchange; there is no W2. It is not wait-free:
// who is overtaken reads again.
func llistAdd(beaten k.Action) k.Code {
	return k.Seq(
		k.Do(k.ActLlistRead, costTwRead,
			"io_req_local_work_add: work_llist.first and its nr_tw"),
		k.While(beaten, costWorkCmpxchg, "try_cmpxchg(work_llist.first): another was faster",
			k.Do(k.ActLlistRead, costTwRead, "read them again")))
}

// wakeFirst is the rule of io_req_local_work_add: whose nr_tw is enough for the waiter while that
// of the entry before was not has the wake-up, everybody after trusts him. If he is preempted
// between his exchange and the wake-up, nobody wakes (W1).
var wakeFirst = k.When(k.ActEnoughFirst, costWorkRead,
	"nr_tw >= cq_wait_nr, the one before's was not: the wake-up is ours",
	k.Exec(costClaim, "io_req_local_work_add: to wake_up_state"),
	wake)

// wakeEnough leaves out the look at the entry before.
var wakeEnough = k.When(k.ActEnough, costWorkRead, "nr_tw >= cq_wait_nr: enough for who waits",
	k.Exec(costClaim, "io_req_local_work_add: to wake_up_state"),
	wake)

// llistRules are today's rule and the candidates as they would be on this list. Nobody claims
// cq_wait_nr here: what others rely on is the count on the list, which the waiter clears by
// taking it. So F2 is to keep the count and not to trust it; for work that is not lazy, which is
// always enough, that is F1.
//
//	rule   between adders of one ring it leaves open
//	today  W1, the exchange without a wake-up
//	F1     none
//	F2     none
//	F3     none
//	F4     is F1
var llistRules = [...]wakeRule{
	llistRule(wordToday, "today's wake-up rule: whose nr_tw is enough first wakes",
		wakeFirst, wakeFirst, true),
	llistRule(wordF1, "wake-up rule F1: every adder wakes a waiting task",
		wakeAlways, wakeAlways, true),
	llistRule(wordF2, "wake-up rule F2: the list's count stands until the waiter takes the "+
		"list, adders trust none", wakeAlways, wakeEnough, true),
	llistRule(wordF3, "wake-up rule F3: today's, with preemption off from what others rely on "+
		"to the wake-up", wakeFirst, wakeFirst, false),
	{word: wordF4, about: "wake-up rule F4: as F1, the work on an llist",
		none: "F4 is F1 on an llist, and local work is on one there"},
}

func llistRule(word, about string, wake, lazy k.Code, preempted bool) wakeRule {
	r := wakeRule{word: word, about: about, push: llistAdd(k.ActLlistBeaten), wake: wake,
		pushLazy: llistAdd(k.ActLlistBeatenLazy), wakeLazy: lazy, preempted: preempted,
		alone: wakeAlways}
	switch word {
	case wordToday:
		r.byEntry = true
		r.aloneNone = "an adder trusts the entry before his own there; where nothing is queued " +
			"there is none to trust, and without the fix a sender would wake as with it"
	case wordF2:
		r.notLazyNone = "F2 keeps the count of the work list there, which only lazy work is " +
			"held back by; a futex wake is not lazy, so F2 is F1"
		r.aloneNone = "F2 keeps the count of the work list there; where nothing is queued F2 is F1"
	case wordF3:
		r.byEntry = true
	}
	return r
}

// runLlist is __io_run_local_work: what the last run left, then, if nothing of that is left, the
// list, taken whole and reversed. begin says how many it may run.
func runLlist(begin k.Action, events string, callback, flush k.Code) k.Code {
	return k.Seq(
		k.Lock(k.RefOwnRing),
		k.Do(begin, k.NoCost, "__io_run_local_work: max_events = "+events),
		takeLlist(callback),
		flush,
		k.Unlock(k.RefOwnRing))
}

func takeLlist(callback k.Code) k.Code {
	return k.While(k.ActRunTurn, costWorkTake,
		"retry_llist; once it is empty work_llist: llist_del_all, llist_reverse_order",
		k.While(k.ActRunNext, k.NoCost, "__io_run_local_work_loop: the oldest, while it may",
			k.Exec(costWorkPop, "its request"),
			callback))
}

// runLlistFirst is a run when io_cqring_wait begins, runLlistWoken one after it has slept.
func runLlistFirst(callback, flush k.Code) k.Code {
	return runLlist(k.ActRunEntry, "20", callback, flush)
}

func runLlistWoken(callback, flush k.Code) k.Code {
	return runLlist(k.ActRunWoken, "cq_wait_nr = 1", callback, flush)
}

// drainLlist takes all that is queued.
func drainLlist(callback k.Code) k.Code {
	return k.While(k.ActWork, k.NoCost, "io_ring_exit_work: while work is queued",
		k.Do(k.ActRunEntry, k.NoCost, "as many as a run may"),
		takeLlist(callback))
}
