package file

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Look at testdata/broken-scenario: each .yaml says in its first line what is wrong with it, and
// the .err beside it is every word of what ReadScenario says about that.
func TestBrokenScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/broken-scenario/*.yaml")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 18)
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			want, err := os.ReadFile(strings.TrimSuffix(name, ".yaml") + ".err")
			require.NoError(t, err)
			got, err := ReadScenario(filepath.Base(name), data, nil)
			require.Nil(t, got)
			require.Error(t, err)
			lines := strings.Split(err.Error()+"\n", "\n")
			assert.Equal(t, strings.Split(string(want), "\n"), lines)
		})
	}
}
