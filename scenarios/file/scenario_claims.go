package file

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"rtsim/sim"
)

// Claim is something that should hold of the designs it names: the metric is over a time never,
// or with at most a probability.
type Claim struct {
	Name       string
	Metric     string   // one of Metrics
	Over       sim.Time // values strictly above count
	AtMost     float64  // the greatest probability of such a value; 0: never
	Confidence float64  // with which that is to be shown; 0 if never
	Designs    []string // as asked for, with their variants
}

// Metrics are what claims can be about, named as in the results.
var Metrics = []string{"send", "receive", "response", "irq_start", "low_preempt_off"}

var claimKeys = []key{
	{"name", "name, a text", true},
	{"metric", "metric: send", true},
	{"never_over", "never_over: 100us", false},
	{"over", "over: 100us", false},
	{"at_most", "at_most: 1e-6", false},
	{"confidence", "confidence: 0.99", false},
	{"designs", "designs: [doorbell]", true},
}

// isDesign is what the name of a design looks like, with its variants.
var isDesign = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*(/[a-z0-9]+([-+][a-z0-9]+)*)?$`)

func (r *reader) claims(v value) {
	const example = "as in {name: sends are never late, metric: send, never_over: 100us, " +
		"designs: [doorbell]}"
	line := map[string]int{}
	for _, item := range r.list(v, "a claim", "a list of claims") {
		f, ok := r.mapping(item, example, claimKeys)
		if !ok {
			continue
		}
		c := Claim{Name: r.sentence(f, "name")}
		if n, ok := f.get("name"); ok && c.Name != "" {
			if line[c.Name] > 0 {
				r.node(n.Node, "a claim is named %s, as is the one on line %d; "+
					"give each its own name", quote(c.Name), line[c.Name])
			}
			line[c.Name] = n.Line
			f.owner = "claim " + quote(c.Name)
		}
		if m, ok := f.get("metric"); ok {
			k, _ := r.choice(m, Metrics)
			c.Metric = Metrics[k]
		}
		r.limit(f, &c)
		r.claimed(f, &c)
		r.scenario.Claims = append(r.scenario.Claims, c)
	}
}

// limit reads what a claim allows: never_over, or over with at_most and confidence.
func (r *reader) limit(f fields, c *Claim) {
	never, hasNever := f.get("never_over")
	over, hasOver := f.get("over")
	if hasNever {
		over = never
	}
	if hasNever || hasOver {
		c.Over, _ = r.duration(over)
	} else {
		r.node(f.node, "%s has no never_over; "+
			"add never_over: 100us, or over, at_most and confidence", f.owner)
	}
	probabilities := map[string]*float64{"at_most": &c.AtMost, "confidence": &c.Confidence}
	for _, key := range []string{"over", "at_most", "confidence"} {
		v, ok := f.get(key)
		switch {
		case ok && hasNever:
			r.node(v.Node, "%s has never_over and %s; take one out", f.owner, key)
		case ok && key != "over":
			*probabilities[key], _ = r.probability(v)
		case !ok && hasOver && !hasNever:
			examples := map[string]string{"at_most": "1e-6", "confidence": "0.99"}
			r.node(f.node, "%s has over and no %s; add %s: %s, or write never_over", f.owner, key,
				key, examples[key])
		}
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

// claimed reads the designs of a claim.
func (r *reader) claimed(f fields, c *Claim) {
	v, ok := f.get("designs")
	if !ok {
		return
	}
	items := r.list(v, "a design in "+v.what, "a list of designs, as in [doorbell]")
	if v.Kind == yaml.SequenceNode && len(items) == 0 {
		r.node(v.Node, "%s is an empty list; name at least one", v.what)
	}
	for _, item := range items {
		name, ok := r.text(item, "the name of a design")
		if ok {
			r.design(item, name)
		}
		c.Designs = append(c.Designs, strings.TrimSpace(name))
	}
}

// design reports a name that no design has.
func (r *reader) design(v value, name string) {
	if !isDesign.MatchString(name) {
		r.wrong(v, "the name of a design, as in doorbell or doorbell/first-wake")
		return
	}
	if r.wrongDesign == nil || len(r.found) == maxFound {
		return
	}
	if why := r.wrongDesign(name); why != "" {
		r.node(v.Node, "%s: %s", v.what, why)
	}
}
