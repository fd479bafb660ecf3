package designs

import k "rtsim/model"

// Local work on an mpscq, and who wakes its ring's task. Source: io_uring/tw.c,
// io_req_local_work_add, __io_run_local_work; mpscq.h (7.2 and later).

// pushWork is mpscq_push of the work item in io_req_local_work_add. A waker that is preempted
// between its two steps hides what comes after it (W2).
var pushWork = k.Seq(
	k.Do(k.ActWorkPush, costWorkPush, "io_req_local_work_add: mpscq_push: exchange the tail"),
	k.Do(k.ActWorkLink, costWorkLink, "mpscq_push: link the predecessor"))

// pushLlist is llist_add of the work item, as until 7.1: published and linked in one step.
var pushLlist = k.Do(k.ActWorkAdd, costWorkPush,
	"io_req_local_work_add: llist_add: cmpxchg the head")

// wakeClaimed is the rule of today's io_req_local_work_add for an item that is not lazy: who
// takes cq_wait_nr to INIT has the wake-up, everybody else trusts him. If he is preempted before
// he wakes, nobody does (W1).
var wakeClaimed = k.When(k.ActArmed, costWorkRead, "cq_wait_nr > 0: somebody waits",
	k.When(k.ActClaim, k.NoCost, "xchg(cq_wait_nr, INIT): the wake-up is ours",
		k.Exec(costClaim, "io_req_local_work_add: to wake_up_state"),
		wake))

// wakeCounted is the same rule for a lazy item: who counts cq_wait_nr down to zero has the
// wake-up.
var wakeCounted = k.When(k.ActArmed, costWorkRead, "cq_wait_nr > 0: somebody waits",
	k.When(k.ActClaimLazy, k.NoCost, "atomic_dec_and_test(cq_wait_nr): the wake-up is ours",
		k.Exec(costClaim, "io_req_local_work_add: to wake_up_state"),
		wake))

// wakeKept claims by setting cq_wait_nr to zero, where it stays until the waiter sets it to INIT;
// who finds it at zero wakes too.
var wakeKept = k.When(k.ActClaimKept, costWorkRead,
	"cq_wait_nr = 0 unless it is INIT: somebody waits, claimed or not",
	k.Exec(costClaim, "io_req_local_work_add: to wake_up_state"),
	wake)

// mpscqRules are today's rule and F1 to F4.
//
//	rule   between adders of one ring it leaves open
//	today  W1, the claim without a wake-up; W2, the push without a link
//	F1     W2
//	F2     W2
//	F3     none
//	F4     none
var mpscqRules = [...]wakeRule{
	mpscqRule(wordToday, "today's wake-up rule: who claims cq_wait_nr wakes",
		pushWork, wakeClaimed, wakeCounted, true),
	mpscqRule(wordF1, "wake-up rule F1: every adder wakes a waiting task",
		pushWork, wakeAlways, wakeAlways, true),
	mpscqRule(wordF2, "wake-up rule F2: a claim stays until the waiter clears it, "+
		"adders trust none", pushWork, wakeKept, wakeKept, true),
	mpscqRule(wordF3, "wake-up rule F3: today's, with preemption off from what "+
		"others rely on to the wake-up", pushWork, wakeClaimed, wakeCounted, false),
	mpscqRule(wordF4, "wake-up rule F4: as F1, the work on an llist", pushLlist,
		wakeAlways, wakeAlways, true),
}

func mpscqRule(word, about string, push, wake, lazy k.Code, preempted bool) wakeRule {
	return wakeRule{word: word, about: about, push: push, wake: wake, pushLazy: push,
		wakeLazy: lazy, preempted: preempted, alone: wake}
}

// runMpscq is __io_run_local_work. An item that is not linked yet can't be passed: cond_resched
// does nothing on PREEMPT_RT, the loop spins.
func runMpscq(callback, flush k.Code) k.Code {
	return k.Seq(
		k.Lock(k.RefOwnRing),
		k.While(k.ActWork, k.NoCost, "__io_run_local_work: while work is queued",
			k.Either(k.ActWorkPop, costWorkPop, "mpscq_pop: is the oldest item linked?",
				callback,
				k.Exec(costWorkPop, "cond_resched, and try again"))),
		flush,
		k.Unlock(k.RefOwnRing))
}

// drainMpscq takes all that is queued.
func drainMpscq(callback k.Code) k.Code {
	return k.While(k.ActWork, k.NoCost, "io_ring_exit_work: while work is queued",
		k.Either(k.ActWorkPop, costWorkPop, "mpscq_pop: is the oldest item linked?",
			callback,
			k.Exec(costWorkPop, "and try again")))
}
