package rtsim_test

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// layers is a statement of policy: a < b says that b may import a, and what a may import. A name
// that ends in /... stands for the folder and all below it; these may import each other. What the
// text does not allow is forbidden, and so is a package that it does not name.
const layers = `
sim < model/trace < model/draw, model/watch;
model/trace < model < designs < scenarios/... < plots < cmd/rtsim;
model/draw, model/watch < scenarios/...;
`

// modules says where each module from outside may be imported. "tests" are files that end in
// _test.go; these may import any module of the list.
const modules = `
gonum.org/v1/plot                              plots
codeberg.org/go-pdf/fpdf                       plots
golang.org/x/image                             plots
golang.org/x/text                              plots
gonum.org/v1/gonum                             scenarios/... plots cmd/rtsim
github.com/spf13/cobra                         cmd/rtsim
github.com/spf13/pflag                         cmd/rtsim
golang.org/x/term                              cmd/rtsim
golang.org/x/sync/errgroup                     scenarios/... cmd/rtsim
go.yaml.in/yaml/v4                             scenarios/file
google.golang.org/protobuf/encoding/protowire  scenarios/...
github.com/cockroachdb/datadriven              tests
github.com/rogpeppe/go-internal                tests
github.com/stretchr/testify                    tests
pgregory.net/rapid                             tests
`

var importsCheck = check{
	name: "imports",
	because: "what a package does not import it cannot depend on: sim knows nothing of kernels, " +
		"model nothing of designs, and records can be read without the machine that wrote them. " +
		"The policy is the text in tidy_imports_test.go; change it there, with a reason.",
	run: func(tree []source) []string {
		return checkImports(tree, layers, modules)
	},
	planted: []planted{
		{"sim/a.go", "package sim\nimport \"rtsim/model\"", "sim/a.go:2: sim may not import model"},
		{"model/a.go", "package model\nimport \"rtsim/sim\"", ""},
		{"model/a.go", "package model\nimport \"rtsim/model/draw\"", "may not import model/draw"},
		{"model/draw/a.go", "package draw\nimport \"rtsim/model\"", "may not import model"},
		{"model/a_test.go", "package model\nimport \"rtsim/model/draw\"", ""},
		{"cmd/rtsim/a.go", "package main\nimport \"rtsim/model/watch\"", ""},
		{"scenarios/a.go", "package scenarios\nimport \"rtsim/scenarios/file\"", ""},
		{"scenarios/a.go", "package scenarios\nimport \"rtsim/plots\"", "may not import plots"},
		{"model/b/a.go", "package b\nimport \"rtsim/sim\"", "model/b is in no layer"},
		{"model/a.go", "package model\nimport \"rtsim/lib\"", "may not import lib"},
		{"plots/a.go", "package plots\nimport \"gonum.org/v1/plot/vg\"", ""},
		{"scenarios/a.go", "package scenarios\nimport \"gonum.org/v1/plot\"", "only plots may"},
		{"model/a.go", "package model\nimport \"gonum.org/v1/gonum/stat\"", "only scenarios/..."},
		{"scenarios/claim/a.go", "package claim\nimport \"gonum.org/v1/gonum/stat\"", ""},
		{"model/a.go", "package model\nimport \"pgregory.net/rapid\"", "only tests may"},
		{"model/a_test.go", "package model\nimport \"pgregory.net/rapid\"", ""},
		{"model/a_test.go", "package model\nimport \"example.org/x\"", "org/x is not listed"},
		{"plots/a.go", "package plots\nimport \"gonum.org/v1/plotter\"", "is not listed"},
	},
}

func checkImports(tree []source, layers, modules string) []string {
	order, err := parseOrder(layers)
	if err != nil {
		return []string{"tidy_imports_test.go: " + err.Error()}
	}
	var complaints []string
	for _, s := range tree {
		if s.syntax == nil {
			continue
		}
		for _, spec := range s.syntax.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				panic(err) // the parser has checked it
			}
			complaint := ""
			if to, ours := strings.CutPrefix(name, "rtsim/"); ours && !s.isTest() {
				complaint = order.complaint(s.dir(), to)
			} else if first, _, _ := strings.Cut(name, "/"); strings.Contains(first, ".") {
				complaint = moduleComplaint(s, name, modules)
			}
			if complaint != "" {
				complaints = append(complaints, s.at(spec.Pos())+": "+complaint)
			}
		}
	}
	return complaints
}

func moduleComplaint(s source, name, modules string) string {
	for line := range strings.Lines(modules) {
		fields := strings.Fields(line)
		if len(fields) == 0 || !within(fields[0]+"/...", name) {
			continue
		}
		mayImport := func(place string) bool { return within(place, s.dir()) }
		if s.isTest() || slices.ContainsFunc(fields[1:], mayImport) {
			return ""
		}
		return fmt.Sprintf("only %s may import %s", strings.Join(fields[1:], ", "), name)
	}
	return name + " is not listed: dependencies are few, each has its place"
}

// within reports whether a name is the pattern or, if that ends in /..., lies below it.
func within(pattern, name string) bool {
	folder, below := strings.CutSuffix(pattern, "/...")
	return name == folder || below && strings.HasPrefix(name, folder+"/")
}

// An order holds what each layer may import, the layers below those included.
type order map[string]map[string]bool

func (o order) layer(folder string) string {
	for layer := range o {
		if within(layer, folder) {
			return layer
		}
	}
	return ""
}

func (o order) complaint(from, to string) string {
	layerFrom, layerTo := o.layer(from), o.layer(to)
	switch {
	case layerFrom == "":
		return from + " is in no layer and may import none: name it in the text"
	case layerFrom == layerTo && path.Base(layerFrom) == "...":
		return "" // the compiler refuses cycles
	case layerTo == "" || !o[layerFrom][layerTo]:
		return from + " may not import " + to
	}
	return ""
}

// parseOrder reads chains of comma-separated sets, "a, b < c < d;", and closes them.
func parseOrder(text string) (order, error) {
	o := order{}
	for chain := range strings.SplitSeq(strings.TrimSpace(text), ";") {
		var below []string
		for set := range strings.SplitSeq(chain, "<") {
			names := strings.Split(set, ",")
			for i, name := range names {
				names[i] = strings.TrimSpace(name)
				if o[names[i]] == nil && names[i] != "" {
					o[names[i]] = map[string]bool{}
				}
				for _, lower := range below {
					o[names[i]][lower] = true
				}
			}
			below = names
		}
	}
	for middle := range o {
		for upper := range o {
			for lower := range o {
				if o[upper][middle] && o[middle][lower] {
					o[upper][lower] = true
				}
			}
		}
	}
	for name := range o {
		if o[name][name] {
			return nil, fmt.Errorf("the order of layers has a cycle through %s", name)
		}
	}
	return o, nil
}

// Look at cmd: it may import what it never names beside itself, because the order is transitive.
func TestOrderIsTransitiveAndHasNoCycle(t *testing.T) {
	o, err := parseOrder("sim < model < plots; model/draw < plots < cmd")
	require.NoError(t, err)
	assert.Empty(t, o.complaint("cmd", "sim"))
	assert.Empty(t, o.complaint("cmd", "model/draw"))
	assert.NotEmpty(t, o.complaint("model", "model/draw"))
	_, err = parseOrder("a < b < c; c < a")
	assert.ErrorContains(t, err, "cycle")
}
