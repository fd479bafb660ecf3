package scenarios

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rtsim/designs"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// What is set from outside: the parameters of a scenario, and costs.

// splitSettings parts the settings of a scenario's parameters from those of costs.
func splitSettings(params []file.Parameter, set []file.Setting) (own, rest []file.Setting) {
	for _, s := range set {
		if slices.ContainsFunc(params, func(p file.Parameter) bool { return p.Name == s.Name }) {
			own = append(own, s)
		} else {
			rest = append(rest, s)
		}
	}
	return own, rest
}

// costsKey is where a file names its cost profile.
var costsKey = regexp.MustCompile(`(?m)^costs:[ \t]*`)

// FindProfile returns the cost profile that a file names. The error has the place of the name.
func FindProfile(name string, data []byte, profile string) (*designs.Profile, error) {
	if p, ok := designs.FindProfile(profile); ok {
		return p, nil
	}
	line, column := 1, 1
	if at := costsKey.FindIndex(data); at != nil {
		line += strings.Count(string(data[:at[0]]), "\n")
		column += at[1] - at[0]
	}
	return nil, file.Errors{{File: name, Line: line, Column: column,
		Message: unknownProfile(profile)}}
}

func unknownProfile(name string) string {
	var known []string
	for _, p := range designs.Profiles() {
		known = append(known, p.Name)
	}
	return fmt.Sprintf("unknown cost profile %q; known are %s", name, strings.Join(known, ", "))
}

// blamed is an error of the setting that asked for what does not exist, if one did: the last of
// the first of these names that is set. Else it is err, which is about the file.
func blamed(set []file.Setting, why string, err error, names ...string) error {
	for _, name := range names {
		for _, s := range slices.Backward(set) {
			if s.Name == name {
				return file.Errors{settingError(s, "%s", why)}
			}
		}
	}
	return err
}

// jitterName is the setting of a profile's jitter.
const jitterName = "cost_jitter_percent"

// jitterGreatest is the greatest that can be set, in percent.
const jitterGreatest = 50

// SetCosts applies settings to a profile. A name that is neither a cost nor among the parameters,
// which are set elsewhere, is an error with the near ones. The error is a file.Errors with every
// problem.
func SetCosts(p *designs.Profile, set []file.Setting, params []file.Parameter) error {
	wrong := unknownSettings(p, set, params)
	for _, s := range set {
		c, ok := p.Find(s.Name)
		size, isSize := p.FindSize(s.Name)
		v, err := sim.ParseTime(s.Value)
		n, notWhole := strconv.ParseUint(s.Value, 10, 31)
		switch {
		case s.Name == jitterName && (notWhole != nil || n > jitterGreatest):
			wrong = append(wrong, settingError(s, "write a whole number from 0 to %d",
				jitterGreatest))
		case s.Name == jitterName:
			p.JitterPercent = int32(n)
		case isSize && (notWhole != nil || int64(n) < size.Least || int64(n) > size.Greatest):
			wrong = append(wrong, settingError(s, "write a whole number from %d to %d",
				size.Least, size.Greatest))
		case isSize:
			size.Value = int64(n)
		case !ok:
		case err != nil:
			wrong = append(wrong, settingError(s, "%v", err))
		case v > c.Greatest && c.Greatest == 0:
			wrong = append(wrong, settingError(s, "in profile %s it is %s; choose another with "+
				"--set costs=NAME", p.Name, c.Greatest))
		case v < c.Least || v > c.Greatest:
			wrong = append(wrong, settingError(s, "out of range in profile %s; write %s to %s",
				p.Name, c.Least, c.Greatest))
		default:
			c.Typical = v
		}
	}
	if len(wrong) > 0 {
		return wrong
	}
	return nil
}

// settingError is a problem of a setting, in the form of a file's.
func settingError(s file.Setting, format string, args ...any) file.Error {
	return file.Error{File: "--set " + s.Name + "=" + s.Value,
		Message: fmt.Sprintf(format, args...)}
}

// settableNames are all that can be set.
func settableNames(p *designs.Profile, params []file.Parameter) []string {
	known := []string{jitterName}
	for i := range p.Costs {
		known = append(known, p.Costs[i].Name)
	}
	for i := range p.Sizes {
		known = append(known, p.Sizes[i].Name)
	}
	for i := range params {
		known = append(known, params[i].Name)
	}
	return known
}

// unknownSettings finds the names that are neither costs nor parameters, each with the near ones.
func unknownSettings(p *designs.Profile, set []file.Setting,
	params []file.Parameter) (wrong file.Errors) {
	known := settableNames(p, params)
	for _, s := range set {
		if !slices.Contains(known, s.Name) {
			wrong = append(wrong, settingError(s, "no parameter or cost is named %q%s", s.Name,
				meant(s.Name, known, "rtsim list --parameters lists them")))
		}
	}
	return wrong
}

// meant ends an error about an unknown name with what may have been meant, or what to do.
func meant(name string, known []string, instead string) string {
	if near := Near(name, known); len(near) > 0 {
		return "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return "; " + instead
}

// FindDesign returns a design by its bare or full name, its listings checked. The error lists the
// near ones.
func FindDesign(name string) (*designs.Design, error) {
	d, err := designs.Parse(name)
	if err == nil {
		return d, legal(d)
	}
	if !errors.Is(err, designs.ErrUnknown) {
		return nil, err
	}
	return nil, fmt.Errorf("unknown design %q%s", name,
		meant(name, designs.Names(), "rtsim list lists the designs"))
}

// legal says what is wrong with a design's listings, in any era.
func legal(d *designs.Design) error {
	for _, e := range designs.Eras() {
		in := d.In(e)
		if err := in.Paths.Check(); err != nil {
			return fmt.Errorf("design %s: %w", in.Variant, err)
		}
	}
	return nil
}

// FindDesigns returns designs by names, each once: "all" stands for every variant, and no name at
// all for every bare design. asked is what each was named by. The error is about all unknown names.
func FindDesigns(names []string) (asked []string, found []*designs.Design, err error) {
	var wrong []error
	add := func(name string, d *designs.Design, err error) {
		if err != nil {
			wrong = append(wrong, err)
		} else if !slices.Contains(asked, name) {
			asked, found = append(asked, name), append(found, d)
		}
	}
	if len(names) == 0 {
		for _, d := range designs.Bare() {
			add(d.Variant, d, legal(d))
		}
	}
	for _, name := range names {
		if name == "all" {
			for _, d := range designs.All() {
				add(d.Variant, d, legal(d))
			}
			continue
		}
		d, err := FindDesign(name)
		add(name, d, err)
	}
	return asked, found, errors.Join(wrong...)
}
