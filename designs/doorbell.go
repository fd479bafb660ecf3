package designs

import k "rtsim/model"

// doorbell, option 2, IORING_MSG_DOORBELL: a ring registers a doorbell; a sender ors bits into a
// word of the target ring and wakes its task; the target posts one CQE a drain. The prototype's
// code is not published. Assumed here:
//   - no work item: io_cqring_wait tests the word itself, so nothing is queued and W2 can't be;
//   - every sender wakes a waiting task (always-wake, F1);
//   - one SQE a subscriber, all in one io_uring_enter, highest priority first.
//
// Nothing is allocated; k rings between two drains are one CQE. Variants:
//
//	first-wake    only the setter of the first bit wakes; preempted before he does, he holds
//	              everybody back (W3), whatever the wake-up rule but F3
//	no-wake-fix   a sender claims cq_wait_nr, as today's adders do, and wakes if it was his; who
//	              finds it claimed does not (W1)
//	fix-f2        the claim stays until the waiter clears it, and nobody trusts it
//	fix-f3        no-wake-fix with preemption off from the bits to the wake-up: neither W1 nor W3
//
// fix-f4 means nothing where no work is queued.

// doorbellRing is the send path: first says that only the setter of the first bit wakes.
func doorbellRing(first bool, r *wakeRule) k.Code {
	ring := k.Seq(
		k.Do(k.ActBell, costBell, "atomic_fetch_or(bits, &target->doorbell)"),
		r.alone)
	if first {
		ring = k.When(k.ActBell, costBell, "atomic_fetch_or(bits, &target->doorbell): was it 0?",
			r.alone)
	}
	return k.Seq(
		enter("io_uring_enter"),
		k.Lock(k.RefOwnRing),
		k.While(k.ActNextOpen, costSQE, "io_submit_sqes: IORING_MSG_DOORBELL to the next ring",
			k.Exec(costFileSlot, "io_msg_ring: the registered file of the target"),
			r.guard(ring)),
		k.Unlock(k.RefOwnRing),
		exit("io_uring_enter"))
}

var doorbellDrain = k.Seq(
	k.Lock(k.RefOwnRing),
	k.When(k.ActTakeBell, costBellTake, "xchg(&ctx->doorbell, 0): bits were set",
		k.Do(k.ActPostCQE, costPostCQE, "one CQE with the bits")),
	k.Unlock(k.RefOwnRing))

var doorbellWait = k.Seq(
	enter("io_uring_enter"),
	cqringWait(k.ActBellSilent, k.ActBellSet, "the doorbell rang", doorbellDrain,
		doorbellDrain),
	exit("io_uring_enter"),
	handle)

var doorbellChoices = []Choice{
	{About: "reason to wake", Bare: "always-wake", Words: []string{"first-wake"}},
	{About: "wake-up rule", Words: []string{"no-wake-fix", "fix-f2", "fix-f3"}},
}

var doorbellRefused = []Refusal{
	{"fix-f4", "it queues no work, so there is no list to change; without one F4 is F1, the bare " +
		"form's rule"},
	{"wake-fix", "its bare form has the fix; no-wake-fix takes it away"},
}

// doorbells are the bare form and the variants.
func doorbells(e *Era) []Design {
	var forms []Design
	for _, first := range [...]string{"", "first-wake"} {
		for _, word := range [...]string{wordF1, wordToday, wordF2, wordF3} {
			forms = append(forms, doorbell(e, first, e.rule(word)))
		}
	}
	forms[0].Alias = "doorbell/always-wake"
	forms[0].Choices, forms[0].Refused = doorbellChoices, doorbellRefused
	return forms
}

func doorbell(e *Era, first string, r *wakeRule) Design {
	wakes := "every sender wakes"
	if first != "" {
		wakes = "only the setter of the first bit wakes"
	}
	d := Design{
		Name: "doorbell", Variant: variant("doorbell", first, r.unlessF1()),
		About: "option 2: bits in a word of the target ring; " + wakes + r.unless(wordF1),
		Assumed: "io_cqring_wait tests the word, no work item; " + wakes + "; one SQE a " +
			"subscriber, highest priority first; " + r.about,
		Absent: e.absent(r.aloneNone),
	}
	if d.Absent == nil {
		d.Paths = k.Paths{Send: doorbellRing(first != "", r), Receive: doorbellWait,
			Open: plainOpen, Close: plainClose}
	}
	return d
}

// Doorbell is the RFC's option 2.
var Doorbell = registerIn(doorbells)
