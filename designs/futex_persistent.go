package designs

import k "rtsim/model"

// futex-persistent, option 1: waiter and waker register the word once and meet in one node a
// futex; the waiter stays armed, the waker goes straight to the node. The RFC says: no key
// lookup, no hash bucket, no sleeping lock, no allocation on the wake path; one CQE a wake-up;
// it depends on the first patch. It is not published. Assumed here, for 7.4:
//   - the node's list is under a raw_spinlock_t, walked in order of registration (raw-walk);
//   - a waiter has a pending mark: the waker who sets it queues the waiter's work, later ones do
//     not; the callback clears it and posts one CQE (F_MORE). No disarmed gap;
//   - the first patch's rule is F1: wake whenever somebody waits.
//
// Under the raw lock nobody can be preempted between mark and push, so W1 to W3 are closed; the
// price is a walk of all waiters with preemption off, behind the walks of other CPUs.

var futexPersistentWake = k.Seq(
	enter("io_uring_enter"),
	k.Lock(k.RefOwnRing),
	k.Exec(costSQE, "io_submit_sqes: registered futex wake"),
	k.Exec(costNodeFind, "slot to node, the ring's own table"),
	k.Lock(k.RefNode),
	k.While(k.ActNodeNext, costFutexWalk, "walk the node: the next waiter",
		k.When(k.ActMarkPending, costNodeMark, "cmpxchg(pending): it was not",
			pushWork),
		wakeAlways),
	k.Unlock(k.RefNode),
	k.Unlock(k.RefOwnRing),
	exit("io_uring_enter"))

var futexPersistentWait = k.Seq(
	enter("io_uring_enter"),
	waitWork(k.Do(k.ActClearPending, costWorkRun, "the wait's callback: pending = 0")),
	exit("io_uring_enter"),
	handle)

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

var futexPersistentClose = k.Seq(
	plainClose,
	k.Lock(k.RefOwnRing),
	k.Lock(k.RefNode),
	k.Do(k.ActNodeLeave, costNodeMark, "ring exit: unlink the waiter"),
	k.Unlock(k.RefNode),
	k.Unlock(k.RefOwnRing))

// FutexPersistent is the RFC's option 1.
var FutexPersistent = register(Design{
	Name: "futex-persistent", Variant: "futex-persistent", Alias: "futex-persistent/raw-walk",
	About: "option 1: persistent waits, registered wakes, a raw lock around the walk",
	Assumed: "raw node lock, walk in order of registration, pending mark with one CQE for all " +
		"wakes until it is consumed, wake-up rule F1",
	Paths: k.Paths{Send: futexPersistentWake, Receive: futexPersistentWait,
		Open: futexPersistentOpen, Close: futexPersistentClose},
})
