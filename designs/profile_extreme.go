package designs

import (
	"strings"

	"rtsim/sim"
)

// Every profile has two more that are derived from it by name: with each cost at the least or at
// the greatest of its range, and without jitter, which would leave the range. A bound or a search
// for the worst case is asked of them; no machine is all at its greatest.

// extremes are the ends of the names, and the value that each cost takes.
var extremes = []struct {
	suffix, about string
	of            func(*Cost) sim.Time
}{
	{"-least", "every cost at its least", func(c *Cost) sim.Time { return c.Least }},
	{"-greatest", "every cost at its greatest", func(c *Cost) sim.Time { return c.Greatest }},
}

// FindProfile returns the profile of a name, or the one derived from it: orin-7.4-greatest.
func FindProfile(name string) (*Profile, bool) {
	for _, p := range Profiles() {
		if p.Name == name {
			return p, true
		}
		for _, e := range extremes {
			if base, ends := strings.CutSuffix(name, e.suffix); ends && base == p.Name {
				for i := range p.Costs {
					p.Costs[i].Typical = e.of(&p.Costs[i])
				}
				p.Name, p.About, p.JitterPercent = name, p.About+"; "+e.about, 0
				return p, true
			}
		}
	}
	return nil, false
}
