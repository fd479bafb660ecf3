package scenarios_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/scenarios"
)

// Look at the three problems: one of a parameter does not hide those of the rest of the file.
func TestLoadSaysEveryProblem(t *testing.T) {
	const text = `parameters: {p: {value: 5, unit: duration, least: 1us, greatest: 1ms, ` +
		`meaning: m, source: assumed}}
cpus: 0
tasks: [{name: A, priority: 1, program: "fly"}]
`
	_, err := scenarios.Load("w", []byte(text), scenarios.Options{})
	require.ErrorContains(t, err, "w:1:25: ")
	require.ErrorContains(t, err, "w:2:7: ")
	require.ErrorContains(t, err, "w:3:42: ")
}
