package designs

import k "rtsim/model"

// futex-persistent, option 1: waiter and waker register the word once and meet in one node a
// futex; the waiter stays armed, the waker goes straight to the node. The RFC says: no key
// lookup, no hash bucket, no sleeping lock, no allocation on the wake path; one CQE a wake-up;
// it depends on the first patch. It is not published. Assumed here:
//   - the node's list is under a raw_spinlock_t, walked in order of registration (raw-walk);
//   - a waiter has a pending mark: the waker who sets it queues the waiter's work, later ones do
//     not; the callback clears it and posts one CQE (F_MORE). No disarmed gap;
//   - every waker wakes a waiting task, whether he set the mark or not (F1).
//
// Under the raw lock nobody can be preempted between mark and push, so W1 to W3 are closed; the
// price is a walk of all waiters with preemption off, behind the walks of other CPUs. Variants:
//
//	rcu-walk      the walk holds only rcu_read_lock and can be preempted anywhere. W3 is open: a
//	              waker preempted between mark and push keeps everybody else from pushing, and a
//	              wake-up without work is for nothing. So F1, F2 and F4 do not close it
//	no-wake-fix   today's claim rule: under the raw lock harmless, under RCU it opens W1
//	fix-f2        the claim stays until the waiter clears it: under RCU as F1
//	fix-f3        preemption is off from the mark, for from there on others rely on this waker,
//	              to the wake-up, one waiter at a time: W1 to W3 are closed. Were it off from the
//	              push only, as the rule for adders says, W3 would stay
//	fix-f4        an llist: under RCU it closes W2, not W3
//
// A waiter that leaves is unlinked under the lock. A walker under RCU that stands at it goes on
// to those behind it; its memory goes with the end of the grace period, for which nobody waits.

// nodeWalk is how a waker walks the node's waiters.
type nodeWalk struct {
	word, about string
	lock        k.Code
	unlock      k.Code
	unlink      k.Code // after a waiter's unlinking
}

var (
	rawWalk = nodeWalk{"", "raw node lock", k.Lock(k.RefNode), k.Unlock(k.RefNode), nil}
	rcuWalk = nodeWalk{"rcu-walk", "the node walked under RCU, without its lock",
		k.Exec(k.NoCost, "rcu_read_lock: preemption stays on"),
		k.Exec(k.NoCost, "rcu_read_unlock"),
		k.Exec(k.NoCost, "call_rcu: freed when no walker can stand at it")}
)

func futexPersistentWake(walk nodeWalk, r *wakeRule) k.Code {
	return k.Seq(
		enter("io_uring_enter"),
		k.Lock(k.RefOwnRing),
		k.Exec(costSQE, "io_submit_sqes: registered futex wake"),
		k.Exec(costNodeFind, "slot to node, the ring's own table"),
		walk.lock,
		k.While(k.ActNodeNext, costFutexWalk, "walk the node: the next waiter",
			r.addOnce(k.ActMarkPending, costNodeMark, "cmpxchg(pending): it was not")),
		walk.unlock,
		k.Unlock(k.RefOwnRing),
		exit("io_uring_enter"))
}

var clearPending = k.Do(k.ActClearPending, costWorkRun, "the wait's callback: pending = 0")

func (e *Era) futexPersistentWait() k.Code {
	return k.Seq(
		enter("io_uring_enter"),
		e.waitWork(clearPending),
		exit("io_uring_enter"),
		handle)
}

var futexPersistentOpen = k.Seq(
	enter("io_uring_register"),
	k.Lock(k.RefOwnRing),
	hashOf,
	k.Lock(k.RefNode),
	k.Do(k.ActNodeJoin, costNodeMark, "link the waiter to the node"),
	k.Unlock(k.RefNode),
	k.Unlock(k.RefOwnRing),
	exit("io_uring_register"),
	plainOpen)

func (e *Era) futexPersistentClose(walk nodeWalk) k.Code {
	return k.Seq(
		plainClose,
		k.Lock(k.RefOwnRing),
		k.Lock(k.RefNode),
		k.Do(k.ActNodeLeave, costNodeMark, "ring exit: unlink the waiter"),
		k.Unlock(k.RefNode),
		walk.unlink,
		k.Unlock(k.RefOwnRing),
		e.exitWork(clearPending))
}

var futexPersistentChoices = []Choice{
	{About: "walk", Bare: "raw-walk", Words: []string{"rcu-walk"}},
	{About: "wake-up rule", Words: []string{"no-wake-fix", "fix-f2", "fix-f3", "fix-f4"}},
}

var futexPersistentRefused = []Refusal{
	{"wake-fix", "its bare form has the fix; no-wake-fix takes it away"},
}

// futexPersistents are the bare form and the variants.
func futexPersistents(e *Era) []Design {
	var forms []Design
	for _, walk := range [...]nodeWalk{rawWalk, rcuWalk} {
		for _, word := range [...]string{wordF1, wordToday, wordF2, wordF3, wordF4} {
			forms = append(forms, futexPersistent(e, walk, e.rule(word)))
		}
	}
	forms[0].Alias = "futex-persistent/raw-walk"
	forms[0].Choices, forms[0].Refused = futexPersistentChoices, futexPersistentRefused
	return forms
}

func futexPersistent(e *Era, walk nodeWalk, r *wakeRule) Design {
	d := Design{
		Name:    "futex-persistent",
		Variant: variant("futex-persistent", walk.word, r.unlessF1()),
		About: "option 1: persistent waits, registered wakes; " + walk.about +
			r.unless(wordF1),
		Assumed: walk.about + ", in order of registration; pending mark with one CQE for all " +
			"wakes until it is consumed; " + r.about,
		Absent: e.absent(r.none + r.notLazyNone),
	}
	if d.Absent == nil {
		d.Paths = k.Paths{Send: futexPersistentWake(walk, r), Receive: e.futexPersistentWait(),
			Open: futexPersistentOpen, Close: e.futexPersistentClose(walk)}
	}
	return d
}

// FutexPersistent is the RFC's option 1.
var FutexPersistent = registerIn(futexPersistents)
