package ftrace_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/model/trace"
	"rtsim/scenarios/ftrace"
)

// read reads a trace that a test writes down.
func read(text string) ([]trace.Record, *trace.Names, error) {
	return ftrace.Read("a.ftrace", strings.NewReader(text))
}

// One switch and one wake-up in each dialect are the same records: as the kernel prints them, as
// trace-cmd report does, and raw; with a tgid, without flags, with nine decimals.
func TestReadDialects(t *testing.T) {
	want, names, err := read(
		"a b-1-7 [001] d..2. 5.000001: sched_switch: prev_comm=a b-1 prev_pid=7 prev_prio=79 " +
			"prev_state=D|K ==> next_comm=c next_pid=8 next_prio=120\n" +
			"c-8 [001] d..2. 5.000002: sched_waking: comm=a b-1 pid=7 prio=79 target_cpu=001\n")
	require.NoError(t, err)
	assert.Equal(t, "a b-1", names.Tasks[0].Name)
	for _, other := range []string{
		"a b-1-7 [001] 5.000001: sched_switch: a b-1:7 [79] D ==> c:8 [120]\n" +
			"c-8 [001] 5.000002: sched_waking: a b-1:7 [79] success=1 CPU:001\n",
		"version = 6\ncpus=2\n" +
			"a b-1-7 [001] 5.000001000: sched_switch: prev_comm=a b-1 prev_pid=7 prev_prio=79 " +
			"prev_state=2 next_comm=c next_pid=8 next_prio=120\n" +
			"c-8 [001] 5.000002000: sched_waking: comm=a b-1 pid=7 prio=79 success=1 " +
			"target_cpu=001\n",
		"a b-1-7 (    7) [001] d..2. 5.000001: sched_switch: a b-1:7 [79] D ==> c:8 [120]\n" +
			"CPU:1 [LOST 12 EVENTS]\n" +
			"c-8 (-----) [001] d..2.. 5.000002: sched_wakeup: comm=a b-1 pid=7 prio=79 " +
			"success=1 target_cpu=001\n",
	} {
		got, _, err := read(other)
		require.NoError(t, err, other)
		assert.Equal(t, want, got, other)
	}
}

// Flags say who wakes: the legend names the column, and without one their number tells. A softirq
// of a machine without PREEMPT_RT is an interrupt; in ksoftirqd it is a task.
func TestReadWakers(t *testing.T) {
	const legend = "#  _-------=> irqs-off/BH-disabled\n# / _------=> need-resched\n" +
		"#| / _-----=> need-resched-lazy\n#|| / _----=> hardirq/softirq\n"
	for _, c := range []struct{ text, by string }{
		{"w-7 [000] d.h2. ", "-"},
		{"w-7 [000] d..2. ", "w"},
		{"w-7 [000] d.s2. ", "-"},
		{"ksoftirqd/0-7 [000] d.s2. ", "ksoftirqd/0"},
		{"w-7 [000] d..h211 ", "-"},
		{"w-7 [000] d..s213 ", "w"},
		{legend + "w-7 [000] d..h2 ", "-"},
		{"w-7 [000] ", "w"},
		{"<idle>-0 [000] d..2. ", "-"},
	} {
		records, names, err := read(c.text + "1.000000: sched_waking: comm=x pid=9 prio=89 " +
			"target_cpu=000\n")
		require.NoError(t, err, c.text)
		last := records[len(records)-1]
		require.Equal(t, trace.SchedWakeup, last.Kind)
		assert.Equal(t, c.by, names.Task(last.A), c.text)
	}
}

// A file that is no trace, or a line that is damaged, is refused with its place; all of them are.
func TestReadErrors(t *testing.T) {
	const good = "w-7 [000] d..2. 1.000000: sched_waking: comm=x pid=9 prio=89 target_cpu=000\n"
	for text, want := range map[string]string{
		"":           "a.ftrace:1:1: no event in the whole file",
		"# only\n\n": "a.ftrace:2:1: no event in the whole file",
		"cpus: 2\n":  "a.ftrace:1:1: this is no line of ftrace; write COMM-PID [CPU]",
		good + "w-7 [000] d..2. 1.x: sched_waking: a": `a.ftrace:2:1: the time "1.x" is not`,
		good + strings.Replace(good, "1.000000", "0.999999", 1): "a.ftrace:2:1: 999.999ms " +
			"comes after 1s; sort the lines by time",
		good + strings.Replace(good, "prio=89", "prio=high", 1): "a.ftrace:2:27: sched_waking " +
			`has other fields than the kernel's: "comm=x pid=9 prio=high target_cpu=000"`,
		good + "w-7 [000] d..2. 1.1: sched_switch: prev_comm=w\nw-7 [0x] 1.2: a: b\n": "a.ftrace:" +
			"3:1: this is no line",
		"w-7 [000] 1.0: contention_begin: (flags=RT)\n":  "contention_begin has other fields",
		"w-7 [000] 1.0: irq_handler_entry: irq=7\n":      "irq_handler_entry has other fields",
		"w-7 [000] 1.0: sched_switch: w:8 [79] S ==>\n":  "sched_switch has other fields",
		"w-7 [000] 1.0: sched_pi_setprio: comm=x pid=\n": "sched_pi_setprio has other fields",
		"w-7 [000] 1.0: sched_switch: w:8 [79] S ==> swapper/0:0 [120]\n": "sched_switch has " +
			"other fields",
	} {
		_, _, err := read(text)
		require.Error(t, err, text)
		assert.Contains(t, err.Error(), want)
	}
	_, _, err := read(strings.Repeat("no trace\n", 1000))
	assert.Equal(t, 20, strings.Count(err.Error(), "\n")+1)
}

// Is tells a trace from a workload file by how it begins.
func TestIs(t *testing.T) {
	for head, want := range map[string]bool{
		"# tracer: nop\n#\n": true,
		"\n  w-7 [000] d..2. 1.000000: sched_waking: comm=": true,
		"version = 6\n": true, "cpus=2\n": true, "cpus: 2\n": false, "# a workload\n": false,
		"": false,
	} {
		assert.Equal(t, want, ftrace.Is([]byte(head)), "%q", head)
	}
}
