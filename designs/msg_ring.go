package designs

import k "rtsim/model"

// msg-ring: IORING_OP_MSG_RING data to a DEFER_TASKRUN ring, as the RFC measured it. Source:
// io_uring/msg_ring.c, io_msg_data_remote, io_msg_remote_post, io_msg_tw_complete; io_uring/tw.c;
// mm/slub.c (7.4). The sender allocates a request for each message, posts it to the target's
// local work, lazily, and wakes the target's task by today's rule; the target posts the CQE and
// frees the request by kfree_rcu. One SQE a subscriber, all in one io_uring_enter, highest
// priority first. Not modelled: memcg's charge of the request, the sender's own request cache
// (always warm), a CQ that overflows into allocations.

// claimLazy is the lazy half of io_req_local_work_add: count down, and wake at zero. With one
// event wanted it is the claim of wakeClaimed.
var claimLazy = wakeClaimed

var msgRingSend = k.Seq(
	enter("io_uring_enter"),
	k.Lock(k.RefOwnRing),
	k.While(k.ActNextOpen, costSQE, "io_submit_sqes: IORING_OP_MSG_RING to the next ring",
		k.Exec(costFileSlot, "io_msg_ring: the registered file of the target"),
		allocRequest,
		k.Exec(costRequestInit, "io_msg_remote_post: a zeroed request, percpu_ref_get"),
		k.Do(k.ActRequestPush, costWorkPush, "io_req_local_work_add: mpscq_push: exchange"),
		k.Do(k.ActRequestLink, costWorkLink, "mpscq_push: link the predecessor"),
		claimLazy),
	k.Unlock(k.RefOwnRing),
	exit("io_uring_enter"))

var msgRingWait = k.Seq(
	enter("io_uring_enter"),
	waitWork(k.Seq(
		k.Exec(costWorkRun, "io_msg_tw_complete"),
		kfreeRCU)),
	exit("io_uring_enter"),
	handle)

// MsgRing is the RFC's second measured mechanism.
var MsgRing = register(Design{
	Name: "msg-ring", Variant: "msg-ring",
	About: "MSG_RING data, a request from the slab for each message",
	Assumed: "one SQE a subscriber, highest priority first; a grace period of 20 ms; batches of " +
		"510 freed by a kworker of the CPU",
	Paths: k.Paths{Send: msgRingSend, Receive: msgRingWait, Open: plainOpen, Close: plainClose,
		Reclaim: reclaim},
})
