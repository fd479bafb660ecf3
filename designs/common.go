package designs

import k "rtsim/model"

// The parts that several designs share. Source: io_uring/tw.c, mpscq.h, wait.c (7.2 and later),
// kernel/sched/core.c; the wake-up itself is k.Wake.

// wake is try_to_wake_up of the target's task.
var wake = k.Wake(costWakeCheck, costWakeEnqueue)

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

// wakeAlways wakes whenever somebody waits, and claims nothing.
var wakeAlways = k.When(k.ActArmed, costWorkRead, "cq_wait_nr > 0: somebody waits",
	wake)

// wakeKept claims by setting cq_wait_nr to zero, where it stays until the waiter sets it to INIT;
// who finds it at zero wakes too.
var wakeKept = k.When(k.ActClaimKept, costWorkRead,
	"cq_wait_nr = 0 unless it is INIT: somebody waits, claimed or not",
	k.Exec(costClaim, "io_req_local_work_add: to wake_up_state"),
	wake)

// wakeRule is what an adder of local work does until the ring's task is awake: today's rule or a
// candidate for the first patch, whose text is not published. io_cqring_wait waits for one event
// here, so that a lazy item differs in the instruction that claims, and in nothing else.
//
//	rule   between adders of one ring it leaves open
//	today  W1, the claim without a wake-up; W2, the push without a link
//	F1     W2
//	F2     W2
//	F3     none
//	F4     none
type wakeRule struct {
	word      string // in the name of a variant
	about     string
	push      k.Code // of the work item
	wake      k.Code // after it, if the item is not lazy
	lazy      k.Code // and if it is
	preempted bool   // whether the adder may be, from the push to the wake-up
}

var (
	ruleToday = wakeRule{"no-wake-fix", "today's wake-up rule: who claims cq_wait_nr wakes",
		pushWork, wakeClaimed, wakeCounted, true}
	ruleF1 = wakeRule{"wake-fix", "wake-up rule F1: every adder wakes a waiting task",
		pushWork, wakeAlways, wakeAlways, true}
	ruleF2 = wakeRule{"fix-f2", "wake-up rule F2: a claim stays until the waiter clears it, " +
		"adders trust none", pushWork, wakeKept, wakeKept, true}
	ruleF3 = wakeRule{"fix-f3", "wake-up rule F3: today's, with preemption off from what " +
		"others rely on to the wake-up", pushWork, wakeClaimed, wakeCounted, false}
	ruleF4 = wakeRule{"fix-f4", "wake-up rule F4: as F1, the work on an llist", pushLlist,
		wakeAlways, wakeAlways, true}
)

// guard runs what publishes and wakes as the rule asks: F3 turns preemption off around it.
func (r wakeRule) guard(code ...k.Code) k.Code {
	if r.preempted {
		return k.Seq(code...)
	}
	return k.Seq(k.PreemptOff(), k.Seq(code...), k.PreemptOn())
}

// wakeUp is the rule's end, once the work is published.
func (r wakeRule) wakeUp(lazy bool) k.Code {
	if lazy {
		return r.lazy
	}
	return r.wake
}

// unless is what a design's line says of the rule, if that is not its bare form's.
func (r wakeRule) unless(bare wakeRule) string {
	if r.word == bare.word {
		return ""
	}
	return "; " + r.about
}

// unlessF1 is the rule's word in the name of a variant of the proposals, whose bare form has F1.
func (r wakeRule) unlessF1() string {
	if r.word == ruleF1.word {
		return ""
	}
	return r.word
}

// unlessToday is the same of today's designs, whose bare form has no fix.
func (r wakeRule) unlessToday() string {
	if r.word == ruleToday.word {
		return ""
	}
	return r.word
}

// add is io_req_local_work_add of an item.
func (r wakeRule) add(lazy bool) k.Code { return r.guard(r.push, r.wakeUp(lazy)) }

// runWork is __io_run_local_work: each item's callback, one CQE each. An item that is not linked
// yet can't be passed: cond_resched does nothing on PREEMPT_RT, the loop spins.
func runWork(callback k.Code) k.Code {
	return runWorkOf(k.Seq(callback,
		k.Do(k.ActPostCQE, costPostCQE, "io_req_complete_defer: post a CQE")), nil)
}

// runWorkOf is the same with callbacks that post by themselves, and what follows the last of them.
func runWorkOf(callback, flush k.Code) k.Code {
	return k.Seq(
		k.Lock(k.RefOwnRing),
		k.While(k.ActWork, k.NoCost, "__io_run_local_work: while work is queued",
			k.Either(k.ActWorkPop, costWorkPop, "mpscq_pop: is the oldest item linked?",
				callback,
				k.Exec(costWorkPop, "cond_resched, and try again"))),
		flush,
		k.Unlock(k.RefOwnRing))
}

// exitWork is what a ring that exits does to the work that is queued: it runs it, for nothing.
func exitWork(callback k.Code) k.Code {
	return k.Seq(
		k.Lock(k.RefOwnRing),
		k.While(k.ActWork, k.NoCost, "io_ring_exit_work: while work is queued",
			k.Either(k.ActWorkPop, costWorkPop, "mpscq_pop: is the oldest item linked?",
				callback,
				k.Exec(costWorkPop, "and try again"))),
		k.Unlock(k.RefOwnRing))
}

// cqringWait is io_cqring_wait for one completion: arm, test once more, sleep, disarm, run what
// came. silent and ringing test what may end the wait; drain turns it into completions.
func cqringWait(silent, ringing k.Action, what string, drain k.Code) k.Code {
	return k.Seq(
		k.When(ringing, k.NoCost, what+": run it before waiting", drain),
		k.While(k.ActNoCQE, costWaitSetup, "io_cqring_wait: no completion yet",
			k.Do(k.ActArm, k.NoCost, "cq_wait_nr = 1"),
			k.Prepare(),
			k.When(silent, costWorkRead, "nothing has come meanwhile",
				k.Schedule()),
			k.Do(k.ActDisarm, k.NoCost, "cq_wait_nr = INIT, TASK_RUNNING"),
			k.When(ringing, k.NoCost, what, drain)))
}

// waitWork is cqringWait on the ring's local work.
func waitWork(run k.Code) k.Code {
	return cqringWait(k.ActNoWork, k.ActWork, "local work is queued", run)
}

// readQueue is the loop in user space: what is published while it handles what it has read waits
// for the next round.
var readQueue = k.Seq(
	k.Do(k.ActRead, k.NoCost, "the loop reads the sequence number"),
	k.Do(k.ActHandle, costHandle, "and reads the queue up to it"))

// handle is the loop of an io_uring reader: it takes the completions first.
var handle = k.Seq(
	k.Do(k.ActReap, k.NoCost, "the loop takes the completions"),
	readQueue)

// enter and exit bracket a system call.
func enter(call string) k.Code { return k.Exec(costEnter, "enter "+call) }
func exit(call string) k.Code  { return k.Exec(costExit, "exit "+call) }

// plainOpen and plainClose are a subscriber that registers nothing with the kernel.
var (
	plainOpen  = k.Do(k.ActOpen, k.NoCost, "the queue knows the subscriber")
	plainClose = k.Do(k.ActClose, k.NoCost, "and forgets it")
)
