package explore

import (
	"slices"

	"rtsim/model"
	"rtsim/sim"
)

// What a window begins with. Where bursts are far apart, one that comes in a window was asked for
// before it: the gap begins where the last one ended, long ago. If nothing was answered but what
// has happened in the window, no burst of such a run could be moved. So the gap that such a load is
// in at the begin of a window is a question of the window, too: until the interrupt comes nothing
// depends on the answer but that it has not come. As an answer to the run it is one like the
// others, and a witness is repeated with it from the seed.
//
// Rejected: windows that begin before the last gap, as a run takes as long as its window; the same
// for bursts that are close, whose gaps a window has enough of.

// pendingAt are the questions for the gaps that a machine's loads are in.
func (a *arena) pendingAt(m *model.Machine, window sim.Time) (all []question) {
	tape := m.Tape()
	for id := range a.sites {
		site := a.sites[id]
		if site.kind != burstGap || !a.sparse(site.load, window) {
			continue
		}
		from, floor, is := m.Pending(site.load)
		due := m.Due(site.load)
		if !is || due <= m.Now() {
			continue
		}
		least, greatest := a.workload.Loads[site.load].Gap.Range()
		q := sim.Question{Site: sim.StreamID(id), Ordinal: tape.Ordinal(sim.StreamID(id)) - 1,
			Least: int64(max(least, floor-from, m.Now()+1-from)), Greatest: int64(greatest),
			Value: int64(due - from)}
		if q.Least < q.Greatest {
			all = append(all, question{Question: q, site: site, at: from})
		}
	}
	return all
}

// ask gives a machine at the begin of a window the answers to what was asked for before.
func (s *start) ask(m *model.Machine, pins []pin) {
	for i, q := range s.asked(pins) {
		if q.Value != s.pending[i].Value {
			m.SetGap(q.load, sim.Time(q.Value))
		}
	}
}

// asked are those questions, as they are answered.
func (s *start) asked(pins []pin) []question {
	all := slices.Clone(s.pending)
	for i := range all {
		q := &all[i]
		j, found := slices.BinarySearchFunc(pins, pin{site: q.Site, ordinal: q.Ordinal}, byQuestion)
		if found {
			q.Value = min(max(pins[j].value, q.Least), q.Greatest)
		}
	}
	return all
}
