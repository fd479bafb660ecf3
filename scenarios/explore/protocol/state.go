package protocol

import "rtsim/model"

// A state is one comparable value, so that a map of Go finds it again. There is one receiver, so
// whatever the kernel keeps for each ring stands here once.

const (
	lowMost    = 2
	sendsMost  = 3
	maxThreads = 2 + lowMost
	maxItems   = 2 + lowMost*sendsMost // R's own, then one for each message
	nobody     = int8(-1)
	noLock     = int8(-1)
	receiver   = 0
	sender     = 1
	waitInit   = int8(-1)  // IO_CQ_WAKE_INIT
	workForce  = int8(100) // IO_CQ_WAKE_FORCE: more than anybody waits for
	ownItem    = int8(0)
	runMost    = int8(20) // IO_LOCAL_TW_DEFAULT_MAX
	countMost  = int8(100)
)

// The locks that threads share; all else is private to one.
const (
	lockHash int8 = iota
	lockNode
	lockPI
	lockRQ
	lockBarn
	lockList
	lockEventfd
	lockSignal
	lockSignalfd
	lockMsg
	lockCache
	nLocks
)

// lockOf is the shared lock that a reference means, R's own being the target's of everybody else.
func lockOf(r model.Ref) int8 {
	switch r {
	case model.RefHash:
		return lockHash
	case model.RefNode:
		return lockNode
	case model.RefPI:
		return lockPI
	case model.RefRQ:
		return lockRQ
	case model.RefBarn:
		return lockBarn
	case model.RefList:
		return lockList
	case model.RefEventfd, model.RefOwnEventfd:
		return lockEventfd
	case model.RefSignal, model.RefOwnSignal:
		return lockSignal
	case model.RefSignalfd, model.RefOwnSignalfd:
		return lockSignalfd
	case model.RefMsg, model.RefOwnMsg:
		return lockMsg
	case model.RefCache, model.RefOwnCache:
		return lockCache
	}
	return noLock
}

// thread is where somebody is, and what he keeps to himself.
type thread struct {
	pc      int16
	done    bool // his last call has returned
	begun   bool // he is within a call
	sends   int8 // calls that are left, this one included
	message int8 // number of his present message, from 1
	refused bool // it was refused, so nobody owes it anything

	asleep        bool
	interruptible bool
	off           int8 // depth of what keeps him from being preempted

	walked bool // his walk has shown him R
	wakeQ  bool // R is on his wake_q
	item   int8 // to push, or that was popped
	first  bool // the list was empty when he pushed
	popped bool // a cache or pool gave him a request
	head   int8 // llist: the first entry that he read
	before int8 // its nr_tw
	nrTw   int8 // and that of his own
}

// item is a node of R's local work.
type item struct {
	queued, linked bool
	nrTw           int8
}

// list is items in order; what is behind n is zero.
type list struct {
	at [maxItems]int8
	n  int8
}

func (l *list) pushBack(i int8) {
	l.at[l.n] = i
	l.n++
}

func (l *list) pushFront(i int8) {
	copy(l.at[1:], l.at[:l.n])
	l.at[0] = i
	l.n++
}

func (l *list) popFront() int8 {
	i := l.at[0]
	copy(l.at[:], l.at[1:])
	l.n--
	l.at[l.n] = 0
	return i
}

// state is everything that changes.
type state struct {
	threads [maxThreads]thread
	owner   [nLocks]int8

	published, seen, handled int8 // messages so far

	hashWaiters     int8
	hashed, inWakeQ bool

	pending, bell bool

	waitNr int8 // cq_wait_nr
	cqes   int8
	items  [maxItems]item
	work   list // mpscq: oldest first; llist: newest first
	retry  list // llist: taken, oldest first
	left   int8 // how many a run of the llist may still take
	turn   int8
	fresh  bool

	count   int8 // of the eventfd
	refs    int8 // poll_refs
	polled  bool // the poll is on the wait queue
	signals int8
}

// hasWork is io_local_work_pending.
func (s *state) hasWork() bool { return s.work.n > 0 || s.retry.n > 0 }
