package model

import "rtsim/sim"

// The objects of the wake-up paths: queues of messages in shared memory, whose
// word a futex may be; endpoints, one for each task that receives, with its io_uring ring. The
// structures are here, the order of steps on them is in designs/. Each operation is one Action:
// atomic, since it is one atomic instruction of the kernel or done under the lock the listing
// holds. Weak memory order is not modelled.

// waitInit is IO_CQ_WAKE_INIT: nobody waits for completions.
const waitInit = -1

// none is an absent endpoint or work item.
const none int32 = -1

// queueState is one queue of messages.
type queueState struct {
	published int64 // messages so far; also the futex word
	bucket    bucket
	nodeFirst int32 // endpoints linked to the node of option 1, in order of registration
	openFirst int32 // open endpoints by priority: whom a sender addresses one by one
	order     int32 // registrations and openings so far
}

// bucket is one of the global futex hash. Words that fall into one share that of the first.
type bucket struct {
	waiters int32 // counted before its lock is taken (hb_waiters_inc)
	first   int32 // endpoints on its plist: by priority when they armed, then by time
}

// endpoint is a task's end of a queue, with its ring.
type endpoint struct {
	seen       int64 // published when its loop last looked
	task       TaskID
	queue      int32
	prio       int32 // normal priority when it armed
	hashNext   int32
	nodeNext   int32
	openNext   int32
	joined     int32 // its place in the order of registrations at the node
	opened     int32 // and of openings
	life       int32 // how often its ring has died
	wakeNext   int32 // in a wake_q
	waitNr     int32 // cq_wait_nr: events still wanted; waitInit: nobody waits
	workFirst  int32 // mpscq of local work: oldest item; llist: newest
	workLast   int32 // mpscq
	run        llistRun
	cqes       int32 // completions in the CQ ring
	overflowed int32 // and on the overflow list
	bits       uint64
	poll       pollState
	cache      cacheState
	pool       int32 // its first pool, if its design has any
	open       bool
	hashed     bool // on the plist
	pending    bool // option 1: a wake that was not consumed yet
	inWakeQ    bool
}

// workItem is one node of an mpscq. Until it is linked, it and what follows can't be reached.
type workItem struct {
	next   int32
	owner  int32 // endpoint it belongs to
	linked bool
	queued bool
	used   bool  // a request: between its allocation and its release
	nrTw   int32 // llist
}

// cqEntries is the size of a CQ ring: twice the default 128 of a small event loop.
const cqEntries = 256

// registers are a task's private pointers within a path.
type registers struct {
	release sim.Time // of the present message
	message int32    // messages sent by this task
	queue   int32
	own     int32 // its own endpoint of queue
	target  int32 // the endpoint that the last operation chose
	life    int32 // and in which of its lives
	iter    int32 // where a walk goes on: behind the endpoint of this order
	wakeq   int32 // first endpoint of its wake_q
	item    int32 // the work item that was popped, or the one to push: target's own, or a request
	first   bool  // the list was empty when it pushed
	pop     cachePop
	add     llistAdd
	slab    slabWork
	rq      LockID // the run queue lock it took for target
	lifeEnd sim.Time
}

// network is the unchanging part.
type network struct {
	paths     Paths
	endpoints []endpointDecl
	firstOf   []int32 // by task: its first endpoint, -1
	loads     []LoadDecl
	jitters   []TaskID // whose release each jittered every delays
	hashLock  LockID   // of bucket 0; bucket i adds i
	buckets   []int32  // by queue: whose bucket its word is in
	nodeLock  LockID
	piLock    LockID            // of task 0
	rqLock    LockID            // of CPU 0
	ringLock  LockID            // of task 0
	slabLocks [nSlabs]slabLocks // by cache
	slabs     []SlabKind        // by queue: whose cache its design allocates from
	pools     []PoolDecl        // by queue: of its design
	poolMost  int32             // requests of the largest of these: the items of each pool
	krcLock   LockID            // of CPU 0
	kworkers  []TaskID          // by CPU, which free its batches; NoTask: none
	own       [nOwnLocks]LockID // of endpoint 0
	slabItems int32             // the item of the cache's first object
	sendUntil sim.Time
	measured  TaskID // whose sends end at sendUntil
	nCosts    int32  // of the cost streams: task * nCosts + cost

	costStream, jitterStream, loadStream sim.StreamID // first of each kind
}

type endpointDecl struct {
	task  TaskID
	queue int32
}

// world is the changing part.
type world struct {
	queues    []queueState
	endpoints []endpoint
	items     []workItem // of the endpoints, of the pools, then one for each object of the cache
	pools     []uint64   // bit set: a request is free; by endpoint, or by sender and endpoint
	loads     []loadState
	slabs     [nSlabs]slabCache
}

func (w *world) copyFrom(src *world) {
	w.queues = append(w.queues[:0], src.queues...)
	w.endpoints = append(w.endpoints[:0], src.endpoints...)
	w.items = append(w.items[:0], src.items...)
	w.pools = append(w.pools[:0], src.pools...)
	w.loads = append(w.loads[:0], src.loads...)
	for i := range w.slabs {
		w.slabs[i].copyFrom(&src.slabs[i])
	}
}

// addNetwork lays out what the paths' references name: endpoints, and internal locks.
func (p *Program) addNetwork(w *Workload) {
	n := &p.net
	n.paths, n.loads, n.sendUntil, n.measured = w.Paths, w.Loads, w.SendUntil, NoTask
	if w.SendUntil > 0 {
		n.measured = TaskID(w.Measured)
	}
	for i := range p.names {
		n.firstOf = append(n.firstOf, int32(len(n.endpoints)))
		if i < len(w.Tasks) {
			p.addEndpoints(TaskID(i), w.Tasks[i].Program)
		}
	}
	if len(w.Queues) == 0 {
		return
	}
	for queue := range w.Queues {
		n.buckets = append(n.buckets, int32(queue))
		if w.Buckets != nil {
			n.buckets[queue] = w.Buckets[queue]
		}
		paths := w.pathsOf(int32(queue))
		n.slabs, n.pools = append(n.slabs, paths.Slab), append(n.pools, paths.Pool)
		n.poolMost = max(n.poolMost, paths.Pool.Requests)
	}
	n.hashLock = p.internalLocks(w.Queues, "hb->lock ", w.hashLockKind())
	n.nodeLock = p.internalLocks(w.Queues, "node->lock ", Raw)
	n.piLock = p.internalLocks(p.names, "p->pi_lock ", Raw)
	n.ringLock = p.internalLocks(p.names, "uring_lock ", Mutex)
	var cpus []string
	for c := range w.CPUs {
		cpus = append(cpus, itoa(c))
	}
	n.rqLock = p.internalLocks(cpus, "rq->lock cpu", Raw)
	n.slabLocks[SlabRequest] = p.addSlabLocks(w, "", cpus)
	n.krcLock = p.internalLocks(cpus, "krcp->lock cpu", Raw)
	p.addSignalLocks(w, cpus)
	p.addOwnLocks(w)
	p.addCPUSlabLocks(w, cpus)
}

// addEndpoints gives a task an endpoint for each queue that its program receives from.
func (p *Program) addEndpoints(id TaskID, words []Word) {
	first := p.net.firstOf[id]
	for i := range words {
		if words[i].Kind != WordReceive && words[i].Kind != WordOpen {
			continue
		}
		known := false
		for _, e := range p.net.endpoints[first:] {
			known = known || e.queue == words[i].Lock
		}
		if !known {
			p.net.endpoints = append(p.net.endpoints, endpointDecl{id, words[i].Lock})
		}
	}
}

// internalLocks adds one lock for each name.
func (p *Program) internalLocks(names []string, prefix string, kind LockKind) LockID {
	first := LockID(len(p.lockOf))
	for _, name := range names {
		p.lockOf = append(p.lockOf, -1)
		p.lockNames = append(p.lockNames, prefix+name)
		p.internal = append(p.internal, kind)
	}
	return first
}

// addWorld builds the objects of a workload that sends and receives.
func (m *Machine) addWorld(w *Workload) {
	n := &m.prog.net
	for range w.Queues {
		m.world.queues = append(m.world.queues,
			queueState{bucket: bucket{first: none}, nodeFirst: none, openFirst: none})
	}
	for _, d := range n.endpoints {
		m.world.endpoints = append(m.world.endpoints, endpoint{task: d.task, queue: d.queue,
			hashNext: none, nodeNext: none, openNext: none, wakeNext: none, waitNr: waitInit,
			workFirst: none, workLast: none, run: llistRun{retry: none},
			poll:  pollState{sigFirst: none, sigLast: none},
			cache: cacheState{first: none}})
		m.world.items = append(m.world.items, workItem{next: none,
			owner: int32(len(m.world.items))})
	}
	for i := range m.tasks {
		m.tasks[i].regs = registers{queue: none, own: none, target: none, iter: none,
			wakeq: none, item: none, rq: NoLock,
			slab: slabWork{obj: none, chain: none, page: none, flush: none}}
	}
	m.addPools()
	n.slabItems = int32(len(m.world.items))
	m.world.slabs[SlabRequest] = newSlabCache(SlabRequest, w.CPUs)
	if n.slabLocks[SlabSignal] != (slabLocks{}) {
		m.world.slabs[SlabSignal] = newSlabCache(SlabSignal, w.CPUs)
	}
}

// endpointOf is a task's endpoint of a queue.
func (m *Machine) endpointOf(id TaskID, queue int32) int32 {
	for e := m.prog.net.firstOf[id]; e >= 0 && int(e) < len(m.world.endpoints); e++ {
		if p := &m.world.endpoints[e]; p.task == id && p.queue == queue {
			return e
		}
	}
	m.broken("receives from a queue it has no end of", id, NoLock)
	return none
}

// registerLock is the lock that a reference names to a task.
func (m *Machine) registerLock(r Ref, t *Task, take bool) LockID {
	n := &m.prog.net
	switch r {
	case RefOwnRing:
		return n.ringLock + LockID(m.cpus[t.cpu].curr)
	case RefHash, RefHashFree:
		return n.hashLock + LockID(n.buckets[t.regs.queue])
	case RefNode:
		return n.nodeLock + LockID(t.regs.queue)
	case RefPI:
		return n.piLock + LockID(m.world.endpoints[t.regs.target].task)
	case RefRQ:
		if take { // the wake-up may move the task: release what was taken
			t.regs.rq = n.rqLock + LockID(m.tasks[m.world.endpoints[t.regs.target].task].cpu)
		}
		return t.regs.rq
	case RefSheaf: // migration is off while it is held
		return n.slabLocks[n.slabOf(t)].sheaf + LockID(t.cpu)
	case RefBarn:
		return n.slabLocks[n.slabOf(t)].barn
	case RefList, RefListRaw:
		return n.slabLocks[n.slabOf(t)].list
	case RefKrc:
		return n.krcLock + LockID(t.cpu)
	case RefCPUSlab:
		return n.slabLocks[n.slabOf(t)].own
	}
	if r >= firstOwnRef && r < endOwnRef {
		return n.ownLock(r, t)
	}
	m.broken("a step names no lock", m.cpus[t.cpu].curr, NoLock)
	return NoLock
}

// registerTask is the task that a reference names to a task.
func (m *Machine) registerTask(r Ref, t *Task) TaskID {
	if r != RefTarget || t.regs.target < 0 {
		m.broken("a step names no task", m.cpus[t.cpu].curr, NoLock)
	}
	return m.world.endpoints[t.regs.target].task
}
