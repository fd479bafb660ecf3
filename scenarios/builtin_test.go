package scenarios

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios/file"
)

// Look at the scenarios that rtsim has: each is a correct file that says in its first line what it
// is, and is measured.
func TestBuiltins(t *testing.T) {
	assert.Equal(t, []string{"orin-queue", "quiet"}, BuiltinNames())
	for _, name := range BuiltinNames() {
		data, ok := Builtin(name)
		require.True(t, ok)
		s, err := file.ReadScenario(name, data, nil)
		require.NoError(t, err)
		assert.Equal(t, "sender", s.Sender)
		assert.Equal(t, "receiver", s.Receiver)
		assert.Regexp(t, `^A real-time sender .*\.$`, BuiltinAbout(name))
	}
	_, ok := Builtin("orin")
	assert.False(t, ok)
	assert.Empty(t, BuiltinAbout("orin"))
}

// Look at quiet: it is orin-queue without the low-priority processes, and nothing else.
func TestQuiet(t *testing.T) {
	orin, _ := Builtin("orin-queue")
	data, _ := Builtin("quiet")
	none := []file.Setting{{Name: "low_pubs", Value: "0"}, {Name: "low_subs", Value: "0"}}
	want, err := file.ReadScenario("quiet", orin, none)
	require.NoError(t, err)
	got, err := file.ReadScenario("quiet", data, nil)
	require.NoError(t, err)
	assert.Equal(t, want.File, got.File)
	lines := strings.Split(string(orin), "\n")
	different := 0
	for i, line := range strings.Split(string(data), "\n") {
		if line != lines[i] {
			different++
		}
	}
	assert.Equal(t, 3, different) // what it is, low_pubs and low_subs
}
