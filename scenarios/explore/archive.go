package explore

import (
	"math/bits"
	"slices"

	"rtsim/sim"
)

// The archive of a search: what it may move from.

// niche is the best run of one kind of blame chain.
type niche struct {
	signature string
	best      candidate
	view      *view
	moved     int // how often it was moved from
}

// keep puts a run in the archive if it is the best of its kind.
func (s *searcher) keep(c *candidate) error {
	v, err := s.look(c)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(s.archive, func(n niche) bool { return n.signature == v.signature })
	if i < 0 {
		if len(s.archive) == archiveMost { // the shortest goes
			i = 0
			for j := range s.archive {
				if s.archive[j].best.worst.total() < s.archive[i].best.worst.total() {
					i = j
				}
			}
			s.archive[i] = niche{}
		} else {
			i = len(s.archive)
			s.archive = append(s.archive, niche{})
		}
		s.note(v.signature)
	}
	n := &s.archive[i]
	if n.view == nil || level(c.worst.total()) >= level(n.best.worst.total()) {
		n.signature, n.best, n.view = v.signature, c.clone(), v
	}
	return nil
}

// note keeps the kinds of chains for the report.
func (s *searcher) note(signature string) {
	if !slices.Contains(s.report.Signatures, signature) {
		s.report.Signatures = append(s.report.Signatures, signature)
	}
}

// pick chooses a run to move from.
func (s *searcher) pick() *niche {
	chosen := &s.archive[0]
	best := s.mover.below(10) < 7
	for i := range s.archive {
		n := &s.archive[i]
		if best && n.best.worst.total() > chosen.best.worst.total() ||
			!best && n.moved < chosen.moved {
			chosen = n
		}
	}
	return chosen
}

// level rounds a time down to one of 16 steps of each doubling. Runs of one level are equally good:
// a search that climbed by nanoseconds would stay where steps take a little longer, and would not
// wander to where somebody waits for another.
func level(t sim.Time) int {
	n := bits.Len64(uint64(t))
	return n<<4 + int(uint64(t)<<(64-n)>>59&15)
}
