package rtsim_test

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

// What fits one subject, one screen, one line.
const (
	fileLines       = 300
	functionLines   = 70
	lineColumns     = 100
	columnsOfOneTab = 4
)

// tooLong lists what is longer than its limit today, with its present size: it may shrink, not
// grow. Keys are "model/a.go" for lines of a file, "model/a.go (State).wake" for lines of a
// function and "model/a.go columns" for the number of lines in it that are too wide.
var tooLong = map[string]int{}

var sizeCheck = check{
	name: "size",
	because: "a file holds one subject, a function fits one screen, a line fits beside another. " +
		"Split by subject; an entry in tooLong is a debt that may only be paid back.",
	run: func(tree []source) []string {
		return checkSizes(tree, tooLong)
	},
	planted: []planted{
		{"sim/a.go", "package sim" + strings.Repeat("\n", 300), ""},
		{"sim/a.go", "package sim" + strings.Repeat("\n", 301), "sim/a.go is 301, over 300"},
		{"sim/a.go", "package sim\nfunc f() {" + strings.Repeat("\n", 69) + "}", ""},
		{"sim/a.go", "package sim\nfunc f() {" + strings.Repeat("\n", 70) + "}",
			"sim/a.go f is 71, over 70"},
		{"sim/a.go", "package sim\nfunc (q *Q) f() {" + strings.Repeat("\n", 70) + "}",
			"sim/a.go (Q).f is 71, over 70"},
		{"sim/a.go", "package sim\nvar f = func() {" + strings.Repeat("\n", 70) + "}",
			"sim/a.go function literal is 71, over 70"},
		{"sim/a_test.go", "package sim\n//" + strings.Repeat("µ", 98), ""},
		{"sim/a_test.go", "package sim\n//" + strings.Repeat("µ", 99), "columns is 1, over 0"},
		{"sim/a.go", "package sim\n\t//" + strings.Repeat("x", 95), "columns is 1, over 0"},
		{"sim/testdata/a.txt", strings.Repeat("x", 200), ""},
	},
}

// A size is how long something is, and at which lines of its file a reader finds that.
type size struct {
	value int
	at    []int
}

func checkSizes(tree []source, exceptions map[string]int) []string {
	lines, functions, wide := map[string]size{}, map[string]size{}, map[string]size{}
	for _, s := range tree {
		if s.syntax == nil {
			continue
		}
		text := strings.Split(strings.TrimSuffix(s.text, "\n"), "\n")
		lines[s.path] = size{len(text), nil}
		key := s.path + " columns"
		for i, line := range text {
			tabs := strings.Count(line, "\t")
			if utf8.RuneCountInString(line)+(columnsOfOneTab-1)*tabs > lineColumns {
				wide[key] = size{wide[key].value + 1, append(wide[key].at, i+1)}
			}
		}
		measureFunctions(s, functions)
	}
	measures := []struct {
		limit    int
		measured map[string]size
	}{{fileLines, lines}, {functionLines, functions}, {0, wide}}
	var complaints []string
	stale := maps.Clone(exceptions)
	for _, m := range measures {
		complaints = append(complaints, ratchet(m.limit, m.measured, exceptions)...)
		for key, size := range m.measured {
			if size.value > m.limit {
				delete(stale, key)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(stale)) {
		complaints = append(complaints, key+" fits or is gone: take it out of tooLong")
	}
	return complaints
}

// ratchet complains of each size over the limit that its exception does not state exactly.
func ratchet(limit int, measured map[string]size, exceptions map[string]int) []string {
	var complaints []string
	for _, key := range slices.Sorted(maps.Keys(measured)) {
		value, allowed := measured[key].value, exceptions[key]
		if value <= limit || value == allowed {
			continue
		}
		complaint := fmt.Sprintf("%s is %d, over %d", key, value, limit)
		if value < allowed {
			complaint = fmt.Sprintf("%s has shrunk: lower its number in tooLong from %d to %d",
				key, allowed, value)
		} else if allowed > 0 {
			complaint = fmt.Sprintf("%s has grown from %d to %d, over %d",
				key, allowed, value, limit)
		}
		if at := measured[key].at; at != nil {
			complaint += fmt.Sprintf(" (line %s)", strings.Trim(fmt.Sprint(at), "[]"))
		}
		complaints = append(complaints, complaint)
	}
	return complaints
}

// measureFunctions counts each function's lines; a literal is counted with the function around it.
func measureFunctions(s source, functions map[string]size) {
	measure := func(name string, node ast.Node) {
		first, last := s.set.Position(node.Pos()).Line, s.set.Position(node.End()).Line
		key := s.path + " " + name
		if length := last - first + 1; length > functions[key].value {
			functions[key] = size{length, []int{first}}
		}
	}
	for _, declaration := range s.syntax.Decls {
		if function, ok := declaration.(*ast.FuncDecl); ok {
			name := function.Name.Name
			if function.Recv != nil {
				name = "(" + receiver(function) + ")." + name
			}
			measure(name, function)
			continue
		}
		ast.Inspect(declaration, func(node ast.Node) bool {
			if literal, ok := node.(*ast.FuncLit); ok {
				measure("function literal", literal)
			}
			return true
		})
	}
}

// receiver is the name of a method's type.
func receiver(function *ast.FuncDecl) string {
	expression := function.Recv.List[0].Type
	for {
		switch e := expression.(type) {
		case *ast.StarExpr:
			expression = e.X
		case *ast.IndexExpr:
			expression = e.X
		case *ast.IndexListExpr:
			expression = e.X
		case *ast.Ident:
			return e.Name
		default:
			panic(fmt.Sprintf("receiver of %s: %T", function.Name.Name, expression))
		}
	}
}

// Look at the number that each complaint tells to write: an exception only ever comes down.
func TestRatchetOnlyComesDown(t *testing.T) {
	measured := map[string]size{
		"a": {310, nil}, "b": {310, nil}, "c": {310, nil}, "d": {310, []int{7, 9}}, "e": {300, nil},
	}
	exceptions := map[string]int{"a": 310, "b": 309, "c": 320, "e": 301}
	assert.Equal(t, []string{
		"b has grown from 309 to 310, over 300",
		"c has shrunk: lower its number in tooLong from 320 to 310",
		"d is 310, over 300 (line 7 9)",
	}, ratchet(300, measured, exceptions))
	assert.Equal(t, []string{"e fits or is gone: take it out of tooLong"},
		checkSizes(nil, map[string]int{"e": 301}))
}
