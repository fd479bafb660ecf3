package explore

import (
	"context"
	"fmt"
	"math"
	"slices"

	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/sim"
)

// Bounded exhaustive exploration: all runs, up to a horizon, in which an adversary acts at most k
// times. An action is a burst that begins on a CPU, of the least or the greatest length, or the
// release of a task whose period has jitter. Time is an integer, but an exploration that tried each
// nanosecond would not end, and need not: with a given order of events a message's time is a
// linear function of the instants of the actions, so its greatest value is where one of them meets
// another event, or comes just after it. So an action is tried, between two neighbouring events,
// 1 ns after the first, together with the second, as soon as it may begin, and where a burst that
// begins then ends together with something whose instant is known (backward alignment).
//
// States that were met before are not gone on from: the same state, with as many actions left, has
// the same future, and a message that has taken less so far will take less (dominance). A state's
// key is all of the machine's state but what only counts (its digest and steps) and the begin of
// the message, in 128 bits.
//
// Lengths between the extremes, and instants at which nothing else happens, are left out. If a
// scenario asks for more than bursts and releases, the rest is the seed's, and Complete is false.
//
// Rejected: partial-order reduction, since real time orders nearly all events; to choose all
// instants at the begin, and so to run the prefix that runs have in common again for each.

// Exhausted is what an exhaustive exploration says.
type Exhausted struct {
	Nodes    int64 // states that were gone on from
	Hits     int64 // states that were met before
	Best     Found
	Complete bool   // every run with so many actions was looked at
	Why      string // it is not
}

// Exhaust explores the runs of a scenario from its start up to a horizon in which an adversary acts
// up to k times. It comes to so many states at most, those that it met before included, and is not
// complete if there are more. If the context ends, what was found so far is returned with its
// error.
func Exhaust(ctx context.Context, p *Problem, k int, horizon sim.Time, states int64) (
	Exhausted, error) {
	x, err := newExplorer(ctx, p, k, horizon)
	if err != nil {
		return Exhausted{}, err
	}
	x.statesMost = states
	x.states = map[stateKey]sim.Time{}
	return x.all()
}

// newExplorer prepares an exploration. states nil: states that were met before are not recognized.
func newExplorer(ctx context.Context, p *Problem, k int, horizon sim.Time) (*explorer, error) {
	if k < 0 || horizon <= 0 || horizon > sim.Longest {
		return nil, fmt.Errorf("%d actions until %s: write 0 or more, and a time above 0", k,
			horizon)
	}
	a, err := newArena(p)
	if err != nil {
		return nil, err
	}
	x := &explorer{arena: a, ctx: ctx, horizon: horizon, statesMost: math.MaxInt64}
	x.withhold()
	x.depths = make([]node, k+1)
	first := &x.depths[0]
	first.m = model.New(x.workload, x.costs, p.Seed)
	first.m.Keep(trace.SendBegin, trace.SendEnd, trace.Publish, trace.Handle)
	first.m.Tape().Listen()
	for i := range x.depths[1:] {
		x.depths[i+1].m = first.m.Clone()
	}
	first.bursts = make([]burstState, len(x.bursts))
	return x, nil
}

// explorer is an exploration in progress.
type explorer struct {
	*arena
	ctx        context.Context
	horizon    sim.Time
	statesMost int64
	bursts     []burst
	depths     []node // by the number of actions taken; a node's successors reuse its memory
	states     map[stateKey]sim.Time
	keys       keyMaker
	report     Exhausted
	best       message
}

// burst is a load whose bursts are actions.
type burst struct {
	load, gap, length int // gap, length: sites
	gaps, lengths     [2]sim.Time
}

// burstState is what is known of its bursts.
type burstState struct {
	number  uint64   // of the next one
	nominal sim.Time // of the last one, or 0
	length  sim.Time // of the last one
	waiting bool     // the last one is not over
	floor   sim.Time // the next one is not before
}

// release is a task that sleeps until a release with jitter.
type release struct {
	task           int32
	earliest, last sim.Time
	site           sim.StreamID
	ordinal        uint64
}

// node is a state.
type node struct {
	m        *model.Machine
	bursts   []burstState
	releases []release
	open     []sentMessage
	asked    int // questions that were looked at
	answers  []Answer
}

// sentMessage is a message that is not over.
type sentMessage struct {
	message
	serial, queue int32
}

func (n *node) copyFrom(src *node) {
	n.m.CopyFrom(src.m)
	n.m.Trace = n.m.Trace[:0]
	n.bursts = append(n.bursts[:0], src.bursts...)
	n.releases = append(n.releases[:0], src.releases...)
	n.open = append(n.open[:0], src.open...)
	n.answers = append(n.answers[:0], src.answers...)
	n.asked = src.asked
}

// withheldMost is how many releases of a task are withheld.
const withheldMost = 64

// withhold answers all questions for bursts and releases with the latest that there is.
func (x *explorer) withhold() {
	tape := model.New(x.workload, x.costs, x.problem.Seed).Tape()
	for id := range x.sites {
		switch s := x.sites[id]; s.kind {
		case burstGap:
			d := &x.workload.Loads[s.load]
			b := burst{load: s.load, gap: id, length: id - 1}
			b.gaps[0], b.gaps[1] = d.Gap.Range()
			b.lengths[0], b.lengths[1] = d.Length.Range()
			x.bursts = append(x.bursts, b)
			x.answer(Answer{Site: tape.Name(sim.StreamID(id)), Value: int64(b.gaps[1])})
		case arrival:
			for n := range uint64(withheldMost) {
				x.answer(Answer{Site: tape.Name(sim.StreamID(id)), Ordinal: n, Value: 1<<63 - 1})
			}
		}
	}
}

func (x *explorer) answer(a Answer) { x.workload.Answers = append(x.workload.Answers, a) }

// all explores.
func (x *explorer) all() (Exhausted, error) {
	x.report.Complete = true
	err := x.from(0)
	if x.best.total() > 0 {
		if wrong := x.confirm(&x.report.Best); wrong != nil {
			return Exhausted{}, wrong
		}
	}
	return x.report, err
}

func (x *explorer) incomplete(why string) {
	if x.report.Complete {
		x.report.Complete, x.report.Why = false, why
	}
}

// from goes on from the node with so many actions, and from all that one more action makes of it.
func (x *explorer) from(taken int) error {
	n := &x.depths[taken]
	for {
		if err := x.ctx.Err(); err != nil {
			x.incomplete("it was ended")
			return err
		}
		next := n.m.Next()
		if next > x.horizon {
			return nil
		}
		if x.report.Nodes+x.report.Hits >= x.statesMost {
			x.incomplete(fmt.Sprintf("there are more than %d", x.statesMost))
			return nil
		}
		if x.known(n, len(x.depths)-1-taken) {
			x.report.Hits++
			return nil
		}
		x.report.Nodes++
		if taken+1 < len(x.depths) {
			if err := x.act(n, taken, next); err != nil {
				return err
			}
		}
		if err := n.m.Run(next); err != nil {
			return x.failed(x.problem.Seed, err)
		}
		x.settle(n)
	}
}

// settle takes an event into account.
func (x *explorer) settle(n *node) {
	for i := range x.bursts {
		b, s := &x.bursts[i], &n.bursts[i]
		due := n.m.Due(b.load)
		if s.waiting && due != sim.Never && due > s.nominal && n.m.Now() > s.nominal {
			s.waiting, s.floor = false, n.m.Now()+x.workload.Loads[b.load].Floor
		}
	}
	n.releases = slices.DeleteFunc(n.releases, func(r release) bool {
		return n.m.Release(r.task) == sim.Never
	})
	for _, q := range n.m.Tape().Asked()[n.asked:] {
		n.asked++
		switch s := x.sites[q.Site]; {
		case s.kind == arrival:
			if last := n.m.Release(s.task); last != sim.Never {
				n.releases = append(n.releases, release{task: s.task,
					earliest: last - sim.Time(q.Value-q.Least), last: last, site: q.Site,
					ordinal: q.Ordinal})
			}
		case s.kind != burstGap && s.kind != burstLength && q.Least < q.Greatest:
			x.incomplete("the run asks for more than bursts and releases, as " +
				n.m.Tape().Name(q.Site))
		}
	}
	for i := range n.m.Trace {
		x.follow(n, &n.m.Trace[i])
	}
	n.m.Trace = n.m.Trace[:0]
}

// follow follows the messages.
func (x *explorer) follow(n *node, r *trace.Record) {
	switch {
	case r.Kind == trace.SendBegin && (r.Task != x.sender || r.At < x.earliest):
	case r.Kind == trace.SendBegin:
		n.open = append(n.open, sentMessage{message: message{number: r.A, begin: r.At}})
	case r.Task == x.sender && len(n.open) > 0 && r.Kind == trace.Publish:
		last := &n.open[len(n.open)-1]
		last.serial, last.queue = r.A, r.B
	case r.Task == x.sender && len(n.open) > 0 && r.Kind == trace.SendEnd && !x.receives:
		x.over(n, n.open[len(n.open)-1].message, r.At)
		n.open = n.open[:0]
	case r.Task == x.receiver && r.Kind == trace.Handle && x.receives:
		n.open = slices.DeleteFunc(n.open, func(s sentMessage) bool {
			is := s.serial > 0 && s.queue == r.B && s.serial <= r.A
			if is {
				x.over(n, s.message, r.At)
			}
			return is
		})
	}
}

// over keeps the longest message.
func (x *explorer) over(n *node, m message, at sim.Time) {
	m.over = at
	if m.total() <= x.best.total() {
		return
	}
	x.best = m
	x.report.Best = Found{Seed: x.problem.Seed, Until: at + sim.Microsecond, Message: m.number,
		Begin: m.begin, Total: m.total()}
	for _, a := range slices.Concat(x.workload.Answers, n.answers) { // a later one replaces
		same := func(b Answer) bool { return a.Site == b.Site && a.Ordinal == b.Ordinal }
		answers := slices.DeleteFunc(x.report.Best.Answers, same)
		if x.asked(n, a) {
			answers = append(answers, a)
		}
		x.report.Best.Answers = answers
	}
}
