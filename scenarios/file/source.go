package file

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// Where a word of a program stands in the source. YAML gives the place of the whole scalar. It
// folds lines and takes escapes away, but every character of the text that is not blank stands in
// the source too, in the same order: so one walk over both finds each. Rejected: to undo YAML's
// rules of folding, which say only where blanks come from.

// maxWalked bounds the lines whose columns are found by walking over their characters; in lines of
// ASCII alone a column is an offset.
const maxWalked = 4 << 10

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

// place walks over the source of one scalar. Once source and text differ, which a $name in place of
// the text makes, the scalar's own place stands for what is left.
type place struct {
	start  position // of the scalar
	lost   bool     // source and text differ
	quote  rune     // what the scalar is quoted with: its escapes; 0 if with nothing
	lines  []sourceLine
	line   int    // an index: the line of rest
	column int    // of rest
	rest   string // of the line, from the next character on
}

// placeOf stands before the first character of a scalar's text.
func (r *reader) placeOf(n *yaml.Node) *place {
	p := &place{start: position{n.Line, n.Column}, lines: r.lines, line: n.Line - 1,
		column: n.Column}
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		p.lost = !p.nextLine() // the text begins on the line below the | or >
		return p
	}
	ok := n.Line <= len(p.lines)
	if ok {
		p.rest, ok = p.lines[p.line].from(n.Column)
	}
	p.lost = !ok
	switch {
	case n.Style&yaml.SingleQuotedStyle != 0:
		p.quote = '\''
	case n.Style&yaml.DoubleQuotedStyle != 0:
		p.quote = '"'
	}
	if p.quote != 0 && !p.lost {
		p.skip(1)
	}
	return p
}

// skip goes on by so many bytes of ASCII on the line.
func (p *place) skip(n int) { p.rest, p.column = p.rest[n:], p.column+n }

// nextLine goes on to the next line, if there is one.
func (p *place) nextLine() bool {
	if p.line+1 >= len(p.lines) {
		return false
	}
	p.line, p.column = p.line+1, 1
	p.rest = p.lines[p.line].text
	return true
}

// next gives the position of the text's next character. That of a blank is not known.
func (p *place) next(c rune) position {
	for !isBlank(c) && !p.lost {
		if p.rest == "" {
			p.lost = !p.nextLine()
			continue
		}
		at := position{p.line + 1, p.column}
		found, size := p.character()
		if size > len(p.rest) || found != c && !isBlank(found) {
			p.lost = true
			continue
		}
		p.column += utf8.RuneCountInString(p.rest[:size])
		p.rest = p.rest[size:]
		if found == c {
			return at
		}
	}
	return p.start
}

// over goes over a part of the text and gives the position of its first character that is no
// blank.
func (p *place) over(text string) position {
	at, found := p.start, false
	for _, c := range text {
		if pos := p.next(c); !found && !isBlank(c) {
			at, found = pos, true
		}
	}
	return at
}

// isBlank says whether folding may make or take a character.
func isBlank(c rune) bool { return strings.ContainsRune(" \t\r\n\u0085\u2028\u2029", c) }

// character is what the source has next on the line, with its bytes there.
func (p *place) character() (c rune, size int) {
	c, size = utf8.DecodeRuneInString(p.rest)
	switch {
	case p.quote == '\'' && c == '\'':
		return c, 2
	case p.quote == '"' && c == '\\':
		return p.escape()
	}
	return c, size
}

// escapes are those of double quotes that stand for another character than themselves.
var escapes = map[byte]rune{'0': 0, 'a': '\a', 'b': '\b', 't': '\t', 'n': '\n', 'v': '\v',
	'f': '\f', 'r': '\r', 'e': 0x1b, 'N': 0x85, '_': 0xa0, 'L': 0x2028, 'P': 0x2029}

// escape is character for an escape in double quotes; at the end of a line it joins two.
func (p *place) escape() (c rune, size int) {
	if len(p.rest) == 1 {
		return '\n', 1
	}
	if digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[p.rest[1]]; digits > 0 {
		n, err := strconv.ParseUint(p.rest[2:min(2+digits, len(p.rest))], 16, 32)
		if err != nil {
			return utf8.RuneError, 1
		}
		return rune(n), 2 + digits
	}
	if c, ok := escapes[p.rest[1]]; ok {
		return c, 2
	}
	c, size = utf8.DecodeRuneInString(p.rest[1:])
	return c, 1 + size
}
