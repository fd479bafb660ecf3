package scenarios

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios/file"
	"rtsim/scenarios/ftrace"
	"rtsim/sim"
)

// recorded is a run with all its records, notes too, and their names.
type recorded struct {
	records []trace.Record
	names   *trace.Names
}

// recordedDesign is 10 ms of a design on orin-queue.
func recordedDesign(t *testing.T, d *designs.Design) recorded {
	t.Helper()
	const duration = 10 * sim.Millisecond
	c := orinCase(t, duration)
	w := c.Workload(d)
	m := model.New(w, c.Profile.Table(), 1)
	m.KeepAll()
	m.KeepNotes()
	require.NoError(t, m.Run(duration))
	return recorded{m.Trace, NamesOf(w, m.Program())}
}

// eachWorkload runs the worked cases and the workloads of the model's pictures: every rule that
// is drawn has records in one of them.
func eachWorkload(t *testing.T, f func(name string, r recorded)) {
	t.Helper()
	texts := map[string]string{}
	cases, err := filepath.Glob("testdata/cases*/*.yaml")
	require.NoError(t, err)
	for _, name := range cases {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		texts[name] = string(text)
	}
	pictures, err := filepath.Glob("../model/testdata/*.txt")
	require.NoError(t, err)
	for _, name := range pictures {
		datadriven.RunTest(t, name, func(_ *testing.T, d *datadriven.TestData) string {
			texts[d.Pos] = d.Input
			return d.Expected
		})
	}
	texts["deadlock"] = "cpus: 1\nlocks: {S: mutex, T: mutex}\ntasks:\n" +
		"  - {name: A, priority: 1, program: lock S; sleep 2us; lock T; unlock T; unlock S}\n" +
		"  - {name: B, priority: 1, program: lock T; sleep 2us; lock S; unlock S; unlock T}\n"
	require.Greater(t, len(texts), 150)
	for name, text := range texts {
		w, err := file.Read(name, []byte(text))
		require.NoError(t, err)
		m := model.New(&w.Workload, &model.CostTable{}, 1)
		m.KeepAll()
		m.KeepNotes()
		_ = m.Run(w.Workload.Until) // a deadlock ends it too, with what was recorded
		f(name, recorded{m.Trace, NamesOf(&w.Workload, m.Program())})
	}
}

// ftraceOf writes records as text.
func ftraceOf(t *testing.T, r recorded) string {
	t.Helper()
	var b bytes.Buffer
	w := ftrace.NewWriter(&b, r.names)
	require.NoError(t, w.Add(r.records))
	require.NoError(t, w.Close())
	return b.String()
}

// readsBack compares records with what their text reads back to.
func readsBack(t *testing.T, name string, r recorded) {
	t.Helper()
	text := ftraceOf(t, r)
	records, names, err := ftrace.Read(name, strings.NewReader(text))
	require.NoError(t, err)
	require.Equal(t, r.names, names, name)
	require.Equal(t, len(r.records), len(records), name)
	for i := range records {
		if r.records[i] != records[i] {
			require.Equal(t, r.records[i], records[i], "%s: record %d", name, i)
		}
	}
}

// Look at the records: what is written as ftrace text reads back to the same, of every design and
// of every workload that is drawn anywhere, notes and names too.
func TestFtraceReadsBack(t *testing.T) {
	seen := map[trace.Kind]bool{}
	eachWorkload(t, func(name string, r recorded) {
		readsBack(t, name, r)
		for i := range r.records {
			seen[r.records[i].Kind] = true
		}
	})
	for _, d := range designs.Bare() {
		r := recordedDesign(t, d)
		last := r.records[len(r.records)-1]
		for _, rare := range []trace.Kind{trace.Refused, trace.InUse, trace.SendLate} { // too rare
			record := trace.Record{At: last.At, CPU: last.CPU, Kind: rare, Task: 0, A: 3, B: 1}
			if rare == trace.SendLate {
				record.B = 0
			}
			r.records = append(r.records, record)
		}
		readsBack(t, d.Variant, r)
		for i := range r.records {
			seen[r.records[i].Kind] = true
		}
	}
	for k := trace.Kind(0); k < trace.NKinds; k++ {
		assert.True(t, seen[k], "no record of kind %d was written", k)
	}
}

// lineGrammar is the expression by which Perfetto's importer of ftrace text takes a line apart.
var lineGrammar = regexp.MustCompile(`^.+-(\d+)\s+\(?\s*(\d+|-+)?\)?\s?\[(\d+)\]\s*` +
	`([a-zA-Z.]{3}[0-9a-f.]{1,2}\s*)?(\d+\.\d+):\s+(\S+):(.*)$`)

// eventGrammar is each event's arguments as the kernel prints them, from the format files of
// tracefs (6.18).
var eventGrammar = map[string]string{
	"sched_switch": `prev_comm=\S+ prev_pid=\d+ prev_prio=\d+ prev_state=(R\+?|S|D|X|I) ==> ` +
		`next_comm=\S+ next_pid=\d+ next_prio=\d+`,
	"sched_waking":       `comm=\S+ pid=\d+ prio=\d+ target_cpu=\d{3}`,
	"sched_wakeup":       `comm=\S+ pid=\d+ prio=\d+ target_cpu=\d{3}`,
	"sched_migrate_task": `comm=\S+ pid=\d+ prio=\d+ orig_cpu=\d+ dest_cpu=\d+`,
	"sched_pi_setprio":   `comm=\S+ pid=\d+ oldprio=\d+ newprio=\d+`,
	"sched_process_exit": `comm=\S+ pid=\d+ prio=\d+ group_dead=true`,
	"contention_begin":   `[0-9a-f]{16} \(flags=(SPIN|RT)\)`,
	"contention_end":     `[0-9a-f]{16} \(ret=0\)`,
	"lock_acquired":      `[0-9a-f]{16} .+`,
	"lock_release":       `[0-9a-f]{16} .+`,
	"irq_handler_entry":  `irq=\d+ name=.+`,
	"irq_handler_exit":   `irq=\d+ ret=handled`,
	"irq_disable":        `caller=\S+ parent=\S+`,
	"irq_enable":         `caller=\S+ parent=\S+`,
	"preempt_disable":    `caller=\S+ parent=\S+`,
	"preempt_enable":     `caller=\S+ parent=\S+`,
	"ipi_send_cpu":       `cpu=\d+ callsite=\S+ callback=\S+`,
	"ipi_entry":          `\(Rescheduling interrupts\)`,
	"tracing_mark_write": `(rtsim: [a-z_]+( [a-z_]+=-?\d+)*( .*)?|[BE]\|\d+\|send \d+.*)`,
	"io_uring_submit_req": `ring [0-9a-f]{16}, req [0-9a-f]{16}, user_data 0x[0-9a-f]+, ` +
		`opcode [A-Z_]+, flags 0x[0-9a-f]+, sq_thread \d`,
	"io_uring_complete": `ring [0-9a-f]{16}, req [0-9a-f]{16}, user_data 0x[0-9a-f]+, ` +
		`result -?\d+, cflags 0x[0-9a-f]+ extra1 \d+ extra2 \d+`,
	"io_uring_cqring_wait":    `ring [0-9a-f]{16}, min_events \d+`,
	"io_uring_local_work_run": `ring [0-9a-f]{16}, count \d+, loops \d+`,
}

// Look at the lines: each is a comment or one that other readers of ftrace take apart, with the
// fields that the kernel prints; and each kind of line was written.
func TestFtraceLines(t *testing.T) {
	written := map[string]bool{}
	grammar := map[string]*regexp.Regexp{}
	for event, arguments := range eventGrammar {
		grammar[event] = regexp.MustCompile("^ " + arguments + "$")
	}
	check := func(name string, r recorded) {
		for line := range strings.Lines(ftraceOf(t, r)) {
			if strings.HasPrefix(line, "#") {
				continue
			}
			m := lineGrammar.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
			require.NotNil(t, m, "%s: %s", name, line)
			event := m[6]
			written[event] = true
			require.Contains(t, grammar, event, "%s: %s", name, line)
			require.True(t, grammar[event].MatchString(m[7]), "%s: %s", name, line)
		}
	}
	eachWorkload(t, check)
	for _, d := range []*designs.Design{designs.FutexOneshot, designs.MsgRing} {
		check(d.Variant, recordedDesign(t, d))
	}
	for event := range eventGrammar {
		assert.True(t, written[event], event)
	}
}
