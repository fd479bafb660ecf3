package file

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// maxDepth bounds the nesting of nodes; a correct file needs four.
const maxDepth = 32

// document gives the root of the file's one document, or nil if there is none to go on with.
func (r *reader) document(data []byte) *yaml.Node {
	if len(data) > maxBytes {
		r.at(position{1, 1}, "the file is larger than 8 MB; %s has at most %d bytes",
			r.grammar.file, maxBytes)
		return nil
	}
	if !r.isText(data) {
		return nil
	}
	r.lines = sourceLines(data)
	loader, err := yaml.NewLoader(bytes.NewReader(data),
		yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthValue(maxDepth))))
	if err != nil {
		panic(fmt.Sprintf("file: the YAML loader refuses its options: %v", err))
	}
	var first, second yaml.Node
	if err := loader.Load(&first); err != nil {
		r.syntax(err)
		return nil
	}
	if err := loader.Load(&second); err == nil {
		r.node(&second, "a second document begins here; %s is one document", r.grammar.file)
	} else if !errors.Is(err, io.EOF) {
		r.syntax(err)
	}
	if len(first.Content) == 0 || isEmpty(first.Content[0]) {
		r.nothing()
		return nil
	}
	r.plainNodes(first.Content[0])
	return first.Content[0]
}

// nothing reports a file without content.
func (r *reader) nothing() {
	r.at(position{1, 1}, "the file is empty; it needs at least cpus and tasks")
}

// isText reports the first byte that no text file has, or the first piece too many. The rest of
// such a file says nothing.
func (r *reader) isText(data []byte) bool {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		r.at(position{1, 1}, "the file is UTF-16; save it as UTF-8")
		return false
	}
	pos, pieces := position{1, 1}, 0
	for i := 0; i < len(data); {
		c, size := utf8.DecodeRune(data[i:])
		switch {
		case c == utf8.RuneError && size == 1:
			r.at(pos, "byte 0x%02x is not UTF-8; %s is UTF-8 text", data[i], r.grammar.file)
			return false
		case isControl(c):
			r.at(pos, "control character %U; %s is UTF-8 text", c, r.grammar.file)
			return false
		}
		if c == '\n' || c == '\r' || c == ',' || c == ';' {
			pieces++
		}
		if pieces > maxPieces {
			r.at(pos, "the file goes on after %d lines, commas and semicolons; %s has at most "+
				"so many", maxPieces, r.grammar.file)
			return false
		}
		i += size
		switch {
		case c == '\n', c == '\r' && (i == len(data) || data[i] != '\n'):
			pos = position{pos.line + 1, 1}
		case c != '\ufeff' || i != size: // a byte order mark takes no column
			pos.column++
		}
	}
	return true
}

// isControl says whether YAML forbids a character.
func isControl(c rune) bool {
	return c < ' ' && c != '\t' && c != '\n' && c != '\r' ||
		c >= 0x7f && c <= 0x9f && c != 0x85 || c == 0xfffe || c == 0xffff
}

// syntax reports an error of the YAML loader, which stops at its first.
func (r *reader) syntax(err error) {
	if errors.Is(err, io.EOF) {
		r.nothing()
		return
	}
	var e *yaml.LoadError
	if !errors.As(err, &e) {
		r.at(position{1, 1}, "not YAML: %v; rtsim help %s shows a correct file", err,
			r.grammar.topic)
		return
	}
	where := ""
	if e.ContextMark.Line > 0 && e.ContextMark != e.Mark {
		where = fmt.Sprintf(" (%s that begins at %d:%d)",
			e.ContextMsg, e.ContextMark.Line, e.ContextMark.Column)
	}
	pos := position{max(e.Mark.Line, 1), max(e.Mark.Column, 1)}
	r.at(pos, "not YAML: %s%s; %s", e.Message, where, r.remedy(e.Message, pos))
}

// remedies say what would be right, by a part of the YAML loader's message.
var remedies = []struct{ part, remedy string }{
	{"mapping values are not allowed", `indent keys alike, and quote a text that has ": " in it`},
	{"',' or ']'", "separate the items with commas and close the list with ]"},
	{"',' or '}'", "separate the keys with commas and close the mapping with }"},
	{"end of stream", "close the quotes"},
	{"anchor", "write the value out, a file has no anchors or aliases"},
	{"max depth", "a file nests four deep"},
	{"tab", "indent with spaces"},
	{"YAML document", "leave the directive out"},
	{"directive", "leave the directive out, or quote a text that begins with %"},
	{"could not find expected ':'", "write key: value"},
	{"did not find expected key", "indent the keys of a mapping alike"},
	{"'-' indicator", "begin each item of the list with -, indented alike"},
}

// remedy says what would be right in place of a syntax error.
func (r *reader) remedy(message string, pos position) string {
	if strings.Contains(message, "cannot start any token") && pos.line <= len(r.lines) {
		rest, _ := r.lines[pos.line-1].from(pos.column)
		if c, _ := utf8.DecodeRuneInString(rest); rest != "" && c != '\t' {
			return fmt.Sprintf("quote a text that begins with %c", c)
		}
		return "indent with spaces"
	}
	for _, m := range remedies {
		if strings.Contains(message, m.part) {
			return m.remedy
		}
	}
	return "rtsim help " + r.grammar.topic + " shows a correct file"
}

// plainNodes reports what YAML allows and a workload file does not, on every node below n. The
// depth of n is bounded by maxDepth.
func (r *reader) plainNodes(n *yaml.Node) {
	switch {
	case n.Kind == yaml.AliasNode:
		r.node(n, "alias *%s; write the value out, a file has no anchors or aliases", n.Value)
		return
	case n.Anchor != "":
		r.node(n, "anchor &%s; write the value out, a file has no anchors or aliases", n.Anchor)
	case n.Style&yaml.TaggedStyle != 0:
		r.node(n, "tag %s; leave it out, a file has no tags", n.Tag)
	}
	if n.Kind == yaml.MappingNode {
		r.plainKeys(n)
	}
	for _, c := range n.Content {
		r.plainNodes(c)
	}
}

// plainKeys reports the keys of a mapping that are no text, or come twice.
func (r *reader) plainKeys(n *yaml.Node) {
	first := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		switch {
		case k.Kind == yaml.AliasNode:
		case k.Kind != yaml.ScalarNode:
			r.node(k, "the key is %s; a key is a name", describe(k))
		case k.Value == "<<" && k.Style == 0:
			r.node(k, "merge key <<; write the keys out, a file has no anchors or aliases")
		case first[k.Value] != nil:
			r.node(k, "key %s comes a second time, after line %d; leave one of them out",
				quote(k.Value), first[k.Value].Line)
		default:
			first[k.Value] = k
		}
	}
}
