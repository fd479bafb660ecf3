package scenarios

import (
	"fmt"
	"slices"
	"strconv"

	"rtsim/designs"
	"rtsim/scenarios/file"
)

// IsPaid says whether a cost of the designs' listings is assumed and on the paths of a design, or
// of one that some queue has whatever is tested; and whether a size is one of theirs.
func (c *Case) IsPaid(cost string, d *designs.Design) bool {
	pays := func(d *designs.Design) bool {
		return slices.Contains(d.AssumedCosts(c.Profile), cost) || d.HasSize(cost)
	}
	for _, name := range c.Scenario.Designs {
		if own, err := designs.Parse(name); name != "" && err == nil && pays(own) {
			return true
		}
	}
	return pays(d)
}

// Settable finds what may be set in a case by its name: a parameter of the scenario, or a cost,
// which is given as a parameter too. The error about an unknown name has the near ones.
func (c *Case) Settable(name string) (*file.Parameter, error) {
	for i := range c.Scenario.Parameters {
		if c.Scenario.Parameters[i].Name == name {
			return &c.Scenario.Parameters[i], nil
		}
	}
	if cost, ok := c.Profile.Find(name); ok {
		p := &file.Parameter{Name: name, Unit: "duration", Meaning: "cost of profile " +
			c.Profile.Name, Source: cost.Source}
		p.Value, p.Default = p.Text(int64(cost.Typical)), p.Text(int64(cost.Typical))
		p.Least, p.Greatest = p.Text(int64(cost.Least)), p.Text(int64(cost.Greatest))
		return p, nil
	}
	if name == jitterName {
		jitter := strconv.Itoa(int(c.Profile.JitterPercent))
		return &file.Parameter{Name: name, Unit: "integer", Value: jitter, Default: jitter,
			Least: "0", Greatest: strconv.Itoa(jitterGreatest), Source: "assumed",
			Meaning: "each step's cost varies evenly within so many percent of its value"}, nil
	}
	if size, ok := c.Profile.FindSize(name); ok {
		return sizeParameter(size), nil
	}
	known := settableNames(c.Profile, c.Scenario.Parameters)
	return nil, fmt.Errorf("no parameter or cost is named %q%s", name,
		meant(name, known, "rtsim list --parameters lists them"))
}

// Sizes are the sizes of the designs' structures, as parameters.
func (c *Case) Sizes() (all []file.Parameter) {
	for i := range c.Profile.Sizes {
		all = append(all, *sizeParameter(&c.Profile.Sizes[i]))
	}
	return all
}

func sizeParameter(s *designs.Size) *file.Parameter {
	text := func(n int64) string { return strconv.FormatInt(n, 10) }
	return &file.Parameter{Name: s.Name, Unit: "integer", Value: text(s.Value),
		Default: text(s.Typical), Least: text(s.Least), Greatest: text(s.Greatest),
		Meaning: s.Meaning, Source: s.Source}
}

// legalSizes says of a size that was set which design breaks a rule of paths with it.
func (c *Case) legalSizes(set []file.Setting) error {
	for _, s := range set {
		if _, ok := c.Profile.FindSize(s.Name); !ok {
			continue
		}
		for _, d := range designs.All() {
			sized := d.In(c.Era).Sized(c.Profile)
			if err := sized.Paths.Check(); err != nil {
				return file.Errors{settingError(s, "with kernel %s %s can't have it: %v",
					c.Era.Kernel, d.Variant, err)}
			}
		}
	}
	return nil
}
