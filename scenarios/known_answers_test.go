package scenarios_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"rtsim/sim"
)

// Answers from the literature and from arithmetic, which the machine must give. Sources: Burns and
// Wellings, Real-Time Systems and Programming Languages (response times); Lehoczky, Sha, Ding,
// RTSS 1989; Lehoczky, RTSS 1990 (arbitrary deadlines); Davis and others, Real-Time Systems 35,
// 2007 (CAN); Sha, Rajkumar, Lehoczky, IEEE Trans. Computers 39(9), 1990 (inheritance); Dhall and
// Liu, Operations Research 26(1), 1978.

// jobsOf is a program of so many jobs, released every period.
func jobsOf(jobs, period int, job string) string {
	program := ""
	for i := range jobs {
		program += fmt.Sprintf("sleep_until %dus; %s; ", i*period, job)
	}
	return strings.TrimSuffix(program, "; ")
}

// lastWords are when a task's jobs end, less their releases: each job is so many words, the
// first its release.
func lastWords(o *outcome, task string, words, period int) []sim.Time {
	var responses []sim.Time
	for _, w := range o.Words {
		if w.Task == task && int(w.Word)%words == words-1 {
			responses = append(responses,
				w.At/sim.Microsecond-sim.Time(int(w.Word)/words*period))
		}
	}
	return responses
}

func TestKnownResponseTimes(t *testing.T) {
	// Look at the set, (C,T) by falling priority on one CPU: released together, the first job of
	// each takes as long as the analysis says. The third task of the third set is late.
	for _, set := range []struct {
		tasks [][2]int
		want  []sim.Time
	}{
		{[][2]int{{5, 20}, {10, 40}, {40, 80}}, []sim.Time{5, 15, 80}},
		{[][2]int{{3, 7}, {3, 12}, {5, 20}}, []sim.Time{3, 6, 20}},
		{[][2]int{{10, 30}, {10, 40}, {12, 50}}, []sim.Time{10, 20, 52}},
		{[][2]int{{4, 16}, {5, 40}, {32, 80}}, []sim.Time{4, 9, 58}},
		{[][2]int{{1, 4}, {2, 6}, {3, 10}}, []sim.Time{1, 3, 10}},
		{[][2]int{{20, 100}, {30, 145}, {68, 150}}, []sim.Time{20, 50, 138}},
		{[][2]int{{40, 100}, {40, 150}, {100, 350}}, []sim.Time{40, 80, 300}},
	} {
		text := "cpus: 1\ntasks:\n"
		for i, task := range set.tasks {
			text += c(string(rune('A'+i)), 0, 90-i, 0,
				jobsOf(20, task[1], fmt.Sprintf("run %dus", task[0])))
		}
		o := runText(t, text)
		var got []sim.Time
		for i, task := range set.tasks {
			got = append(got, lastWords(o, string(rune('A'+i)), 2, task[1])[0])
		}
		assert.Equal(t, set.want, got, set.tasks)
	}
}

func TestKnownBusyPeriods(t *testing.T) {
	// Look at which job is the worst: of (26,70), (62,100) the fifth of the second task; of
	// (52,100), (52,140) the first.
	run := func(high, low [2]int, jobs int) []sim.Time {
		o := runText(t, "cpus: 1\ntasks:\n"+
			c("H", 0, 20, 0, jobsOf(2*jobs, high[1], fmt.Sprintf("run %dus", high[0])))+
			c("L", 0, 10, 0, jobsOf(jobs, low[1], fmt.Sprintf("run %dus", low[0]))))
		return lastWords(o, "L", 2, low[1])
	}
	assert.Equal(t, []sim.Time{114, 102, 116, 104, 118, 106, 94}, run([2]int{26, 70},
		[2]int{62, 100}, 7))
	assert.Equal(t, []sim.Time{156, 120}, run([2]int{52, 100}, [2]int{52, 140}, 2))
}

func TestKnownMessagesOnABus(t *testing.T) {
	// Look at the third message's second instance: C = 1, T = 2.5, 3.5, 3.5 ms, nobody preempts,
	// all due at 0. The first is not its worst: it takes 3.0, then 3.5, 3.0, 2.5, and misses 3.25.
	// Who is due when another ends goes before the one who waits: A and B come 1 ns earlier.
	const job = "preempt_off; run 10us; preempt_on"
	early := func(jobs, period int) string {
		program := job
		for i := range jobs - 1 {
			program += fmt.Sprintf("; sleep_until %dns; ", 1000*period*(i+1)-1) + job
		}
		return program
	}
	o := runText(t, "cpus: 1\ntasks:\n"+c("A", 0, 30, 0, early(6, 25))+
		c("B", 0, 20, 0, early(4, 35))+c("C", 0, 10, 0, jobsOf(4, 35, job)))
	var ends []sim.Time
	for _, w := range o.Words {
		if w.Task == "C" && w.Word%4 == 2 {
			ends = append(ends, w.At/sim.Microsecond-sim.Time(35*(w.Word/4)))
		}
	}
	assert.Equal(t, []sim.Time{30, 35, 30, 25}, ends)
}

func TestKnownInheritance(t *testing.T) {
	// Look at the ends. First the classic inversion on one CPU; then a chain over two locks: H
	// waits for M, who waits for L; then the published experiment in small: a burst of 1 ms on
	// the holder's CPU costs S 1013 us whatever it inherits, and a hog between the two nothing.
	chain := "run 1us; lock L0; run 1us; unlock L0; lock L1; run 1us; unlock L1; run 1us"
	small := c("C", 0, 10, 0, section(0, 0, 10)) + c("I", 0, 50, 1, "run 1000us") +
		c("S", 2, 40, 2, section(0, 0, 5))
	for _, k := range []struct {
		tasks string
		want  map[string]sim.Time
	}{
		{c("L", 0, 1, 0, section(1, 0, 4)+"; run 1us") +
			c("H", 0, 3, 2, section(1, 0, 2)+"; run 1us") + c("M", 0, 2, 3, "run 10us"),
			map[string]sim.Time{"H": 9, "M": 19, "L": 20}},
		{c("L", 0, 1, 0, section(1, 1, 4)+"; run 1us") +
			c("M", 0, 2, 2, section(1, 0, 5)+"; run 1us") + c("H", 0, 3, 5, chain),
			map[string]sim.Time{"H": 15, "M": 16, "L": 17}},
		{small, map[string]sim.Time{"C": 1010, "I": 1001, "S": 1015}},
		{small + c("G", 0, 20, 3, "run 5000us"),
			map[string]sim.Time{"I": 1001, "S": 1015, "G": 6010}},
	} {
		ends := runText(t, "cpus: 3\nlocks: {L0: spin, L1: spin}\ntasks:\n"+k.tasks).ends()
		for name, end := range k.want {
			assert.Equal(t, end, ends[name]/sim.Microsecond, "%s of\n%s", name, k.tasks)
		}
	}
}

func TestKnownGlobalSchedules(t *testing.T) {
	// Look at the heavy task: by rate it is the last to get a CPU. Two of (2,10) and one of (10,11)
	// on two CPUs: it ends at 14; four of (2,100) and one of (100,101) on four: at 104.
	light := func(n, cost, period int) string {
		tasks := ""
		for i := range n {
			tasks += fmt.Sprintf("  - {name: %c, priority: %d, cpus: [0, 1, 2, 3], ", 'A'+i, 90-i)
			tasks += "program: \"" + jobsOf(2, period, fmt.Sprintf("run %dus", cost)) + "\"}\n"
		}
		return tasks
	}
	four := "cpus: 4\ntasks:\n" + light(4, 2, 100) +
		"  - {name: H, priority: 10, cpus: [0, 1, 2, 3], program: \"run 100us\"}\n"
	two := strings.ReplaceAll("cpus: 2\ntasks:\n"+light(2, 2, 10)+
		"  - {name: H, priority: 10, cpus: [0, 1, 2, 3], program: \"run 10us\"}\n",
		"[0, 1, 2, 3]", "[0, 1]")
	assert.Equal(t, 104*sim.Microsecond, runText(t, four).ends()["H"])
	assert.Equal(t, 14*sim.Microsecond, runText(t, two).ends()["H"])
}
