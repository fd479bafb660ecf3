package designs

import k "rtsim/model"

// futex-oneshot: the receiver's ring holds a one-shot IORING_OP_FUTEX_WAIT, the sender calls
// futex(FUTEX_WAKE). Source: kernel/futex/waitwake.c, futex_wake; io_uring/futex.c,
// io_futex_wake_fn, io_futex_wait (6.18, 7.4); its local work is the era's. io_uring's callback
// does not use the wake_q: it adds the work and wakes the ring's task inside hb->lock. What it
// leaves open: whether the measured sender used futex(2) or IORING_OP_FUTEX_WAKE; the latter adds
// an uncontended uring_lock. W1 and W2 lie inside hb->lock here, which hides them.

func (e *Era) futexOneshotWake() k.Code {
	return k.Seq(
		enter("futex(FUTEX_WAKE)"),
		hashOf,
		k.When(k.ActHashWaiters, costFutexHash, "futex_hash; hb_waiters_pending",
			k.Lock(k.RefHash),
			k.Exec(costFutexBase, "futex_wake: the plist"),
			k.While(k.ActHashNext, costFutexWalk, "plist_for_each_entry_safe: the next waiter",
				k.When(k.ActHashMatch, k.NoCost, "futex_match: it waits on this word",
					k.Do(k.ActHashUnqueue, costFutexFn, "io_futex_wake_fn: __futex_wake_mark"),
					e.rule(wordToday).add(false))),
			k.Unlock(k.RefHash)),
		exit("futex(FUTEX_WAKE)"))
}

func (e *Era) futexOneshotWait() k.Code {
	return k.Seq(
		enter("io_uring_enter"),
		k.Lock(k.RefOwnRing),
		k.Exec(costSQE, "io_submit_sqes: io_futex_wait"),
		hashOf,
		k.Do(k.ActHashCount, costFutexHash, "futex_hash; futex_hb_waiters_inc"),
		k.Lock(k.RefHash),
		k.Either(k.ActHashQueue, costFutexQueue, "futex_wait_setup: word unchanged: plist_add",
			k.Unlock(k.RefHash),
			k.Seq(
				k.Unlock(k.RefHash),
				k.Do(k.ActPostCQE, costPostCQE, "the word changed: complete with -EAGAIN"))),
		k.Unlock(k.RefOwnRing),
		e.waitWork(k.Exec(costWorkRun, "io_futex_complete: data back to the ring's cache")),
		exit("io_uring_enter"),
		handle)
}

var futexOneshotClose = k.Seq(
	k.Lock(k.RefOwnRing),
	k.Lock(k.RefHash),
	k.Do(k.ActHashCancel, costFutexFn, "io_futex_remove_all: futex_unqueue"),
	k.Unlock(k.RefHash),
	k.Unlock(k.RefOwnRing),
	plainClose)

func futexOneshot(e *Era) []Design {
	return []Design{{
		Name: "futex-oneshot", Variant: "futex-oneshot",
		About: "a futex wake to a one-shot IORING_OP_FUTEX_WAIT",
		Assumed: "the sender calls futex(2), not IORING_OP_FUTEX_WAKE; the kernel leaves " +
			"nothing else open",
		Paths: k.Paths{Send: e.futexOneshotWake(), Receive: e.futexOneshotWait(),
			Open: plainOpen, Close: futexOneshotClose},
	}}
}

// FutexOneshot is what the RFC measured with 10,285 late sends of 1.2 million.
var FutexOneshot = registerIn(futexOneshot)
