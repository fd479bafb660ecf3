package designs

import k "rtsim/model"

// futex-plain: waiters sleep in futex(2), wakers call futex(FUTEX_WAKE). Source:
// kernel/futex/waitwake.c, futex_wake, futex_wait_setup, __futex_wait; kernel/futex/core.c (6.12
// to 7.4). Under hb->lock the waker only unlinks; the wake-ups follow after it (wake_up_q), so
// the lock is held for less than in futex-oneshot. It is the same sleeping lock on both sides.

// hashOf is the way to the bucket: a shared word, in the global hash.
var hashOf = k.Exec(costFutexKey, "get_futex_key: GUP-fast of the shared page")

var futexPlainWake = k.Seq(
	enter("futex(FUTEX_WAKE)"),
	hashOf,
	k.When(k.ActHashWaiters, costFutexHash, "futex_hash; hb_waiters_pending",
		k.Lock(k.RefHash),
		k.Exec(costFutexBase, "futex_wake: the plist"),
		k.While(k.ActHashNext, costFutexWalk, "plist_for_each_entry_safe: the next waiter",
			k.When(k.ActHashMatch, k.NoCost, "futex_match: it waits on this word",
				k.Do(k.ActHashUnqueue, costFutexMark, "futex_wake_mark: __futex_unqueue"),
				k.Do(k.ActWakeQAdd, k.NoCost, "wake_q_add_safe"))),
		k.Unlock(k.RefHash),
		k.While(k.ActWakeQNext, k.NoCost, "wake_up_q: the next of the wake_q",
			wake)),
	exit("futex(FUTEX_WAKE)"))

var futexPlainWait = k.Seq(
	enter("futex(FUTEX_WAIT)"),
	hashOf,
	k.Do(k.ActHashCount, costFutexHash, "futex_hash; futex_hb_waiters_inc"),
	k.Lock(k.RefHash),
	k.Either(k.ActHashQueue, costFutexQueue, "futex_wait_setup: word unchanged: plist_add",
		k.Seq(
			k.Prepare(),
			k.Unlock(k.RefHash),
			k.Schedule()),
		k.Unlock(k.RefHash)),
	exit("futex(FUTEX_WAIT)"),
	readQueue)

// FutexPlain waits in futex(2).
var FutexPlain = register(Design{
	Name: "futex-plain", Variant: "futex-plain",
	About: "waits in futex(2), wakes with futex(FUTEX_WAKE)",
	Paths: k.Paths{Send: futexPlainWake, Receive: futexPlainWait, Open: plainOpen,
		Close: plainClose},
})
