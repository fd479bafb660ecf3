package ftrace_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/model/draw"
	"rtsim/model/trace"
	"rtsim/scenarios/ftrace"
	"rtsim/sim"
)

const (
	episode   = "live-6.18-rtapp-pi-episode.ftrace.txt"
	fio       = "live-6.18-fio-io_uring.ftrace.txt"
	preempted = "preempt-rt-6.1-boosted-owner-preempted.ftrace.txt"
	lateSend  = "preempt-rt-6.1-late-futex-send.ftrace.txt"
)

// sample reads a real trace.
func sample(t *testing.T, name string) ([]trace.Record, *trace.Names) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	require.NoError(t, err)
	defer f.Close()
	records, names, err := ftrace.Read(name, f)
	require.NoError(t, err)
	return records, names
}

// at is an instant of a sample, in microseconds as the file writes it.
func at(t *testing.T, text string) sim.Time {
	t.Helper()
	v, err := sim.ParseTime(text + "s")
	require.NoError(t, err)
	return v
}

// The switches of a trace, found by an expression that shares nothing with the reader.
var switchLine = regexp.MustCompile(`\[(\d+)\] .* (\d+)\.(\d{6}): sched_switch: .* ` +
	`prev_pid=(\d+) .* next_pid=(\d+) `)

// Each line with sched_switch is one record, in the order of the file, and no other record is a
// switch but for what was on the CPUs when the trace began, or between lines that are missing.
func TestSamplesSwitches(t *testing.T) {
	for _, name := range []string{episode, preempted, lateSend, fio} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		require.NoError(t, err)
		records, names := sample(t, name)
		pid := func(id int32) string {
			if id < 0 {
				return "0"
			}
			return strconv.Itoa(int(names.Tasks[id].PID))
		}
		var found []string
		for _, r := range records {
			if r.Kind == trace.SchedSwitch {
				found = append(found, strconv.Itoa(int(r.At/1000))+" "+
					strconv.Itoa(int(r.CPU))+" "+pid(r.A)+" "+pid(r.Task))
			}
		}
		n := 0
		for _, m := range switchLine.FindAllStringSubmatch(string(text), -1) {
			seconds, _ := strconv.Atoi(m[2] + m[3])
			cpu, _ := strconv.Atoi(m[1])
			want := strconv.Itoa(seconds) + " " + strconv.Itoa(cpu) + " " + m[4] + " " + m[5]
			for n < len(found) && found[n] != want {
				n++
			}
			require.Less(t, n, len(found), "%s: %s is missing", name, want)
			n++
		}
		if name != fio { // it is complete, so each CPU has at most one switch of its own
			lines := strings.Count(string(text), ": sched_switch: ")
			assert.LessOrEqual(t, len(found)-lines, names.CPUs, name)
		}
	}
}

// Who is in the traces, at what rt_priority: read off prev_prio and next_prio by hand, 99 less
// the kernel's number.
func TestSamplesTasks(t *testing.T) {
	for name, want := range map[string]string{
		episode: "mini.test-24496 0, bench.test-22110 0, kworker/0:2 0, mid 20, low 10, high 30, " +
			"mini.test-24501 0, bench.test-22112 0, bench.test-22111 0",
		lateSend: "pub-other 0, sub-other 0, pub10 10, ktimers/0 1, recv 40, sub12 12, " +
			"send40 40, ksoftirqd/1 0, burst50a 50, ktimers/1 1, burst50b 50, kcompactd0 0, " +
			"ksoftirqd/0 0",
	} {
		_, names := sample(t, name)
		var found []string
		for _, n := range names.Tasks {
			found = append(found, n.Name+" "+strconv.Itoa(int(n.Prio)))
		}
		assert.Equal(t, want, strings.Join(found, ", "), name)
		assert.Equal(t, 2, names.CPUs, name)
	}
}

// Every sched_pi_setprio of three traces as a person reads it: when, who, from which rt_priority
// to which. The changes by sched_setscheduler, which the kernel does not trace, are not among
// them.
func TestSamplesBoosts(t *testing.T) {
	for name, want := range map[string]string{
		episode:   "779.361356 low 10 30, 779.361369 low 30 10",
		preempted: "17.500162 L 10 40, 17.526252 L 40 10",
		lateSend: "54.966817 sub-other 0 40, 54.966836 sub-other 40 0, " +
			"54.973054 sub-other 0 40, 54.973073 sub-other 40 0, " +
			"55.018884 pub10 10 40, 55.018899 pub10 40 10, " +
			"55.027126 sub-other 0 10, 55.027167 sub-other 10 0, " +
			"55.032861 sub12 12 40, 55.033805 sub12 40 12",
	} {
		records, names := sample(t, name)
		own := map[trace.Record]bool{} // a change of the own priority changes the effective one
		var found []string
		for _, r := range records {
			change := trace.Record{At: r.At, Task: r.Task, B: r.B}
			own[change] = own[change] || r.Kind == trace.SetPriority
			if r.Kind == trace.SchedPISetprio && !own[change] {
				found = append(found, strings.Join([]string{
					strconv.Itoa(int(r.At/sim.Second)) + "." +
						strconv.Itoa(int(r.At/1000%1e6 + 1e6))[1:],
					names.Task(r.Task), strconv.Itoa(int(r.A)), strconv.Itoa(int(r.B))}, " "))
			}
		}
		assert.Equal(t, want, strings.Join(found, ", "), name)
	}
}

// picture draws some tasks and all locks of a sample.
func picture(t *testing.T, name, from, to string, column sim.Time, tasks ...string) string {
	t.Helper()
	records, names := sample(t, name)
	p := draw.Picture{From: at(t, from), To: at(t, to), Column: column, CPUs: names.CPUs,
		Initial: func(task int32) byte { return names.Task(task)[0] }}
	for _, task := range tasks {
		id := names.TaskCalled(task)
		require.GreaterOrEqual(t, id, int32(0), task)
		p.Rows = append(p.Rows, draw.Row{Label: task, ID: id, Own: names.Tasks[id].Prio})
	}
	for l, lock := range names.Locks {
		p.Rows = append(p.Rows, draw.Row{Label: "  " + lock, ID: int32(l), Lock: true})
	}
	return "\n" + p.Text(records)
}

// The episode by hand, a column 10 us from 779.361310 on. 310: low runs. 319: high preempts it.
// So high runs in the four columns 320 to 350. 356: high finds the futex taken, low is boosted,
// 359: high sleeps; so at 360 low runs with the inherited 30 (=), high is blocked. 369: low
// releases, loses the boost and wakes high at 371: at 370 low still runs, the lock is offered (?).
// 373: high runs, at 380. 387: high sleeps, low goes on, at 390, until 391.
func TestSamplesPicturePI(t *testing.T) {
	assert.Equal(t, `
                 0         10
low              #....=#.#--
high             -####xx#---
mid              -----------
  futex of low        l?
`, picture(t, episode, "779.361310", "779.361420", 10*sim.Microsecond, "low", "high", "mid"))
}

// The late send by hand, a column 100 us from 55.032500 on, s is sub12 and not send40. 024:
// burst50a has preempted sub12 at 55.032024 and runs until 33783. send40 is woken at 32593, runs
// at 32659, finds hb->lock taken at 32739, boosts its owner sub12 at 32861, and sleeps at 32920:
// on the CPU from the column 32700 to 32900, blocked from 33000 to 33800. sub12, ready all along,
// runs at 33783 with the inherited 40 and gives the lock back at 33805: one column of =. It
// sleeps at 33870 and is woken at 33958, to run at 34011 after the last column; send40 runs at
// 33873, has the lock at 33893, and goes on beyond this picture.
func TestSamplesPictureLateSend(t *testing.T) {
	assert.Equal(t, `
                              0         10
send40                        -.###xxxxxxxxx##
sub12                         .............=-.
burst50a                      #############---
  hb->lock 00000000ff4ce6f5      sssssssssss
`, picture(t, lateSend, "55.032500", "55.034100", 100*sim.Microsecond, "send40", "sub12",
		"burst50a"))
}

// What blame asks of the late send: who owned the lock that send40 slept for, and that nobody
// spun, since the owner was not on a CPU.
func TestSamplesLateSend(t *testing.T) {
	records, names := sample(t, lateSend)
	send, sub := names.TaskCalled("send40"), names.TaskCalled("sub12")
	from, to := at(t, "55.032714"), at(t, "55.034001")
	var waits, spins int
	for _, r := range records {
		if r.At < from || r.At > to {
			continue
		}
		switch {
		case r.Kind == trace.LockWait && r.Task == send:
			waits++
			assert.Equal(t, sub, r.B)
			assert.Equal(t, "hb->lock 00000000ff4ce6f5", names.Locks[r.A])
		case r.Kind == trace.SpinBegin:
			spins++
		case r.Kind == trace.SchedWakeup && r.Task == send:
			assert.Equal(t, trace.Record{At: at(t, "55.033819"), Kind: trace.SchedWakeup, CPU: 1,
				Task: send, A: sub, B: int32(trace.OnLock)}, r)
		}
	}
	assert.Equal(t, 1, waits)
	assert.Zero(t, spins)
}

// In the other PREEMPT_RT trace the owner is on a CPU when H finds the futex taken, so H spins
// from its boost at 17.500162 until I preempts the owner at 17.501999, and sleeps at 17.502057.
func TestSamplesSpin(t *testing.T) {
	records, names := sample(t, preempted)
	h := names.TaskCalled("H")
	var spins []sim.Time
	for _, r := range records {
		if (r.Kind == trace.SpinBegin || r.Kind == trace.SpinEnd) && r.Task == h {
			spins = append(spins, r.At)
		}
	}
	assert.Equal(t, []sim.Time{at(t, "17.500162"), at(t, "17.501999")}, spins)
}
