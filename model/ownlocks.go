package model

// The locks that each endpoint has of its own. References to them come in pairs: the target's, and
// after it the executing task's own. Only those are laid out that a path of the design names.

// addOwnLocks lays out the locks that each endpoint has of its own, as far as the paths name them.
func (p *Program) addOwnLocks(w *Workload) {
	var names []string
	for _, d := range p.net.endpoints {
		names = append(names, p.names[d.task])
	}
	for i := range p.net.own {
		target := firstOwnRef + Ref(2*i)
		if w.names(target) || w.names(target+1) {
			kind := Spin
			if target.raw() {
				kind = Raw
			}
			p.net.own[i] = p.internalLocks(names, target.String()+" ", kind)
		}
	}
}

// names says whether a path of a queue's design takes the lock that ref names.
func (w *Workload) names(ref Ref) bool {
	for queue := range w.Queues {
		paths := w.pathsOf(int32(queue))
		for _, code := range [...]Code{paths.Send, paths.Receive, paths.Open, paths.Close} {
			for i := range code {
				if code[i].Ref == ref {
					return true
				}
			}
		}
	}
	return false
}

// ownLock is the lock that such a reference names to a task.
func (n *network) ownLock(r Ref, t *Task) LockID {
	e := t.regs.target
	if (r-firstOwnRef)%2 == 1 {
		e = t.regs.own
	}
	return n.own[(r-firstOwnRef)/2] + LockID(e)
}
