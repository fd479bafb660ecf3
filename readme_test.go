package rtsim_test

import (
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/model"
	"rtsim/scenarios"
	"rtsim/scenarios/file"
)

func TestDocumentsDrawTheTruth(t *testing.T) {
	// Look at the picture: README.md and doc.go show the schedule of the workload that the README
	// prints, and it must be what the machine draws today.
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	f, err := file.Read("README.md", []byte(indented(t, string(readme), "cpus: 1\n")))
	require.NoError(t, err)
	m, err := scenarios.RunWorkload(&f.Workload, model.ZeroCosts(), 1)
	require.NoError(t, err)
	drawn := scenarios.Draw(&f.Workload, m, 0, m.Now(), 1000)
	require.Equal(t, drawn, indented(t, string(readme), "         0         10\n"))
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	for _, row := range strings.Split(strings.TrimSpace(drawn), "\n") {
		require.Contains(t, string(doc), strings.TrimSpace(row))
	}
}

func TestDocumentsLeaveOutTheSame(t *testing.T) {
	// Look at the two lists of what the model leaves out, README.md's and the report's: they say
	// the same in the same words.
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	_, section, _ := strings.Cut(string(readme), "\n## What the model leaves out\n")
	section, _, _ = strings.Cut(section, "\n## ")
	report, err := os.ReadFile("plots/report.html")
	require.NoError(t, err)
	_, list, _ := strings.Cut(string(report), ">What the model leaves out</h2>\n<ul>")
	list, _, _ = strings.Cut(list, "</ul>")
	items := func(text, mark string) []string {
		var all []string
		for _, item := range strings.Split(text, mark)[1:] {
			all = append(all, strings.Join(strings.Fields(item), " "))
		}
		return all
	}
	list = strings.NewReplacer("<code>", "`", "</code>", "`", "</li>", "").Replace(list)
	want := items(section, "\n* ")
	require.Greater(t, len(want), 3)
	require.Equal(t, want, items(html.UnescapeString(list), "<li>"))
}

func TestReadmeFromGo(t *testing.T) {
	// Look at go.mod: with the README's two lines, and go mod tidy as it says, a module elsewhere
	// can run a design; without tidy it cannot.
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	require.Contains(t, string(readme), "`go mod tidy`")
	here, err := os.Getwd()
	require.NoError(t, err)
	lines := indented(t, string(readme), "require rtsim v0.0.0\n")
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	write("go.mod", "module elsewhere\n\ngo 1.26\n\n"+
		strings.Replace(lines, "../rtsim", strconv.Quote(here), 1))
	write("main.go", `package main

import (
	"fmt"

	"rtsim/scenarios"
)

func main() {
	r, err := scenarios.Run("ideal-spin", "orin-queue", 1, scenarios.Options{Duration: 1e6})
	fmt.Println(r.Messages, err)
}
`)
	tool := func(args ...string) error {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		t.Logf("go %v: %s", args, out)
		return err
	}
	require.Error(t, tool("vet", "."))
	require.NoError(t, tool("mod", "tidy"))
	require.NoError(t, tool("vet", "."))
}

// indented returns the indented block of a text that begins with a line, without its indent.
func indented(t *testing.T, text, first string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, "\n    "+first)
	require.True(t, found, first)
	block := first
	for _, line := range strings.SplitAfter(rest, "\n") {
		if !strings.HasPrefix(line, "    ") {
			break
		}
		block += strings.TrimPrefix(line, "    ")
	}
	return block
}
