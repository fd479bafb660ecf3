package scenarios_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"rtsim/sim"
)

// Statements that look true and are false, each with a counterexample derived by hand. Whoever
// thinks of a test that more load, a longer hold or a lower priority can only make a message
// later finds here why it would fail on a correct scheduler. Sources: Graham, SIAM J. Applied
// Mathematics 17(2), 1969 (scheduling anomalies); Dhall and Liu, Operations Research 26(1), 1978
// (global scheduling).

// falsehood is two files that differ in what the statement is about.
type falsehood struct {
	statement     string
	before, after []string    // tasks, in the file's order
	who           string      // whose end is looked at
	ends          [2]sim.Time // in us, derived in the comment above
	cpus          int         // 0: 4
}

// c is a task pinned to a CPU.
func c(name string, cpu, priority, arrive int, program string) string {
	return fmt.Sprintf("  - {name: %s, priority: %d, cpus: [%d], arrive: %dus, program: \"%s\"}\n",
		name, priority, cpu, arrive, program)
}

// s is the task whose response is looked at: it takes L0 for 1 us.
func s(arrive int) string { return c("S", 2, 40, arrive, section(0, 0, 1)) }

// section runs, and then holds a lock.
func section(run, lock, hold int) string {
	return fmt.Sprintf("run %dus; lock L%d; run %dus; unlock L%d", run, lock, hold, lock)
}

// behind is B: it wants L0 for 10 us, 1 us after it gets CPU 0.
var behind = c("B", 0, 10, 0, section(1, 0, 10))

// both and nest are the two locks of the statements that need two.
const (
	both = "lock L0; run 1us; unlock L0; lock L1; run 1us; unlock L1"
	nest = "lock L0; lock L1; run %dus; unlock L1; run 1us; unlock L0"
)

var falsehoods = []falsehood{
	// A holds L0 from 0 to 6, B comes after it on CPU 0. S waits from 5 to 6, holds to 7. With 3 us
	// instead A is gone at 3, B runs to 4 and holds L0 from 4 to 14: S ends at 15.
	{statement: "a shorter hold of lower priority never hurts",
		before: []string{c("A", 0, 20, 0, section(0, 0, 6)), behind, s(5)},
		after:  []string{c("A", 0, 20, 0, section(0, 0, 3)), behind, s(5)},
		who:    "S", ends: [2]sim.Time{7, 15}},
	// Without A, B runs to 1 and holds L0 from 1 to 11: S ends at 12.
	{statement: "one contender less never hurts",
		before: []string{c("A", 0, 20, 0, section(0, 0, 6)), behind, s(5)},
		after:  []string{behind, s(5)},
		who:    "S", ends: [2]sim.Time{7, 12}},
	// The burst keeps B from CPU 0 until 6; S finds L0 free at 5 and ends at 6. Without it B holds
	// L0 from 1 to 11.
	{statement: "one burst less never hurts",
		before: []string{c("I", 0, 50, 0, "run 6us"), behind, s(5)},
		after:  []string{behind, s(5)},
		who:    "S", ends: [2]sim.Time{6, 12}},
	// A burst of 3 us lets B take L0 at 4; S ends at 15.
	{statement: "a shorter burst never hurts",
		before: []string{c("I", 0, 50, 0, "run 6us"), behind, s(5)},
		after:  []string{c("I", 0, 50, 0, "run 3us"), behind, s(5)},
		who:    "S", ends: [2]sim.Time{6, 15}},
	// A, which takes no lock, leaves CPU 0 to B, who holds L0 from 1 to 11.
	{statement: "moving a task to an idle CPU never hurts",
		before: []string{c("A", 0, 20, 0, "run 8us"), behind, s(5)},
		after:  []string{c("A", 3, 20, 0, "run 8us"), behind, s(5)},
		who:    "S", ends: [2]sim.Time{6, 12}},
	// With priority 5 A lets B go first.
	{statement: "a lower priority of others never hurts",
		before: []string{c("A", 0, 20, 0, "run 8us"), behind, s(5)},
		after:  []string{c("A", 0, 5, 0, "run 8us"), behind, s(5)},
		who:    "S", ends: [2]sim.Time{6, 12}},
	// S at 4: D holds L0 from 1 to 3, L1 from 3 to 6, before the burst at 7. S holds L0 to 7, runs
	// to 12, holds L1 to 13. S at 0: it holds L0 to 3, so D holds it from 3 to 5 and L1 from 5; the
	// burst stops it at 7 with 1 us to go. S wants L1 at 8; the burst ends at 17, D at 18, S at 19.
	{statement: "who arrives later never ends earlier",
		before: []string{
			c("D", 0, 10, 1, section(0, 0, 2)+"; "+section(0, 1, 3)),
			c("I", 0, 50, 7, "run 10us"),
			c("S", 2, 40, 4, section(0, 0, 3)+"; "+section(5, 1, 1))},
		after: []string{
			c("D", 0, 10, 1, section(0, 0, 2)+"; "+section(0, 1, 3)),
			c("I", 0, 50, 7, "run 10us"),
			c("S", 2, 40, 0, section(0, 0, 3)+"; "+section(5, 1, 1))},
		who: "S", ends: [2]sim.Time{13, 19}},
	// E has L0 and L1 from 0; the burst stops it from 1 on, S wants L0 at 3. At 40 E goes on at 4,
	// gives L1 back at 5 and L0 at 6. S holds L0 to 7, when G, on CPU 1 since 6, takes L1 for 1 us:
	// S has L1 from 8 to 9. At 60 E goes on at 3 and gives L0 back at 5; the burst resumes to 6,
	// and G comes only then. At 6 S gives L0 to F, who waits since 4 and takes L1 at once, as it
	// comes before S in the file, until 9: S ends at 10.
	{statement: "a higher priority never hurts whose it is",
		before: []string{c("E", 1, 20, 0, fmt.Sprintf(nest, 2)),
			c("F", 0, 10, 2, "run 2us; "+fmt.Sprintf(nest, 3)), c("G", 1, 10, 2, section(1, 1, 1)),
			c("I", 1, 50, 1, "run 3us"), c("S", 2, 40, 3, both)},
		after: []string{c("E", 1, 20, 0, fmt.Sprintf(nest, 2)),
			c("F", 0, 10, 2, "run 2us; "+fmt.Sprintf(nest, 3)), c("G", 1, 10, 2, section(1, 1, 1)),
			c("I", 1, 50, 1, "run 3us"), c("S", 2, 60, 3, both)},
		who: "S", ends: [2]sim.Time{9, 10}},
	// Three tasks on two CPUs, (C,T) = (1,2), (1,3), (3,4), all released at 0, by rate. X and Y run
	// from 0 to 1, Z from 1 to 2, when X is back: Z has the other CPU to 3, when Y takes X's, so Z
	// ends at 4, in time. With T = 3 for X, X and Y come together, at 0 and at 3: Z has run 1 to 3
	// when they take both CPUs, and ends at 5, after its deadline.
	{statement: "less load never makes a job late",
		before: []string{global("X", 30, "run 1us; sleep_until 2us; run 1us"),
			global("Y", 20, "run 1us; sleep_until 3us; run 1us"), global("Z", 10, "run 3us")},
		after: []string{global("X", 30, "run 1us; sleep_until 3us; run 1us"),
			global("Y", 20, "run 1us; sleep_until 3us; run 1us"), global("Z", 10, "run 3us")},
		who: "Z", ends: [2]sim.Time{4, 5}, cpus: 2},
	// (C,T) = (2,5), (4,7) on one CPU uses 34 of 35 parts. By rate V has 0 to 2 and 5 to 7, so W
	// ends its first job, due at 7, at 8. Alone it would have ended at 4.
	{statement: "a CPU that is not fully used meets deadlines by rate",
		before: []string{c("W", 0, 10, 0, "run 4us")},
		after: []string{c("V", 0, 20, 0, "run 2us; sleep_until 5us; run 2us"),
			c("W", 0, 10, 0, "run 4us")},
		who: "W", ends: [2]sim.Time{4, 8}},
	// Two light tasks and a heavy one, (2,10), (2,10), (10,11), on two CPUs: the light ones go
	// first, and the heavy one ends at 12, not at 10, though a third of the machine is free.
	{statement: "a half idle machine meets deadlines by rate",
		before: []string{global("H", 10, "run 10us")},
		after: []string{global("X", 30, "run 2us"), global("Y", 20, "run 2us"),
			global("H", 10, "run 10us")},
		who: "H", ends: [2]sim.Time{10, 12}, cpus: 2},
}

// global is a task that may run on both of two CPUs.
func global(name string, priority int, program string) string {
	return fmt.Sprintf("  - {name: %s, priority: %d, cpus: [0, 1], program: \"%s\"}\n", name,
		priority, program)
}

func TestFalsehoods(t *testing.T) {
	// Look at the statement: in the second file, which it says can't be worse, the task ends later.
	for _, f := range falsehoods {
		var got [2]sim.Time
		for i, tasks := range [][]string{f.before, f.after} {
			cpus := f.cpus
			if cpus == 0 {
				cpus = 4
			}
			text := fmt.Sprintf("cpus: %d\nlocks: {L0: spin, L1: spin}\ntasks:\n", cpus) +
				strings.Join(tasks, "")
			got[i] = runText(t, text).ends()[f.who] / sim.Microsecond
		}
		assert.Equal(t, f.ends, got, f.statement)
	}
}
