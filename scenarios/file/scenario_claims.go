package file

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"rtsim/sim"
)

// Claim is something that should hold of the designs it names.
type Claim struct {
	Name   string
	Kind   ClaimKind
	Metric string // one of Metrics; "" if the kind has none
	// Over is what values must be strictly above to count; of NeverLater: by how much greater.
	Over       sim.Time
	AtMost     float64  // of AtMost: the greatest probability of such a value
	Confidence float64  // with which that is to be shown
	Than       string   // of NeverLater: the other design, as asked for
	CPUs       []int32  // of Unmoved: where anything may run, ascending
	CPUsAt     Place    // where the file says so
	Designs    []string // as asked for, with their variants
}

// ClaimKind is what a claim says, named by the key that says it.
type ClaimKind string

// The kinds.
const (
	NeverOver  ClaimKind = "never_over"       // no value is above a time
	AtMost     ClaimKind = "over"             // a value is above it with at most a probability
	Delivers   ClaimKind = "delivers"         // every message is handled that was not refused
	Order      ClaimKind = "order"            // and none after one that was sent later
	Windows    ClaimKind = "hand_off_windows" // none waits for a sender whom nothing boosts
	NeverLater ClaimKind = "never_later_than" // no message is later than with another design
	Unmoved    ClaimKind = "moves_at_most"    // whatever runs on some CPUs, by no more than a time
)

// claimKinds are the kinds with what else they need, beside name and designs.
var claimKinds = []struct {
	kind     ClaimKind
	with     []string // other keys, all required
	may      []string // others that are not
	instead  string   // what makes another claim of the same values, for messages
	hasTimes bool     // so metric is required, and may be of these:
	metrics  []string
}{
	{NeverOver, nil, nil, "", true, Metrics},
	{AtMost, []string{"at_most", "confidence"}, nil, "write never_over", true, Metrics},
	{Delivers, nil, nil, "", false, nil},
	{Order, nil, nil, "", false, nil},
	{Windows, nil, nil, "", false, nil},
	{NeverLater, nil, []string{"by_more_than"}, "", true, pairedMetrics},
	{Unmoved, []string{"whatever_runs_on"}, nil, "write never_over", true, pairedMetrics},
}

// Metrics are what claims can be about, named as in the results.
var Metrics = []string{"send", "receive", "response", "irq_start", "low_preempt_off"}

// pairedMetrics are those that each message has, so that two runs can be compared by it.
var pairedMetrics = Metrics[:3]

var claimKeys = []key{
	{"name", "name, a text", true},
	{"metric", "metric: send", false},
	{"never_over", "never_over: 100us", false},
	{"over", "over: 100us", false},
	{"at_most", "at_most: 1e-6", false},
	{"confidence", "confidence: 0.99", false},
	{"delivers", "delivers: all", false},
	{"order", "order: kept", false},
	{"hand_off_windows", "hand_off_windows: none", false},
	{"never_later_than", "never_later_than: futex-oneshot", false},
	{"by_more_than", "by_more_than: 1us", false},
	{"moves_at_most", "moves_at_most: 1us", false},
	{"whatever_runs_on", "whatever_runs_on: [0, 1]", false},
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
		r.claimed(f, &c)
		r.claimedDesigns(f, &c)
		r.scenario.Claims = append(r.scenario.Claims, c)
	}
}

// claimedDesigns reads the designs of a claim.
func (r *reader) claimedDesigns(f fields, c *Claim) {
	v, ok := f.get("designs")
	if !ok {
		return
	}
	items := r.list(v, "a design in "+v.what, "a list of designs, as in [doorbell]")
	if v.Kind == yaml.SequenceNode && len(items) == 0 {
		r.node(v.Node, "%s is an empty list; name at least one", v.what)
	}
	for _, item := range items {
		text, ok := r.text(item, "the name of a design")
		name := strings.TrimSpace(text)
		switch {
		case !ok:
		case slices.Contains(c.Designs, name):
			r.node(item.Node, "%s names %s twice; take one out", v.what, name)
		case name == c.Than:
			r.node(item.Node, "%s: %s is compared with itself; name another design", v.what, name)
		default:
			r.design(item, text)
		}
		c.Designs = append(c.Designs, name)
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
