package bound

import (
	"fmt"
	"slices"

	"rtsim/model"
	"rtsim/sim"
)

// How long a path, or a section of one, takes at most: abstract interpretation of the listing's
// tree. Each step takes its greatest cost, a test goes the longer way, a loop goes as often round
// as its action allows. What a task executes and how long it is blocked are summed apart: only the
// former is stretched by what preempts it. Where two ways meet each sum is the greater of the two.

// val is what a stretch of a path takes.
type val struct {
	exec    sim.Time // executed by the task, raw spinning included
	blocked sim.Time // while it sleeps for a lock, up to the wake-up
	pauses  int      // how often it does so at most, if it is not the bounded task
	jobs    int      // pieces of others' execution in blocked, each on one CPU
	why     string   // there is no bound, and why; "" if there is one
}

func (v val) plus(w val) val {
	v.exec += w.exec
	v.blocked += w.blocked
	v.pauses += w.pauses
	v.jobs += w.jobs
	if v.why == "" {
		v.why = w.why
	}
	return v
}

func (v val) or(w val) val {
	v.exec, v.blocked = max(v.exec, w.exec), max(v.blocked, w.blocked)
	v.pauses, v.jobs = max(v.pauses, w.pauses), max(v.jobs, w.jobs)
	if v.why == "" {
		v.why = w.why
	}
	return v
}

func (v val) times(n int) val {
	v.exec *= sim.Time(n)
	v.blocked *= sim.Time(n)
	v.pauses *= n
	v.jobs *= n
	return v
}

// place is who goes through which listing, and what its registers name.
type place struct {
	task, queue int
	target      int // an endpoint, -1: none
	path        *path
	shown       bool // of its waits only what shows says counts
	refilled    bool // the CPU's sheaf was refilled within this call: it is not empty again
}

// eval is what the nodes take.
func (a *analysis) eval(nodes []node, at place) (v val) {
	for i := range nodes {
		v = v.plus(a.evalNode(&nodes[i], at))
	}
	return v
}

func (a *analysis) evalNode(n *node, at place) val {
	head := a.step(n.line, at)
	switch n.kind {
	case branch:
		yes, no := a.ways(n, at)
		switch {
		case yes && no:
			return head.plus(a.eval(n.yes, at).or(a.eval(n.no, at)))
		case yes:
			return head.plus(a.eval(n.yes, at))
		}
		return head.plus(a.eval(n.no, at))
	case loop:
		return a.evalLoop(n, head, at)
	}
	return head
}

// evalLoop is the loop's test, once more often than its body.
func (a *analysis) evalLoop(n *node, head val, at place) val {
	if targets, walks := a.walked(n, at); walks {
		v, refill, visits := head, val{}, 0
		for _, e := range targets {
			visits += 1 + a.again(e, at)
		}
		for _, e := range targets {
			in := at
			in.target, in.refilled = e, at.refilled || a.refillsOnce(visits, at)
			body := a.eval(n.yes, in)
			a.visited(e, head.plus(body), at, n)
			in.refilled = at.refilled
			full := a.eval(n.yes, in)
			v = v.plus(head.plus(body).times(1 + a.again(e, at)))
			refill = refill.or(val{full.exec - body.exec, full.blocked - body.blocked,
				full.pauses - body.pauses, full.jobs - body.jobs, full.why})
		}
		return v.plus(refill)
	}
	rounds, why := a.rounds(n, at)
	if why != "" {
		return val{why: why}
	}
	return head.times(rounds + 1).plus(a.eval(n.yes, at).times(rounds))
}

// visited notes how long a round of a walk of the root's takes; if there are several walks, of the
// shortest.
func (a *analysis) visited(e int, round val, at place, walk *node) {
	if !at.shown {
		return
	}
	a.ranked = a.ranked && at.path.code[walk.line].Action == model.ActNextOpen
	if took := round.exec + round.blocked; a.visits[e] == 0 || took < a.visits[e] {
		a.visits[e] = took
	}
}

// refillsOnce says whether so many allocations of a call empty the CPU's sheaf once at most: a
// refilled one has more objects than that, and nobody else takes from it.
func (a *analysis) refillsOnce(allocations int, at place) bool {
	sheaf, _ := model.SlabObjects(a.slab(at.queue))
	return a.lone(at.task) && allocations <= sheaf
}

// ways says which ways a test may go.
func (a *analysis) ways(n *node, at place) (yes, no bool) {
	l := &at.path.code[n.line]
	switch {
	case l.Action == model.ActHashMatch && at.target >= 0:
		yes = a.endpoints[at.target].queue == at.queue
		return yes, !yes
	case l.Action == model.ActSheafSpare && at.refilled:
		return true, false
	case l.Op == model.OpTry && l.Ref == model.RefSheaf && a.lone(at.task):
		return true, false
	}
	return true, true
}

// walked are the endpoints that a loop goes through, if it is a walk of them.
func (a *analysis) walked(n *node, at place) (targets []int, walks bool) {
	switch at.path.code[n.line].Action {
	case model.ActNextOpen, model.ActNodeNext, model.ActWakeQNext:
		for i, e := range a.endpoints {
			if e.queue == at.queue {
				targets = append(targets, i)
			}
		}
	case model.ActHashNext:
		for i, e := range a.endpoints {
			if a.bucket(e.queue) == a.bucket(at.queue) {
				targets = append(targets, i)
			}
		}
	default:
		return nil, false
	}
	return targets, true
}

// again is how often an endpoint may be met again in one walk of the root's, having left and come
// back meanwhile. Other tasks walk with a lock held that keeps endpoints from coming back, or
// outside of any section that somebody waits for.
func (a *analysis) again(e int, at place) int {
	if at.task == a.root {
		return a.back[e]
	}
	return 0
}

// rounds is how often a loop's test says yes.
func (a *analysis) rounds(n *node, at place) (int, string) {
	sheaf, page := model.SlabObjects(a.slab(at.queue))
	l := &at.path.code[n.line]
	switch l.Action {
	case model.ActWork:
		if a.items {
			return 1, ""
		}
	case model.ActPageDetach, model.ActFlushGroup:
		return sheaf, "" // each slab, or group, has one object at least
	case model.ActPageTake: // of one slab, or of all that were detached
		if slices.ContainsFunc(around(at.path.tree, n.line), func(o *node) bool {
			return at.path.code[o.line].Action == model.ActPageNew
		}) {
			return 1, ""
		}
		return sheaf, ""
	case model.ActPageNew:
		return (sheaf + page - 1) / page, ""
	}
	return 0, fmt.Sprintf("%s, the loop \"%s\" has no bound", at.path.kind, l.Note)
}

// step is what one step takes, its lock's wait included.
func (a *analysis) step(line int, at place) val {
	l := &at.path.code[line]
	v := val{exec: a.cost(l.Cost)}
	switch l.Op {
	case model.OpLock:
		k := a.key(l.Ref, at)
		if raw(l.Ref) {
			if !at.shown || a.shows.raw {
				v.exec += a.rawWait(k, line, at)
			}
			return v
		}
		return v.plus(a.sleepWait(k, at, line))
	case model.OpUnlock:
		k, hidden := a.key(l.Ref, at), at.shown && !a.shows.slow
		if !raw(l.Ref) && !hidden && a.waitedAt(k, at, line) {
			v.exec += a.queuedOwner(k, at.task, -1) + a.cost(model.CostUnlockSlow)
		}
	case model.OpSchedule:
		v.why = at.path.kind + " sleeps"
	}
	return v
}
