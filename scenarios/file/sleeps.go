package file

import "rtsim/model"

// sleeps says whether a word may give up the CPU, so that it must not stand where preemption or
// interrupts are off. A contended lock of every kind but raw sleeps (rt-kernel.md 2.1).
func (f *flow) sleeps(w *word) bool {
	switch w.Kind {
	case model.WordSleep, model.WordSleepUntil, model.WordWait, model.WordTake,
		model.WordSchedule, model.WordYield, model.WordSend, model.WordReceive, model.WordOpen,
		model.WordClose, model.WordEvery:
		return true
	case model.WordLock, model.WordReadLock, model.WordWriteLock:
		return !w.bad && f.out.Locks[w.Lock].Kind != model.Raw
	case model.WordBHOff: // takes the CPU's BH lock, once (R3.8)
		return f.out.BHLock && len(f.off[bottomHalves]) == 0
	}
	return false
}

// isSleep says whether a word sleeps by intent: then no spinning lock may be held either. A task
// that sends, opens or closes is in user space before and after, where it has none.
func isSleep(kind model.WordKind) bool {
	switch kind {
	case model.WordSleep, model.WordSleepUntil, model.WordWait, model.WordTake,
		model.WordSchedule, model.WordSend, model.WordReceive, model.WordOpen, model.WordClose,
		model.WordEvery:
		return true
	}
	return false
}

// maySleep reports a word that may sleep where a task must not.
func (f *flow) maySleep(w *word) {
	does := "may sleep"
	if w.Kind == model.WordYield {
		does = "gives up the CPU"
	}
	if taken, ok := f.last(&f.raw); ok {
		lock := f.out.Locks[taken.Lock].Name
		f.at(w.at, "%s %s, and raw lock %s is held; put unlock %s before it",
			quote(w.text), does, lock, lock)
		return
	}
	for _, k := range []offKind{preemption, interrupts} {
		if len(f.off[k]) > 0 {
			f.at(w.at, "%s %s, and %s off; put %s before it", quote(w.text), does,
				[...]string{"preemption is", "interrupts are"}[k], offNames[k].on)
			return
		}
	}
	if isSleep(w.Kind) {
		f.acrossSleep(w)
	}
}

// acrossSleep reports a lock that is held across a sleep and must not be: a mutex may.
func (f *flow) acrossSleep(w *word) {
	if taken, ok := f.last(&f.spinning); ok {
		l := f.out.Locks[taken.Lock]
		f.at(w.at, "%s sleeps, and %s lock %s is held; put %s before it", quote(w.text),
			lockKinds[l.Kind], l.Name, releaseOf(taken, l.Name))
		return
	}
	if f.out.BHLock && len(f.off[bottomHalves]) > 0 {
		f.at(w.at, "%s sleeps, and the BH lock is held; put bh_on before it", quote(w.text))
	}
}
