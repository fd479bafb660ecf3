package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios/file"
)

// Look at the examples in rtsim help scenario: each is a correct file, and rtsim lint takes it for
// a scenario.
func TestScenarioExamples(t *testing.T) {
	text, ok := topicText("scenario")
	require.True(t, ok)
	examples := 0
	for _, block := range strings.Split(text, "\n\n") {
		if !strings.HasPrefix(block, "    cpus:") && !strings.HasPrefix(block, "    parameters:") {
			continue
		}
		examples++
		want, err := file.ReadScenario("example", []byte(block), nil)
		require.NoError(t, err)
		got, err := file.ReadAny("example", []byte(block))
		require.NoError(t, err)
		assert.Equal(t, want, got)
		assert.NotEmpty(t, got.Loads)
	}
	assert.Equal(t, 2, examples)
}
