package file

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// unitNames are the units of parameters.
var unitNames = []string{"duration", "integer", "share", "word", "rt_priority"}

// units read the values of each unit; a value is a number that orders them, 0 for a word.
var units = map[string]struct {
	parse    func(text string) (int64, error)
	want     string
	harmless string // a value that is right nearly everywhere
}{
	"duration": {func(text string) (int64, error) {
		t, err := parseTime(text)
		return int64(t), err
	}, "a duration, as in 250us", "1ms"},
	"integer":     {parseInteger, "a whole number", "1"},
	"share":       {parseShare, "a share, as in 0.35", "0.5"},
	"word":        {parseWord, "a word", "word"},
	"rt_priority": {parsePriority, "a priority, 1 to 99", "1"},
}

// unitValue gives the number of a value of a unit, 0 of what is none.
func unitValue(unit, text string) int64 {
	n, err := units[unit].parse(text)
	if err != nil {
		return 0
	}
	return n
}

const maxInteger = 1 << 31 // of a parameter, exclusive

func parseInteger(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || !isNumber.MatchString(text) || n <= -maxInteger || n >= maxInteger {
		return 0, fmt.Errorf("%s is no number; write a whole number", quote(text))
	}
	return n, nil
}

func parsePriority(text string) (int64, error) {
	n, ok := number(text, 1, 99)
	if !ok {
		return 0, fmt.Errorf("%s is no priority; write 1 to 99", quote(text))
	}
	return int64(n), nil
}

// isWord is what a word that stands for something looks like.
var isWord = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

func parseWord(text string) (int64, error) {
	if !isWord.MatchString(text) {
		return 0, fmt.Errorf("%s is no word; a word has letters, digits, point, _ and -",
			quote(text))
	}
	return 0, nil
}

// One is the whole in parts per million, in which shares are kept exactly.
const one = 1_000_000

// isShare is what a share looks like: at most six decimals.
var isShare = regexp.MustCompile(`^(0|1)(\.[0-9]{1,6})?$`)

// parseShare reads a share, 0 to 1, as parts per million.
func parseShare(text string) (int64, error) {
	if isShare.MatchString(text) {
		whole, decimals, _ := strings.Cut(text, ".")
		decimals += strings.Repeat("0", 6-len(decimals))
		n, err := strconv.ParseInt(whole+decimals, 10, 64)
		if err == nil && n <= one {
			return n, nil
		}
	}
	return 0, fmt.Errorf("%s is no share; write 0 to 1 with at most six decimals, as in 0.35",
		quote(text))
}

// share gives a share in parts per million.
func (r *reader) share(v value) (int64, bool) {
	text, ok := r.text(v, units["share"].want)
	if !ok {
		return 0, false
	}
	n, err := parseShare(text)
	if err != nil {
		r.node(v.Node, "%s: %v", v.what, err)
	}
	return n, err == nil
}

// reference is a parameter's name in the rest of the file.
var reference = regexp.MustCompile(`\$[A-Za-z0-9_]*`)

// substitute puts the parameters' values in place of every scalar that is one $name, below n but
// not below except. What is wrong there later is reported where the $name stands.
func (r *reader) substitute(n, except *yaml.Node) {
	if n == except {
		return
	}
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			continue // a key
		}
		if c.Kind == yaml.ScalarNode && c.Value != "" && reference.FindString(c.Value) == c.Value {
			if text, ok := r.expand(c.Value, position{c.Line, c.Column}); ok {
				r.from[c] = c.Value
				c.Value, c.Style = text, 0
			} else {
				r.from[c] = ""
			}
		}
		r.substitute(c, except)
	}
}

// expand puts the parameters' values in place of the $names in a text. In a workload file a $ has
// no meaning.
func (r *reader) expand(text string, at position) (string, bool) {
	if r.scenario == nil || !strings.Contains(text, "$") {
		return text, true
	}
	known := true
	text = reference.ReplaceAllStringFunc(text, func(name string) string {
		v, ok := r.parameter[name[1:]]
		if !ok {
			known = false
			r.unknownParameter(name, at)
		}
		return v
	})
	return text, known
}

func (r *reader) unknownParameter(name string, at position) {
	var names []string
	if len(r.found) < maxSuggested {
		for _, p := range r.scenario.Parameters {
			names = append(names, p.Name)
		}
	}
	if name == "$" {
		r.at(at, "a $ without a name; write the name of a parameter after it")
		return
	}
	r.at(at, "unknown parameter %s; %s", quote(name), r.suggestion(name[1:], names,
		"the parameters are", "declare it under parameters"))
}
