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

// Errors is every problem of a file, in the order of the file. Of a file with more than maxFound
// the first found are kept, and the last of them says how many more there are.
type Errors []Error

// maxFound bounds the problems that are kept of a file: nobody reads more, and a file of 8 MB can
// have millions.
const maxFound = 1000

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
	found Errors                // at most maxFound
	more  int                   // found after these
	from  map[*yaml.Node]string // the $name in whose place a value stands; "": it is reported
}

// position is a place in the source, both counted from 1.
type position struct{ line, column int }

// at reports a problem at a position.
func (p *problems) at(pos position, format string, args ...any) {
	p.add(p.file, pos, format, args...)
}

// add keeps a problem of what the file name stands for, or counts it.
func (p *problems) add(file string, pos position, format string, args ...any) {
	if len(p.found) == maxFound {
		p.more++
		return
	}
	p.found = append(p.found, Error{file, pos.line, pos.column, fmt.Sprintf(format, args...)})
}

// node reports a problem where a YAML node begins.
func (p *problems) node(n *yaml.Node, format string, args ...any) {
	name, put := p.from[n]
	switch pos := (position{n.Line, n.Column}); {
	case !put:
		p.at(pos, format, args...)
	case name != "":
		p.at(pos, format+" (from %s)", append(args, name)...)
	}
}

// sorted gives the problems in the order of the file; those of one place stay in the order in
// which they were found.
func (p *problems) sorted() Errors {
	slices.SortStableFunc(p.found, func(a, b Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	all := slices.Compact(p.found)
	if p.more > 0 {
		last := all[len(all)-1]
		last.Message = "and " + count(p.more, "more problem") + "; repair those above first"
		all = append(all, last)
	}
	return all
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
