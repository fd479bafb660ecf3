package scenarios

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios/file"
	"rtsim/sim"
)

// Look at the scenarios that rtsim has: each is a correct file that says in its first line what it
// is, and is measured.
func TestBuiltins(t *testing.T) {
	assert.Equal(t, []string{"orin-queue", "quiet", "storm", "fan-out", "target-never-drains",
		"start-stop"}, BuiltinNames())
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

// Look at every parameter of the scenarios: at the ends of its range, and at each word that it may
// be, the file still reads, so a sweep over one parameter needs no other changed. Each says what it
// means and where its number is from.
func TestParametersOfBuiltins(t *testing.T) {
	for _, name := range BuiltinNames() {
		data, _ := Builtin(name)
		parameters, err := file.ScenarioParameters(name, data)
		require.NoError(t, err)
		var names []string
		for _, p := range parameters {
			names = append(names, p.Name)
			assert.Regexp(t, `^(RFC, section measured|assumed)(: .+)?$`, p.Source, p.Name)
			values := append([]string{p.Least, p.Greatest}, p.OneOf...)
			for _, value := range values {
				if value == "" {
					continue
				}
				set := []file.Setting{{Name: p.Name, Value: value}}
				s, err := file.ReadScenario(name, data, set)
				require.NoError(t, err, "%s=%s", p.Name, value)
				assert.Equal(t, "sender", s.Tasks[s.Measured].Name)
			}
		}
		assert.Subset(t, names, []string{"rt_priority", "send_period", "low_period", "low_policy",
			"low_pubs", "burst_duty", "burst_min", "burst_max", "burst_shape", "burst_gap_min",
			"kernel", "costs"})
		if name == "orin-queue" {
			assert.Subset(t, names, []string{"low_subs", "subscribers", "start_stop_period"})
		}
	}
}

// Look at the tasks that scripts name: by default there is one of each on its CPU.
func TestTasksOfOrinQueue(t *testing.T) {
	names := func(set ...file.Setting) (names []string) {
		data, _ := Builtin("orin-queue")
		s, err := file.ReadScenario("orin-queue", data, set)
		require.NoError(t, err)
		for _, task := range s.Tasks {
			names = append(names, task.Name)
		}
		return names
	}
	assert.Subset(t, names(), []string{"sender", "receiver", "low-pub-0", "low-pub-1", "low-sub-0",
		"low-sub-1", "irq-50-cpu0", "irq-50-cpu1"})
	assert.NotContains(t, names(file.Setting{Name: "low_pubs", Value: "0"}), "low-pub-0")
	assert.NotContains(t, names(file.Setting{Name: "burst_duty", Value: "0"}), "irq-50-cpu0")
	assert.Subset(t, names(file.Setting{Name: "subscribers", Value: "2"},
		file.Setting{Name: "low_subs", Value: "2"}), []string{"receiver-2", "low-sub-1-2"})
}

// Look at options that no flag lets through: they are refused before they can overflow.
func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []Options{{Duration: -1}, {Duration: sim.Longest + 1},
		{Thresholds: []sim.Time{sim.Never}}} {
		_, err := Prepare("orin-queue", o)
		assert.ErrorContains(t, err, "write 0 to 3600000s")
	}
}
