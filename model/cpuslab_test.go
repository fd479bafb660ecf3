package model

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// cpuSlabDriver walks the operations of CPU slabs in the order of the designs' listings, without
// time and without locks. Where a listing holds no lock, another task of the same or of another CPU
// may come between.
type cpuSlabDriver struct {
	t     *rapid.T
	m     *Machine
	kind  SlabKind
	inUse map[int32]bool
	given map[int32]bool // of these, those that a task is freeing
	limbo map[int32]bool // slabs that a task has on its way
	depth int
}

func (d *cpuSlabDriver) cache() *slabCache { return &d.m.world.slabs[d.kind] }

// task is one at work.
func (d *cpuSlabDriver) task() *Task {
	t := &Task{cpu: rapid.Int32Range(0, 1).Draw(d.t, "cpu")}
	t.regs.queue = 0
	t.regs.slab = slabWork{obj: none, chain: none, page: none, flush: none}
	return t
}

// between lets others come in while a task holds no lock. mine are the slabs in its hands.
func (d *cpuSlabDriver) between(mine ...int32) {
	if d.depth == 3 || rapid.IntRange(0, 7).Draw(d.t, "between") > 0 {
		return
	}
	for _, i := range mine {
		d.limbo[i] = true
	}
	d.depth++
	d.check()
	d.act(rapid.IntRange(1, 40).Draw(d.t, "n"))
	d.depth--
	for _, i := range mine {
		delete(d.limbo, i)
	}
}

// take is allocCPUSlab.
func (d *cpuSlabDriver) take() {
	t := d.task()
	do := func(a Action) bool { return d.m.operateCPUSlab(t, a) }
	if !do(ActCPUPop) {
		if do(ActCPURefill) {
			do(ActCPUPop)
		} else {
			d.between()
			if do(ActCPUPartial) {
				d.between()
				if do(ActCPUNext) {
					do(ActCPUPop)
				}
			}
		}
	}
	if do(ActCPUWants) {
		d.between()
		d.newSlab(t)
	}
	o := t.regs.slab.obj
	require.False(d.t, d.inUse[o], "object %d is given out twice", o)
	d.inUse[o] = true
}

// newSlab is newCPUSlab.
func (d *cpuSlabDriver) newSlab(t *Task) {
	do := func(a Action) bool { return d.m.operateCPUSlab(t, a) }
	w := &t.regs.slab
	if d.m.operateAlloc(t, ActPartialLooks) {
		d.between()
		do(ActNodeTake)
		for do(ActNodeMore) {
			do(ActPartialKeep)
		}
	}
	if do(ActNodeNone) {
		do(ActSlabNew)
	}
	d.between(w.page)
	do(ActSlabFreeze)
	d.between(w.page)
	for do(ActCPUOther) {
		other := w.flush
		d.between(w.page, other)
		if do(ActDeactivate) {
			d.between(w.page, other)
			do(ActDeactivated)
		}
		d.between(w.page)
	}
	do(ActSlabInstall)
	require.True(d.t, do(ActCPUPop))
}

// give is freeSlab of some objects of one slab, by direct free or as a kworker's group.
func (d *cpuSlabDriver) give(objects []int32) {
	t := d.task()
	do := func(a Action) bool { return d.m.operateCPUSlab(t, a) }
	w := &t.regs.slab
	w.page, w.chain, w.chainN = objects[0]/d.cache().page, none, int32(len(objects))
	for _, o := range objects {
		d.cache().objNext[o], w.chain = w.chain, o
		d.given[o] = true
	}
	for do(ActFreeLeft) {
		kept := false
		switch {
		case do(ActFreeOwn):
			d.between()
			do(ActFreeCPU)
		case do(ActFreeEmpties):
			d.between()
			do(ActFreeUnderList)
		default:
			kept = do(ActFreeAlone)
		}
		if do(ActFreeLeft) {
			continue
		}
		for _, o := range objects {
			delete(d.inUse, o)
			delete(d.given, o)
		}
		if kept {
			d.keep(t, w)
		}
	}
}

// keep is put_cpu_partial of the slab that was full.
func (d *cpuSlabDriver) keep(t *Task, w *slabWork) {
	d.between(w.page)
	if !d.m.operateCPUSlab(t, ActPartialFreed) {
		return
	}
	var mine []int32
	for i := w.flush; i != none; i = d.cache().pages[i].next {
		mine = append(mine, i)
	}
	d.between(mine...)
	for d.m.operateCPUSlab(t, ActDrainNext) {
	}
}

// act allocates or frees so many.
func (d *cpuSlabDriver) act(n int) {
	if rapid.Bool().Draw(d.t, "take") {
		for range n {
			d.take()
		}
		return
	}
	group := rapid.IntRange(1, int(d.cache().page)).Draw(d.t, "group")
	for i := 0; i < len(d.cache().pages) && n > 0; i++ {
		var objects []int32
		for k := range d.cache().page {
			o := int32(i)*d.cache().page + k
			if d.inUse[o] && !d.given[o] && len(objects) < group {
				objects = append(objects, o)
			}
		}
		if len(objects) > 0 {
			d.give(objects)
			n -= len(objects)
		}
	}
}

// check counts every object, and every slab, in exactly one place.
func (d *cpuSlabDriver) check() {
	c := d.cache()
	slabs := map[int32]string{}
	put := func(i int32, where string) {
		require.Empty(d.t, slabs[i], "slab %d is %s and %s", i, slabs[i], where)
		slabs[i] = where
	}
	for i := c.partial; i != none; i = c.pages[i].next {
		put(i, "on the node's list")
		require.True(d.t, c.pages[i].listed, "slab %d", i)
	}
	onFreelist := map[int32]uint64{}
	for _, own := range c.own {
		n := int32(0)
		for i := own.partial; i != none; i = c.pages[i].next {
			put(i, "a CPU's partial slab")
			n++
		}
		require.Equal(d.t, n, own.nPartial)
		if own.page != none {
			put(own.page, "a CPU's")
			onFreelist[own.page] = own.free
			require.True(d.t, c.pages[own.page].frozen, "slab %d", own.page)
		}
	}
	for i := range c.pages {
		p := &c.pages[i]
		d.checkSlab(int32(i), p, slabs[int32(i)], onFreelist[int32(i)])
	}
}

// checkSlab: its objects are in use or free, once; it is where its state says.
func (d *cpuSlabDriver) checkSlab(i int32, p *slabPage, where string, freelist uint64) {
	if p.dead {
		require.Empty(d.t, where, "slab %d was given back", i)
		return
	}
	require.Equal(d.t, where == "on the node's list", p.listed, "slab %d", i)
	require.Zero(d.t, p.free&freelist, "slab %d", i)
	if where == "" && !d.limbo[i] {
		require.Zero(d.t, p.free, "slab %d has objects, and nobody knows it", i)
		require.False(d.t, p.frozen, "slab %d", i)
	}
	for o := range d.cache().page {
		free := (p.free|freelist)>>o&1 != 0
		require.NotEqual(d.t, d.inUse[i*d.cache().page+o], free, "object %d of slab %d", o, i)
	}
}

func TestCPUSlabLosesNothing(t *testing.T) {
	// Look at the object or the slab: each must be in one place, whatever the order of allocations
	// and frees on two CPUs and whoever comes between their steps.
	rapid.Check(t, func(t *rapid.T) {
		m := New(&Workload{CPUs: 2}, ZeroCosts(), 1)
		kind := SlabKind(rapid.IntRange(0, int(nSlabs)-1).Draw(t, "cache"))
		m.prog.net.slabs = []SlabKind{kind}
		d := &cpuSlabDriver{t: t, m: m, kind: kind, inUse: map[int32]bool{},
			given: map[int32]bool{}, limbo: map[int32]bool{}}
		m.world.slabs[kind] = newSlabCache(kind, 2)
		for range rapid.IntRange(1, 30).Draw(t, "rounds") {
			d.act(rapid.IntRange(1, 120).Draw(t, "n"))
			d.check()
		}
	})
}

func TestCPUSlabIsTakenBeforeItIsEmptied(t *testing.T) {
	// Look at the slab: between the look that finds a free to be its last and list_lock, a CPU
	// makes it its own. Then the free is one exchange like any into a CPU's slab.
	m := New(&Workload{CPUs: 2}, ZeroCosts(), 1)
	c := &m.world.slabs[SlabRequest]
	*c = newSlabCache(SlabRequest, 2)
	full := m.newPage(SlabRequest)
	c.pages[full].free = 0b110 // the others are in use
	c.keep(&c.own[1], full)
	last, taker := &Task{}, &Task{cpu: 1}
	last.regs.queue, taker.regs.queue = none, none
	last.regs.slab = slabWork{page: full, chain: none, flush: none}
	for o := range c.page {
		if o == 1 || o == 2 {
			continue
		}
		w := &last.regs.slab
		c.objNext[o], w.chain = w.chain, o
		w.chainN++
	}
	require.True(t, m.operateCPUSlab(last, ActFreeEmpties))
	require.True(t, m.operateCPUSlab(taker, ActCPUNext))
	require.False(t, m.operateCPUSlab(last, ActFreeUnderList))
	require.True(t, m.operateCPUSlab(last, ActFreeLeft), "nothing is free yet")
	require.False(t, m.operateCPUSlab(last, ActFreeAlone), "it is nobody's to keep")
	require.False(t, m.operateCPUSlab(last, ActFreeLeft))
	require.EqualValues(t, c.full()&^0b110, c.pages[full].free)
	require.EqualValues(t, 0b110, c.own[1].free)
	require.False(t, c.pages[full].dead)
}
