package designs

import k "rtsim/model"

// msg-ring: IORING_OP_MSG_RING data to a DEFER_TASKRUN ring, as the RFC measured it. Source:
// io_uring/msg_ring.c, io_msg_data_remote, io_msg_remote_post, io_msg_tw_complete (6.18, 7.4); its
// local work and its requests are the era's. The sender allocates a request for each message, posts
// it to the target's local work, lazily, and wakes the target's task by today's rule; the target
// posts the CQE and frees the request by kfree_rcu. One SQE a subscriber, all in one
// io_uring_enter, highest priority first. Variants put a candidate of the first patch in place of
// today's rule, or free the request as it was before July 2025. Not modelled: memcg's charge of
// the request, the sender's own request cache (always warm), a CQ that overflows into allocations.

// msgRingSend takes how a request for the target is got, filled and posted.
func msgRingSend(post k.Code) k.Code {
	return k.Seq(
		enter("io_uring_enter"),
		k.Lock(k.RefOwnRing),
		k.While(k.ActNextOpen, costSQE, "io_submit_sqes: IORING_OP_MSG_RING to the next ring",
			k.Exec(costFileSlot, "io_msg_ring: the registered file of the target"),
			post),
		k.Unlock(k.RefOwnRing),
		exit("io_uring_enter"))
}

// fillRequest is io_msg_remote_post until the request is added.
var fillRequest = k.Do(k.ActRequestFill, costRequestInit,
	"io_msg_remote_post: a zeroed request, percpu_ref_get")

// msgRingWait is the receiver's loop; wait is its io_cqring_wait.
func msgRingWait(wait k.Code) k.Code {
	return k.Seq(
		enter("io_uring_enter"),
		wait,
		exit("io_uring_enter"),
		handle)
}

// msgComplete is io_msg_tw_complete but for its CQE; free is how it frees the request.
func msgComplete(free k.Code) k.Code {
	return k.Seq(k.Exec(costWorkRun, "io_msg_tw_complete"), free)
}

var msgRingChoices = []Choice{
	{About: "wake-up rule", Words: []string{"wake-fix", "fix-f2", "fix-f3", "fix-f4"}},
	{About: "free", Words: []string{"direct-free"}},
}

var msgRingRefused = []Refusal{
	{"no-wake-fix", "today's MSG_RING has no fix to take away; wake-fix adds it"},
}

// msgRings are the bare form and the variants.
func msgRings(e *Era) []Design {
	var forms []Design
	for i := range e.rules {
		forms = append(forms, msgRing(e, &e.rules[i], ""), msgRing(e, &e.rules[i], "direct-free"))
	}
	forms[0].Choices, forms[0].Refused = msgRingChoices, msgRingRefused
	return forms
}

func msgRing(e *Era, r *wakeRule, free string) Design {
	d := Design{
		Name: "msg-ring", Variant: variant("msg-ring", r.unlessToday(), free),
		About: "MSG_RING data, a request from the slab for each message" + r.unless(wordToday),
		Assumed: "one SQE a subscriber, highest priority first; a grace period of 20 ms; " +
			"batches of 510 freed by a kworker of the CPU; " + r.about,
		Absent: e.absent(r.none),
	}
	if free != "" {
		d.About = "MSG_RING data, freed by kmem_cache_free in the receiver instead of kfree_rcu" +
			r.unless(wordToday)
		d.Assumed = "one SQE a subscriber, highest priority first; " + r.about
	}
	if r.none != "" {
		return d
	}
	d.Paths = k.Paths{Send: msgRingSend(e.withinMemory(k.Seq(fillRequest, r.add(true)))),
		Receive: msgRingWait(e.waitWork(msgComplete(kfreeRCU))), Open: plainOpen,
		Close: k.Seq(plainClose, e.exitWork(msgComplete(kfreeRCU))), Reclaim: e.reclaim()}
	if free != "" {
		d.Paths.Receive, d.Paths.Reclaim = msgRingWait(e.waitWork(msgComplete(e.free))), nil
		d.Paths.Close = k.Seq(plainClose, e.exitWork(msgComplete(e.free)))
	}
	return d
}

// MsgRing is the RFC's second measured mechanism.
var MsgRing = registerIn(msgRings)
