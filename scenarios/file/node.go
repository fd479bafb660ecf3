package file

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"rtsim/sim"
)

// value is one value of the file and what messages call it.
type value struct {
	*yaml.Node
	what string
}

// wrong reports that a value is not what is wanted. An alias is reported already.
func (r *reader) wrong(v value, want string) {
	if v.Kind == yaml.AliasNode {
		return
	}
	if len(r.found) == maxFound { // spare the description
		r.more++
		return
	}
	r.node(v.Node, "%s is %s; write %s", v.what, describe(v.Node), want)
}

// describe says what stands in the file in place of something else.
func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case isEmpty(n):
		return "empty"
	case isQuoted(n):
		return "the text " + quote(n.Value)
	case isNumber.MatchString(n.Value) && len(n.Value) <= maxQuoted:
		return n.Value
	}
	return quote(n.Value)
}

// isEmpty says whether a key has no value.
func isEmpty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Tag == "!!null"
}

// isQuoted says whether a scalar is a text whatever it looks like.
func isQuoted(n *yaml.Node) bool { return n.Style&^yaml.TaggedStyle != 0 }

// isNumber is what a whole number looks like: decimal, without a leading zero.
var isNumber = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)

// text gives a scalar's text; want is what to write instead of something else.
func (r *reader) text(v value, want string) (string, bool) {
	if v.Kind != yaml.ScalarNode || isEmpty(v.Node) {
		r.wrong(v, want)
		return "", false
	}
	return v.Value, true
}

// integer gives a whole number between bounds.
func (r *reader) integer(v value, least, greatest int64) (int64, bool) {
	if v.Kind == yaml.ScalarNode && !isQuoted(v.Node) && isNumber.MatchString(v.Value) {
		n, err := strconv.ParseInt(v.Value, 10, 64)
		if err == nil && n >= least && n <= greatest {
			return n, true
		}
	}
	r.wrong(v, wholeNumber(least, greatest))
	return 0, false
}

// wholeNumber says which numbers are right.
func wholeNumber(least, greatest int64) string {
	if least == greatest {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("a whole number from %d to %d", least, greatest)
}

// boolean gives true or false.
func (r *reader) boolean(v value) bool {
	if v.Kind == yaml.ScalarNode && !isQuoted(v.Node) && (v.Value == "true" || v.Value == "false") {
		return v.Value == "true"
	}
	r.wrong(v, "true or false")
	return false
}

// choice gives the index of one of several names.
func (r *reader) choice(v value, names []string) (int, bool) {
	all := "one of " + strings.Join(names, ", ")
	text, ok := r.text(v, all)
	if !ok {
		return 0, false
	}
	for i, name := range names {
		if text == name {
			return i, true
		}
	}
	r.node(v.Node, "%s is %s; %s", v.what, describe(v.Node),
		r.suggestion(text, names, "write one of", "write "+all))
	return 0, false
}

// duration gives a time with its unit.
func (r *reader) duration(v value) (sim.Time, bool) {
	text, ok := r.text(v, "a duration, as in 250us")
	if !ok {
		return 0, false
	}
	t, err := parseTime(text)
	if err != nil {
		r.node(v.Node, "%s: %v", v.what, err)
		return 0, false
	}
	return t, true
}

// parseTime is sim.ParseTime with an error that does not repeat a long text.
func parseTime(text string) (sim.Time, error) {
	if len(text) > maxQuoted {
		return 0, fmt.Errorf("duration %s is too long; write one number and one unit, as in 250us",
			quote(text))
	}
	return sim.ParseTime(text)
}

// list gives the items of a list, each with a name.
func (r *reader) list(v value, item, want string) []value {
	if v.Kind != yaml.SequenceNode {
		r.wrong(v, want)
		return nil
	}
	items := make([]value, len(v.Content))
	for i, n := range v.Content {
		items[i] = value{n, item}
	}
	return items
}

// key is what a mapping may have.
type key struct {
	name     string
	example  string // the key with a value
	required bool
}

// fields are the values of a mapping.
type fields struct {
	node   *yaml.Node
	owner  string // what messages call the mapping; "" is the file itself
	values map[string]*yaml.Node
}

// fields gives the values of a mapping that may have these keys. Unknown keys are reported, and
// so are the missing ones, with what.
func (r *reader) fields(n *yaml.Node, owner string, keys []key) fields {
	f := fields{n, owner, map[string]*yaml.Node{}}
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		if k.Kind != yaml.ScalarNode || k.Value == "<<" && k.Style == 0 {
			continue // plainKeys has reported it
		}
		if f.values[k.Value] == nil {
			f.values[k.Value] = n.Content[i+1]
			r.known(k, f, names)
		}
	}
	return f
}

// known reports a key that is none of the names.
func (r *reader) known(k *yaml.Node, f fields, names []string) {
	for _, name := range names {
		if k.Value == name {
			return
		}
	}
	if f.owner == "" || f.owner == aTask {
		for _, name := range r.grammar.foreignKeys {
			if k.Value == name {
				r.foreign = true
				r.node(k, "key %s belongs to %s", name, r.grammar.foreign)
				return
			}
		}
	}
	where := f.owner
	if where == "" {
		where = r.grammar.file
	}
	keys := "the keys of " + where + " are"
	r.node(k, "unknown key %s of %s; %s", quote(k.Value), where,
		r.suggestion(k.Value, names, keys, keys+" "+strings.Join(names, ", ")))
}

// missing reports the required keys that a mapping does not have.
func (r *reader) missing(f fields, keys []key) {
	for _, k := range keys {
		if !k.required || f.values[k.name] != nil {
			continue
		}
		who := f.owner
		if who == "" {
			who = "the file"
		}
		r.node(f.node, "%s has no %s; add %s", who, k.name, k.example)
	}
}

// get gives the value of a key, if it is there.
func (f fields) get(name string) (value, bool) {
	n := f.values[name]
	what := name
	if f.owner != "" {
		what += " of " + f.owner
	}
	return value{n, what}, n != nil
}
