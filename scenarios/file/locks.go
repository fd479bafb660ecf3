package file

import "rtsim/model"

// change is one taking or releasing of a lock.
type change struct {
	lock   int32
	before int32 // the word that had taken it, -1 if it was not held
}

// takes says whether a word takes a lock.
func takes(kind model.WordKind) bool {
	return kind == model.WordLock || kind == model.WordReadLock || kind == model.WordWriteLock
}

// releaseOf gives the word that releases what w took.
func releaseOf(w *word, lock string) string {
	switch w.Kind {
	case model.WordReadLock:
		return "read_unlock " + lock
	case model.WordWriteLock:
		return "write_unlock " + lock
	}
	return "unlock " + lock
}

// releases says whether w is the word that releases what another took.
func releases(w, taken *word) bool {
	switch taken.Kind {
	case model.WordReadLock:
		return w.Kind == model.WordReadUnlock
	case model.WordWriteLock:
		return w.Kind == model.WordWriteUnlock
	}
	return w.Kind == model.WordUnlock
}

// last gives the last of the words that took locks whose lock is held since, and drops the words
// behind it.
func (f *flow) last(taken *[]int32) (*word, bool) {
	for n := len(*taken); n > 0; n-- {
		at := (*taken)[n-1]
		if by, ok := f.held[f.words[at].Lock]; ok && by == at {
			return &f.words[at], true
		}
		*taken = (*taken)[:n-1]
	}
	return nil, false
}

// take checks and follows a word that takes a lock.
func (f *flow) take(at int32, w *word) {
	if w.bad || f.confused[w.Lock] {
		return
	}
	lock := f.out.Locks[w.Lock].Name
	if by, ok := f.held[w.Lock]; ok {
		first := &f.words[by]
		f.at(w.at, "%s, but %s holds %s since word %d, %s; put %s before it", quote(w.text),
			f.name(), lock, by, quote(first.text), releaseOf(first, lock))
		f.confused[w.Lock] = true
		return
	}
	f.held[w.Lock] = at
	if w.Kind == model.WordReadLock {
		f.reads(w)
	}
	switch f.out.Locks[w.Lock].Kind {
	case model.Raw:
		f.raw = append(f.raw, at)
	case model.Spin, model.Local, model.RW:
		f.spinning = append(f.spinning, at)
	}
	f.changes = append(f.changes, change{w.Lock, -1})
}

// maxReads bounds how many rw locks a task reads at a time: so many a task of the model keeps.
const maxReads = 8

// reads reports a word that takes one rw lock too many for reading.
func (f *flow) reads(w *word) {
	if f.reading++; f.reading == maxReads+1 {
		f.at(w.at, "%s, and %s reads %d rw locks already; a task reads %d at a time at most",
			quote(w.text), f.name(), maxReads, maxReads)
	}
}

// release checks and follows a word that releases a lock.
func (f *flow) release(w *word) {
	if w.bad {
		return
	}
	by, held := f.held[w.Lock]
	if !f.confused[w.Lock] {
		f.mayRelease(w, by, held)
	}
	if held {
		delete(f.held, w.Lock)
		if f.words[by].Kind == model.WordReadLock {
			f.reading--
		}
		f.changes = append(f.changes, change{w.Lock, by})
	}
}

// mayRelease reports a release of what is not held, or is held in another way.
func (f *flow) mayRelease(w *word, by int32, held bool) {
	lock := f.out.Locks[w.Lock].Name
	switch taker := f.takers[w.Lock]; {
	case held && !releases(w, &f.words[by]):
		first := &f.words[by]
		f.at(w.at, "%s, but %s took %s with word %d, %s; write %s", quote(w.text), f.name(), lock,
			by, quote(first.text), releaseOf(first, lock))
	case held, f.vague:
	case taker != "" && taker != f.owner:
		f.at(w.at, "%s, but %s does not hold %s here; "+
			"%s takes it, and who takes a lock releases it",
			quote(w.text), f.name(), lock, quoteUnlessName(taker))
	default:
		f.at(w.at, "%s, but %s does not hold %s here; take it before, or leave this out",
			quote(w.text), f.name(), lock)
	}
}

// lockDifferences says how what is held differs from what was held before the changes from since.
func (f *flow) lockDifferences(since int) []string {
	var differences []string
	seen := map[int32]bool{}
	for _, c := range f.changes[since:] {
		if seen[c.lock] || f.confused[c.lock] {
			continue
		}
		seen[c.lock] = true
		by, held := f.held[c.lock]
		name := f.out.Locks[c.lock].Name
		switch {
		case held && c.before < 0:
			differences = append(differences, name+" held")
		case !held && c.before >= 0:
			differences = append(differences, name+" released")
		case held && f.words[by].Kind != f.words[c.before].Kind:
			differences = append(differences, name+" held by "+quote(f.words[by].text))
		}
	}
	return differences
}
