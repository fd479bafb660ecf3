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
// memcg's charge, the page allocator's locks, a shortage of memory, kfree_rcu's drain after 5 s
// of a batch that does not fill.

const (
	sheafSize     = 28  // of a 256-byte object: 26, rounded up to fill a kmalloc bucket
	barnMax       = 10  // full sheaves that a barn keeps
	slabObjects   = 16  // 256-byte objects in a page of order 0
	minPartial    = 5   // an empty slab beyond these is given back
	bulkMax       = 510 // pointers in a page of krcp: then the monitor runs at the next jiffy
	lookahead     = 3   // objects that build_detached_freelist skips over
	slabFull      = 1<<slabObjects - 1
	kworkerJiffy  = 4_000_000  // ns, HZ=250
	kworkerGrace  = 20_000_000 // ns from queue_rcu_work to its kworker, assumed
	slabPagesMost = 1 << 16    // a leak is a broken invariant, not a full memory
)

// sheaf is an array of objects.
type sheaf struct {
	n   int32
	obj [sheafSize]int32
}

// pcs is a CPU's struct slub_percpu_sheaves.
type pcs struct{ main, spare sheaf }

// slabPage is one slab: bit i of free is its object i.
type slabPage struct {
	free       uint32
	prev, next int32 // on the partial list
	listed     bool
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
	pages   []slabPage
	objNext []int32 // by object: the next in the list it is in
	deadOne int32   // a dead page, none
	partial int32   // first of the partial list
	last    int32
	nPart   int32
	nFull   int32
	barn    [barnMax]sheaf
	cpus    []pcs
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

func newSlabCache(cpus int) slabCache {
	c := slabCache{deadOne: none, partial: none, last: none, cpus: make([]pcs, cpus)}
	for range cpus {
		c.krc = append(c.krc, krcBatch{first: none, last: none, ready: none})
	}
	return c
}

func (c *slabCache) copyFrom(src *slabCache) {
	pages, next, cpus, krc := c.pages, c.objNext, c.cpus, c.krc
	*c = *src
	c.pages = append(pages[:0], src.pages...)
	c.objNext = append(next[:0], src.objNext...)
	c.cpus = append(cpus[:0], src.cpus...)
	c.krc = append(krc[:0], src.krc...)
}

// newPage is allocate_slab: all its objects are free, it is on no list.
func (m *Machine) newPage() int32 {
	c := &m.world.slab
	if i := c.deadOne; i != none {
		c.deadOne = c.pages[i].next
		c.pages[i] = slabPage{free: slabFull, prev: none, next: none}
		return i
	}
	i := int32(len(c.pages))
	if i == slabPagesMost {
		m.broken("requests leak: too many slabs", NoTask, NoLock)
	}
	c.pages = append(c.pages, slabPage{free: slabFull, prev: none, next: none})
	for range slabObjects {
		c.objNext = append(c.objNext, none)
		m.world.items = append(m.world.items, workItem{next: none, owner: none})
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
	o := int32(bits.TrailingZeros32(p.free))
	p.free &^= 1 << o
	return i*slabObjects + o
}

// pop takes the newest object of a sheaf.
func (s *sheaf) pop() int32 {
	s.n--
	return s.obj[s.n]
}
