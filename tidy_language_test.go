package rtsim_test

import (
	"go/ast"
	"go/token"
	"strconv"
)

// core is what must give the same digest on every machine.
var core = []string{"sim", "model", "designs"}

// forbiddenImports are refused in the core with all that lies below them, but for math: that one
// is refused alone, since math/bits is exact.
var forbiddenImports = []string{
	"time/...", "os/...", "sync/...", "unsafe", "math", "math/rand/...", "math/cmplx",
}

var languageCheck = check{
	name: "language",
	because: "the core is a function of its input, on amd64 and arm64 alike: no clock, no " +
		"scheduler of Go's beside the simulated one, no map with its random order, no float. " +
		"A design is data that can be printed, hashed and explored; a closure cannot.",
	run: checkLanguage,
	planted: []planted{
		{"sim/a.go", "package sim\nimport \"time\"", "sim/a.go:2: imports time"},
		{"model/trace/a.go", "package trace\nimport \"sync/atomic\"", "imports sync/atomic"},
		{"model/a.go", "package model\nimport \"math/rand/v2\"", "imports math/rand/v2"},
		{"model/a.go", "package model\nimport \"math\"", "imports math"},
		{"model/a.go", "package model\nimport \"math/bits\"", ""},
		{"model/a_test.go", "package model\nimport \"os\"\nvar m map[int]float64", ""},
		{"scenarios/a.go", "package scenarios\nimport \"time\"\nvar m map[int]float64", ""},
		{"designs/a.go", "package designs\nfunc f() { go f() }", "designs/a.go:2: go statement"},
		{"model/a.go", "package model\nfunc f() { select {} }", "select statement"},
		{"model/a.go", "package model\nvar c <-chan int", "channel type"},
		{"model/a.go", "package model\nvar m = make(map[int]int)", "map type"},
		{"model/a.go", "package model\nfunc f(x float32) {}", "float32"},
		{"model/a.go", "package model\nvar x = uint8(complex64(1))", "complex64"},
		{"model/a.go", "package model\nvar x = 1.5", "literal 1.5"},
		{"model/a.go", "package model\nvar x = 2i", "literal 2i"},
		{"designs/a.go", "package designs\nvar f = func() {}", "closure"},
		{"model/a.go", "package model\nvar f = func() {}", ""},
	},
}

func checkLanguage(tree []source) []string {
	var complaints []string
	for _, s := range tree {
		if s.syntax == nil || s.isTest() || !s.in(core...) {
			continue
		}
		ast.Inspect(s.syntax, func(node ast.Node) bool {
			if what := forbidden(node, s.in("designs")); what != "" {
				complaints = append(complaints, s.at(node.Pos())+": "+what)
			}
			return true
		})
	}
	return complaints
}

// forbidden names what of the language a node uses that the core may not, or is empty.
func forbidden(node ast.Node, design bool) string {
	switch n := node.(type) {
	case *ast.ImportSpec:
		name, _ := strconv.Unquote(n.Path.Value)
		for _, pattern := range forbiddenImports {
			if within(pattern, name) {
				return "imports " + name
			}
		}
	case *ast.GoStmt:
		return "go statement"
	case *ast.SelectStmt:
		return "select statement"
	case *ast.ChanType:
		return "channel type"
	case *ast.MapType:
		return "map type: use a slice with a dense index"
	case *ast.FuncLit:
		if design {
			return "closure: name the operation in model and list it"
		}
	case *ast.Ident:
		switch n.Name {
		case "float32", "float64", "complex64", "complex128", "complex":
			return n.Name + ": count in integers"
		}
	case *ast.BasicLit:
		if n.Kind == token.FLOAT || n.Kind == token.IMAG {
			return "literal " + n.Value + ": write an integer"
		}
	}
	return ""
}
