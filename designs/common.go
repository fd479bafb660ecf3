package designs

import k "rtsim/model"

// The parts that several designs share. Source: io_uring/tw.c, mpscq.h, wait.c (7.2 and later),
// kernel/sched/core.c; the wake-up itself is k.Wake.

// wake is try_to_wake_up of the target's task.
var wake = k.Wake(costWakeCheck, costWakeEnqueue)

// pushWork is mpscq_push of the target's work item in io_req_local_work_add. A waker that is
// preempted between its two steps hides what comes after it (W2).
var pushWork = k.Seq(
	k.Do(k.ActWorkPush, costWorkPush, "io_req_local_work_add: mpscq_push: exchange the tail"),
	k.Do(k.ActWorkLink, costWorkLink, "mpscq_push: link the predecessor"))

// wakeClaimed is the rule of today's io_req_local_work_add for an item that is not lazy: who
// takes cq_wait_nr to INIT has the wake-up, everybody else trusts him. If he is preempted before
// he wakes, nobody does (W1).
var wakeClaimed = k.When(k.ActArmed, costWorkRead, "cq_wait_nr > 0: somebody waits",
	k.When(k.ActClaim, k.NoCost, "xchg(cq_wait_nr, INIT): the wake-up is ours",
		k.Exec(costClaim, "io_req_local_work_add: to wake_up_state"),
		wake))

// wakeAlways is the proposals' rule (the first patch, F1): wake whenever somebody waits, trust
// nobody's claim.
var wakeAlways = k.When(k.ActArmed, costWorkRead, "cq_wait_nr > 0: somebody waits",
	wake)

// runWork is __io_run_local_work: each item's callback, one CQE each. An item that is not linked
// yet can't be passed: cond_resched does nothing on PREEMPT_RT, the loop spins.
func runWork(callback k.Code) k.Code {
	return k.Seq(
		k.Lock(k.RefOwnRing),
		k.While(k.ActWork, k.NoCost, "__io_run_local_work: while work is queued",
			k.Either(k.ActWorkPop, costWorkPop, "mpscq_pop: is the oldest item linked?",
				k.Seq(callback,
					k.Do(k.ActPostCQE, costPostCQE, "io_req_complete_defer: post a CQE")),
				k.Exec(costWorkPop, "cond_resched, and try again"))),
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
func waitWork(callback k.Code) k.Code {
	return cqringWait(k.ActNoWork, k.ActWork, "local work is queued", runWork(callback))
}

// handle is the loop in user space: it takes the completions and reads what is new.
var handle = k.Seq(
	k.Do(k.ActReap, k.NoCost, "the loop takes the completions"),
	k.Do(k.ActHandle, costHandle, "the loop reads the queue"))

// enter and exit bracket a system call.
func enter(call string) k.Code { return k.Exec(costEnter, "enter "+call) }
func exit(call string) k.Code  { return k.Exec(costExit, "exit "+call) }

// plainOpen and plainClose are a subscriber that registers nothing with the kernel.
var (
	plainOpen  = k.Do(k.ActOpen, k.NoCost, "the queue knows the subscriber")
	plainClose = k.Do(k.ActClose, k.NoCost, "and forgets it")
)
