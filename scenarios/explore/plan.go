package explore

import "rtsim/sim"

// Plan is how Search looks.
type Plan struct {
	Seed        uint64   // of the search's own draws
	Evaluations int      // runs at most; 0: DefaultEvaluations
	Target      sim.Time // stop at the first message that is longer; 0: go on
	Bound       sim.Time // stop at 95 % of it; 0: none is known
	// Window is how long a run is, to the end. 0: DefaultWindow, and a message that is not over
	// then is followed for as long as a bound says that it may take, or for followMost.
	Window sim.Time
	follow sim.Time
}

// What a plan has if it does not say otherwise.
const (
	DefaultEvaluations = 20_000
	DefaultWindow      = 4 * sim.Millisecond
	followMost         = 50 * sim.Millisecond
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
		p.Window, p.follow = DefaultWindow, followMost
		if p.Bound > 0 {
			p.follow = min(p.Bound, 4*followMost)
		}
	}
	return p
}
