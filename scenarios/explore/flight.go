package explore

import (
	"slices"

	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/sim"
)

// A flight is one message as a Process: it starts at the state of a long run shortly before the
// message, a random one of many such, and stops when the message is over. So the states at the
// start are those that a run passes through, and each message of the run is as probable as another.
// A clone draws anew what is pending (redraw.go), so a score is a function of the past:
//
//	1    it has begun, and the burst of its stratum comes in its cell
//	2    that has the CPU of a task that owns a lock which the sender, or the receiver, takes now
//	     and then; of a receive, of a task in the middle of a send
//	3    the message waits for it
//	4... and for so long, by steps each of which is half of what is left to the limit: a burst's
//	     length is bounded, so of those that come to a step about half come to the next; and one
//	     more for each stretch of the burst by interrupts, which makes it longer than it can be
//
// and the greatest is that of a message that has taken longer than the limit, and belongs to the
// stratum of the flight (cell.go).

// flight is a state of the process.
type flight struct {
	field   *field
	of      stratum
	m       *model.Machine // of its own; nil: not started
	seed    uint64         // by which the start is chosen
	message int32
	release sim.Time
	begin   sim.Time // of the call; sim.Never: it has not begun
	end     sim.Time // of the call
	over    sim.Time // of the message, or when it cannot count any more
	serial  int32    // 0: not published
	queue   int32
	score   int64
	forced  bool    // its stratum's burst is drawn to come in the cell
	came    bool    // and has come
	weight  float64 // with which it counts
	blamed  bool    // the message has waited for a burst, of this stratum
	seen    [burstsMost]coming

	stretches int64
}

const (
	scoreHit    = 2
	scoreWaits  = 3
	scoreOver   = 1000 // more than there are steps
	levelsFirst = scoreHit

	stretch       = 3 * sim.Microsecond // about what an interrupt takes
	stretchesMost = 12
)

// newFlight has not started.
func newFlight(f *field, of stratum) *flight { return &flight{field: f, of: of} }

// CopyFrom makes it equal to another one, in its own memory.
func (f *flight) CopyFrom(src *flight) {
	m := f.m
	*f = *src
	if src.m == nil {
		f.m = m // of which nothing is kept, as it has not started
		return
	}
	if f.m = m; f.m == nil {
		f.m = src.m.Clone()
		return
	}
	f.m.CopyFrom(src.m)
}

// Reseed has all later draws come from that seed, those that are pending too, and the start if it
// is not chosen yet.
func (f *flight) Reseed(seed uint64) {
	f.seed = seed
	if f.started() {
		f.draw()
	}
}

func (f *flight) draw() {
	f.m.Tape().Reseed(f.seed)
	draws := sim.NewStream(f.seed, "explore/redraw")
	redraw(f.m, f.field.workload, &draws, f.held())
	f.watch()
}

func (f *flight) started() bool { return f.release != 0 }

// start chooses one of the starts.
func (f *flight) start() {
	s := sim.NewStream(f.seed, "explore/start")
	starts := f.field.groups[f.of.group].starts
	from := &starts[s.Between(0, int64(len(starts)-1))]
	if f.m == nil {
		f.m = from.m.Clone()
	} else {
		f.m.CopyFrom(from.m)
	}
	f.message, f.release = from.message, from.release
	f.begin, f.end, f.over = sim.Never, sim.Never, sim.Never
	f.weight = 1
	for i := range f.seen {
		f.seen[i].came, f.seen[i].before = sim.Never, sim.Never
	}
	f.draw()
}

// Step moves on by one instant.
func (f *flight) Step() bool {
	if !f.started() {
		f.start()
		return true
	}
	if f.over != sim.Never || f.field.ctx.Err() != nil { // fly says the latter
		return false
	}
	until, force := f.until()
	f.m.Trace = f.m.Trace[:0]
	if err := f.m.Run(until); err != nil {
		f.over = f.m.Now() // a fault ends it; what it found is below the target
		f.score = 0
		return true
	}
	for i := range f.m.Trace {
		f.take(&f.m.Trace[i])
	}
	f.watch()
	if f.forced {
		f.came = f.came || !f.seen[f.of.burst].pending
	} else if force && f.over == sim.Never {
		f.force()
	}
	f.score = f.scored()
	return true
}

// until is where the next step ends: the next instant at which something happens, the begin of the
// cell, or the next step of the message's time; and whether the cell has begun by then. Before the
// message and the cell all instants are one step.
func (f *flight) until() (at sim.Time, force bool) {
	at = f.m.Next()
	if f.begin != sim.Never {
		if i := f.passed(f.m.Now() - f.begin); i < len(f.field.steps) {
			at = min(at, f.begin+f.field.steps[i])
		}
	}
	if f.of.burst < 0 || f.forced {
		return at, false
	}
	from, _ := f.cell(f.of.cell)
	if now := f.m.Now(); now < f.release {
		at = max(at, min(f.release, from))
	}
	if f.m.Now() < from {
		at = min(at, from)
	}
	return at, at >= from
}

// passed is how many of the steps are not above a time.
func (f *flight) passed(time sim.Time) int {
	i, found := slices.BinarySearch(f.field.steps, time)
	if found {
		i++
	}
	return i
}

// take follows the message.
func (f *flight) take(r *trace.Record) {
	a := f.field.arena
	switch {
	case r.Task == a.sender && r.Kind == trace.SendBegin && r.A == f.message:
		f.begin = r.At
	case f.begin == sim.Never:
	case r.Task == a.sender && r.Kind == trace.Publish && f.end == sim.Never:
		f.serial, f.queue = r.A, r.B
	case r.Task == a.sender && r.Kind == trace.SendEnd && f.end == sim.Never:
		f.end = r.At
		if !a.receives {
			f.over = r.At
		}
	case r.Task == a.receiver && r.Kind == trace.Handle && a.receives:
		if f.serial > 0 && r.B == f.queue && f.serial <= r.A {
			f.over = min(f.over, r.At)
		}
	}
}

// Score says how near the message is to being over the limit.
func (f *flight) Score() int64 { return f.score }

func (f *flight) scored() int64 {
	if f.begin == sim.Never {
		return f.hit()
	}
	if !f.blamed && f.over == sim.Never {
		if burst := f.cause(); burst >= 0 && !f.own(burst) {
			f.over = f.m.Now() // it counts elsewhere
			return 0
		} else if burst >= 0 {
			f.blamed = true
		}
	}
	own := f.blamed || f.of.burst < 0
	taken := min(f.m.Now(), f.over) - f.begin
	switch {
	case taken > f.field.limit:
		if own {
			return scoreOver
		}
		f.over = f.m.Now()
		return 0
	case f.over != sim.Never:
		return 0
	case own && (f.blamed || f.passed(taken) > 0):
		return scoreWaits + int64(f.passed(taken)) + f.stretched()
	}
	return f.hit()
}

// stretched is by how many stretches the burst of the stratum has lasted longer than its thread has
// run; those that it had before its end.
func (f *flight) stretched() int64 {
	if f.of.burst < 0 {
		return 0
	}
	if so, lasts := f.m.Lasted(f.field.bursts[f.of.burst]); lasts {
		by := f.m.Now() - f.seen[f.of.burst].came - so
		f.stretches = min(int64(by/stretch), stretchesMost)
	}
	return f.stretches
}

// own says whether a late message whose cause is the last of a burst belongs to the flight's
// stratum.
func (f *flight) own(burst int) bool {
	cell := f.belongs(burst)
	if f.of.burst < 0 {
		return cell < 0
	}
	return burst == f.of.burst && cell == f.of.cell
}

// hit is the score before the message waits.
func (f *flight) hit() int64 {
	if f.of.burst >= 0 && !f.forced {
		return 0
	}
	for i, load := range f.field.bursts {
		if (f.of.burst < 0 || i == f.of.burst) && f.displaces(load, f.matters) {
			return scoreHit
		}
	}
	return 1
}

// matters says whether a task that is kept from running may keep the message.
func (f *flight) matters(task int32) bool {
	return f.field.receives && f.m.Path(task) == "send" ||
		slices.ContainsFunc(f.field.needed, func(lock int32) bool {
			return f.m.Owner(lock) == task
		})
}

// waitsFor says whether the message waits for a task.
func (f *flight) waitsFor(task int32) bool {
	waiting := f.field.sender
	if f.end != sim.Never {
		waiting = f.field.receiver
	}
	for range f.field.workload.Tasks {
		if waiting = f.m.WaitsFor(waiting); waiting < 0 || waiting == task {
			break
		}
	}
	return waiting == task
}
