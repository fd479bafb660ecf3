package designs

import k "rtsim/model"

// The parts that several designs share, in every era; what differs is in era.go. Source:
// io_uring/io_uring.c (6.18), tw.c, wait.c (7.2 and later), kernel/sched/core.c; the wake-up
// itself is k.Wake.

// wake is try_to_wake_up of the target's task.
var wake = k.Wake(costWakeCheck, costWakeEnqueue)

// wakeAlways wakes whenever somebody waits, and claims nothing.
var wakeAlways = k.When(k.ActArmed, costWorkRead, "cq_wait_nr > 0: somebody waits",
	wake)

// wakeRule is what an adder of local work does until the ring's task is awake: today's rule of an
// era, or a candidate for the first patch, whose text is not published. io_cqring_wait waits for
// one event here, so that a lazy item differs in the instruction that claims, and in nothing else.
type wakeRule struct {
	word      string // in the name of a variant
	about     string
	push      k.Code // of the work item, if it is not lazy
	wake      k.Code // after it
	pushLazy  k.Code // and if it is
	wakeLazy  k.Code
	preempted bool // whether the adder may be, from the push to the wake-up
	// byEntry: the wake-up looks at what the push found on the list, so who does not push because
	// the item is queued leaves the wake-up to who pushed it.
	byEntry bool
	// alone is the wake-up of who has nothing to push. Where the rule means nothing, aloneNone,
	// notLazyNone or none says why: without a list, for work that is not lazy, or at all.
	alone                        k.Code
	aloneNone, notLazyNone, none string
}

// guard runs what publishes and wakes as the rule asks: F3 turns preemption off around it.
func (r *wakeRule) guard(code ...k.Code) k.Code {
	if r.preempted {
		return k.Seq(code...)
	}
	return k.Seq(k.PreemptOff(), k.Seq(code...), k.PreemptOn())
}

// add is io_req_local_work_add of an item.
func (r *wakeRule) add(lazy bool) k.Code {
	if lazy {
		return r.guard(r.pushLazy, r.wakeLazy)
	}
	return r.guard(r.push, r.wake)
}

// addOnce is the same of an item that is not lazy, unless the test says that it is queued.
func (r *wakeRule) addOnce(test k.Action, cost k.CostID, note string) k.Code {
	if r.byEntry {
		return r.guard(k.When(test, cost, note, r.push, r.wake))
	}
	return r.guard(k.When(test, cost, note, r.push), r.wake)
}

// unless is what a design's line says of the rule, if that is not its bare form's.
func (r *wakeRule) unless(bare string) string {
	if r.word == bare {
		return ""
	}
	return "; " + r.about
}

// unlessF1 is the rule's word in the name of a variant of the proposals, whose bare form has F1.
func (r *wakeRule) unlessF1() string {
	if r.word == wordF1 {
		return ""
	}
	return r.word
}

// unlessToday is the same of today's designs, whose bare form has no fix.
func (r *wakeRule) unlessToday() string {
	if r.word == wordToday {
		return ""
	}
	return r.word
}

// The words of the rules.
const (
	wordToday = "no-wake-fix"
	wordF1    = "wake-fix"
	wordF2    = "fix-f2"
	wordF3    = "fix-f3"
	wordF4    = "fix-f4"
)

// cqringWait is io_cqring_wait for one completion: arm, test once more, sleep, disarm, run what
// came. silent and ringing test what may end the wait; first turns what came before it into
// completions, woken what came during it.
func cqringWait(silent, ringing k.Action, what string, first, woken k.Code) k.Code {
	return k.Seq(
		k.When(ringing, k.NoCost, what+": run it before waiting", first),
		k.While(k.ActNoCQE, costWaitSetup, "io_cqring_wait: no completion yet",
			k.Do(k.ActArm, k.NoCost, "cq_wait_nr = 1"),
			k.Prepare(),
			k.When(silent, costWorkRead, "nothing has come meanwhile",
				k.Schedule()),
			k.Do(k.ActDisarm, k.NoCost, "cq_wait_nr = INIT, TASK_RUNNING"),
			k.When(ringing, k.NoCost, what, woken)))
}

// postCQE ends the callback of a work item that does not post by itself.
var postCQE = k.Do(k.ActPostCQE, costPostCQE, "io_req_complete_defer: post a CQE")

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
