package scenarios_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// naivePicture writes a schedule on one line, CPUs separated by bars, times in nanoseconds.
func naivePicture(s naiveSchedule) string {
	var cpus []string
	for _, list := range s.CPUs {
		var slices []string
		for _, slice := range list {
			name := slice.Task
			if slice.Kind == "spin" {
				name += " spins"
			}
			slices = append(slices, fmt.Sprintf("%s %d-%d", name, slice.From, slice.To))
		}
		cpus = append(cpus, strings.Join(slices, ", "))
	}
	return strings.Join(cpus, " | ")
}

// naiveRule is a small workload whose schedule follows from one rule. The head of the file comes
// first, then a task a line: name, policy or priority, CPUs, what starts it, program.
type naiveRule struct{ name, head, tasks, want string }

// text gives the workload file.
func (n naiveRule) text() string {
	var b strings.Builder
	b.WriteString(n.head + "\ntasks:\n")
	for _, line := range strings.Split(strings.TrimSpace(n.tasks), "\n") {
		f := strings.SplitN(strings.TrimSpace(line), " ", 5)
		policy := "policy: " + f[1]
		if f[1] != "other" {
			kind, priority, _ := strings.Cut(f[1], ":")
			policy = fmt.Sprintf("policy: %s, priority: %s", kind, priority)
		}
		fmt.Fprintf(&b, "  - {name: %s, %s, cpus: [%s], arrive: %s, program: %q}\n",
			f[0], policy, f[2], f[3], f[4])
	}
	return b.String()
}

func TestNaiveFollowsTheRules(t *testing.T) {
	// Look at the rule that the name cites; each schedule is derived from it by hand.
	for _, rule := range append(naiveSchedulingRules, naiveLockRules...) {
		t.Run(rule.name, func(t *testing.T) {
			s, err := naiveParse(rule.text())
			require.NoError(t, err)
			s.rrSlice = 3
			for _, task := range s.tasks {
				task.rrLeft = 3
			}
			require.NoError(t, s.run())
			require.Equal(t, rule.want, naivePicture(s.out))
			require.Empty(t, s.out.Deadlock)
		})
	}
}

func TestNaiveFindsADeadlock(t *testing.T) {
	// Look at 2 ns: A holds S and wants T, B holds T and wants S.
	got, err := naiveRun(naiveRule{
		head: "cpus: 2\nlocks: {S: spin, T: mutex}",
		tasks: `A fifo:10 0 0ns lock S; run 1ns; lock T; unlock T; unlock S
			B fifo:10 1 0ns lock T; run 2ns; lock S; unlock S; unlock T`,
	}.text())
	require.NoError(t, err)
	require.Equal(t, []string{"B", "A"}, got.Deadlock)
}

var naiveSchedulingRules = []naiveRule{{
	name: "R1.6: equals do not preempt", head: "cpus: 1",
	tasks: `A fifo:20 0 0ns run 5ns
		B fifo:20 0 2ns run 3ns`,
	want: "A 0-5, B 5-8",
}, {
	name: "R1.6: but a pinned one moves a movable one away", head: "cpus: 2",
	tasks: `A fifo:20 0,1 0ns run 10ns
		B fifo:20 0 2ns run 3ns`,
	want: "A 0-2, B 2-5 | A 2-10",
}, {
	name: "1.2: a round robin slice used up goes behind its peer", head: "cpus: 1",
	tasks: `A rr:10 0 0ns run 5ns
		B rr:10 0 0ns run 4ns`,
	want: "A 0-3, B 3-6, A 6-8, B 8-9",
}, {
	name: "R1.10: interrupts off hold back an arrival, for another CPU too",
	head: "cpus: 2\ninterrupts: [{at: 2ns, cpu: 0, cost: 1ns, wakes: [W]}]",
	tasks: `A fifo:10 0 0ns irq_off; run 5ns; irq_on; run 2ns
		W fifo:30 1 0ns wait; run 3ns
		C fifo:30 0 4ns run 3ns`,
	want: "A 0-5, C 6-9, A 9-11 | W 6-9",
}, {
	name: "R1.22: a woken task goes elsewhere from a better one", head: "cpus: 3",
	tasks: `X fifo:5 1 0ns run 9ns
		A fifo:30 0 0ns run 9ns
		B fifo:20 0,1,2 2ns run 3ns`,
	want: "A 0-9 | X 0-9 | B 2-5",
}, {
	name: "R1.22: and from a pinned one, whatever its priority", head: "cpus: 2",
	tasks: `X fifo:10 0 0ns run 9ns
		B fifo:20 0,1 2ns run 3ns`,
	want: "X 0-9 | B 2-5",
}, {
	name: "R1.24: to the CPU of the waker before an idle one", head: "cpus: 4",
	tasks: `X fifo:30 0 0ns run 9ns
		Y fifo:30 1 1ns run 8ns
		W other 3 0ns run 2ns; wake B; run 3ns
		B fifo:20 0,1,2,3 0ns wait; run 3ns`,
	want: "X 0-9 | Y 1-9 |  | W 0-2, B 2-5, W 5-8",
}, {
	name: "R1.23: equals are pushed as they became pushable, the preempted last",
	head: "cpus: 2",
	tasks: `D fifo:20 0,1 0ns run 5ns
		X fifo:30 1 0ns run 6ns
		E fifo:20 0,1 1ns run 3ns
		C fifo:40 0 2ns run 10ns`,
	want: "D 0-2, C 2-12 | X 0-6, E 6-9, D 9-12",
}, {
	name: "R1.25: a CPU that a real-time task leaves is pushed to", head: "cpus: 2",
	tasks: `X fifo:40 1 0ns run 4ns
		A fifo:30 0 0ns run 10ns
		B fifo:20 0,1 1ns run 3ns`,
	want: "A 0-10 | X 0-4, B 4-7",
}, {
	name: "R1.26: the better task moves so that the one that may not move runs", head: "cpus: 2",
	tasks: `X fifo:40 1 0ns run 4ns
		C fifo:10 0,1 0ns bh_off; run 10ns; bh_on
		H fifo:30 0,1 1ns run 6ns`,
	want: "C 0-1, H 1-4, C 4-13 | X 0-4, H 4-7",
}, {
	name: "R3.10: a fair task's timer waits for ktimers", head: "cpus: 2",
	tasks: `F other 0,1 0ns sleep 3ns; run 2ns
		R fifo:10 0 1ns run 6ns`,
	want: "R 1-7, F 7-9 | ",
}, {
	name: "semaphores go to the best taker", head: "cpus: 1\nsemaphores: {Q: 0}",
	tasks: `A fifo:10 0 0ns take Q; run 1ns
		B fifo:20 0 1ns take Q; run 1ns
		C fifo:5 0 2ns run 1ns; post Q; run 1ns; post Q; run 1ns`,
	want: "C 2-3, B 3-4, C 4-5, A 5-6, C 6-7",
}}

var naiveLockRules = []naiveRule{{
	name: "1.2: a boosted task goes behind the equals of its donor",
	head: "cpus: 2\nlocks: {S: spin}",
	tasks: `L fifo:10 0 0ns lock S; preempt_off; run 4ns; preempt_on; run 2ns; unlock S
		X fifo:30 0 1ns run 3ns
		H fifo:30 1 2ns lock S; run 1ns; unlock S`,
	want: "L 0-4, X 4-7, L 7-9 | H spins 2-4, H 9-10",
}, {
	name: "1.2: a deboosted task goes before its equals", head: "cpus: 1\nlocks: {S: spin}",
	tasks: `L fifo:10 0 0ns lock S; run 4ns; unlock S; run 2ns
		P fifo:10 0 1ns run 2ns
		H fifo:30 0 2ns lock S; run 1ns; unlock S`,
	want: "L 0-4, H 4-5, L 5-7, P 7-9",
}, {
	name: "R2.5: inheritance passes along a chain", head: "cpus: 1\nlocks: {S: mutex, T: mutex}",
	tasks: `L fifo:10 0 0ns lock S; run 6ns; unlock S
		M fifo:20 0 1ns lock T; lock S; run 1ns; unlock S; unlock T
		H fifo:40 0 2ns lock T; run 1ns; unlock T
		X fifo:30 0 3ns run 5ns`,
	want: "L 0-6, M 6-7, H 7-8, X 8-13",
}, {
	name: "R2.6: only the top waiter spins", head: "cpus: 3\nlocks: {S: spin}",
	tasks: `L fifo:10 0 0ns lock S; run 6ns; unlock S
		A fifo:10 1 1ns lock S; run 1ns; unlock S
		B fifo:20 2 2ns lock S; run 1ns; unlock S`,
	want: "L 0-6 | A spins 1-2, A 7-8 | B spins 2-6, B 6-7",
}, {
	name: "2.7: a spinner takes the lock before the unlocker goes on",
	head: "cpus: 2\nlocks: {S: spin}",
	tasks: `L fifo:20 0 0ns lock S; run 4ns; unlock S; lock S; run 1ns; unlock S
		H fifo:10 1 1ns lock S; run 1ns; unlock S`,
	want: "L 0-4, L spins 4-5, L 5-6 | H spins 1-4, H 4-5",
}, {
	name: "R2.8: fair tasks steal a spinlock from their like", head: "cpus: 2\nlocks: {S: spin}",
	tasks: `F other 0 0ns lock S; run 2ns; unlock S; lock S; run 1ns; unlock S
		R fifo:10 0 1ns run 2ns
		G other 1 2ns lock S; run 1ns; unlock S`,
	want: "F 0-1, R 1-3, F 3-5 | G spins 4-5, G 5-6",
}, {
	name: "R2.8: but not a mutex", head: "cpus: 2\nlocks: {S: mutex}",
	tasks: `F other 0 0ns lock S; run 2ns; unlock S; lock S; run 1ns; unlock S
		R fifo:10 0 1ns run 2ns
		G other 1 2ns lock S; run 1ns; unlock S`,
	want: "F 0-1, R 1-3, F 3-4, F 5-6 | G 4-5",
}, {
	name: "R2.14: a reader boosts the writer", head: "cpus: 2\nlocks: {W: rw}",
	tasks: `Wr fifo:10 0 0ns write_lock W; run 6ns; write_unlock W
		R fifo:30 1 1ns read_lock W; run 2ns; read_unlock W
		M fifo:20 0 2ns run 3ns`,
	want: "Wr 0-6, M 6-9 | R spins 1-6, R 6-8",
}, {
	name: "R2.15: a wake-up inside a contended spinlock is kept",
	head: "cpus: 1\nlocks: {S: spin}",
	tasks: `O fifo:10 0 0ns lock S; run 5ns; wake A; unlock S; run 1ns
		A fifo:20 0 1ns prepare; lock S; unlock S; schedule; run 2ns`,
	want: "O 0-5, A 5-7, O 7-8",
}, {
	name: "R2.15: without a wake-up schedule sleeps", head: "cpus: 1\nlocks: {S: spin}",
	tasks: `O fifo:10 0 0ns lock S; run 5ns; unlock S; run 1ns; wake A
		A fifo:20 0 1ns prepare; lock S; unlock S; schedule; run 2ns`,
	want: "O 0-6, A 6-8",
}, {
	name: "a contended mutex leaves the state running", head: "cpus: 1\nlocks: {S: mutex}",
	tasks: `O fifo:10 0 0ns lock S; run 5ns; unlock S; run 1ns
		A fifo:20 0 1ns prepare; lock S; unlock S; schedule; run 2ns`,
	want: "O 0-5, A 5-7, O 7-8",
}, {
	name: "R3.8: the BH lock inherits", head: "cpus: 1\nbh_lock: true",
	tasks: `A fifo:10 0 0ns bh_off; run 4ns; bh_on; run 1ns
		B fifo:30 0 1ns bh_off; run 1ns; bh_on`,
	want: "A 0-4, B 4-5, A 5-6",
}, {
	name: "R3.8: without it the better one preempts", head: "cpus: 1",
	tasks: `A fifo:10 0 0ns bh_off; run 4ns; bh_on; run 1ns
		B fifo:30 0 1ns bh_off; run 1ns; bh_on`,
	want: "A 0-1, B 1-2, A 2-6",
}}
