package bound

import (
	"fmt"

	"rtsim/model"
	"rtsim/sim"
)

// A bound's terms, told apart so that they add up to its value: the path is evaluated with one kind
// of wait after another counted, and what each adds is its term.

// kind of what is counted of a wait for a sleeping lock.
type waitPart int

const (
	partSlow   waitPart = iota // the waiter's own slow path and retry
	partOwner                  // what the owner executes, and until it runs
	partBursts                 // bursts before it
	partIRQs                   // handlers on its CPU
	partNested                 // locks that it waits for
	partPeers                  // who is queued before
	partWakes                  // the wake-up of the waiter
	partsEnd
)

// shows is what the evaluation of the root's path counts.
type shows struct {
	raw   bool
	slow  bool // slow releases
	refs  []model.Ref
	parts waitPart // of the last of refs; all of the others
}

func (s *shows) of(r model.Ref, w *waitFor) (v val) {
	for i, ref := range s.refs {
		if ref != r {
			continue
		}
		end := partsEnd
		if i == len(s.refs)-1 {
			end = s.parts
		}
		for p := range end {
			v = v.plus(w.part(p))
		}
	}
	return v
}

func (w *waitFor) part(p waitPart) val {
	switch o := &w.owner; p {
	case partSlow:
		return val{exec: w.exec}
	case partOwner:
		return val{blocked: o.share.work, jobs: o.jobs, why: o.why}
	case partBursts:
		return val{blocked: o.share.total - o.share.work - o.share.interrupts -
			o.share.blocked}
	case partIRQs:
		return val{blocked: o.share.interrupts}
	case partNested:
		return val{blocked: o.share.blocked}
	case partPeers:
		return w.peers
	}
	return w.resumes
}

// why is what a part of the waits for a lock is.
func (p waitPart) why(a *analysis, ref model.Ref, w *waitFor) (name, why string) {
	by := a.tasks[w.owner.by].name
	switch p {
	case partSlow:
		return "slow path", "lock_slow and lock_retake under wait_lock, and spinning for that"
	case partOwner:
		return "owner", fmt.Sprintf("the section of %s, boosted on CPU %d, its slow release, and "+
			"the time until it runs", by, a.tasks[w.owner.by].cpu)
	case partBursts:
		return "bursts", fmt.Sprintf("%d bursts on CPU %d before the owner's release, each with "+
			"its handler and two switches", w.owner.share.bursts, a.tasks[w.owner.by].cpu)
	case partIRQs:
		return "interrupts", fmt.Sprintf("handlers on CPU %d until then", a.tasks[w.owner.by].cpu)
	case partNested:
		return "owner's waits", "locks that " + by + " takes in its section"
	case partPeers:
		return "queued before", "sections of real-time tasks that were queued first"
	}
	return "wake-up", "IPI, idle exit and switch until the waiter runs"
}

// rootPath evaluates the root's path and appends its terms.
func (a *analysis) rootPath(r run, b *Bound) val {
	at := place{task: a.root, queue: r.queue, target: -1, path: r.path, shown: true}
	a.shows = shows{}
	sum := a.anew(r, at)
	b.add("own steps", sum.exec, "the path's steps at their greatest, nobody in the way")
	next := func(name, why string) {
		v := a.anew(r, at)
		b.add(name, v.exec+v.blocked-sum.exec-sum.blocked, why)
		sum = v
	}
	a.shows.raw = true
	next("raw locks", "for each one section of each other CPU that may be before it")
	a.shows.slow = true
	next("slow releases", "of locks that others wait for: deboost and wake-up")
	for _, l := range r.path.code {
		if l.Op != model.OpLock || !l.Ref.Sleeps() || a.counts(l.Ref) {
			continue
		}
		w, contended := a.worst(l.Ref, r)
		if !contended {
			continue
		}
		a.shows.refs = append(a.shows.refs, l.Ref)
		for p := range partsEnd {
			a.shows.parts = p + 1
			name, why := p.why(a, l.Ref, w)
			next(l.Ref.String()+": "+name, why)
		}
	}
	return sum
}

// anew evaluates the path with what is counted now.
func (a *analysis) anew(r run, at place) val {
	a.visits, a.ranked = make([]sim.Time, len(a.endpoints)), true
	return a.eval(r.path.tree, at)
}

func (a *analysis) counts(r model.Ref) bool {
	for _, ref := range a.shows.refs {
		if ref == r {
			return true
		}
	}
	return false
}

// worst is the wait for that instance of a lock for which the owner makes the root wait longest.
func (a *analysis) worst(ref model.Ref, r run) (worst *waitFor, contended bool) {
	for line := range r.path.code {
		l := &r.path.code[line]
		if l.Op != model.OpLock || l.Ref != ref {
			continue
		}
		for _, at := range a.places(a.root, r, line) {
			w, others := a.wait(a.key(ref, at), at, line)
			if others && (worst == nil || w.owner.val().blocked > worst.owner.val().blocked) {
				worst = &w
			}
		}
	}
	return worst, worst != nil
}

// add appends a term that is not zero.
func (b *Bound) add(name string, ns sim.Time, why string) {
	if ns != 0 {
		b.Terms = append(b.Terms, Term{name, ns, why})
		b.Value += ns
	}
}
