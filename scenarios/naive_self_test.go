package scenarios_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNaiveRunsTheCases(t *testing.T) {
	// Look at the case's own comment: it derives the schedule by hand.
	files, err := filepath.Glob("testdata/cases*/*.yaml")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 25)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			expect, err := os.ReadFile(strings.TrimSuffix(file, ".yaml") + ".expect.json")
			require.NoError(t, err)
			var want naiveSchedule
			require.NoError(t, json.Unmarshal(expect, &want))
			got, err := naiveRun(string(text))
			require.NoError(t, err)
			require.Equal(t, want, got)
		})
	}
}
