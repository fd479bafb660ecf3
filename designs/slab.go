package designs

import k "rtsim/model"

// kmem_cache_alloc and kfree_rcu of an io_uring request, as PREEMPT_RT runs them with sheaves.
// Source: mm/slub.c, mm/slab_common.c (7.x); the structures are in model/slab.go. Each lock is a
// sleeping one with inheritance but for krcp->lock; cpu_sheaves->lock is only tried, so who finds
// it taken goes straight to list_lock.

// allocSheaves is kmem_cache_alloc(req_cachep).
var allocSheaves = k.Try(k.RefSheaf, k.CostLock, "alloc_from_pcs: local_trylock",
	k.Either(k.ActSheafPop, costSheafPop, "the main sheaf has an object",
		k.Unlock(k.RefSheaf),
		k.Either(k.ActSheafSpare, costSheafPop, "__pcs_replace_empty_main: the spare has",
			k.Seq(
				k.Do(k.ActSheafPop, k.NoCost, "an object from it"),
				k.Unlock(k.RefSheaf)),
			refillMain)),
	k.Seq(
		k.Lock(k.RefList),
		k.Do(k.ActTakeOne, costPageDetach, "get_partial_node: one object"),
		k.Unlock(k.RefList)))

// refillMain is the rest of __pcs_replace_empty_main, the CPU's lock held: from the barn, or from
// the slabs without the lock.
var refillMain = k.Seq(
	k.When(k.ActBarnLooks, costSheafPop, "the barn seems to have full sheaves",
		k.Lock(k.RefBarn),
		k.Do(k.ActBarnTake, costSheafPop, "barn_replace_empty_sheaf"),
		k.Unlock(k.RefBarn)),
	k.Either(k.ActSheafPop, k.NoCost, "the main sheaf is full now",
		k.Unlock(k.RefSheaf),
		refillSlabs))

// refillSlabs is refill_sheaf: slabs are detached under list_lock, emptied without it, and what
// they have left is put back under it.
var refillSlabs = k.Seq(
	k.Unlock(k.RefSheaf),
	k.When(k.ActPartialLooks, costSheafPop, "__refill_objects: the node has partial slabs",
		k.Lock(k.RefList),
		k.While(k.ActPageDetach, costPageDetach, "get_partial_node_bulk: detach a slab"),
		k.Unlock(k.RefList)),
	k.While(k.ActPageTake, costPageTake, "get_freelist_nofreeze: take its objects"),
	k.While(k.ActPageNew, k.NoCost, "objects are missing",
		k.Exec(costPageNew, "allocate_slab: a new page"),
		k.While(k.ActPageTake, costPageTake, "take its objects")),
	k.When(k.ActPageLeft, k.NoCost, "a slab has objects left",
		k.Lock(k.RefList),
		k.Do(k.ActPageBack, costPageDetach, "add_partial: put it back"),
		k.Unlock(k.RefList)),
	k.Lock(k.RefSheaf),
	k.Do(k.ActSheafInstall, costSheafPop, "the full sheaf becomes the CPU's"),
	k.Do(k.ActSheafPop, k.NoCost, "an object from it"),
	k.Unlock(k.RefSheaf))

// kfreeRCU is kvfree_call_rcu of the request that was handled.
var kfreeRCU = k.Seq(
	k.Lock(k.RefKrc),
	k.Do(k.ActKfreeRCU, costKfree, "kvfree_call_rcu: into the CPU's page of pointers"),
	k.Unlock(k.RefKrc))

// freeGroup is __slab_free of objects of one slab: list_lock is taken when the slab was full or
// becomes empty.
var freeGroup = k.Either(k.ActFreeListed, costFreeCmpxchg, "__slab_free: was full, or gets empty",
	k.Seq(
		k.Lock(k.RefList),
		k.Do(k.ActFreeGroup, costFreeList, "slab_update_freelist; add or remove partial"),
		k.Unlock(k.RefList)),
	k.Do(k.ActFreeGroup, k.NoCost, "slab_update_freelist"))

// freeSheaves is kmem_cache_free: into the CPU's sheaves, a full one to the barn; if that keeps
// enough, the spare is flushed to the slabs after the lock is dropped.
var freeSheaves = k.Try(k.RefSheaf, k.CostLock, "free_to_pcs: local_trylock",
	k.Seq(
		k.Either(k.ActSheafRoom, costSheafPop, "the main sheaf has room",
			nil,
			k.Either(k.ActSpareRoom, costSheafPop, "__pcs_replace_full_main: the spare has",
				nil,
				k.Seq(
					k.Lock(k.RefBarn),
					k.Do(k.ActBarnPut, costSheafPop, "barn_replace_full_sheaf"),
					k.Unlock(k.RefBarn)))),
		k.Do(k.ActSheafPush, costSheafPop, "the object into the main sheaf"),
		k.Unlock(k.RefSheaf),
		k.While(k.ActFlushGroup, costFreeGroup, "sheaf_flush_unused: one slab's objects",
			freeGroup)),
	k.Seq(
		k.Do(k.ActFreeSingle, k.NoCost, "do_slab_free: this one object"),
		freeGroup))
