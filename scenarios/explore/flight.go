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
//
// Score. What makes a message late is a task in the middle of a path whose CPU a burst has: the
// longer that will take, and the more certainly it is what the message waits for, the greater the
// score. A burst's length and the gap after it are drawn when its interrupt has been handled, so
// the interrupt in the middle of a path is worth attempts before that is drawn, and a burst that is
// due at the right time is worth some before it is known what it will meet:
//
//	1    a burst is due that may last until the message is over the limit
//	2    in a moment
//	3    of a receive: its interrupt has the CPU of a task in the middle of a send
//	4    or of one that owns a lock which the sender, or the receiver, takes now and then
//	5    and for which the message waits already
//	+4   for each burst that needs not come any more, since the present one is long enough
//
// and the greatest is that of a message that has taken longer than the limit.

// field is what all flights of an estimate have in common.
type field struct {
	*arena
	strata []stratum
	starts []takeoff // of the stratum that is flown
	limit  sim.Time
	bursts []int    // loads
	least  int64    // how many bursts are needed to be over the limit
	length sim.Time // of the longest
	needed []int32  // locks that the message takes now and then, but for raw ones
}

// takeoff is where a flight may start.
type takeoff struct {
	m       *model.Machine
	message int32
	release sim.Time
	locks   []int32 // that the sender took before the next message, sorted, but for raw ones
}

const (
	scoreHit   = 3 // a task in the middle of a path is displaced
	scoreBurst = 4 // for each burst that has come
	burstsMost = 8 // that a limit may take
	scoreOver  = scoreHit + 3 + scoreBurst*burstsMost
)

// flight is a state of the process.
type flight struct {
	field   *field
	m       *model.Machine // of its own; nil: not started
	seed    uint64         // by which the start is chosen
	message int32
	release sim.Time
	begin   sim.Time // of the call; sim.Never: it has not begun
	end     sim.Time // of the call
	over    sim.Time // of the message
	serial  int32    // 0: not published
	queue   int32
	score   int64
}

// newFlight has not started.
func newFlight(f *field) *flight { return &flight{field: f} }

// CopyFrom makes it equal to another one, in its own memory.
func (f *flight) CopyFrom(src *flight) {
	m := f.m
	*f = *src
	if src.m == nil {
		return
	}
	if f.m = m; f.m == nil {
		f.m = src.m.Clone()
		return
	}
	f.m.CopyFrom(src.m)
}

// Reseed has all later draws come from that seed, the start too if it is not chosen yet.
func (f *flight) Reseed(seed uint64) {
	f.seed = seed
	if f.started() {
		f.m.Tape().Reseed(seed)
	}
}

func (f *flight) started() bool { return f.release != 0 }

// start chooses one of the starts.
func (f *flight) start() {
	s := sim.NewStream(f.seed, "explore/start")
	from := &f.field.starts[s.Between(0, int64(len(f.field.starts)-1))]
	if f.m == nil {
		f.m = from.m.Clone()
	} else {
		f.m.CopyFrom(from.m)
	}
	f.m.Tape().Reseed(f.seed)
	f.message, f.release = from.message, from.release
	f.begin, f.end, f.over = sim.Never, sim.Never, sim.Never
	f.serial, f.score = 0, 0
}

// Step moves on by one instant.
func (f *flight) Step() bool {
	if !f.started() {
		f.start()
		return true
	}
	if f.over != sim.Never {
		return false
	}
	f.m.Trace = f.m.Trace[:0]
	if err := f.m.Run(f.m.Next()); err != nil {
		f.over = f.m.Now() // a fault ends it; what it found is below the target
		return true
	}
	for i := range f.m.Trace {
		f.take(&f.m.Trace[i])
	}
	f.score = f.scored()
	return true
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
	limit, from := f.field.limit, f.release
	if f.begin != sim.Never {
		from = f.begin
		if min(f.m.Now(), f.over)-f.begin > limit {
			return scoreOver
		}
	}
	if f.over != sim.Never {
		return 0
	}
	best := f.threatened(from)
	for id := range f.field.workload.Tasks {
		task := int32(id)
		cpu, is := f.m.Displaced(task)
		if !is || task == f.field.sender || task == f.field.receiver {
			continue
		}
		until, drawn := f.m.Now(), int64(0)
		load := f.m.Handles(cpu)
		switch {
		case load < 0:
			if curr := f.m.Current(cpu); curr >= 0 && curr != task {
				until += f.m.Remains(curr)
			}
		case f.field.workload.Loads[load].Kind != model.LoadBurst:
			continue
		default:
			drawn = 1 // one will come whose length is open
		}
		more := int64((max(from+limit-until, 0) + f.field.length - 1) / f.field.length)
		if done := f.field.least - more; done+drawn > 0 {
			best = max(best, f.worth(task, max(done, 0), drawn))
		}
	}
	return best
}

// moment is how long before a burst it is near.
const moment = 20 * sim.Microsecond

// threatened is the score of bursts that are due at the right time.
func (f *flight) threatened(from sim.Time) int64 {
	score := int64(0)
	for _, load := range f.field.bursts {
		due, soon := f.m.Due(load), f.m.Now()+moment
		if due > max(from+moment, soon) ||
			due+sim.Time(f.field.least)*f.field.length <= from+f.field.limit {
			continue
		}
		score = max(score, 1)
		if due <= soon {
			return 2
		}
	}
	return score
}

// worth is the score of a displaced task; 0 if it keeps nobody. done bursts need not come any more,
// drawn says that one comes whose length is open.
func (f *flight) worth(task int32, done, drawn int64) int64 {
	switch {
	case f.waitsFor(task):
		return scoreHit + 2 + drawn + scoreBurst*done
	case slices.ContainsFunc(f.field.needed, func(lock int32) bool {
		return f.m.Owner(lock) == task
	}):
		return scoreHit + 1 + drawn + scoreBurst*done
	case f.field.receives && f.m.Path(task) == "send": // it may have taken the wake-up on itself
		return scoreHit + drawn + scoreBurst*done
	}
	return 0
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
