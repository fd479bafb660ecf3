package explore

import (
	"rtsim/model"
	"rtsim/sim"
)

// Conditional redraw. A burst meets a lock in one draw: its length is drawn at its interrupt, and
// its start at the end of the one before. A clone that keeps what was drawn has little left that
// could be different. So a clone draws anew what has been drawn and has not shown itself:
//
//   - a burst that has run for e: its length, given that it is more than e;
//   - the gap to a load's next interrupt: given that it has not come; while a burst lasts, freely;
//   - how late a periodic task's release is: given that it has not come.
//
// Why that is right. Call what has happened up to an instant the past: it is a function of the
// draws that have shown themselves, and of the events "it has not come yet", nothing else, since
// until it comes no step of the machine depends on when it does. Draws are independent, so given
// the past each pending one has its own distribution given only that it has not come, and these
// are independent. The state without the pending draws, with the times elapsed, is a Markov process
// by itself: a clone may take any pending values from that distribution, and splitting of a Markov
// process is unbiased (L'Ecuyer, Demers, Tuffin, ACM TOMACS 17(2), 2007). It follows what a score
// may look at: the past. One that looked at a pending value, such as when a burst will end, would
// select by it, and to draw it anew then would be wrong.
//
// A draw that is left as it is, is right as well: the cost of a step, the length of a device's
// handler. Both are short.
//
// Exactness. A larger draw never gives a shorter time, so the draws that give a longer time than
// so much are those from one on: a draw among these is one of the distribution given that, for all
// shapes, measured ones too (sim.Dist.Above).

// window is a condition on a load's next interrupt, beside that it has not come: it comes by until.
type window struct {
	load  int // -1: none
	until sim.Time
}

var noWindow = window{load: -1}

// redraw draws anew what is pending in a machine.
func redraw(m *model.Machine, w *model.Workload, draws *sim.Stream, held window) {
	for i := range w.Loads {
		d := &w.Loads[i]
		gap, length := draws.Bits(), draws.Bits()
		if from, floor, is := m.Pending(i); is {
			g := gapsUntil(d, from, floor, m.Now(), held.of(i))
			if !g.none {
				m.SetGap(i, g.at(&d.Gap, gap))
			}
		} else if so, is := m.Lasted(i); is {
			if first, some := d.Length.Above(so); some {
				m.SetLength(i, d.Length.Among(first, 0, length), d.Gap.At(gap))
			}
		}
	}
	for task := range int32(len(w.Tasks)) {
		if nominal, most, is := m.Late(task); is {
			least := max(m.Now()+1-nominal, 0)
			m.SetRelease(task, nominal+sim.Time(draws.Between(int64(least), int64(most))))
		}
	}
}

// of is until when a load's interrupt comes; sim.Never: nothing is known.
func (w window) of(load int) sim.Time {
	if w.load == load {
		return w.until
	}
	return sim.Never
}

// gaps are the draws of a gap with which an interrupt comes within a time: those from first on,
// before end, an end of 0 being 2^64; and all draws with which it comes at all from then on are
// those from first on.
type gaps struct {
	first, end uint64
	none       bool
}

// gapsUntil are the draws with which a load's interrupt that is pending comes after an instant, and
// at until or before. The gap before it began at from, and it does not come before the floor.
func gapsUntil(d *model.LoadDecl, from, floor, after, until sim.Time) (g gaps) {
	if floor <= after {
		var some bool
		if g.first, some = d.Gap.Above(after - from); !some {
			return gaps{none: true}
		}
	}
	if until == sim.Never {
		return g
	}
	if until < floor {
		return gaps{none: true}
	}
	end, some := d.Gap.Above(until - from)
	if some && end <= g.first {
		return gaps{none: true}
	}
	if some {
		g.end = end
	}
	return g
}

// at is a gap by one of the draws.
func (g gaps) at(d *sim.Dist, draw uint64) sim.Time { return d.Among(g.first, g.end, draw) }

// share is how probable these draws are, given that it is one from the first on.
func (g gaps) share() float64 {
	switch {
	case g.none:
		return 0
	case g.end == 0:
		return 1
	case g.first == 0:
		return float64(g.end) / (1 << 64)
	}
	return float64(g.end-g.first) / float64(-g.first) // 2^64 - first
}
