// Package rtsim_test holds the rules of this repository as a test: who may import whom, what the
// core may not say, how long a thing may be. Each check is a function of the tree's files, so the
// same function is shown a planted violation before it is shown the tree: a check that cannot
// fail checks nothing.
package rtsim_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A source is one text file of the tree; syntax is nil unless it is Go outside of a testdata.
type source struct {
	path   string // from the root, with slashes
	text   string
	syntax *ast.File
	set    *token.FileSet
}

func (s source) dir() string  { return path.Dir(s.path) }
func (s source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

func (s source) at(pos token.Pos) string {
	return s.path + ":" + strconv.Itoa(s.set.Position(pos).Line)
}

// in reports whether the file is in one of the folders or below it.
func (s source) in(folders ...string) bool {
	for _, folder := range folders {
		if strings.HasPrefix(s.path, folder+"/") {
			return true
		}
	}
	return false
}

// A check turns sources into complaints, each "file:line: what is wrong and what would be right".
type check struct {
	name    string
	because string
	run     func([]source) []string
	planted []planted
	// onPlanted is run for planted files, if the list of exceptions must not count there.
	onPlanted func([]source) []string
}

// A planted file is one that the check must complain about with these words; with no words, one
// that it must let pass.
type planted struct {
	path, text, complaint string
}

var checks = []check{
	importsCheck, languageCheck, sizeCheck, wordsCheck, foldersCheck, docsCheck, rulesCheck,
}

// Look at the complaint: it names the place, and the line after it why there is such a rule.
func TestTidy(t *testing.T) {
	tree := readTree(t)
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			for _, complaint := range c.run(tree) {
				t.Error(complaint)
			}
			if t.Failed() {
				t.Log("because " + c.because)
			}
		})
	}
}

// Look at a row without a complaint: a rule that forbids too much is as wrong as one that sleeps.
func TestTidyCanFail(t *testing.T) {
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			failures, run := 0, c.run
			if c.onPlanted != nil {
				run = c.onPlanted
			}
			for _, p := range c.planted {
				complaints := strings.Join(run([]source{newSource(t, p.path, p.text)}), "\n")
				if p.complaint == "" {
					assert.Empty(t, complaints, "%s must pass:\n%s", p.path, p.text)
					continue
				}
				failures++
				assert.Contains(t, complaints, p.complaint, "planted in %s:\n%s", p.path, p.text)
			}
			assert.NotZero(t, failures, "nothing was planted that this check must find")
			assert.NotEmpty(t, c.because, "a rule without a reason is not kept")
		})
	}
}

// readTree reads every text file below the root but .git and what .gitignore leaves out.
func readTree(t *testing.T) []source {
	var tree []source
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name == ".git" || name == "out" {
				return filepath.SkipDir
			}
			return nil
		}
		if !entry.Type().IsRegular() || isFigure(name) {
			return nil
		}
		text, err := os.ReadFile(name)
		if err == nil && !strings.Contains(string(text), "\x00") {
			tree = append(tree, newSource(t, filepath.ToSlash(name), string(text)))
		}
		return err
	})
	require.NoError(t, err)
	return tree
}

func isFigure(name string) bool {
	extension := filepath.Ext(name)
	return extension == ".svg" || extension == ".png"
}

func newSource(t *testing.T, name, text string) source {
	s := source{path: name, text: text, set: token.NewFileSet()}
	if strings.HasSuffix(name, ".go") && !strings.Contains(name, "testdata/") {
		file, err := parser.ParseFile(s.set, name, text, parser.ParseComments)
		require.NoError(t, err)
		s.syntax = file
	}
	return s
}
