package model

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// slabDriver walks the allocator's operations in the order of the designs' listings, without time
// and without locks, and keeps what it was given.
type slabDriver struct {
	t     *rapid.T
	m     *Machine
	kind  SlabKind
	task  Task
	inUse map[int32]bool
}

func (d *slabDriver) cache() *slabCache   { return &d.m.world.slabs[d.kind] }
func (d *slabDriver) alloc(a Action) bool { return d.m.operateAlloc(&d.task, a) }
func (d *slabDriver) free(a Action) bool  { return d.m.operateFree(&d.task, a) }

// take is allocRequest.
func (d *slabDriver) take(busy bool) {
	switch {
	case busy:
		d.alloc(ActTakeOne)
	case d.alloc(ActSheafPop):
	case d.alloc(ActSheafSpare):
		d.alloc(ActSheafPop)
	default:
		if d.alloc(ActBarnLooks) {
			d.alloc(ActBarnTake)
		}
		if !d.alloc(ActSheafPop) {
			d.refill()
		}
	}
	if d.kind == SlabRequest {
		d.alloc(ActRequestFill)
	}
	o := d.task.regs.slab.obj
	require.False(d.t, d.inUse[o], "object %d is given out twice", o)
	d.inUse[o] = true
}

func (d *slabDriver) refill() {
	if d.alloc(ActPartialLooks) {
		for d.alloc(ActPageDetach) {
		}
	}
	for d.alloc(ActPageTake) {
	}
	for d.alloc(ActPageNew) {
		for d.alloc(ActPageTake) {
		}
	}
	if d.alloc(ActPageLeft) {
		d.alloc(ActPageBack)
	}
	d.alloc(ActSheafInstall)
	d.alloc(ActSheafPop)
}

// give is kfreeRCU or freeRequest of the object.
func (d *slabDriver) give(o int32, rcu, busy bool) {
	require.True(d.t, d.inUse[o])
	delete(d.inUse, o)
	d.task.regs.item, d.task.regs.slab.obj = o, o
	switch {
	case rcu:
		k := &d.cache().krc[d.task.cpu]
		k.due = true // no kworker here: reclaim is called by hand
		d.free(ActKfreeRCU)
	case busy:
		d.free(ActFreeSingle)
		d.free(ActFreeGroup)
	default:
		if !d.alloc(ActSheafRoom) && !d.alloc(ActSpareRoom) {
			d.alloc(ActBarnPut)
		}
		d.alloc(ActSheafPush)
		for d.free(ActFlushGroup) {
			d.free(ActFreeGroup)
		}
	}
}

// reclaim is a kworker's round.
func (d *slabDriver) reclaim() {
	d.free(ActBatchReady)
	for d.free(ActBatchGroup) {
		d.free(ActFreeGroup)
	}
}

// check counts every object in exactly one place.
func (d *slabDriver) check() {
	c := d.cache()
	place := map[int32]string{}
	put := func(o int32, where string) {
		require.Empty(d.t, place[o], "object %d is in %s and %s", o, place[o], where)
		place[o] = where
	}
	listed := 0
	for i, p := range c.pages {
		for o := range c.page {
			if p.free>>o&1 != 0 && !p.dead {
				put(int32(i)*c.page+o, "its slab")
			}
		}
		require.Equal(d.t, p.free != 0 && !p.dead, p.listed, "slab %d", i)
		if p.listed {
			listed++
		}
	}
	require.EqualValues(d.t, listed, c.nPart)
	sheaves := append([]sheaf(nil), c.barn[:c.nFull]...)
	for _, own := range c.cpus {
		sheaves = append(sheaves, own.main, own.spare)
	}
	for i := range sheaves {
		for _, o := range sheaves[i].obj[:sheaves[i].n] {
			put(o, "a sheaf")
		}
	}
	for _, k := range c.krc {
		for o := k.first; o != none; o = c.objNext[o] {
			put(o, "a batch")
		}
	}
	for o := range d.inUse {
		put(o, "use")
	}
	live := 0
	for i := range c.pages {
		if !c.pages[i].dead {
			live += int(c.page)
		}
	}
	require.Len(d.t, place, live)
}

func TestSlabLosesNothing(t *testing.T) {
	// Look at the object: each must be in use or in one place of the allocator, whatever the order
	// of allocations, frees, grace periods and busy sheaves on two CPUs.
	rapid.Check(t, func(t *rapid.T) {
		m := New(&Workload{CPUs: 2}, ZeroCosts(), 1)
		kind := SlabKind(rapid.IntRange(0, len(slabGeometries)-1).Draw(t, "cache"))
		d := &slabDriver{t: t, m: m, kind: kind, inUse: map[int32]bool{}}
		d.task.regs.slab = slabWork{obj: none, chain: none, page: none, flush: none}
		m.world.slabs[kind] = newSlabCache(kind, 2)
		m.prog.net.slabs = []SlabKind{kind}
		for range rapid.IntRange(1, 60).Draw(t, "rounds") {
			d.task.cpu = rapid.Int32Range(0, 1).Draw(t, "cpu")
			busy := rapid.IntRange(0, 9).Draw(t, "busy") == 9
			n := rapid.IntRange(1, 90).Draw(t, "n")
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0, 1:
				for range n {
					d.take(busy)
				}
			case 2, 3:
				rcu := rapid.Bool().Draw(t, "rcu") && kind == SlabRequest
				for o := range int32(len(d.cache().objNext)) {
					if d.inUse[o] && n > 0 {
						d.give(o, rcu, busy)
						n--
					}
				}
			case 4:
				d.reclaim()
			}
			d.check()
		}
	})
}

func TestEmptySlabsAreKept(t *testing.T) {
	// Look at whether the slab whose last object comes back is given back: only if the partial list
	// already has five, itself among them if it stands there (__slab_free, min_partial).
	for _, tt := range []struct {
		others int  // slabs on the partial list beside it
		full   bool // all its objects were in use, and all come back in one group
		gone   bool
		listed int
	}{
		{others: 3, gone: false, listed: 4},
		{others: 4, gone: true, listed: 4},
		{others: 4, full: true, gone: false, listed: 5},
		{others: 5, full: true, gone: true, listed: 5},
	} {
		c := newSlabCache(SlabRequest, 1)
		c.pages = make([]slabPage, tt.others+1)
		c.objNext = make([]int32, len(c.pages)*int(c.page))
		for i := range tt.others {
			c.pages[i].free = 1
			c.link(int32(i), false)
		}
		last := int32(tt.others)
		w := slabWork{page: last, chain: none}
		for o := range c.page {
			if o == 0 || tt.full {
				object := last*c.page + o
				c.objNext[object], w.chain = w.chain, object
			}
		}
		if !tt.full {
			c.pages[last].free = c.full() &^ 1
			c.link(last, false)
		}
		c.free(&w)
		require.Equal(t, tt.gone, c.pages[last].dead, "%+v", tt)
		require.EqualValues(t, tt.listed, c.nPart, "%+v", tt)
	}
}
