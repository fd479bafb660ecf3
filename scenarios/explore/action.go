package explore

import (
	"slices"

	"rtsim/sim"
)

// The actions of an exhaustive exploration, and when they are tried.

// act takes each action that is possible before or with the next event.
func (x *explorer) act(n *node, taken int, next sim.Time) error {
	for i := range x.bursts {
		b, s := &x.bursts[i], &n.bursts[i]
		if s.waiting {
			continue
		}
		from := max(s.nominal+s.length+b.gaps[0], s.floor)
		to := s.nominal + s.length + b.gaps[1]
		for l, length := range b.lengths {
			if l == 1 && length == b.lengths[0] {
				break
			}
			for _, at := range x.instants(n, next, length, from) {
				if at < from || at > to {
					continue
				}
				err := x.branch(taken, func(c *node) { x.strike(c, i, at, length) })
				if err != nil {
					return err
				}
			}
		}
	}
	for i := range n.releases {
		r := n.releases[i]
		for _, at := range x.instants(n, next, 0, r.earliest) {
			if at < r.earliest || at >= r.last {
				continue
			}
			if err := x.branch(taken, func(c *node) { x.release(c, i, at) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// branch goes on from a copy with one more action.
func (x *explorer) branch(taken int, do func(*node)) error {
	c := &x.depths[taken+1]
	c.copyFrom(&x.depths[taken])
	do(c)
	return x.from(taken + 1)
}

// instants are where an action may begin until the next event, in order; earliest is one if it lies
// there.
func (x *explorer) instants(n *node, next, length, earliest sim.Time) []sim.Time {
	at := []sim.Time{n.m.Now() + 1, next, earliest}
	if n.m.Steps() == 0 {
		at = append(at, n.m.Now()) // nothing has happened yet
	}
	if length > 0 {
		for id := range x.workload.Tasks {
			if ends := n.m.Release(int32(id)); ends != sim.Never {
				at = append(at, ends-length)
			}
		}
	}
	at = slices.DeleteFunc(at, func(t sim.Time) bool { return t <= n.m.Now() || t > next })
	slices.Sort(at)
	return slices.Compact(at)
}

// strike has a burst begin.
func (x *explorer) strike(n *node, i int, at, length sim.Time) {
	b, s := &x.bursts[i], &n.bursts[i]
	tape := n.m.Tape()
	gaps, lengths := tape.Name(sim.StreamID(b.gap)), tape.Name(sim.StreamID(b.length))
	n.answers = append(n.answers,
		Answer{Site: gaps, Ordinal: s.number, Value: int64(at - s.nominal - s.length)},
		Answer{Site: lengths, Ordinal: s.number, Value: int64(length)},
		Answer{Site: gaps, Ordinal: s.number + 1, Value: int64(b.gaps[1])})
	tape.Answer(sim.StreamID(b.length), s.number, int64(length))
	tape.Answer(sim.StreamID(b.gap), s.number+1, int64(b.gaps[1]))
	n.m.Strike(b.load, at)
	*s = burstState{number: s.number + 1, nominal: at, length: length, waiting: true}
}

// release has a task be released.
func (x *explorer) release(n *node, i int, at sim.Time) {
	r := n.releases[i]
	n.answers = append(n.answers, Answer{Site: n.m.Tape().Name(r.site), Ordinal: r.ordinal,
		Value: int64(at - r.earliest)})
	n.m.SetRelease(r.task, at)
	n.releases = slices.Delete(n.releases, i, i+1)
}

// asked says whether a question was asked so far.
func (x *explorer) asked(n *node, a Answer) bool {
	tape := n.m.Tape()
	for id := range x.sites {
		if site := sim.StreamID(id); tape.Name(site) == a.Site {
			return a.Ordinal < tape.Ordinal(site)
		}
	}
	return false
}
