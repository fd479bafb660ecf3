package designs

import k "rtsim/model"

// kmem_cache_alloc and kmem_cache_free of an io_uring request, as PREEMPT_RT runs them with CPU
// slabs. Source: mm/slub.c, ___slab_alloc, get_partial_node, put_cpu_partial, deactivate_slab,
// do_slab_free, __slab_free (6.18); the structures are in model/cpuslab.go. Each lock is a sleeping
// one with inheritance; cpu_slab->lock is a local_lock, and who finds it taken by a preempted task
// of his CPU waits for that.

// allocCPUSlab is kmem_cache_alloc(req_cachep): __slab_alloc always, there is no lockless path.
var allocCPUSlab = k.Seq(
	k.Lock(k.RefCPUSlab),
	k.Either(k.ActCPUPop, costCPUSlab, "___slab_alloc: c->freelist has an object",
		k.Unlock(k.RefCPUSlab),
		k.Either(k.ActCPURefill, costFreeCmpxchg, "get_freelist: others freed into c->slab",
			k.Seq(
				popCPUSlab,
				k.Unlock(k.RefCPUSlab)),
			k.Seq(
				k.Unlock(k.RefCPUSlab),
				k.When(k.ActCPUPartial, k.NoCost, "slub_percpu_partial: the CPU has slabs",
					k.Lock(k.RefCPUSlab),
					k.When(k.ActCPUNext, costFreeCmpxchg, "get_freelist: one becomes c->slab",
						popCPUSlab),
					k.Unlock(k.RefCPUSlab)),
				k.When(k.ActCPUWants, k.NoCost, "new_objects: no object yet",
					newCPUSlab)))))

// popCPUSlab takes an object of the CPU's slab under the CPU's lock.
var popCPUSlab = k.Do(k.ActCPUPop, costCPUSlab, "load_freelist: an object of it")

// newCPUSlab is the rest of ___slab_alloc, no lock held: slabs from the node's list, one for
// c->slab and a few for the CPU's partial list, or a new one. If another task of the CPU has found
// a slab meanwhile, that one goes.
var newCPUSlab = k.Seq(
	k.When(k.ActPartialLooks, costCPUSlab, "get_partial_node: the node has partial slabs",
		k.Lock(k.RefList),
		k.Do(k.ActNodeTake, costPageDetach, "remove_partial: the first, for c->slab"),
		k.While(k.ActNodeMore, k.NoCost, "there is one more, and it is not 4 yet",
			k.Exec(costPageDetach, "remove_partial: for the CPU"),
			k.Lock(k.RefCPUSlab),
			k.Do(k.ActPartialKeep, costCPUSlab, "put_cpu_partial"),
			k.Unlock(k.RefCPUSlab)),
		k.Unlock(k.RefList)),
	k.When(k.ActNodeNone, k.NoCost, "there was none",
		k.Do(k.ActSlabNew, costPageNew, "allocate_slab: a new page")),
	k.Do(k.ActSlabFreeze, costFreeCmpxchg, "freeze_slab: its objects"),
	k.Lock(k.RefCPUSlab),
	k.While(k.ActCPUOther, costCPUSlab, "retry_load_slab: c->slab is another by now",
		k.Unlock(k.RefCPUSlab),
		k.When(k.ActDeactivate, costFreeCmpxchg, "deactivate_slab: it has objects",
			k.Lock(k.RefList),
			k.Do(k.ActDeactivated, costPageDetach, "add_partial"),
			k.Unlock(k.RefList)),
		k.Lock(k.RefCPUSlab)),
	k.Do(k.ActSlabInstall, costCPUSlab, "it becomes c->slab"),
	popCPUSlab,
	k.Unlock(k.RefCPUSlab))

// freeSlab is do_slab_free of objects of one slab: onto the CPU's freelist if it is the CPU's slab,
// else __slab_free with one exchange. list_lock is taken if that empties a slab that is nobody's.
// One that was full joins the CPU's partial slabs; when those are enough, they go to the node's
// list, under list_lock, all at once.
var freeSlab = k.While(k.ActFreeLeft, k.NoCost, "do_slab_free: until they are freed",
	k.Either(k.ActFreeOwn, costCPUSlab, "slab == c->slab",
		k.Seq(
			k.Lock(k.RefCPUSlab),
			k.Do(k.ActFreeCPU, costCPUSlab, "onto c->freelist, if it is c->slab still"),
			k.Unlock(k.RefCPUSlab)),
		k.Either(k.ActFreeEmpties, costFreeCmpxchg, "__slab_free: they empty it, nobody has it",
			k.Seq(
				k.Lock(k.RefList),
				k.Do(k.ActFreeUnderList, costFreeList, "slab_update_freelist; remove_partial"),
				k.Unlock(k.RefList)),
			k.When(k.ActFreeAlone, k.NoCost, "slab_update_freelist: it was full",
				k.Lock(k.RefCPUSlab),
				k.Either(k.ActPartialFreed, costCPUSlab, "put_cpu_partial: too many slabs",
					k.Seq(
						k.Unlock(k.RefCPUSlab),
						k.Lock(k.RefList),
						k.While(k.ActDrainNext, k.NoCost, "__put_partials: the next",
							k.Exec(costPageDetach, "add_partial, or to be given back")),
						k.Unlock(k.RefList)),
					k.Unlock(k.RefCPUSlab))))))

// freeCPUSlab is kmem_cache_free of the request that was handled.
var freeCPUSlab = k.Seq(
	k.Do(k.ActFreeSingle, k.NoCost, "kmem_cache_free: this one object"),
	freeSlab)
