package designs

import k "rtsim/model"

// eventfd: a subscriber has an eventfd, its ring a READ on it; the sender calls write(2) for each
// subscriber, highest priority first. Source: fs/eventfd.c, eventfd_write, eventfd_read,
// eventfd_poll; io_uring/poll.c, io_arm_apoll, io_poll_wake, io_poll_task_func; io_uring/rw.c,
// io_read (6.12 to 7.4). The writer holds ctx->wqh.lock from the count to the wake-up of the
// ring's task; the reader takes it to read, to read in vain before it arms, and to arm. Nothing
// is allocated; the count coalesces. All who add work to the ring for this file hold that lock,
// which hides W1 and W2 but while the ring's task is awake. Left open, and assumed here: one
// eventfd a subscriber, a one-shot READ instead of a multishot poll, the apoll entry warm in the
// ring's cache. A poll that finds a count while it arms goes through the callback of one that was
// woken.
//
// registered: an eventfd registered with the target's ring (IORING_REGISTER_EVENTFD), whatever
// the sender uses; here MSG_RING data. Source: io_uring/eventfd.c, io_eventfd_signal,
// io_eventfd_flush_signal; io_uring/tw.c. Who adds work to an empty list signals the eventfd
// between the publishing and the decision to wake: a sleeping lock there, held by whoever was
// preempted, stretches that window (W4). The ring's task signals too, after its callbacks. The
// sender does not use write(2) here, for io_poll_wake under an eventfd's lock does not signal:
// eventfd_signal_allowed is false, and call_rcu does it later. Assumed: nobody waits on the
// registered eventfd, so that its lock is held for a count only.
//
// wake-fix, fix-f2, fix-f3, fix-f4 put a candidate of the first patch in place of today's rule.

// pollWake is io_poll_wake of the ring's poll, the wait queue's lock held; unlink is what it does
// to the entry.
func pollWake(unlink k.Code, r *wakeRule) k.Code {
	return k.When(k.ActPollGet, costPollWake, "io_poll_wake: io_poll_get_ownership: it is ours",
		unlink,
		r.add(true))
}

func eventfdWrite(r *wakeRule) k.Code {
	return k.While(k.ActNextOpen, k.NoCost, "the next subscriber's eventfd",
		enter("write(2)"),
		k.Exec(costFdWrite, "fdget; vfs_write; eventfd_write: the value"),
		k.Lock(k.RefEventfd),
		k.Do(k.ActCountAdd, costEventCount, "eventfd_write: ctx->count += 1"),
		k.When(k.ActPollQueued, k.NoCost, "waitqueue_active(&ctx->wqh): wake_up_locked_poll",
			pollWake(k.Do(k.ActPollUnqueue, costPollQueue, "one-shot: list_del_init"), r)),
		k.Unlock(k.RefEventfd),
		exit("write(2)"))
}

// finishInline completes a poll whose file became ready while it was armed: unless a waker owns
// it, and has queued it, it is taken off the wait queue and queued by its own task.
func finishInline(wait k.Ref, r *wakeRule) k.Code {
	return k.When(k.ActPollGetOwn, k.NoCost, "io_poll_can_finish_inline: io_poll_get_ownership",
		k.Lock(wait),
		k.Do(k.ActPollRemove, costPollQueue, "io_poll_remove_entries"),
		k.Unlock(wait),
		r.pushLazy)
}

// eventfdRead is io_read of the eventfd: a CQE, or an armed poll.
func eventfdRead(r *wakeRule) k.Code {
	return k.Seq(
		k.Exec(costReadIssue, "io_read, IOCB_NOWAIT"),
		k.Lock(k.RefOwnEventfd),
		k.Either(k.ActCountTake, costEventCount, "eventfd_read: the count, and zero",
			k.Seq(
				k.Unlock(k.RefOwnEventfd),
				k.Do(k.ActPostCQE, costPostCQE, "io_req_complete_defer: post a CQE")),
			k.Seq(
				k.Unlock(k.RefOwnEventfd),
				k.Exec(costPollArm, "-EAGAIN: io_arm_apoll: vfs_poll: io_async_queue_proc"),
				k.Lock(k.RefOwnEventfd),
				k.Do(k.ActPollArm, costPollQueue, "add_wait_queue"),
				k.Unlock(k.RefOwnEventfd),
				k.When(k.ActCountSeen, costEventCount, "eventfd_poll: there is a count now",
					finishInline(k.RefOwnEventfd, r)))))
}

func (e *Era) eventfdWait(r *wakeRule) k.Code {
	return k.Seq(
		enter("io_uring_enter"),
		k.Lock(k.RefOwnRing),
		k.Exec(costSQE, "io_submit_sqes: IORING_OP_READ of the eventfd"),
		eventfdRead(r),
		k.Unlock(k.RefOwnRing),
		e.waitWorkOf(k.Seq(
			k.Exec(costWorkRun, "io_poll_task_func: io_req_task_submit"),
			eventfdRead(r)), nil),
		exit("io_uring_enter"),
		handle)
}

var eventfdClose = k.Seq(
	k.Lock(k.RefOwnRing),
	k.Lock(k.RefOwnEventfd),
	k.Do(k.ActPollRemove, costPollQueue, "ring exit: io_poll_remove_all"),
	k.Unlock(k.RefOwnEventfd),
	k.Unlock(k.RefOwnRing),
	plainClose)

// registeredAdd is io_req_local_work_add to a ring with a registered eventfd.
func registeredAdd(r *wakeRule) k.Code {
	return k.Seq(
		r.pushLazy,
		k.When(k.ActPushedFirst, costEvfdGrab, "the list was empty: io_eventfd_signal",
			k.Lock(k.RefEventfd),
			k.Exec(costEventCount, "eventfd_signal_mask: ctx->count += 1; nobody waits"),
			k.Unlock(k.RefEventfd)),
		r.wakeLazy)
}

// registeredFlush is the signal of the ring's own task, once its callbacks have posted CQEs.
var registeredFlush = k.When(k.ActPosted, costEvfdGrab,
	"__io_commit_cqring_flush: io_eventfd_flush_signal: new CQEs",
	k.Lock(k.RefOwnEventfd),
	k.Exec(costEventCount, "eventfd_signal_mask: ctx->count += 1"),
	k.Unlock(k.RefOwnEventfd))

var eventfdChoices = []Choice{
	{About: "eventfd", Words: []string{"registered"}},
	{About: "wake-up rule", Words: []string{"wake-fix", "fix-f2", "fix-f3", "fix-f4"}},
}

var eventfdRefused = []Refusal{
	{"no-wake-fix", "today's eventfd has no fix to take away; wake-fix adds it"},
	{"registered+fix-f3", "F3 turns preemption off from the publishing to the wake-up, and the " +
		"registered eventfd's wqh.lock, which may sleep, lies between them"},
}

// eventfds are the bare form and the variants.
func eventfds(e *Era) []Design {
	var forms []Design
	for i := range e.rules {
		forms = append(forms, eventfd(e, &e.rules[i]))
	}
	for _, word := range [...]string{wordToday, wordF1, wordF2, wordF4} {
		forms = append(forms, eventfdRegistered(e, e.rule(word)))
	}
	forms[0].Choices, forms[0].Refused = eventfdChoices, eventfdRefused
	return forms
}

func eventfd(e *Era, r *wakeRule) Design {
	d := Design{
		Name: "eventfd", Variant: variant("eventfd", r.unlessToday()),
		About: "write(2) to an eventfd that the target's ring reads" + r.unless(wordToday),
		Assumed: "one eventfd and one write(2) a subscriber, highest priority first; a one-shot " +
			"READ; " + r.about,
		Absent: e.absent(r.none),
	}
	if r.none == "" {
		d.Paths = k.Paths{Send: eventfdWrite(r), Receive: e.eventfdWait(r), Open: plainOpen,
			Close: eventfdClose}
	}
	return d
}

func eventfdRegistered(e *Era, r *wakeRule) Design {
	d := Design{
		Name: "eventfd", Variant: variant("eventfd", "registered", r.unlessToday()),
		About: "MSG_RING data to a ring with a registered eventfd" + r.unless(wordToday),
		Assumed: "nobody waits on the registered eventfd; one SQE a subscriber, highest priority " +
			"first; a grace period of 20 ms; batches of 510 freed by a kworker of the CPU; " +
			r.about,
		Absent: e.absent(r.none),
	}
	if r.none == "" {
		post := k.Seq(e.alloc, fillRequest, registeredAdd(r))
		wait := e.waitWorkOf(k.Seq(msgComplete(kfreeRCU),
			k.Do(k.ActPostCQE, costPostCQE, "io_add_aux_cqe: post a CQE")), registeredFlush)
		d.Paths = k.Paths{Send: msgRingSend(post), Receive: msgRingWait(wait), Open: plainOpen,
			Close: k.Seq(plainClose, e.exitWork(msgComplete(kfreeRCU))), Reclaim: e.reclaim()}
	}
	return d
}

// Eventfd is in wide use, though the RFC did not measure it.
var Eventfd = registerIn(eventfds)
