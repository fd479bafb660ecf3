package designs

// orinPoll and orinCache are the costs of eventfd, signalfd, and of requests that are kept for a
// ring. Nobody has published any of them; each is a sum of a few operations that the profile has
// elsewhere: an atomic on a line that another core has takes 25 to 60 ns, an entry of a list 10
// to 40, a call that copies a few words 50 to 200. The ranges were fixed before a design that has
// them ran.

func (p *Profile) orinPoll() {
	p.set(costFdWrite, 50, 100, 200, "assumed: fdget, the checks of vfs_write, 8 bytes copied")
	p.set(costEventCount, 10, 20, 40, "assumed: a sum under the lock, on the lock's line")
	p.set(costPollWake, 40, 80, 160,
		"assumed: __wake_up_common to one entry, one atomic on its request, its mask")
	p.set(costPollArm, 100, 200, 400, "assumed: apoll from the ring's cache, set up, hashed")
	p.set(costPollQueue, 10, 20, 40, "assumed: list_add or list_del on the lock's line")
	p.set(costReadIssue, 75, 150, 300,
		"assumed: as the issue of an SQE: kiocb, iov, rw_verify_area")
	p.set(costEvfdGrab, 25, 50, 100,
		"assumed: a reference taken and put; the flush's own completion_lock is uncontended")
	p.set(costSigLookup, 100, 200, 400,
		"assumed: siginfo from user space, pid hash under RCU, credentials")
	p.set(costSigPrepare, 50, 100, 200, "assumed: prepare_signal, one atomic on the user's count")
	p.set(costSigQueue, 25, 50, 100, "assumed: 48 bytes copied, list_add_tail, sigaddset")
	p.set(costSigComplete, 10, 20, 40, "assumed: wants_signal says no: it is blocked")
	p.set(costSigLook, 10, 20, 40, "assumed: two masks")
	p.set(costSigTake, 50, 100, 200, "assumed: two masks, the list searched for another, a copy")
	p.set(costSigCopy, 75, 150, 300, "assumed: 128 bytes built and copied to user space")
}

func (p *Profile) orinCache() {
	p.set(costCacheMove, 10, 20, 40, "assumed: an array's entry and its count, as sheaf_pop")
	p.set(costCacheRead, 25, 60, 120,
		"assumed: the head's line and the first request's, both last written by another core")
	p.set(costCacheSwap, 25, 60, 120, "assumed: one atomic on a line that others write")
	p.set(costPoolFind, 10, 20, 40, "assumed: one load of a line that others write, one clz")
	p.set(costPoolTake, 25, 60, 120, "assumed: one atomic on a line that others write")
	p.set(costPoolCredit, 25, 50, 100, "assumed: one atomic on a line that only the target writes")
}
