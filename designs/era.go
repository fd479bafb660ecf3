package designs

import k "rtsim/model"

// An era is a range of kernel versions in which the pieces that designs share are the same. What
// differs between eras stands here and nowhere else: each piece of an era leads to the listing of
// it. A design that uses none of them is the same in all eras (register); one that does is a
// function of the era (registerIn), and a variant of it may be missing in one, with the reason.
//
//	era   local work                       requests
//	7.4   mpscq, cq_wait_nr is claimed     sheaves, a barn; cpu_sheaves->lock is tried
//	6.18  llist, the count is on the list  CPU slabs; cpu_slab->lock is waited for
//
// The eras' costs are in their profiles. The scheduler, the locks and the futex hash do not differ
// in what is modelled. (6.18 hashes private futexes by process; a word that processes share is in
// the global hash in both.)

// Era is a kernel as the designs see it.
type Era struct {
	Kernel string // as --set kernel= names it
	About  string
	number int // index of a design's form
	rules  []wakeRule
	// first and woken are __io_run_local_work, when io_cqring_wait begins and after it has slept:
	// with a callback that posts its CQE, and what follows the last of them. drained is what a
	// ring that exits does with its work.
	first, woken func(callback, flush k.Code) k.Code
	drained      func(callback k.Code) k.Code
	alloc        k.Code // kmem_cache_alloc of a request
	free         k.Code // kmem_cache_free of the request that was handled
	freeGroup    k.Code // do_slab_free of objects of one slab
}

// era74 is the measured kernel, and the default; era618 the one before mpscq and sheaves.
var (
	era74 = &Era{Kernel: "7.4", number: 0, About: "mpscq local work, sheaves",
		rules: mpscqRules[:], first: runMpscq, woken: runMpscq,
		drained: drainMpscq,
		alloc:   allocSheaves, free: freeSheaves, freeGroup: freeGroup}
	era618 = &Era{Kernel: "6.18", number: 1, About: "llist local work, CPU slabs",
		rules: llistRules[:], first: runLlistFirst, woken: runLlistWoken,
		drained: drainLlist,
		alloc:   allocCPUSlab, free: freeCPUSlab, freeGroup: freeSlab}
	eras = [...]*Era{era74, era618}
)

// Eras returns all eras, the default first.
func Eras() []*Era { return eras[:] }

// FindEra returns the era of a kernel.
func FindEra(kernel string) (*Era, bool) {
	for _, e := range eras {
		if e.Kernel == kernel {
			return e, true
		}
	}
	return nil, false
}

// absent is what a design's form says that does not exist in the era, nothing if why is "".
func (e *Era) absent(why string) []Absence {
	if why == "" {
		return nil
	}
	return []Absence{{e.Kernel, why}}
}

// rule is the wake-up rule of a word.
func (e *Era) rule(word string) *wakeRule {
	for i := range e.rules {
		if e.rules[i].word == word {
			return &e.rules[i]
		}
	}
	panic("designs: no wake-up rule " + word)
}

// waitWork is io_cqring_wait on the ring's local work, one CQE after each callback.
func (e *Era) waitWork(callback k.Code) k.Code {
	return e.waitWorkOf(k.Seq(callback, postCQE), nil)
}

// waitWorkOf is the same with callbacks that post by themselves, and what follows the last of them.
func (e *Era) waitWorkOf(callback, flush k.Code) k.Code {
	return cqringWait(k.ActNoWork, k.ActWork, "local work is queued", e.first(callback, flush),
		e.woken(callback, flush))
}

// withinMemory posts a message whose request the slab gives, or refuses it: a target that never
// drains its ring keeps what it is sent, until kmem_cache_alloc fails for everybody.
func (e *Era) withinMemory(post k.Code) k.Code {
	return k.Either(k.ActMemory, k.NoCost, "kmem_cache_alloc: memory is below its limit",
		k.Seq(e.alloc, post),
		k.Do(k.ActRefuse, k.NoCost, "-ENOMEM in the sender's CQE: refused"))
}

// exitWork is what a ring that exits does to the work that is queued: it runs it, for nothing.
func (e *Era) exitWork(callback k.Code) k.Code {
	return k.Seq(
		k.Lock(k.RefOwnRing),
		e.drained(callback),
		k.Unlock(k.RefOwnRing))
}

// reclaim is kfree_rcu_work: kfree_bulk names no cache, so the objects go to their slabs, a few at
// a time.
func (e *Era) reclaim() k.Code {
	return k.While(k.ActBatchGroup, costFreeGroup,
		"build_detached_freelist: one slab's objects", e.freeGroup)
}
