package file

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// Error is one problem of a file. Line and Column count from 1, columns in characters; a problem
// of what is set from outside has Line 0, and that in place of a file.
type Error struct {
	File         string
	Line, Column int
	Message      string // what is wrong; what would be right
}

// Error gives the problem as file:line:column: message.
func (e Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Errors is every problem of a file, in the order of the file.
type Errors []Error

// Error gives one problem a line.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// problems collects what is wrong with one file.
type problems struct {
	file  string
	found Errors
	from  map[*yaml.Node]string // the $name in whose place a value stands; "": it is reported
}

// position is a place in the source, both counted from 1.
type position struct{ line, column int }

// at reports a problem at a position.
func (p *problems) at(pos position, format string, args ...any) {
	p.found = append(p.found, Error{p.file, pos.line, pos.column, fmt.Sprintf(format, args...)})
}

// node reports a problem where a YAML node begins.
func (p *problems) node(n *yaml.Node, format string, args ...any) {
	name, put := p.from[n]
	switch pos := (position{n.Line, n.Column}); {
	case !put:
		p.at(pos, format, args...)
	case name != "":
		p.at(pos, "%s (from %s)", fmt.Sprintf(format, args...), name)
	}
}

// sorted gives the problems in the order of the file; those of one place stay in the order in
// which they were found.
func (p *problems) sorted() Errors {
	slices.SortStableFunc(p.found, func(a, b Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return slices.Compact(p.found)
}

// maxQuoted bounds what a message repeats of the file, in characters.
const maxQuoted = 40

// quote gives a text of the file as a message shows it.
func quote(text string) string {
	if len(text) <= maxQuoted {
		return strconv.Quote(text)
	}
	if head := []rune(text[:min(len(text), (maxQuoted+1)*utf8.UTFMax)]); len(head) > maxQuoted {
		text = string(head[:maxQuoted]) + "…"
	}
	return strconv.Quote(text)
}

// count gives a number with its noun in singular or plural.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
