package designs

import "strings"

// Every profile has two more that are derived from it by name: with each cost at the least or at
// the greatest of its range, and without jitter, which would leave the range. A bound or a search
// for the worst case is asked of them; no machine is all at its greatest.

// extremes are the ends of the names.
var extremes = []struct{ suffix, about string }{
	{"-least", "every cost at its least"},
	{"-greatest", "every cost at its greatest"},
}

// FindProfile returns the profile of a name, or the one derived from it: orin-7.4-greatest.
func FindProfile(name string) (*Profile, bool) {
	for _, p := range Profiles() {
		if p.Name == name {
			return p, true
		}
		for _, e := range extremes {
			if base, ends := strings.CutSuffix(name, e.suffix); ends && base == p.Name {
				p.Name, p.About, p.JitterPercent = name, p.About+"; "+e.about, 0
				p.toEnd(e.suffix == "-greatest")
				return p, true
			}
		}
	}
	return nil, false
}

// toEnd puts every cost at an end of its range.
func (p *Profile) toEnd(greatest bool) {
	for i := range p.Costs {
		c := &p.Costs[i]
		c.Typical = c.Least
		if greatest {
			c.Typical = c.Greatest
		}
	}
}
