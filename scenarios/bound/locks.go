package bound

import (
	"fmt"
	"slices"

	"rtsim/model"
	"rtsim/scenarios/bound/cert"
	"rtsim/sim"
)

// Lock instances, and who takes them. A listing names a lock by a reference; which instance that is
// depends on the task, its queue, and the endpoint that a walk stands at.

// key is a lock instance.
type key struct {
	ref model.Ref // of a pair of references the target's
	at  int       // which
}

// use is a place at which a task takes a lock.
type use struct {
	place
	line int
	id   useID
	held []key
	off  bool // interrupts are off there
}

type useID struct {
	task, queue, target, line int
	kind                      string
	execOnly                  bool
}

func raw(r model.Ref) bool {
	return !r.Sleeps() && r != model.RefTarget && r != model.RefNone
}

// What Code.Check says besides locks: that interrupts are off, or preemption.
const (
	irqsOff    = "irqs off"
	preemptOff = "preemption off"
)

// key is the instance that a reference names at a place.
func (a *analysis) key(r model.Ref, at place) key {
	t, slab := &a.tasks[at.task], int(a.slab(at.queue))
	switch r {
	case model.RefOwnRing:
		return key{r, at.task}
	case model.RefHash:
		return key{r, a.bucket(at.queue)}
	case model.RefNode:
		return key{r, at.queue}
	case model.RefPI, model.RefRQ:
		if at.target < 0 {
			panic("bound: a wake-up of nobody")
		}
	}
	switch r {
	case model.RefPI:
		return key{r, a.endpoints[at.target].task}
	case model.RefRQ:
		return key{r, int(a.tasks[a.endpoints[at.target].task].cpu)}
	case model.RefSheaf, model.RefCPUSlab:
		return key{r, slab*model.MaxCPUs + int(t.cpu)}
	case model.RefBarn, model.RefList, model.RefListRaw:
		return key{r, slab}
	case model.RefKrc:
		return key{r, int(t.cpu)}
	}
	own := slices.Index(a.endpoints, endpoint{at.task, at.queue})
	switch r {
	case model.RefOwnEventfd, model.RefOwnSignal, model.RefOwnSignalfd, model.RefOwnMsg,
		model.RefOwnCache:
		return key{r - 1, own}
	}
	return key{r, at.target}
}

// findUses finds every place at which a task takes a lock.
func (a *analysis) findUses() {
	for t := range a.tasks {
		for _, r := range a.tasks[t].runs {
			for line := range r.path.code {
				op := r.path.code[line].Op
				if op != model.OpLock && op != model.OpTry {
					continue
				}
				for _, at := range a.places(t, r, line) {
					k := a.key(r.path.code[line].Ref, at)
					a.uses[k] = append(a.uses[k], a.use(at, line))
					if !slices.Contains(a.takers[k], t) {
						a.takers[k] = append(a.takers[k], t)
					}
				}
			}
		}
	}
}

func (a *analysis) use(at place, line int) use {
	u := use{place: at, line: line,
		id: useID{at.task, at.queue, at.target, line, at.path.kind, false}}
	for _, h := range at.path.held[line] {
		switch h.String() {
		case irqsOff:
			u.off = true
		case preemptOff:
		default:
			u.held = append(u.held, a.key(h, at))
		}
	}
	return u
}

// places are a line's: one for each endpoint that a walk around it may stand at.
func (a *analysis) places(t int, r run, line int) []place {
	at := place{task: t, queue: r.queue, target: -1, path: r.path}
	for _, n := range around(r.path.tree, line) {
		targets, walks := a.walked(n, at)
		if !walks {
			continue
		}
		var all []place
		for _, e := range targets {
			if a.endpoints[e].queue == r.queue { // of others a walk only looks at
				at.target = e
				all = append(all, at)
			}
		}
		return all
	}
	return []place{at}
}

// around are the nodes that a line is in, the outermost first.
func around(nodes []node, line int) []*node {
	for i := range nodes {
		n := &nodes[i]
		switch {
		case has(n.yes, line):
			return append([]*node{n}, around(n.yes, line)...)
		case has(n.no, line):
			return append([]*node{n}, around(n.no, line)...)
		}
	}
	return nil
}

// hold is what a task takes from a lock it has got to its release.
func (a *analysis) hold(u *use) val {
	id := u.id
	id.execOnly = a.execOnly
	if v, known := a.holds[id]; known {
		return v
	}
	a.holds[id] = val{why: "the locks are taken in a circle"}
	ref := u.path.code[u.line].Ref
	v := a.section(&u.place, u.line, func(l *model.Line) bool {
		return l.Op == model.OpUnlock && l.Ref == ref
	})
	a.holds[id] = v
	return v
}

// section is what a task takes from behind a line to one that ends the section.
func (a *analysis) section(at *place, line int, ends func(*model.Line) bool) val {
	p := a.after(at.path.tree, line, *at, ends)
	if p.goesOnward || !p.stops {
		return val{why: fmt.Sprintf("%s, line %d: a section without an end", at.path.kind, line+1)}
	}
	return p.stop
}

// waited says whether another task may wait for a lock that the task holds.
func (a *analysis) waited(k key, t int) bool {
	return slices.ContainsFunc(a.uses[k], func(u use) bool {
		return u.task != t && u.path.code[u.line].Op == model.OpLock
	})
}

// waitedAt says whether another task may wait for a lock while the task, which holds it, is at a
// place.
func (a *analysis) waitedAt(k key, at place, line int) bool {
	mine := slices.DeleteFunc(a.use(at, line).held, func(h key) bool { return h == k })
	return slices.ContainsFunc(a.uses[k], func(u use) bool {
		return u.task != at.task && u.path.code[u.line].Op == model.OpLock && !apart(mine, &u)
	})
}

// waitLock is the longest that a task may be in a slow path's raw section.
func (a *analysis) waitLock() sim.Time {
	return max(a.cost(model.CostLockSlow), a.cost(model.CostRetake),
		a.cost(model.CostUnlockSlow))
}

// queued is how long a task may spin for a lock's wait_lock: first come first, so at most one
// section of each other CPU goes before it. Interrupts are off in them.
func (a *analysis) queued(k key, t int) sim.Time {
	return sim.Time(len(a.others(k, t, -1))) * a.waitLock()
}

// queuedOwner is the same of the lock's owner, or of who is on the owner's CPU, while the bounded
// task waits: that one is queued and takes the wait_lock no more, and the others can only begin to
// wait, or find that they have to go on waiting.
func (a *analysis) queuedOwner(k key, t, waiter int) sim.Time {
	return sim.Time(len(a.others(k, t, waiter))) * max(a.cost(model.CostLockSlow),
		a.cost(model.CostRetake))
}

// others are the CPUs of those who take a lock, but for the task's own and the waiter's.
func (a *analysis) others(k key, t, waiter int) (cpus []int32) {
	for _, u := range a.takers[k] {
		c := a.tasks[u].cpu
		if u != waiter && c != a.tasks[t].cpu && !slices.Contains(cpus, c) {
			cpus = append(cpus, c)
		}
	}
	return cpus
}

// rawWait is how long a task may spin for a raw lock: as queued, with the holders' own sections,
// which interrupts of their CPUs stretch. Who holds a lock that the task holds too is not there.
func (a *analysis) rawWait(k key, line int, at place) (sum sim.Time) {
	mine := a.use(at, line).held
	longest := map[int32]sim.Time{}
	for i := range a.uses[k] {
		u := &a.uses[k][i]
		c := a.tasks[u.task].cpu
		if c == a.tasks[at.task].cpu || apart(mine, u) {
			continue
		}
		longest[c] = max(longest[c], a.rawHold(u))
	}
	for _, ns := range longest {
		sum += ns
	}
	return sum
}

// rawHold is how long a raw lock is held, interrupts included.
func (a *analysis) rawHold(u *use) sim.Time {
	v := a.hold(u)
	if v.why != "" {
		return forever
	}
	if u.off {
		return v.exec
	}
	ns := a.stretch(a.tasks[u.task].cpu, u.task, v.exec)
	a.point("hold", a.key(u.path.code[u.line].Ref, u.place), u, -1, ns)
	return ns
}

// point notes a fixed point for the certificate: the longest of its kind, lock, place and waiter.
func (a *analysis) point(what string, k key, u *use, waiter int, ns sim.Time) {
	p := cert.Point{What: what, Lock: k.ref.String(), Of: k.at, Task: a.tasks[u.task].name,
		Path: u.path.kind, Queue: u.queue, Line: u.line, At: u.target}
	if waiter >= 0 {
		p.For = a.tasks[waiter].name
	}
	i, known := a.pointAt[p]
	if !known {
		i = len(a.points)
		a.pointAt[p] = i
		a.points = append(a.points, p)
	}
	a.points[i].Window = max(a.points[i].Window, ns)
}

// forever is more than any bound.
const forever = sim.Time(1 << 50)
