package rtsim_test

import (
	"os"
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
