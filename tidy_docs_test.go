package rtsim_test

import (
	"go/ast"
	"maps"
	"slices"
)

var docsCheck = check{
	name: "docs",
	because: "an exported name is a promise: one sentence says what it means, its unit, when it " +
		"holds. In a group the comment of the group or of the line will do.",
	run: checkDocs,
	planted: []planted{
		{"sim/a.go", "// Package sim is.\npackage sim\nfunc F() {}", "sim/a.go:3: F has no"},
		{"sim/a.go", "package sim", "sim: no file says what the package is"},
		{"scenarios/claim/a.go", "package claim\ntype T struct{}", "T has no comment"},
		{"plots/a.go", "package plots\nvar v, V int", "V has no comment"},
		{"model/a.go", "package model\nconst (\n\tA = 1 // A is.\n\tB = 2\n)", "B has no comment"},
		{"model/a.go", "package model\ntype t[k any] struct{}\nfunc (q *t[k]) F() {}",
			"no file says"},
		{"designs/a.go", "// Package designs is.\npackage designs\n\n// T is.\ntype T struct{}\n" +
			"func (t *T) M() {}", "(T).M has no comment"},
		{"designs/a.go", "// Package designs is.\npackage designs\n\n// The values.\nconst (\n" +
			"\tA = 1\n\tB = 2 // twice\n)\n\n// F does.\nfunc F() {}\n\ntype t struct{}\n" +
			"func (t) M() {}\nfunc f() {}", ""},
		{"sim/a_test.go", "package sim\nfunc F() {}", ""},
		{"cmd/rtsim/a.go", "package main\nfunc F() {}", ""},
	},
}

func checkDocs(tree []source) []string {
	var complaints []string
	explained := map[string]bool{}
	for _, s := range tree {
		if s.syntax == nil || s.isTest() || !s.in("sim", "model", "designs", "scenarios", "plots") {
			continue
		}
		explained[s.dir()] = explained[s.dir()] || s.syntax.Doc != nil
		for _, declaration := range s.syntax.Decls {
			for _, name := range bare(declaration) {
				complaints = append(complaints, s.at(name.Pos())+": "+name.Name+" has no comment")
			}
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(explained)) {
		if !explained[folder] {
			complaints = append(complaints, folder+": no file says what the package is")
		}
	}
	return complaints
}

// bare returns the exported names of a declaration that no comment explains.
func bare(declaration ast.Decl) []*ast.Ident {
	var names []*ast.Ident
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		name := *d.Name
		if d.Doc != nil || !name.IsExported() {
			return nil
		}
		if d.Recv != nil {
			if !ast.IsExported(receiver(d)) {
				return nil
			}
			name.Name = "(" + receiver(d) + ")." + name.Name
		}
		return []*ast.Ident{&name}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if d.Doc == nil && s.Doc == nil && s.Comment == nil {
					names = append(names, s.Name)
				}
			case *ast.ValueSpec:
				if d.Doc == nil && s.Doc == nil && s.Comment == nil {
					names = append(names, s.Names...)
				}
			}
		}
	}
	return slices.DeleteFunc(names, func(name *ast.Ident) bool { return !name.IsExported() })
}
