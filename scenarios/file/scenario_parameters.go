package file

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Parameter is a number or a word of a scenario that is set from outside; texts are as in the file.
type Parameter struct {
	Name            string
	Value           string // in this reading
	Default         string // the file's
	Least, Greatest string // "" if OneOf bounds it, or nothing does
	OneOf           []string
	Unit            string // duration, integer, share, word or rt_priority
	Meaning, Source string
}

// ScenarioParameters gives what may be set in a scenario file. Errors are those of its parameters.
func ScenarioParameters(name string, data []byte) ([]Parameter, error) {
	r := newReader(name, scenarioGrammar())
	r.scenario = &Scenario{}
	if root := r.document(data); root != nil {
		r.declareParameters(root)
	}
	if len(r.found) > 0 {
		return nil, r.sorted()
	}
	return r.scenario.Parameters, nil
}

// parameters reads the parameters and what is set, and puts the values into the rest of the file.
func (r *reader) parameters(root *yaml.Node, set []Setting) {
	section := r.declareParameters(root)
	for _, s := range set {
		r.set(s)
	}
	r.parameter, r.from = map[string]string{}, map[*yaml.Node]string{}
	for _, p := range r.scenario.Parameters {
		r.parameter[p.Name] = p.Value
	}
	r.substitute(root, section)
}

var parameterKeys = []key{
	{"value", "value: 500us", true},
	{"unit", "unit: duration", true},
	{"least", "least: 1us", false},
	{"greatest", "greatest: 1ms", false},
	{"one_of", "one_of: [a, b]", false},
	{"meaning", "meaning, a text", true},
	{"source", "source: assumed", true},
}

// isParameter is what the name of a parameter looks like: all of it can follow a $ in a task's
// name, which may go on with a -.
var isParameter = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// declareParameters reads the parameters of a file and gives the node that has them.
func (r *reader) declareParameters(root *yaml.Node) *yaml.Node {
	if root.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value != "parameters" || root.Content[i].Kind != yaml.ScalarNode {
			continue
		}
		section := root.Content[i+1]
		r.pairs(value{section, "parameters"}, "as in parameters: {send_period: {...}}",
			r.declareParameter)
		return section
	}
	return nil
}

func (r *reader) declareParameter(name *yaml.Node, of value) {
	if !isParameter.MatchString(name.Value) {
		r.node(name, "a parameter is named %s; a name has letters, digits and _, a letter first",
			quote(name.Value))
		return
	}
	of.what = "parameter " + quoteUnlessName(name.Value)
	const example = "as in {value: 5us, least: 1us, greatest: 1ms, unit: duration, " +
		"meaning: ..., source: ...}"
	f, ok := r.mapping(of, example, parameterKeys)
	if !ok {
		return
	}
	p := Parameter{Name: name.Value}
	p.Meaning = r.sentence(f, "meaning")
	p.Source = r.sentence(f, "source")
	if v, ok := f.get("unit"); ok {
		if k, ok := r.choice(v, unitNames); ok {
			p.Unit = unitNames[k]
			r.bounds(f, &p)
		}
	}
	if p.Unit != "" {
		r.valueOf(f, &p)
	}
	r.scenario.Parameters = append(r.scenario.Parameters, p)
}

// sentence reads a text that must not be empty.
func (r *reader) sentence(f fields, key string) string {
	v, ok := f.get(key)
	if !ok {
		return ""
	}
	text, ok := r.text(v, "a text")
	if ok && strings.TrimSpace(text) == "" {
		r.wrong(v, "a text")
	}
	return text
}

// bounds reads a parameter's range: least and greatest, or a list, or nothing for a word.
func (r *reader) bounds(f fields, p *Parameter) {
	list, listed := f.get("one_of")
	for _, key := range []string{"least", "greatest"} {
		v, ok := f.get(key)
		switch {
		case ok && p.Unit == "word":
			r.node(v.Node, "%s is a word, which has no %s; "+
				"take it out, or list the words in one_of", f.owner, key)
		case ok && listed:
			r.node(v.Node, "%s has one_of and %s; take one out", f.owner, key)
		case ok && r.inUnit(v, p.Unit):
			*map[string]*string{"least": &p.Least, "greatest": &p.Greatest}[key] = v.Value
		case ok:
		case !listed && p.Unit != "word":
			r.node(f.node, "%s has no %s; add least and greatest, or one_of", f.owner, key)
		}
	}
	if p.Least != "" && p.Greatest != "" &&
		unitValue(p.Unit, p.Least) > unitValue(p.Unit, p.Greatest) {
		v, _ := f.get("greatest")
		r.node(v.Node, "%s is %s, less than least; write at least %s", v.what, describe(v.Node),
			p.Least)
		p.Greatest = "" // said once
	}
	if !listed {
		return
	}
	items := r.list(list, "an item in "+list.what, "a list, as in [a, b]")
	if list.Kind == yaml.SequenceNode && len(items) == 0 {
		r.node(list.Node, "%s is an empty list; name at least one", list.what)
	}
	for _, item := range items {
		if r.inUnit(item, p.Unit) {
			p.OneOf = append(p.OneOf, item.Value)
		}
	}
}

// inUnit reports a value that a unit does not have.
func (r *reader) inUnit(v value, unit string) bool {
	text, ok := r.text(v, units[unit].want)
	if !ok {
		return false
	}
	if _, err := units[unit].parse(text); err != nil {
		r.node(v.Node, "%s: %v", v.what, err)
		return false
	}
	return true
}

// valueOf reads a parameter's value; in place of a wrong one the file gets one of its range, so
// that what uses it is not reported too.
func (r *reader) valueOf(f fields, p *Parameter) {
	v, ok := f.get("value")
	if ok = ok && r.inUnit(v, p.Unit); ok {
		p.Value = v.Value
		if why := p.outside(v.Value); why != "" {
			r.node(v.Node, "%s is %s; %s", v.what, describe(v.Node), why)
			ok = false
		}
	}
	if !ok {
		p.Value = units[p.Unit].harmless
		if len(p.OneOf) > 0 {
			p.Value = p.OneOf[0]
		} else if p.Least != "" {
			p.Value = p.Least
		}
	}
	p.Default = p.Value
}

// outside says what would be right in place of a value outside of the range; "" if it is inside.
// Preconditions: the value is one of the unit.
func (p *Parameter) outside(text string) string {
	n := unitValue(p.Unit, text)
	switch {
	case p.OneOf != nil && p.Unit == "word":
		if !slices.Contains(p.OneOf, text) {
			return "write one of " + strings.Join(p.OneOf, ", ")
		}
	case p.OneOf != nil:
		same := func(one string) bool { return unitValue(p.Unit, one) == n }
		if !slices.ContainsFunc(p.OneOf, same) {
			return "write one of " + strings.Join(p.OneOf, ", ")
		}
	case p.Least != "" && n < unitValue(p.Unit, p.Least),
		p.Greatest != "" && n > unitValue(p.Unit, p.Greatest):
		switch {
		case p.Greatest == "":
			return "write at least " + p.Least
		case p.Least == "":
			return "write at most " + p.Greatest
		}
		return fmt.Sprintf("write %s to %s", p.Least, p.Greatest)
	}
	return ""
}

// set gives a parameter the value that is set from outside.
func (r *reader) set(s Setting) {
	report := func(format string, args ...any) {
		r.add("--set "+s.Name+"="+s.Value, position{}, format, args...)
	}
	var names []string
	for i := range r.scenario.Parameters {
		p := &r.scenario.Parameters[i]
		names = append(names, p.Name)
		if p.Name != s.Name {
			continue
		}
		if p.Unit == "" {
			return // reported where it is declared
		}
		if _, err := units[p.Unit].parse(s.Value); err != nil {
			report("%v", err)
		} else if why := p.outside(s.Value); why != "" {
			report("%s is %s; %s", s.Name, quote(s.Value), why)
		} else {
			p.Value = s.Value
		}
		return
	}
	instead := "rtsim list --parameters lists them"
	if len(names) == 0 {
		instead = "the file has none"
	}
	report("unknown parameter %s; %s", quote(s.Name),
		r.suggestion(s.Name, names, "the parameters are", instead))
}
