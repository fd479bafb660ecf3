package model

import "math/bits"

// The allocator of requests with CPU slabs, as io_kiocb has it until 6.19: one cache on one node,
// on PREEMPT_RT, where there is no lockless path. Source: mm/slub.c, ___slab_alloc, get_freelist,
// get_partial_node, put_cpu_partial, __put_partials, freeze_slab, deactivate_slab, do_slab_free,
// __slab_free (6.18). Slabs, their partial list and what waits for RCU are as in slab.go.
//
//	kmem_cache_cpu  of each CPU, under cpu_slab->lock, a local_lock: who finds it taken waits,
//	                and boosts. Its slab; the objects of it that only this CPU gives out
//	                (freelist); slabs with free objects that it keeps (partial)
//	frozen          a slab that is a CPU's, or on the way to be: who frees into it leaves it
//	                where it is
//	free            the objects on a slab's own list: those that a CPU's slab has there were
//	                freed by others, and come into its freelist when that is used up
//
// A slab that is not frozen is on the node's list, among a CPU's partial slabs, full, or in the
// hands of a task. Which object of a slab is given out first does not matter here: the lowest.
// Not modelled: a task that moves to another CPU while it allocates; what slab.go leaves out.

// cpuSlab is a CPU's struct kmem_cache_cpu.
type cpuSlab struct {
	page     int32  // its slab
	free     uint64 // freelist: bit i is object i of that
	partial  int32  // first of its partial slabs
	nPartial int32
}

// The actions on it. The task's slab is the one that it takes, or frees into.
const (
	ActCPUPop        Action = firstCPUSlabAction + iota // an object of the freelist: is there one?
	ActCPURefill                                        // get_freelist: has its slab objects?
	ActCPUPartial                                       // has the CPU a partial slab?
	ActCPUNext                                          // it becomes the CPU's: was it there?
	ActCPUWants                                         // has the task no object yet?
	ActNodeTake                                         // the first slab of the partial list
	ActNodeMore                                         // and the next, for the CPU: is one due?
	ActPartialKeep                                      // it becomes one of the CPU's partial slabs
	ActNodeNone                                         // was there no slab at all?
	ActSlabNew                                          // allocate_slab: a new one
	ActSlabFreeze                                       // the task's slab is frozen
	ActCPUOther                                         // has the CPU a slab by now? It has none
	ActDeactivate                                       // that slab is thawed: has it objects?
	ActDeactivated                                      // to the node's list with it
	ActSlabInstall                                      // the task's slab becomes the CPU's
	ActFreeLeft                                         // are there objects to be freed?
	ActFreeOwn                                          // into the CPU's slab?
	ActFreeCPU                                          // onto its freelist, if it is that still
	ActFreeEmpties                                      // do they empty a slab that is nobody's?
	ActFreeUnderList                                    // free them if they do
	ActFreeAlone                                        // free them if not: was the slab full?
	ActPartialFreed                                     // it is kept: must the others go?
	ActDrainNext                                        // the next of them: was there one?
)

// operateCPUSlab performs an action of kmem_cache_alloc on the CPU's slab and the node's list.
func (m *Machine) operateCPUSlab(t *Task, a Action) bool {
	kind := m.prog.net.slabOf(t)
	c, w := &m.world.slabs[kind], &t.regs.slab
	own := &c.own[t.cpu]
	switch a {
	case ActCPUPop:
		if w.obj = none; own.free == 0 {
			return false
		}
		o := int32(bits.TrailingZeros64(own.free))
		own.free &= own.free - 1
		w.obj = own.page*c.page + o
	case ActCPURefill:
		return c.refillCPU(own)
	case ActCPUPartial:
		return own.partial != none
	case ActCPUNext:
		return c.nextPartial(own)
	case ActCPUWants:
		return w.obj == none
	case ActNodeTake:
		w.page, w.chainN = c.partial, 0
		if w.page != none {
			c.unlink(w.page)
		}
	case ActNodeMore:
		if c.partial == none || w.page == none || w.chainN > c.kept/2 {
			return false
		}
		w.flush = c.partial
		w.chainN++
		c.unlink(w.flush)
	case ActPartialKeep:
		c.keep(own, w.flush)
	case ActNodeNone:
		return w.page == none
	case ActSlabNew:
		w.page = m.newPage(kind)
	case ActSlabFreeze:
		c.pages[w.page].frozen = true
	case ActCPUOther:
		if own.page == none {
			return false
		}
		w.flush = own.page
		c.pages[w.flush].free |= own.free
		own.page, own.free = none, 0
	case ActDeactivate:
		return c.thaw(w.flush)
	case ActDeactivated:
		c.link(w.flush, true)
	case ActSlabInstall:
		c.adopt(own, w.page)
	default:
		return m.operateCPUFree(t, own, a)
	}
	return true
}

// refillCPU is get_freelist: what others have freed into the CPU's slab comes into its freelist;
// if there is nothing, the slab is full, thawed, and nobody's.
func (c *slabCache) refillCPU(own *cpuSlab) bool {
	switch {
	case own.free != 0: // another task of the CPU was here before
		return true
	case own.page == none:
		return false
	case c.pages[own.page].free == 0:
		c.pages[own.page].frozen = false
		own.page = none
		return false
	}
	c.adopt(own, own.page)
	return true
}

// nextPartial makes the CPU's first partial slab its slab, unless it has one with objects by now.
func (c *slabCache) nextPartial(own *cpuSlab) bool {
	if c.refillCPU(own) {
		return true
	}
	i := own.partial
	if i == none {
		return false
	}
	own.partial = c.pages[i].next
	own.nPartial--
	c.pages[i].next, c.pages[i].frozen = none, true
	c.adopt(own, i)
	return true
}

// adopt makes a frozen slab the CPU's, and its objects the CPU's freelist.
func (c *slabCache) adopt(own *cpuSlab, i int32) {
	own.page, own.free = i, c.pages[i].free
	c.pages[i].free = 0
}

// keep adds a slab to the CPU's partial ones.
func (c *slabCache) keep(own *cpuSlab, i int32) {
	c.pages[i].next = own.partial
	own.partial = i
	own.nPartial++
}

// thaw is deactivate_slab's exchange: it says whether the slab has to go on the node's list. One
// that is empty is given back if the node has enough.
func (c *slabCache) thaw(i int32) bool {
	p := &c.pages[i]
	p.frozen = false
	if p.free == c.full() && c.nPart >= minPartial {
		c.discard(i)
		return false
	}
	return p.free != 0
}

// discard gives a slab back that is on no list.
func (c *slabCache) discard(i int32) {
	c.pages[i].dead, c.pages[i].next = true, c.deadOne
	c.deadOne = i
}

// operateCPUFree performs an action of do_slab_free and __slab_free.
func (m *Machine) operateCPUFree(t *Task, own *cpuSlab, a Action) bool {
	c, w := &m.world.slabs[m.prog.net.slabOf(t)], &t.regs.slab
	switch a {
	case ActFreeLeft:
		return w.chain != none
	case ActFreeOwn:
		return w.page == own.page
	case ActFreeCPU:
		if w.page == own.page {
			own.free |= c.freed(w)
		}
	case ActFreeEmpties:
		return c.empties(w)
	case ActFreeUnderList:
		if !c.empties(w) {
			return false // others were faster: try again
		}
		p := &c.pages[w.page]
		p.free |= c.freed(w)
		if p.listed && c.nPart >= minPartial {
			c.unlink(w.page)
			c.discard(w.page)
		}
	case ActFreeAlone:
		if c.empties(w) {
			return false
		}
		p := &c.pages[w.page]
		wasFull := p.free == 0 && !p.frozen
		p.free |= c.freed(w)
		return wasFull
	case ActPartialFreed:
		w.flush = none
		if own.nPartial >= c.kept {
			w.flush, own.partial, own.nPartial = own.partial, none, 0
		}
		c.keep(own, w.page)
		return w.flush != none
	case ActDrainNext:
		return c.drain(w)
	default:
		m.broken("unknown action", NoTask, NoLock)
	}
	return true
}

// empties says whether the objects are all that a slab lacks which is neither frozen nor full.
func (c *slabCache) empties(w *slabWork) bool {
	p := &c.pages[w.page]
	return !p.frozen && p.free != 0 && p.count()+w.chainN == c.page
}

// freed takes the objects out of the task's hands, as bits of their slab.
func (c *slabCache) freed(w *slabWork) (free uint64) {
	for o := w.chain; o != none; o = c.objNext[o] {
		free |= 1 << uint(o%c.page)
	}
	w.chain, w.chainN = none, 0
	return free
}

// drain is a round of __put_partials: a slab that is empty is given back if the node has enough.
func (c *slabCache) drain(w *slabWork) bool {
	i := w.flush
	if i == none {
		return false
	}
	w.flush = c.pages[i].next
	c.pages[i].next = none
	if c.pages[i].free == c.full() && c.nPart >= minPartial {
		c.discard(i)
	} else {
		c.link(i, false)
	}
	return true
}
