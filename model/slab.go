package model

import "math/bits"

// The allocator of requests as MSG_RING meets it: SLUB with sheaves (7.0 and later), one cache on
// one node. Source: mm/slub.c, alloc_from_pcs, __pcs_replace_empty_main, refill_sheaf,
// __refill_objects, get_partial_node_bulk, __slab_free; mm/slab_common.c, kvfree_call_rcu (7.x).
//
//	object   in a sheaf of a CPU, in use, waiting for RCU, or free in its slab
//	sheaf    an array of objects of one CPU, main and spare, under a local trylock
//	barn     full and empty sheaves of the node, under barn->lock
//	slab     a page of objects; slabs with some free are on the node's partial list, under
//	         list_lock; a refill detaches slabs, takes their objects, puts the rest back
//	krcp     requests that wait for a grace period, one batch a CPU, freed by a kworker
//
// kfree_rcu's bulk free names no cache, so it bypasses the sheaves (kmem_cache_free_bulk with
// NULL): its objects go to their slabs, and the barn gets no full sheaf from them. Not modelled:
// memcg's charge, the page allocator's locks, reclaim when memory is short, kfree_rcu's drain after
// 5 s of a batch that does not fill.

const (
	sheafMost      = 60         // objects in the largest sheaf
	barnMax        = 10         // full sheaves that a barn keeps
	minPartial     = 5          // an empty slab beyond these is given back
	bulkMax        = 510        // pointers in a page of krcp: the monitor runs, next jiffy
	lookahead      = 3          // objects that build_detached_freelist skips over
	kworkerJiffy   = 4_000_000  // ns, HZ=250
	kworkerGrace   = 20_000_000 // ns from queue_rcu_work to its kworker, assumed
	slabPagesLimit = 1 << 14    // 64 MB of requests, assumed as the memory cgroup's limit
	slabPagesMost  = 1 << 16    // of a cache without one: a leak is a broken invariant
)

// SlabKind is whose cache a design's objects come from; the zero value is io_uring's requests.
type SlabKind uint8

// The caches.
const (
	SlabRequest SlabKind = iota // req_cachep: 256 bytes
	SlabSignal                  // sigqueue_cachep: 80 bytes
	nSlabs
)

// slabGeometry is what the size of a cache's objects decides (calculate_sheaf_capacity: 26 or 60,
// rounded up until sheaf and header fill a kmalloc bucket).
type slabGeometry struct {
	sheaf int32 // objects in a sheaf, at most sheafMost
	page  int32 // objects in a slab of order 0, at most 64
	// kept is how many slabs a CPU keeps with CPU slabs: 52 or 120 objects, in slabs that are half
	// full (set_cpu_partial).
	kept int32
}

var slabGeometries = [...]slabGeometry{SlabRequest: {28, 16, 7}, SlabSignal: {60, 51, 5}}

// SlabObjects is how many objects a sheaf of a cache has, and a slab.
func SlabObjects(kind SlabKind) (sheaf, slab int) {
	g := &slabGeometries[kind]
	return int(g.sheaf), int(g.page)
}

// full is the free objects of a slab that has no other.
func (g *slabGeometry) full() uint64 { return 1<<uint(g.page) - 1 }

// sheaf is an array of objects.
type sheaf struct {
	n   int32
	obj [sheafMost]int32
}

// pcs is a CPU's struct slub_percpu_sheaves.
type pcs struct{ main, spare sheaf }

// slabPage is one slab: bit i of free is its object i.
type slabPage struct {
	free       uint64
	prev, next int32 // on the partial list
	listed     bool
	frozen     bool // with CPU slabs (cpuslab.go)
	dead       bool // given back; its number is free for another
}

// krcBatch is a CPU's krcp: what came, and what waits for its grace period. Lists of objects.
type krcBatch struct {
	first, last, n int32
	ready, readyN  int32 // the batch that the kworker frees
	due            bool  // the monitor was scheduled
}

// slabCache is the cache.
type slabCache struct {
	slabGeometry
	pages   []slabPage
	objNext []int32 // by object: the next in the list it is in
	deadOne int32   // a dead page, none
	partial int32   // first of the partial list
	last    int32
	nPart   int32
	nFull   int32
	barn    []sheaf // barnMax, or none if nobody allocates from the cache
	cpus    []pcs
	own     []cpuSlab // by CPU, with CPU slabs instead of sheaves
	krc     []krcBatch
}

// slabWork is a task's private state within the allocator.
type slabWork struct {
	obj    int32 // the object it got or frees
	chain  int32 // objects on the way from slabs to a sheaf, or a group to free
	chainN int32
	page   int32 // first of the detached slabs, or the group's slab
	flush  int32 // objects of a sheaf that is flushed
}

// slabLocks are a cache's locks.
type slabLocks struct {
	sheaf, barn, list LockID // sheaf: of CPU 0
	own               LockID // of CPU 0, with CPU slabs
}

// addSlabLocks lays a cache's locks out; of names what it is called after the lock.
func (p *Program) addSlabLocks(w *Workload, of string, cpus []string) slabLocks {
	one, list := []string{of}, Spin
	if w.names(RefListRaw) {
		list = Raw
	}
	return slabLocks{p.internalLocks(cpus, "cpu_sheaves->lock"+of+" cpu", Spin),
		p.internalLocks(one, "barn->lock", Spin), p.internalLocks(one, "list_lock", list), 0}
}

// addCPUSlabLocks lays out cpu_slab->lock of each cache that has locks, if a path takes it.
func (p *Program) addCPUSlabLocks(w *Workload, cpus []string) {
	if !w.names(RefCPUSlab) {
		return
	}
	for kind := range p.net.slabLocks {
		if l := &p.net.slabLocks[kind]; *l != (slabLocks{}) {
			of := [...]string{SlabRequest: "", SlabSignal: " sigqueue"}[kind]
			l.own = p.internalLocks(cpus, "cpu_slab->lock"+of+" cpu", Local)
		}
	}
}

// addSignalLocks lays out those of the sigqueue cache, if a design allocates from it.
func (p *Program) addSignalLocks(w *Workload, cpus []string) {
	for queue := range w.Queues {
		if w.pathsOf(int32(queue)).Slab == SlabSignal {
			p.net.slabLocks[SlabSignal] = p.addSlabLocks(w, " sigqueue", cpus)
			return
		}
	}
}

// slabOf is the cache that a task allocates from and frees to; a kworker frees requests.
func (n *network) slabOf(t *Task) SlabKind {
	if t.regs.queue == none {
		return SlabRequest
	}
	return n.slabs[t.regs.queue]
}

func newSlabCache(kind SlabKind, cpus int) slabCache {
	c := slabCache{slabGeometry: slabGeometries[kind], deadOne: none, partial: none, last: none,
		cpus: make([]pcs, cpus), barn: make([]sheaf, barnMax)}
	for range cpus {
		c.own = append(c.own, cpuSlab{page: none, partial: none})
		c.krc = append(c.krc, krcBatch{first: none, last: none, ready: none})
	}
	return c
}

func (c *slabCache) copyFrom(src *slabCache) {
	pages, next, cpus, krc, barn := c.pages, c.objNext, c.cpus, c.krc, c.barn
	own := c.own
	*c = *src
	c.pages = append(pages[:0], src.pages...)
	c.objNext = append(next[:0], src.objNext...)
	c.cpus = append(cpus[:0], src.cpus...)
	c.own = append(own[:0], src.own...)
	c.krc = append(krc[:0], src.krc...)
	c.barn = append(barn[:0], src.barn...)
}

// newPage is allocate_slab: all its objects are free, it is on no list.
func (m *Machine) newPage(kind SlabKind) int32 {
	c := &m.world.slabs[kind]
	if i := c.deadOne; i != none {
		c.deadOne = c.pages[i].next
		c.pages[i] = slabPage{free: c.full(), prev: none, next: none}
		return i
	}
	i := int32(len(c.pages))
	if i == slabPagesMost {
		m.broken("requests leak: too many slabs", NoTask, NoLock)
	}
	c.pages = append(c.pages, slabPage{free: c.full(), prev: none, next: none})
	for range c.page {
		c.objNext = append(c.objNext, none)
		if kind == SlabRequest {
			m.world.items = append(m.world.items, workItem{next: none, owner: none})
		}
	}
	return i
}

// link puts a page on the partial list, at its head or tail (add_partial).
func (c *slabCache) link(i int32, head bool) {
	p := &c.pages[i]
	p.listed = true
	c.nPart++
	if head {
		p.prev, p.next = none, c.partial
	} else {
		p.prev, p.next = c.last, none
	}
	if p.prev == none {
		c.partial = i
	} else {
		c.pages[p.prev].next = i
	}
	if p.next == none {
		c.last = i
	} else {
		c.pages[p.next].prev = i
	}
}

// unlink takes it off (remove_partial).
func (c *slabCache) unlink(i int32) {
	p := &c.pages[i]
	if p.prev == none {
		c.partial = p.next
	} else {
		c.pages[p.prev].next = p.next
	}
	if p.next == none {
		c.last = p.prev
	} else {
		c.pages[p.next].prev = p.prev
	}
	p.listed, p.prev, p.next = false, none, none
	c.nPart--
}

// takeObject takes the lowest free object of a page.
func (c *slabCache) takeObject(i int32) int32 {
	p := &c.pages[i]
	o := int32(bits.TrailingZeros64(p.free))
	p.free &^= 1 << o
	return i*c.page + o
}

// pop takes the newest object of a sheaf.
func (s *sheaf) pop() int32 {
	s.n--
	return s.obj[s.n]
}
