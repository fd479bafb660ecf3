package designs

import k "rtsim/model"

// msg-ring-cache, option 3: MSG_RING data whose requests come from the target's ring. Nobody has
// prototyped it. From 6.11 to 6.16 io_uring had trylock: io_uring/msg_ring.c, io_msg_get_kiocb,
// io_msg_tw_complete; io_uring/alloc_cache.h. The rest of the path is msg-ring's, and every
// message still has its CQE; the proposals have the first patch's fix (F1), so today's rule is
// no-wake-fix. On a miss trylock, lock-free and raw-lock go to the slab, whose objects then join
// the cache: it is filled by misses, and each message borrows one request. What does not fit into
// the cache is freed at once (kmem_cache_free).
//
//	variant    who refills         what empties it              the fallback
//	trylock    target and misses   more messages in flight      slab, for all as long as a holder
//	                               than ever before             of msg_lock is preempted
//	lock-free  target and misses   the same; a corruption       slab
//	raw-lock   target and misses   the same                     slab, outside the lock
//	pool       target              64 messages that the target  none: -EAGAIN to the sender, who
//	                               has not handled, whoever's   does not try again
//	credits    target              8 of this sender's           the same
//
// How many is set by pool_requests and credits (size.go).
//
//	trylock   msg_lock is a spinlock_t that both sides only try; nobody is boosted
//	lock-free a stack; to pop is to read the head and its next, and to exchange the head. Who is
//	          preempted between them may install a request in use (ABA): reported, not avoided
//	raw-lock  a raw_spinlock_t around the cache's array, for a few instructions
//	pool      requests allocated when the target sets up its ring, before anybody sends; a bitmap,
//	          searched and taken by test_and_clear_bit, so there is no ABA. No share is reserved
//	credits   the same for each pair of a sender and a target, so no sender empties another's
//
// A ring that exits runs what is queued. A sender that stands at it posts to the next process's.

// requestSource is where the requests come from, and where they go.
type requestSource struct {
	word, about string
	get         k.Code     // tries to get one for the target
	give        k.Code     // the one that was handled goes back
	pool        k.PoolDecl // with one, who gets none is refused, else he goes to the slab
}

// post gets a request and posts the message, or refuses it.
func (s *requestSource) post(e *Era, r *wakeRule) k.Code {
	if s.pool.Requests == 0 {
		return k.Seq(
			s.get,
			k.Either(k.ActCacheGot, k.NoCost, "a request from the cache",
				k.Seq(fillRequest, r.add(true)),
				e.withinMemory(k.Seq(fillRequest, r.add(true)))))
	}
	return k.Seq(
		s.get,
		k.Either(k.ActPoolGot, k.NoCost, "a request is ours",
			k.Seq(
				k.Exec(costRequestInit, "io_msg_remote_post: a zeroed request, percpu_ref_get"),
				r.add(true)),
			k.Do(k.ActRefuse, k.NoCost, "-EAGAIN in the sender's CQE: refused")))
}

// back gives the request that was handled back: what does not fit into a cache is freed.
func (s *requestSource) back(e *Era) k.Code {
	if s.pool.Requests > 0 {
		return s.give
	}
	return k.Seq(
		s.give,
		k.Either(k.ActCacheGot, k.NoCost, "the cache has it",
			nil,
			e.free))
}

// cachePop is the lock-free pop; a retry that finds the stack empty pays for one exchange more.
var cachePop = k.When(k.ActCacheLook, costCacheRead,
	"head = cache->first: there is one; next = head->next",
	k.While(k.ActCacheLost, costCacheSwap,
		"cmpxchg(&cache->first, head, next): another was faster",
		k.Do(k.ActCacheLook, costCacheRead, "head = cache->first, next = head->next")))

// poolTake takes a request of the target's pool, if there is one.
var poolTake = k.When(k.ActPoolLook, costPoolFind, "find_first_bit(pool->free): there is one",
	k.While(k.ActPoolLost, costPoolTake, "test_and_clear_bit: another was faster",
		k.Do(k.ActPoolLook, costPoolFind, "find_first_bit, again")))

var requestSources = [...]requestSource{
	{word: "", about: "a cache on the target under a lock that is only tried; on a miss the slab",
		get: k.Try(k.RefMsg, k.CostLock, "io_msg_get_kiocb: spin_trylock(msg_lock)",
			k.Seq(
				k.Do(k.ActCachePop, costCacheMove, "io_alloc_cache_get"),
				k.Unlock(k.RefMsg)),
			k.Do(k.ActCacheBusy, k.NoCost, "it is taken")),
		give: k.Try(k.RefOwnMsg, k.CostLock, "spin_trylock(msg_lock)",
			k.Seq(
				k.Do(k.ActCachePush, costCacheMove, "io_alloc_cache_put"),
				k.Unlock(k.RefOwnMsg)),
			k.Do(k.ActCacheBusy, k.NoCost, "it is taken")),
	},
	{word: "lock-free", about: "a lock-free stack on the target; on a miss the slab",
		get:  cachePop,
		give: k.Do(k.ActCachePush, costCacheSwap, "cmpxchg: back onto the stack"),
	},
	{word: "pool", about: "a pool of the target's requests, and no others",
		get:  poolTake,
		give: k.Do(k.ActPoolReturn, costPoolTake, "set_bit: back to the pool"),
		pool: k.PoolDecl{Requests: int32(typicalSizes()[sizePool].Typical)}},
	{word: "credits", about: "some requests for each sender and target, and no others",
		get:  k.Do(k.ActPoolTake, costPoolCredit, "a request of ours for this target, if any"),
		give: k.Do(k.ActPoolReturn, costPoolTake, "set_bit: back to the sender"),
		pool: k.PoolDecl{Requests: int32(typicalSizes()[sizeCredits].Typical), PerSender: true}},
	{word: "raw-lock", about: "a cache on the target under a raw lock; on a miss the slab",
		get: k.Seq(
			k.Lock(k.RefCache),
			k.Do(k.ActCachePop, costCacheMove, "io_alloc_cache_get"),
			k.Unlock(k.RefCache)),
		give: k.Seq(
			k.Lock(k.RefOwnCache),
			k.Do(k.ActCachePush, costCacheMove, "io_alloc_cache_put"),
			k.Unlock(k.RefOwnCache)),
	},
}

var msgRingCacheChoices = []Choice{
	{About: "cache", Bare: "trylock", Words: []string{"lock-free", "pool", "credits", "raw-lock"}},
	{About: "wake-up rule", Words: []string{"no-wake-fix", "fix-f2", "fix-f3", "fix-f4"}},
}

var msgRingCacheRefused = []Refusal{
	{"wake-fix", "its bare form has the fix; no-wake-fix takes it away"},
}

// msgRingCaches are the bare form and the variants.
func msgRingCaches(e *Era) []Design {
	var forms []Design
	for i := range requestSources {
		for _, word := range [...]string{wordF1, wordToday, wordF2, wordF3, wordF4} {
			forms = append(forms, msgRingCache(e, &requestSources[i], e.rule(word)))
		}
	}
	forms[0].Alias = "msg-ring-cache/trylock"
	forms[0].Choices, forms[0].Refused = msgRingCacheChoices, msgRingCacheRefused
	return forms
}

func msgRingCache(e *Era, s *requestSource, r *wakeRule) Design {
	d := Design{
		Name:    "msg-ring-cache",
		Variant: variant("msg-ring-cache", s.word, r.unlessF1()),
		About:   "option 3: MSG_RING data; " + s.about + r.unless(wordF1),
		Assumed: s.about + "; one SQE a subscriber, highest priority first; " + r.about,
		Absent:  e.absent(r.none),
	}
	if r.none == "" {
		d.Paths = k.Paths{Send: msgRingSend(s.post(e, r)),
			Receive: msgRingWait(e.waitWork(msgComplete(s.back(e)))), Open: plainOpen,
			Close: k.Seq(plainClose, e.exitWork(msgComplete(s.back(e)))), Pool: s.pool}
	}
	return d
}

// MsgRingCache is the RFC's option 3.
var MsgRingCache = registerIn(msgRingCaches)
