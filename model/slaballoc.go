package model

// The allocator's operations, one Action each; designs/slab.go has their order and their locks.

// operateAlloc performs an action of the allocation path on the sheaves of the task's CPU, the
// barn and the partial list.
func (m *Machine) operateAlloc(t *Task, a Action) bool {
	kind := m.prog.net.slabOf(t)
	c, w := &m.world.slabs[kind], &t.regs.slab
	own := &c.cpus[t.cpu]
	switch a {
	case ActSheafPop:
		if own.main.n == 0 {
			return false
		}
		w.obj = own.main.pop()
	case ActSheafSpare:
		if own.spare.n == 0 {
			return false
		}
		own.main, own.spare = own.spare, own.main
	case ActBarnLooks:
		return c.nFull > 0
	case ActBarnTake:
		if c.nFull == 0 {
			return false
		}
		c.nFull--
		own.main = c.barn[c.nFull]
	case ActPartialLooks:
		w.chain, w.chainN, w.page = none, 0, none
		return c.nPart > 0
	case ActPageDetach:
		return c.detach(w)
	case ActPageTake:
		return c.takeFrom(w)
	case ActPageNew:
		if w.chainN == c.sheaf {
			return false
		}
		i := m.newPage(kind)
		c.pages[i].next = w.page
		w.page = i
	case ActPageLeft:
		return w.page != none
	case ActPageBack:
		for w.page != none {
			i := w.page
			w.page = c.pages[i].next
			c.link(i, true)
		}
	case ActSheafInstall:
		c.install(own, w)
	case ActMemory:
		return len(c.pages) < slabPagesLimit || c.deadOne != none
	case ActTakeOne:
		return m.takeOne(kind, w)
	case ActRequestFill:
		m.fillRequest(t, m.prog.net.slabItems+w.obj)
	default:
		return m.operateSheafFree(t, own, a)
	}
	return true
}

// operateSheafFree performs an action of kmem_cache_free on the CPU's sheaves and the barn.
func (m *Machine) operateSheafFree(t *Task, own *pcs, a Action) bool {
	c, w := &m.world.slabs[m.prog.net.slabOf(t)], &t.regs.slab
	switch a {
	case ActSheafRoom:
		return own.main.n < c.sheaf
	case ActSpareRoom:
		if own.spare.n == c.sheaf {
			return false
		}
		own.main, own.spare = own.spare, own.main
	case ActBarnPut:
		if c.nFull == barnMax {
			return false
		}
		c.barn[c.nFull] = own.main
		c.nFull++
		own.main.n = 0
	case ActSheafPush:
		w.flush = none
		if own.main.n == c.sheaf { // the barn keeps enough: flush the spare, use it
			own.main, own.spare = own.spare, own.main
			for own.main.n > 0 {
				o := own.main.pop()
				c.objNext[o] = w.flush
				w.flush = o
			}
		}
		own.main.obj[own.main.n] = m.handledRequest(t)
		own.main.n++
	}
	return true
}

// fillRequest makes a request that the task has got its next work item, for the target. One in use
// can come from a cache that has handed it out twice, or has freed it while it was in the list.
func (m *Machine) fillRequest(t *Task, item int32) {
	for m.world.items[item].used {
		m.noteInUse(t, item)
		item = m.prog.net.slabItems + m.freshRequest()
	}
	t.regs.item = item
	w := &m.world.items[item]
	w.owner, w.used = t.regs.target, true
}

// handledRequest is the object that the task is to free: of the signal that it took, or of the work
// item that it popped last, which is in use no more.
func (m *Machine) handledRequest(t *Task) int32 {
	if m.prog.net.slabOf(t) == SlabSignal {
		return t.regs.slab.obj
	}
	m.world.items[t.regs.item].used = false
	return t.regs.item - m.prog.net.slabItems
}

// detach moves one slab from the partial list to the task's own list, until they have the objects
// of a sheaf (get_partial_node_bulk).
func (c *slabCache) detach(w *slabWork) bool {
	have := int32(0)
	for i := w.page; i != none; i = c.pages[i].next {
		have += c.pages[i].count()
	}
	if have >= c.sheaf || c.partial == none {
		return false
	}
	i := c.partial
	c.unlink(i)
	c.pages[i].next = w.page
	w.page = i
	return true
}

func (p *slabPage) count() int32 {
	n := int32(0)
	for f := p.free; f != 0; f &= f - 1 {
		n++
	}
	return n
}

// takeFrom takes the objects of the first detached slab (get_freelist_nofreeze); a slab that has
// none left is full and on no list.
func (c *slabCache) takeFrom(w *slabWork) bool {
	if w.page == none || w.chainN == c.sheaf {
		return false
	}
	i := w.page
	for w.chainN < c.sheaf && c.pages[i].free != 0 {
		o := c.takeObject(i)
		c.objNext[o] = w.chain
		w.chain = o
		w.chainN++
	}
	if c.pages[i].free == 0 {
		w.page = c.pages[i].next
		c.pages[i].next = none
	}
	return true
}

// install makes the refilled objects the CPU's main sheaf, or its spare if another task of the
// CPU was faster; a third one goes to the barn, whose lock is not modelled there.
func (c *slabCache) install(own *pcs, w *slabWork) {
	to := &own.main
	switch {
	case own.main.n == 0:
	case own.spare.n == 0:
		to = &own.spare
	default:
		c.nFull = min(c.nFull+1, barnMax)
		to = &c.barn[c.nFull-1]
	}
	for to.n = 0; w.chain != none; to.n++ {
		to.obj[to.n] = w.chain
		w.chain = c.objNext[w.chain]
	}
	w.chainN = 0
}

// takeOne takes a single object from the first partial slab, or from a new one: what a caller
// does whose trylock failed (__slab_alloc_node).
func (m *Machine) takeOne(kind SlabKind, w *slabWork) bool {
	c := &m.world.slabs[kind]
	i := c.partial
	if i == none {
		i = m.newPage(kind)
		c.link(i, true)
	}
	w.obj = c.takeObject(i)
	if c.pages[i].free == 0 {
		c.unlink(i)
	}
	return true
}

// operateFree performs an action of kfree_rcu and of its kworker.
func (m *Machine) operateFree(t *Task, a Action) bool {
	c, w := &m.world.slabs[m.prog.net.slabOf(t)], &t.regs.slab
	k := &c.krc[t.cpu]
	switch a {
	case ActKfreeRCU:
		m.kfreeRCU(t, k)
	case ActBatchReady:
		k.ready, k.readyN = k.first, k.n
		k.first, k.last, k.n, k.due = none, none, 0, false
		return k.ready != none
	case ActBatchFull:
		return k.n >= bulkMax
	case ActBatchGroup:
		return c.group(&k.ready, w)
	case ActFlushGroup:
		return c.group(&w.flush, w)
	case ActFreeSingle:
		o := m.handledRequest(t)
		c.objNext[o] = none
		w.page, w.chain, w.chainN = o/c.page, o, 1
	case ActFreeListed:
		p := &c.pages[w.page]
		return p.free == 0 || p.count()+w.chainN == c.page
	case ActFreeGroup:
		c.free(w)
	}
	return true
}

// kfreeRCU puts the request that was just handled into the CPU's batch; a full one schedules the
// monitor at the next jiffy (a delayed work: its timer is soft).
func (m *Machine) kfreeRCU(t *Task, k *krcBatch) {
	o := m.handledRequest(t)
	c := &m.world.slabs[SlabRequest]
	c.objNext[o] = none
	if k.first == none {
		k.first = o
	} else {
		c.objNext[k.last] = o
	}
	k.last = o
	k.n++
	worker := m.prog.net.kworkers[t.cpu]
	if k.n >= bulkMax && !k.due && m.tasks[worker].isWaiting() {
		k.due = true
		m.tasks[worker].softTimer = true
		m.queue.Set(m.prog.timerSlot+int(worker), m.now+kworkerJiffy)
	}
}

// group takes the next object of a list and those of the same slab among the few after it
// (build_detached_freelist).
func (c *slabCache) group(head *int32, w *slabWork) bool {
	if *head == none {
		return false
	}
	first := *head
	*head = c.objNext[first]
	w.page, w.chain, w.chainN = first/c.page, first, 1
	c.objNext[first] = none
	at := head
	for skipped := 0; *at != none && skipped < lookahead; {
		o := *at
		if o/c.page != w.page {
			skipped++
			at = &c.objNext[o]
			continue
		}
		*at = c.objNext[o]
		c.objNext[o] = w.chain
		w.chain = o
		w.chainN++
	}
	return true
}

// free is __slab_free's effect: a slab that becomes empty is given back if there are enough on the
// partial list, itself among them if it stands there; one that was full joins the list.
func (c *slabCache) free(w *slabWork) {
	p := &c.pages[w.page]
	wasFull := p.free == 0
	for o := w.chain; o != none; o = c.objNext[o] {
		p.free |= 1 << uint(o%c.page)
	}
	surplus := p.free == c.full() && c.nPart >= minPartial
	switch {
	case surplus && (p.listed || wasFull):
		if p.listed {
			c.unlink(w.page)
		}
		p.dead, p.next = true, c.deadOne
		c.deadOne = w.page
	case wasFull && !p.listed:
		c.link(w.page, false)
	}
}
