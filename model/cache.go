package model

import (
	"math/bits"

	"rtsim/model/trace"
)

// Requests kept for messages to a ring (option 3): a cache that the target refills as it handles
// them, or a pool that is there from the start. Source of the cache: io_uring/msg_ring.c and
// alloc_cache.h as of 6.11 to 6.16; the rest are proposals.
//
//	cache   newest first, linked through the requests themselves, at most cacheMost
//	pool    a bitmap, one for each target, or for each sender and target (credits)
//
// A lock-free pop is two instructions that another CPU or a preemption can part: to read the head
// and its next, and to exchange the head. If in between the head was popped, used, and returned,
// the exchange succeeds and installs a next that may be in use (ABA). Memory is type stable
// (SLAB_TYPESAFE_BY_RCU), so the read itself is harmless. A request in use that is handed out is
// corrupted; here that is counted and recorded, and the caller gets another one, so that the run
// can go on: a kernel's would not. A list that has lost some but counts them, or has one twice,
// frees to the slab what it still holds, so that the slab hands out requests in use, too.

// The operations.
const (
	ActCachePop   Action = firstCacheAction + iota // under the lock: target's newest: is there one?
	ActCachePush                                   // the handled request to own's: is there room?
	ActCacheLook                                   // read target's head, and its next
	ActCacheLost                                   // exchange them: has the head changed?
	ActCacheBusy                                   // the lock is taken: neither pop nor push
	ActCacheGot                                    // did it pop, or push, a request?
	ActPoolLook                                    // find a free request of target's pool
	ActPoolLost                                    // take it: was another sender faster?
	ActPoolTake                                    // both, where the pool is one sender's: got it?
	ActPoolGot                                     // was there a request?
	ActPoolReturn                                  // the handled request is free again
	ActRefuse                                      // the message is refused
)

// cacheMost is how many requests a cache keeps: IO_ALLOC_CACHE_MAX.
const cacheMost = 128

// cacheState is a ring's cache of requests: objects of the slab cache.
type cacheState struct {
	first int32 // the newest
	n     int32 // how many; after a corruption it may differ from the list
}

// cachePop is what a task has read of a cache or a pool.
type cachePop struct{ head, next int32 }

// operateCache performs an action on the cache or pool of target or own.
func (m *Machine) operateCache(id TaskID, t *Task, a Action) bool {
	switch a {
	case ActCachePop, ActCacheLook:
		c := &m.world.endpoints[t.regs.target].cache
		t.regs.pop.head = c.first
		if c.first == none {
			return false
		}
		t.regs.pop.next = m.world.slabs[SlabRequest].objNext[c.first]
		if a == ActCachePop {
			m.cacheTake(t, c)
			return t.regs.pop.head != none
		}
	case ActCacheLost:
		c := &m.world.endpoints[t.regs.target].cache
		if t.regs.pop.head == none {
			return false
		}
		if c.first != t.regs.pop.head {
			return true
		}
		m.cacheTake(t, c)
		return false
	case ActCacheBusy:
		t.regs.pop.head = none
	case ActCacheGot, ActPoolGot:
		return t.regs.pop.head != none
	case ActCachePush:
		return m.cachePush(t)
	case ActRefuse:
		target := m.world.endpoints[t.regs.target].task
		m.record(trace.Refused, t.cpu, id, t.regs.message, int32(target))
	default:
		return m.operatePool(t, a)
	}
	return true
}

// cacheTake is the exchange of the head: the request that was read is the task's, its next the new
// head, whatever has become of either meanwhile.
func (m *Machine) cacheTake(t *Task, c *cacheState) {
	o := t.regs.pop.head
	c.first = t.regs.pop.next
	c.n--
	t.regs.slab.obj = o
	if item := m.prog.net.slabItems + o; m.world.items[item].used {
		m.noteInUse(t, item)
		t.regs.pop.head = none
	}
}

// noteInUse reports that a task was handed a request in use.
func (m *Machine) noteInUse(t *Task, item int32) {
	target := m.world.endpoints[t.regs.target].task
	m.record(trace.InUse, t.cpu, m.cpus[t.cpu].curr, item, int32(target))
}

// freshRequest is an object of a new slab, which nobody has; the rest of the slab can be allocated.
func (m *Machine) freshRequest() int32 {
	i := m.newPage(SlabRequest)
	c := &m.world.slabs[SlabRequest]
	o := c.takeObject(i)
	c.link(i, false)
	return o
}

// cachePush returns the handled request to own's cache, in one step: own's task is the only one
// that does.
func (m *Machine) cachePush(t *Task) bool {
	c := &m.world.endpoints[t.regs.own].cache
	t.regs.pop.head = none
	if c.n >= cacheMost {
		return false
	}
	o := m.handledRequest(t)
	m.world.slabs[SlabRequest].objNext[o] = c.first
	c.first = o
	c.n++
	t.regs.pop.head = o
	return true
}

// addPools lays the pools' requests out behind the endpoints' items: for each endpoint whose design
// has any one pool, or one for each task.
func (m *Machine) addPools() {
	n := &m.prog.net
	for i := range m.world.endpoints {
		e := &m.world.endpoints[i]
		d := n.pools[e.queue]
		e.pool = int32(len(m.world.pools)) / max(n.poolWords(), 1)
		if d.Requests == 0 {
			continue
		}
		pools := 1
		if d.PerSender {
			pools = len(m.tasks)
		}
		for range pools {
			for word := range n.poolWords() {
				here := uint(min(max(d.Requests-word*64, 0), 64))
				m.world.pools = append(m.world.pools, 1<<here-1)
			}
		}
	}
	for range int32(len(m.world.pools)) / max(n.poolWords(), 1) * n.poolMost {
		m.world.items = append(m.world.items, workItem{next: none, owner: none})
	}
}

// poolWords is how many words of 64 requests each pool's bitmap has.
func (n *network) poolWords() int32 { return (n.poolMost + 63) / 64 }

// firstFree finds a request of a pool that is free, none if there is none.
func (m *Machine) firstFree(pool int32) int32 {
	words := m.prog.net.poolWords()
	for i, free := range m.world.pools[pool*words : (pool+1)*words] {
		if free != 0 {
			return int32(i*64 + bits.TrailingZeros64(free))
		}
	}
	return none
}

// freeBit is the word of a pool's bitmap that has a request's bit, and the bit.
func (m *Machine) freeBit(pool, request int32) (word *uint64, bit uint64) {
	i := pool*m.prog.net.poolWords() + request/64
	return &m.world.pools[i], 1 << uint(request%64)
}

// operatePool performs an action on the pool of the target, or of a request.
func (m *Machine) operatePool(t *Task, a Action) bool {
	n := &m.prog.net
	first := int32(len(m.world.endpoints)) // of the pools' items
	if a == ActPoolReturn {
		i := t.regs.item - first
		m.world.items[t.regs.item].used = false
		word, bit := m.freeBit(i/n.poolMost, i%n.poolMost)
		*word |= bit
		return true
	}
	pool := m.world.endpoints[t.regs.target].pool
	if n.pools[t.regs.queue].PerSender {
		pool += int32(m.cpus[t.cpu].curr)
	}
	if a != ActPoolLost {
		t.regs.pop.head = m.firstFree(pool)
	}
	request := t.regs.pop.head
	if a == ActPoolLook || request == none {
		return a != ActPoolLost && request != none
	}
	word, bit := m.freeBit(pool, request)
	if *word&bit == 0 {
		return true // ActPoolLost: another was faster
	}
	*word &^= bit
	m.fillRequest(t, first+pool*n.poolMost+request)
	return a == ActPoolTake
}
