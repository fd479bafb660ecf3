package file

import (
	"regexp"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v4"
)

// What one claim says. The key that says it makes the kind; a claim has exactly one, and the keys
// that this one needs, and no others.

// claimed reads what a claim says.
func (r *reader) claimed(f fields, c *Claim) {
	kind := r.claimKind(f)
	if kind < 0 {
		if _, ok := f.get("metric"); ok {
			r.claimMetric(f, c, Metrics)
		}
		return
	}
	k := &claimKinds[kind]
	c.Kind = k.kind
	if k.hasTimes {
		r.claimMetric(f, c, k.metrics)
	} else if v, ok := f.get("metric"); ok {
		r.node(v.Node, "%s has %s and metric; take one out", f.owner, k.kind)
	}
	r.claimValue(f, c)
	for _, with := range []string{"at_most", "confidence", "by_more_than", "whatever_runs_on"} {
		v, has := f.get(with)
		switch needed := slices.Contains(k.with, with); {
		case has && !needed && !slices.Contains(k.may, with):
			r.node(v.Node, "%s has %s and %s; take one out", f.owner, k.kind, with)
		case has:
			r.claimWith(with, v, c)
		case needed:
			r.node(f.node, "%s has %s and no %s; add %s, or %s", f.owner, k.kind, with,
				exampleOf(with), k.instead)
		}
	}
}

// claimKind is the index of what the claim says, -1 if it says nothing.
func (r *reader) claimKind(f fields) int {
	found := -1
	for i := range claimKinds {
		v, ok := f.get(string(claimKinds[i].kind))
		switch {
		case ok && found >= 0:
			r.node(v.Node, "%s has %s and %s; take one out", f.owner, claimKinds[found].kind,
				claimKinds[i].kind)
		case ok:
			found = i
		}
	}
	if found < 0 {
		r.node(f.node, "%s has no never_over; add never_over: 100us, or over, at_most and "+
			"confidence, or another of what a claim may say", f.owner)
	}
	return found
}

// exampleOf is a key with a value.
func exampleOf(name string) string {
	i := slices.IndexFunc(claimKeys, func(k key) bool { return k.name == name })
	return claimKeys[i].example
}

// claimMetric reads which times the claim is about.
func (r *reader) claimMetric(f fields, c *Claim, metrics []string) {
	m, ok := f.get("metric")
	if !ok {
		r.node(f.node, "%s has no metric; add metric: send", f.owner)
		return
	}
	if k, ok := r.choice(m, metrics); ok {
		c.Metric = metrics[k]
	}
}

// claimValue reads the value of the key that makes the kind.
func (r *reader) claimValue(f fields, c *Claim) {
	v, _ := f.get(string(c.Kind))
	switch c.Kind {
	case NeverOver, AtMost, Unmoved:
		c.Over, _ = r.duration(v)
	case Delivers:
		r.only(v, "all")
	case Order:
		r.only(v, "kept")
	case Windows:
		r.only(v, "none")
	case NeverLater:
		if name, ok := r.text(v, "the name of a design"); ok {
			r.design(v, name)
			c.Than = name
		}
	}
}

// only reads a word that is the only one.
func (r *reader) only(v value, word string) {
	if text, ok := r.text(v, word); ok && text != word {
		r.wrong(v, word)
	}
}

// claimWith reads a key that some kinds need.
func (r *reader) claimWith(name string, v value, c *Claim) {
	switch name {
	case "at_most":
		c.AtMost, _ = r.probability(v)
	case "confidence":
		c.Confidence, _ = r.probability(v)
		if c.Confidence > 0 && c.Confidence <= 0.5 {
			r.wrong(v, "a probability above 0.5 and below 1, as in 0.99")
		}
	case "by_more_than":
		c.Over, _ = r.duration(v)
	case "whatever_runs_on":
		items := r.list(v, "a CPU of "+v.what, "a list of CPUs, as in [0, 1]")
		if v.Kind == yaml.SequenceNode && len(items) == 0 {
			r.node(v.Node, "%s is an empty list; name at least one", v.what)
		}
		for _, item := range items {
			n, ok := r.integer(item, 0, r.maxCPU)
			switch {
			case ok && slices.Contains(c.CPUs, int32(n)):
				r.node(item.Node, "CPU %d comes twice in %s; name it once", n, v.what)
			case ok:
				c.CPUs = append(c.CPUs, int32(n))
			}
		}
		slices.Sort(c.CPUs)
		c.CPUsAt = Place{v.Line, v.Column}
	}
}

// isProbability is what a probability looks like.
var isProbability = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?(e-[0-9]+)?$`)

// probability gives a number above 0 and below 1.
func (r *reader) probability(v value) (float64, bool) {
	text, ok := r.text(v, "a probability, as in 1e-6 or 0.99")
	if !ok {
		return 0, false
	}
	p, err := strconv.ParseFloat(text, 64)
	if err != nil || !isProbability.MatchString(text) || p <= 0 || p >= 1 {
		r.wrong(v, "a probability above 0 and below 1, as in 1e-6 or 0.99")
		return 0, false
	}
	return p, true
}
