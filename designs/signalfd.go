package designs

import k "rtsim/model"

// signalfd: a subscriber blocks a real-time signal and has a signalfd, its ring a READ on it; the
// sender calls rt_tgsigqueueinfo(2) for each subscriber, highest priority first. Source:
// kernel/signal.c, do_send_specific, __send_signal_locked, sigqueue_alloc, dequeue_signal;
// fs/signalfd.c, signalfd_notify, signalfd_dequeue, signalfd_poll; io_uring/poll.c (6.12 to 7.4).
// Under the target's siglock the sender allocates a sigqueue from the slab (list_lock and
// barn->lock nest in it) and wakes the signalfd's wait queue (signalfd_wqh.lock nests in it, and
// the wake-up in that): two holders that are preempted on two CPUs add up. A real-time signal
// never coalesces. signalfd_notify wakes without a mask, so io_poll_wake leaves the entry, and the
// ring's task looks again under siglock and takes the entry off under signalfd_wqh.lock; it reads
// and frees under siglock, reads in vain before it arms, arms under signalfd_wqh.lock and looks
// under siglock once more. Left open, and assumed here: a READ takes one signal, as the RFC's
// author's framework does in its loop; one thread a process; a blocked signal with nobody else
// to wake. Not modelled: RLIMIT_SIGPENDING, other users of the sigqueue cache, memcg's charge.
//
// wake-fix, fix-f2, fix-f3, fix-f4 put a candidate of the first patch in place of today's rule. All
// adders hold siglock, which hides W1 and W2 but while the ring's task is awake.

func (e *Era) signalfdSend(r *wakeRule) k.Code {
	return k.While(k.ActNextOpen, k.NoCost, "the next subscriber's thread",
		enter("rt_tgsigqueueinfo"),
		k.Exec(costSigLookup, "do_send_specific: find_task_by_vpid, check_kill_permission"),
		k.Lock(k.RefSignal),
		k.When(k.ActSignalThere, costSigPrepare,
			"lock_task_sighand: it lives; __send_signal_locked: prepare_signal",
			e.alloc,
			k.Do(k.ActSignalQueue, costSigQueue, "its siginfo copied; list_add_tail"),
			k.When(k.ActPollQueued, k.NoCost, "signalfd_notify: waitqueue_active(signalfd_wqh)",
				k.Lock(k.RefSignalfd),
				k.When(k.ActPollQueued, k.NoCost, "wake_up: an entry is on the wait queue",
					pollWake(nil, r)),
				k.Unlock(k.RefSignalfd)),
			k.Exec(costSigComplete, "complete_signal: it is blocked: wake nobody")),
		k.Unlock(k.RefSignal),
		exit("rt_tgsigqueueinfo"))
}

// signalfdLook is next_signal under siglock, of signalfd_poll: is a signal pending?
func signalfdLook(note string, yes, no k.Code) k.Code {
	return k.Seq(
		k.Lock(k.RefOwnSignal),
		k.Either(k.ActSignalSeen, costSigLook, note,
			k.Seq(k.Unlock(k.RefOwnSignal), yes),
			k.Seq(k.Unlock(k.RefOwnSignal), no)))
}

// signalfdRead is io_read of the signalfd: one signal and a CQE, or an armed poll.
func (e *Era) signalfdRead(r *wakeRule) k.Code {
	return k.Seq(
		k.Exec(costReadIssue, "io_read, IOCB_NOWAIT"),
		k.Lock(k.RefOwnSignal),
		k.Either(k.ActSignalTake, costSigTake, "signalfd_dequeue: dequeue_signal: one is pending",
			k.Seq(
				e.free,
				k.Unlock(k.RefOwnSignal),
				k.Exec(costSigCopy, "signalfd_copyinfo"),
				k.Do(k.ActPostCQE, costPostCQE, "io_req_complete_defer: post a CQE")),
			k.Seq(
				k.Unlock(k.RefOwnSignal),
				k.Exec(costPollArm, "-EAGAIN: io_arm_apoll: vfs_poll: io_async_queue_proc"),
				k.Lock(k.RefOwnSignalfd),
				k.Do(k.ActPollArm, costPollQueue, "add_wait_queue"),
				k.Unlock(k.RefOwnSignalfd),
				signalfdLook("signalfd_poll: next_signal: one came meanwhile",
					finishInline(k.RefOwnSignalfd, r), nil))))
}

func (e *Era) signalfdWait(r *wakeRule) k.Code {
	return k.Seq(
		enter("io_uring_enter"),
		k.Lock(k.RefOwnRing),
		k.Exec(costSQE, "io_submit_sqes: IORING_OP_READ of the signalfd"),
		e.signalfdRead(r),
		k.Unlock(k.RefOwnRing),
		e.waitWorkOf(k.Seq(
			k.Exec(costWorkRun, "io_poll_task_func: io_poll_check_events: no mask: vfs_poll"),
			signalfdLook("signalfd_poll: next_signal: one is pending",
				k.Seq(
					k.Lock(k.RefOwnSignalfd),
					k.Do(k.ActPollRemove, costPollQueue, "io_poll_remove_entries"),
					k.Unlock(k.RefOwnSignalfd),
					e.signalfdRead(r)),
				k.Do(k.ActPollPut, k.NoCost, "nothing: poll_refs = 0, it stays armed"))), nil),
		exit("io_uring_enter"),
		handle)
}

func (e *Era) signalfdClose() k.Code {
	return k.Seq(
		k.Lock(k.RefOwnRing),
		k.Lock(k.RefOwnSignalfd),
		k.Do(k.ActPollRemove, costPollQueue, "ring exit: io_poll_remove_all"),
		k.Unlock(k.RefOwnSignalfd),
		k.Unlock(k.RefOwnRing),
		k.Lock(k.RefOwnSignal),
		plainClose,
		k.Unlock(k.RefOwnSignal),
		k.While(k.ActSignalTake, costSigTake, "release_task: flush_sigqueue: what is pending",
			e.free))
}

var signalfdChoices = []Choice{
	{About: "wake-up rule", Words: []string{"wake-fix", "fix-f2", "fix-f3", "fix-f4"}},
}

var signalfdRefused = []Refusal{
	{"no-wake-fix", "today's signalfd has no fix to take away; wake-fix adds it"},
}

// signalfds are the bare form and the variants.
func signalfds(e *Era) []Design {
	var forms []Design
	for i := range e.rules {
		forms = append(forms, signalfd(e, &e.rules[i]))
	}
	forms[0].Choices, forms[0].Refused = signalfdChoices, signalfdRefused
	return forms
}

func signalfd(e *Era, r *wakeRule) Design {
	d := Design{
		Name: "signalfd", Variant: variant("signalfd", r.unlessToday()),
		About: "a queued real-time signal to a signalfd that the target's ring reads" +
			r.unless(wordToday),
		Assumed: "one signal a subscriber, highest priority first; one signal a READ; no " +
			"limit of pending signals; " + r.about,
		Absent: e.absent(r.none),
	}
	if r.none == "" {
		d.Paths = k.Paths{Send: e.signalfdSend(r), Receive: e.signalfdWait(r), Open: plainOpen,
			Close: e.signalfdClose(), Slab: k.SlabSignal}
	}
	return d
}

// Signalfd is what the RFC's author's framework uses.
var Signalfd = registerIn(signalfds)
