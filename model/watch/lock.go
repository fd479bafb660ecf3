package watch

import "rtsim/model/trace"

// The monitors of locks.

// exclusion: a lock has one owner, or an rwlock readers and no writer; who releases holds it.
var exclusion = &Monitor{
	Name: "mutual exclusion",
	meets: func(v *view, r *trace.Record) string {
		wrong := ""
		switch r.Kind {
		case trace.LockAcquired:
			wrong = v.wrongToTake(r)
		case trace.LockReleased:
			wrong = v.wrongToRelease(r)
		}
		if wrong == "" {
			return ""
		}
		return v.taskName(r.Task) + wrong + " " + v.lockName(r.A)
	},
}

// wrongToTake: the rtmutex of an rwlock is taken before its readers have left, the rest is not.
func (v *view) wrongToTake(r *trace.Record) string {
	l := v.lock(r.A)
	own := l.owner == r.Task && !l.writing && r.B == trace.ModeWrite
	switch {
	case r.B == trace.ModeRead && l.owner != none:
		return " reads, past the owner of"
	case r.B != trace.ModeRead && l.owner != none && !own:
		return " takes, past the owner of"
	case r.B == trace.ModeWrite && l.readers > 0:
		return " writes, past the readers of"
	}
	return ""
}

func (v *view) wrongToRelease(r *trace.Record) string {
	l := v.lock(r.A)
	switch {
	case r.B == trace.ModeRead && l.readers == 0:
		return " stops reading, and nobody reads"
	case r.B != trace.ModeRead && l.owner != r.Task:
		return " releases, and is not the owner of"
	}
	return ""
}

// inheritance: at the end of an instant an owner's priority is the highest of its own and those
// of its locks' top waiters, no more and no less (R2.5).
var inheritance = &Monitor{
	Name: "effective priority",
	settled: func(v *view) string {
		for i := range v.tasks {
			prio := v.tasks[i].normal
			for l := range v.locks {
				lock := &v.locks[l]
				if lock.owner == int32(i) && len(lock.waiters) > 0 {
					prio = max(prio, v.tasks[lock.waiters[0]].rank)
				}
			}
			switch t := &v.tasks[i]; {
			case t.prio < prio:
				return v.taskName(int32(i)) + " is below a waiter of its lock"
			case t.prio > prio:
				return v.taskName(int32(i)) + " is above its own and its waiters' priority"
			}
		}
		return ""
	},
}

// noLostWakeup: a lock that is offered has its top waiter awake to take it (R2.9).
var noLostWakeup = &Monitor{
	Name: "no lost wake-up",
	settled: func(v *view) string {
		for l := range v.locks {
			lock := &v.locks[l]
			if lock.owner != none || len(lock.waiters) == 0 {
				continue
			}
			if top := lock.waiters[0]; !v.tasks[top].queued {
				return v.taskName(top) + " sleeps, and nobody owns " + v.lockName(int32(l))
			}
		}
		return ""
	},
}

// noLateralSteal: a lock with waiters goes to its top waiter or to a strictly higher task; an
// equal one takes it only outside the RT class, and no mutex (R2.8).
var noLateralSteal = &Monitor{
	Name: "no lateral steal",
	meets: func(v *view, r *trace.Record) string {
		if r.Kind != trace.LockAcquired || r.B == trace.ModeRead {
			return ""
		}
		l := v.lock(r.A)
		if len(l.waiters) == 0 || l.topLeft == r.Task || l.owner == r.Task {
			return ""
		}
		top, prio := v.tasks[l.waiters[0]].rank, v.tasks[r.Task].prio
		if prio > top || prio == 0 && top == 0 && !v.isMutex(r.A) {
			return ""
		}
		return v.taskName(r.Task) + " takes " + v.lockName(r.A) + " before " +
			v.taskName(l.waiters[0])
	},
}

// spinsForReason: who spins adaptively on a CPU is the lock's top waiter, so there is one a lock,
// and the owner is on a CPU too (R2.6).
var spinsForReason = &Monitor{
	Name: "spins for a reason",
	settled: func(v *view) string {
		for i := range v.tasks {
			t := &v.tasks[i]
			if t.spinsOn == none || !t.onCPU || !v.canReschedule(&v.cpus[t.cpu]) {
				continue
			}
			l := v.lock(t.spinsOn)
			switch {
			case len(l.waiters) == 0 || l.waiters[0] != int32(i):
				return v.taskName(int32(i)) + " spins and is not the top waiter of " +
					v.lockName(t.spinsOn)
			case l.owner == none || !v.tasks[l.owner].onCPU:
				return v.taskName(int32(i)) + " spins and nobody on a CPU owns " +
					v.lockName(t.spinsOn)
			}
		}
		return ""
	},
}

// rawInOrder: a raw lock goes to who has spun longest (R2.16).
var rawInOrder = &Monitor{
	Name: "raw locks in order",
	meets: func(v *view, r *trace.Record) string {
		isEnd := r.Kind == trace.SpinEnd && r.B == 1
		if !isEnd && r.Kind != trace.LockAcquired || r.A < 0 {
			return ""
		}
		l := v.lock(r.A)
		switch {
		case isEnd && (len(l.spinners) == 0 || l.spinners[0] != r.Task):
			return v.taskName(r.Task) + " has " + v.lockName(r.A) + " before its turn"
		case r.Kind == trace.LockAcquired && len(l.spinners) > 0 && l.granted != r.Task:
			return v.taskName(r.Task) + " takes " + v.lockName(r.A) + " past who spins for it"
		}
		return ""
	},
}
