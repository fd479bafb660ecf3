package file

import (
	"maps"
	"slices"
	"strings"

	"rtsim/model"
)

// flow follows one program word by word with what its task holds. There is one path: what leads
// back is a goto, which ends the path, and the end of a repeat, which comes back as it went in or
// is reported.
type flow struct {
	*reader
	*program
	takers []string // the first task that takes each lock

	held     map[int32]int32   // the word that took each lock
	reading  int               // how many of held are taken for reading
	raw      []int32           // the words that took raw locks; those released are still in it
	spinning []int32           // likewise spin, local and rw locks
	off      [offKinds][]int32 // the words that turned each off, without those turned on again
	changes  []change          // of held; those of a finished loop have cancelled out and are gone
	confused map[int32]bool    // the locks taken twice: what is held of them is not known
	opened   map[int32]bool    // the queues that are open
	opens    []int32           // the queues opened and closed; those of a finished loop are gone

	path  []int32 // the words followed so far
	marks []mark  // the state before each word, and before the exit
}

// offKind is something that a word turns off and another on; each nests.
type offKind int

const (
	preemption offKind = iota
	interrupts
	bottomHalves
	offKinds
)

// offNames are the words of messages for what is off, and the words that turn it off and on.
var offNames = [offKinds]struct{ what, off, on string }{
	preemption:   {"preemption", "preempt_off", "preempt_on"},
	interrupts:   {"interrupts", "irq_off", "irq_on"},
	bottomHalves: {"BH", "bh_off", "bh_on"},
}

// mark is the state of a flow before a word.
type mark struct {
	seen    bool
	path    int // words before it
	changes int
	opens   int
	off     [offKinds]int
}

// flows checks what each program holds, now that all declarations are read.
func (r *reader) flows() {
	takers := make([]string, len(r.out.Locks))
	for _, p := range r.programs {
		for _, w := range p.words {
			if takes(w.Kind) && !w.bad && takers[w.Lock] == "" {
				takers[w.Lock] = p.owner
			}
		}
	}
	for i := range r.programs {
		p := &r.programs[i]
		if p.opaque {
			continue
		}
		f := flow{reader: r, program: p, takers: takers,
			held: map[int32]int32{}, confused: map[int32]bool{}, opened: map[int32]bool{},
			marks: make([]mark, len(p.words)+1)}
		f.follow()
	}
}

// name is the name of the program's task.
func (f *flow) name() string { return quoteUnlessName(f.owner) }

// follow goes along the path to the program's exit, or until it comes back to a word.
func (f *flow) follow() {
	var open []mark // of the repeats around the word
	for at := int32(0); at < int32(len(f.words)); {
		w := &f.words[at]
		f.marks[at] = f.mark()
		f.path = append(f.path, at)
		switch w.Kind {
		case model.WordGoto:
			if m := f.marks[w.Arg]; m.seen {
				f.comesBack(w, m)
				f.endless(w, f.path[m.path:])
				return
			}
			at = w.Arg
			continue
		case model.WordRepeat, model.WordFor:
			open = append(open, f.mark())
		case model.WordEnd:
			m := open[len(open)-1]
			open = open[:len(open)-1]
			if !f.loopEnds(w, m) {
				return
			}
		default:
			f.apply(at, w)
		}
		at++
	}
	f.exits()
}

// loopEnds checks the end of a loop that was entered with a mark, and forgets what has cancelled
// out in it.
func (f *flow) loopEnds(w *word, m mark) bool {
	begin := &f.words[w.Match]
	if begin.Kind == model.WordRepeat && begin.Arg <= 1 {
		return true
	}
	if !f.comesBack(w, m) {
		return false
	}
	f.changes, f.opens = f.changes[:m.changes], f.opens[:m.opens]
	if begin.Kind == model.WordFor {
		f.passes(begin, f.path[m.path:])
	}
	return true
}

// mark gives the state before the next word.
func (f *flow) mark() mark {
	m := mark{seen: true, path: len(f.path), changes: len(f.changes), opens: len(f.opens)}
	for k := range f.off {
		m.off[k] = len(f.off[k])
	}
	return m
}

// apply checks a word against what is held and changes that.
func (f *flow) apply(at int32, w *word) {
	if f.sleeps(w) {
		f.maySleep(w)
	}
	switch w.Kind {
	case model.WordLock, model.WordReadLock, model.WordWriteLock:
		f.take(at, w)
	case model.WordUnlock, model.WordReadUnlock, model.WordWriteUnlock:
		f.release(w)
	case model.WordPreemptOff:
		f.turnOff(preemption, at)
	case model.WordPreemptOn:
		f.turnOn(preemption, w)
	case model.WordIRQOff:
		f.turnOff(interrupts, at)
	case model.WordIRQOn:
		f.turnOn(interrupts, w)
	case model.WordBHOff:
		f.turnOff(bottomHalves, at)
	case model.WordBHOn:
		f.turnOn(bottomHalves, w)
	case model.WordOpen, model.WordClose, model.WordReceive:
		f.queue(w)
	}
}

func (f *flow) turnOff(k offKind, at int32) { f.off[k] = append(f.off[k], at) }

func (f *flow) turnOn(k offKind, w *word) {
	if len(f.off[k]) == 0 {
		f.at(w.at, "%s, but %s does not have %s off here; put %s before it, or leave this out",
			quote(w.text), f.name(), offNames[k].what, offNames[k].off)
		return
	}
	f.off[k] = f.off[k][:len(f.off[k])-1]
}

// comesBack reports a loop that is entered again with something else held than the first time.
func (f *flow) comesBack(w *word, m mark) bool {
	differences := append(f.lockDifferences(m.changes), f.queueDifferences(m.opens)...)
	for k := range f.off {
		switch n := len(f.off[k]); {
		case n > m.off[k]:
			differences = append(differences, offNames[k].what+" off")
		case n < m.off[k]:
			differences = append(differences, offNames[k].what+" on")
		}
	}
	if len(differences) == 0 {
		return true
	}
	f.at(w.at, "%s comes back with %s, unlike the first time; hold the same each time",
		quote(w.text), strings.Join(differences, ", "))
	return false
}

// endless reports a cycle of words that can never end the run.
func (f *flow) endless(w *word, cycle []int32) {
	takesTime, waits := f.moves(cycle)
	switch {
	case waits:
	case !takesTime:
		f.at(w.at, "%s closes a loop in which nothing takes time or waits; "+
			"put a run, sleep, wait or take into it", quote(w.text))
	case !f.ended:
		f.at(w.at, "%s closes a loop that only time moves on, and the file has no until; "+
			"add until, as in until: 10ms, or put a wait or take into the loop", quote(w.text))
	}
}

// moves says whether something in a cycle of words takes time, and whether something waits.
func (f *flow) moves(cycle []int32) (takesTime, waits bool) {
	timed, prepared, scheduled := false, false, false
	for _, at := range cycle {
		switch c := f.words[at]; c.Kind {
		case model.WordWait, model.WordTake, model.WordReceive:
			return true, true
		case model.WordEvery: // under load a run goes on anyway, so the caller ends it
			takesTime, timed = true, true
		case model.WordRun, model.WordSleep:
			takesTime = takesTime || c.Time > 0 || c.bad
		case model.WordSend, model.WordOpen, model.WordClose:
			takesTime = takesTime || f.out.Costs != "zero"
		case model.WordPrepare:
			prepared = true
		case model.WordSchedule:
			scheduled = true
		}
	}
	return takesTime, prepared && scheduled || timed && len(f.out.Loads) > 0
}

// exits reports what is held or off when the program ends, where it was taken or turned off.
func (f *flow) exits() {
	for _, at := range slices.Sorted(maps.Values(f.held)) {
		w := &f.words[at]
		lock := f.out.Locks[w.Lock].Name
		if f.vague || f.confused[w.Lock] {
			continue
		}
		f.at(w.at, "%s, and %s ends with %s held; add %s", quote(w.text), f.name(), lock,
			releaseOf(w, lock))
	}
	for k := range f.off {
		for _, at := range f.off[k] {
			w := &f.words[at]
			f.at(w.at, "%s, and %s ends with %s off; add %s", quote(w.text), f.name(),
				offNames[k].what, offNames[k].on)
		}
	}
}
