package explore

import "rtsim/sim"

// Plan is how Search looks.
type Plan struct {
	Seed        uint64   // of the search's own draws
	Evaluations int      // runs at most; 0: DefaultEvaluations
	Target      sim.Time // stop at the first message that is longer; 0: go on
	Bound       sim.Time // stop at 95 % of it; 0: none is known
	Window      sim.Time // how long a run is; 0: DefaultWindow
}

// What a plan has if it does not say otherwise.
const (
	DefaultEvaluations = 20_000
	DefaultWindow      = 4 * sim.Millisecond // longer if the bound is
	windowMost         = 20 * sim.Millisecond
)

// leadsTo is how much of a window lies before the message that it is laid around: two bursts of the
// published experiment and what lies between.
const leadsTo = 2500 * sim.Microsecond

// SearchReport is how a search went.
type SearchReport struct {
	Evaluations int         // runs
	Steps       int64       // of the machine, in all of them
	AtBest      int         // after how many runs the best was found
	Restarts    int         // with the run of another seed
	Signatures  []string    // the kinds of chains that were met, longest message first
	Moves       []MoveCount // how often each was tried, and helped
}

// MoveCount is one move of a search.
type MoveCount struct {
	Move          string
	Tried, Helped int
}

func (p Plan) filled() Plan {
	if p.Evaluations == 0 {
		p.Evaluations = DefaultEvaluations
	}
	if p.Window == 0 {
		p.Window = max(DefaultWindow, min(leadsTo+p.Bound+sim.Millisecond/2, windowMost))
	}
	return p
}
