package designs

import k "rtsim/model"

// doorbell, option 2, IORING_MSG_DOORBELL: a ring registers a doorbell; a sender ors bits into a
// word of the target ring and wakes its task; the target posts one CQE a drain. The prototype's
// code is not published. Assumed here, for 7.4:
//   - no work item: io_cqring_wait tests the word itself. With an item that only the setter of
//     the first bit queues, a setter preempted before he queues it holds everybody back (W3);
//   - the target's task is woken whenever it waits, by every sender (always-wake);
//   - one SQE a subscriber, all in one io_uring_enter, highest priority first.
//
// Nothing is allocated, nothing is queued; k rings between two drains are one CQE.

var doorbellRing = k.Seq(
	enter("io_uring_enter"),
	k.Lock(k.RefOwnRing),
	k.While(k.ActNextOpen, costSQE, "io_submit_sqes: IORING_MSG_DOORBELL to the next ring",
		k.Exec(costFileSlot, "io_msg_ring: the registered file of the target"),
		k.Do(k.ActBell, costBell, "atomic_fetch_or(bits, &target->doorbell)"),
		wakeAlways),
	k.Unlock(k.RefOwnRing),
	exit("io_uring_enter"))

var doorbellDrain = k.Seq(
	k.Lock(k.RefOwnRing),
	k.When(k.ActTakeBell, costBellTake, "xchg(&ctx->doorbell, 0): bits were set",
		k.Do(k.ActPostCQE, costPostCQE, "one CQE with the bits")),
	k.Unlock(k.RefOwnRing))

var doorbellWait = k.Seq(
	enter("io_uring_enter"),
	cqringWait(k.ActBellSilent, k.ActBellSet, "the doorbell rang", doorbellDrain),
	exit("io_uring_enter"),
	handle)

// Doorbell is the RFC's option 2.
var Doorbell = register(Design{
	Name: "doorbell", Variant: "doorbell", Alias: "doorbell/always-wake",
	About: "option 2: bits in a word of the target ring, its task woken by every sender",
	Assumed: "io_cqring_wait tests the word, no work item; every sender wakes a waiting task; " +
		"one SQE a subscriber, highest priority first",
	Paths: k.Paths{Send: doorbellRing, Receive: doorbellWait, Open: plainOpen,
		Close: plainClose},
})
