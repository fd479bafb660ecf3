package file

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// Where a word of a program stands in the source. YAML gives the place of the whole scalar; the
// place of a character in it follows if the source shows the scalar's text as it is: on one line,
// without escapes, or as a literal block. Otherwise the scalar's place stands for all of it.

// maxWalked bounds the lines whose columns are found by walking over their characters; in lines of
// ASCII alone a column is an offset.
const maxWalked = 64 << 10

// sourceLine is a line of the source without its end.
type sourceLine struct {
	text  string
	ascii bool
}

// sourceLines cuts the source into lines.
func sourceLines(data []byte) []sourceLine {
	text := strings.TrimPrefix(string(data), "\ufeff")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var lines []sourceLine
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r", "\n"), "\n") {
		ascii := strings.IndexFunc(line, func(c rune) bool { return c >= utf8.RuneSelf }) < 0
		lines = append(lines, sourceLine{line, ascii})
	}
	return lines
}

// from gives the rest of a line from a column on, counted from 1; false if there is no such
// column, or none that is found in reasonable time.
func (l sourceLine) from(column int) (string, bool) {
	if column < 1 || column > len(l.text) || !l.ascii && len(l.text) > maxWalked {
		return "", false
	}
	if l.ascii {
		return l.text[column-1:], true
	}
	for at := range l.text {
		if column--; column == 0 {
			return l.text[at:], true
		}
	}
	return "", false
}

// place knows where the characters of one scalar stand.
type place struct {
	start  position // of the scalar
	exact  bool     // else every character stands at start
	line   int      // of the first character
	column int      // of the first character of each line of the text
}

// placeOf finds where the text of a scalar stands.
func (r *reader) placeOf(n *yaml.Node) place {
	p := place{start: position{n.Line, n.Column}}
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return r.blockPlace(n, p)
	}
	if n.Line > len(r.lines) {
		return p
	}
	source, ok := r.lines[n.Line-1].from(n.Column)
	p.line, p.column = n.Line, n.Column
	for _, style := range []struct {
		style yaml.Style
		quote string
	}{{yaml.SingleQuotedStyle, "'"}, {yaml.DoubleQuotedStyle, `"`}} {
		if n.Style&style.style != 0 {
			p.exact = ok && strings.HasPrefix(source, style.quote+n.Value+style.quote)
			p.column++
			return p
		}
	}
	p.exact = ok && strings.HasPrefix(source, n.Value)
	return p
}

// blockPlace is placeOf for the scalars written below a | or a >.
func (r *reader) blockPlace(n *yaml.Node, p place) place {
	text := strings.Split(strings.TrimRight(n.Value, "\n"), "\n")
	if n.Style&yaml.FoldedStyle != 0 && len(text) > 1 {
		return p
	}
	for k, line := range text {
		at := n.Line + k // an index: the text begins on the line below the | or >
		if at >= len(r.lines) || !strings.HasSuffix(r.lines[at].text, line) {
			return p
		}
		if line == "" {
			continue
		}
		indent := strings.TrimSuffix(r.lines[at].text, line)
		column := len(indent) + 1
		if p.column != 0 && p.column != column || strings.Trim(indent, " ") != "" {
			return p
		}
		p.column = column
	}
	p.exact, p.line = p.column != 0, n.Line+1
	return p
}

// of gives the position of the character that has line and column in the text, counted from 0.
func (p place) of(line, column int) position {
	if !p.exact {
		return p.start
	}
	return position{p.line + line, p.column + column}
}
