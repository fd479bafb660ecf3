// Package cert checks certificates of analytic bounds. It rebuilds every term from the listings
// and the scenario by itself and shares no code with scenarios/bound, which makes them: a bound is
// proved only if both agree.
package cert

import "rtsim/sim"

// Certificate is what a bound claims of itself: its value and the terms that add up to it.
type Certificate struct {
	Metric string // "send" or "receive"
	Value  sim.Time
	Terms  []Term
}

// Term is one named addend of the value.
type Term struct {
	Name string
	Ns   sim.Time
}
