package shrink_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/scenarios/shrink"
	"rtsim/sim"
)

// What the smallest files must be, derived by hand from the listings (rtsim list DESIGN) and from
// the typical costs of orin-7.4.
//
// A task that comes to an idle CPU runs 4.0us later, idle_exit 2.8 and switch 1.2; a burst that
// comes to a busy one 1.2us later, switch.

// withoutComments is a file without its comments.
func withoutComments(data []byte) string {
	kept := ""
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, "#") {
			kept += line
		}
	}
	return kept
}

// crowd is a witness with more in it than it takes, at odd times. low-1 begins its send at 27.3,
// has hb->lock at 27.78 and the waiter off its list at 28.04; irq-1 comes in between.
const crowd = `
cpus: 6
queues: [Q]
tasks:
  - {name: receiver, priority: 43, cpus: [5], program: "open Q; receive Q; goto 1"}
  - {name: low-0, policy: other, cpus: [0], arrive: 413.7us, program: "send Q; run 9us; send Q"}
  - {name: low-1, policy: other, cpus: [1], arrive: 23.3us, program: "send Q; run 17us; send Q"}
  - {name: other-1, policy: other, cpus: [1], arrive: 61.9us, program: "run 77us"}
  - {name: work, policy: rr, priority: 7, cpus: [0], arrive: 2.9us, program: "run 340.2us"}
  - {name: irq-1, priority: 57, cpus: [1], arrive: 27.93us, program: "run 731.3us"}
  - {name: irq-0, priority: 57, cpus: [0], arrive: 20.6us, program: "run 64.1us"}
  - {name: sender, priority: 43, cpus: [4], arrive: 171.7us, program: "every 1ms; send Q"}
interrupts:
  - {at: 33us, cpu: 4, cost: 3us}
measure: {sender: sender, receiver: receiver}
`

func TestSmallestLateFutexWake(t *testing.T) {
	// Look at the file: of eight tasks and an interrupt four are left, a message's two ends,
	// somebody who holds hb->lock, and somebody who keeps him from his CPU. Costs do not jitter
	// here.
	//
	// The receiver is there first, on a CPU of its own, and sleeps 4.0 + 1.1us later; so the
	// writer may come at 10us, the least time between two who come one after the other. He begins
	// at 14.0, has hb->lock after 0.2 + 0.2 + 0.05 + 0.03us, at 14.48; the receiver is off the
	// list 0.14 + 0.052 + 0.07us later, at 14.742: from then on a sender sees that nobody waits
	// and takes no lock. The longest step in between is the first, up to 14.62, and the roundest
	// time in it 14.5. If the burst comes at once, so may the sender.
	//
	// The sender begins at 18.5 and blocks. The burst begins at 15.7 and if it takes 100us ends
	// at 115.7. The writer is back at 116.9, has 0.12 + 0.052 + 0.07 + 0.05 + 0.005 + 0.02 +
	// 0.06us to go until interrupts are off, 0.6us without them, and 0.052us to the end of the
	// list; then unlocks the slow way, 0.03 + 1.0: 118.96. The sender's IPI takes 1.0 + 0.5, idle
	// exit and switch 4.0, to take the lock 0.3: 124.76; nobody is queued any more, so it returns
	// 0.14 + 0.052 + 0.03 + 0.2us later, at 125.18. That makes 106.7us. With a burst of 90us it
	// would be 96.7us: of the roundest lengths 100us is the first that will do.
	none := []file.Setting{{Name: "cost_jitter_percent", Value: "0"}}
	c, err := scenarios.Load("crowd", []byte(crowd), scenarios.Options{Set: none})
	require.NoError(t, err)
	d, err := scenarios.FindDesign("futex-oneshot")
	require.NoError(t, err)
	small, err := shrink.Shrink(context.Background(), shrink.Input{Case: c, Design: d,
		Asked: "futex-oneshot", Seed: 7, Metric: scenarios.MetricSend, Limit: limit, Message: 0})
	require.NoError(t, err)
	require.Equal(t, `cpus: 3
queues: [Q]
tasks:
  - {name: receiver, priority: 40, cpus: [1], program: "open Q; receive Q; goto 1"}
  - {name: writer, priority: 10, cpus: [0], arrive: 10us, program: "send Q"}
  - {name: burst, priority: 50, cpus: [0], arrive: 14.5us, program: "run 100us"}
  - {name: sender, priority: 40, cpus: [2], arrive: 14.5us, program: "every 1ms; send Q"}
measure: {sender: sender, receiver: receiver}
`, withoutComments(small.File))
	require.InDelta(t, 106_700, int64(small.TotalNs), 200)
	require.Equal(t, "blocked hb->lock by a in send, preempted by b", small.Kind)
	require.Equal(t, "rtsim explain FILE --design futex-oneshot --set cost_jitter_percent=0",
		small.Repeat)
}

func TestSmallestClaimedWakeUp(t *testing.T) {
	// Look at the picture: the writer has rung the receiver's doorbell first (c: its wake-up is
	// claimed) and is preempted before he wakes it; nobody holds a lock, and nobody is boosted.
	//
	// A column is 2us. The writer begins at 14.0 and rings after 0.2 + 0.03 + 0.15 + 0.05 +
	// 0.06us; 0.02us later interrupts are off. In between, at 14.5, comes the burst, runs from
	// 15.7 to 115.7. So does the sender, begins at 18.5, finds the bit set after 0.49us and
	// returns by 19.5. From 18.5 on the burst has 97us, 49 columns. The writer is back at 116.9,
	// which columns of 116.5 and 118.5 do not show, and wakes the receiver 0.62us later, at
	// 117.5: column 50 at 118.5 is the IPI, up to 119.0; columns 51 and 52, 120.5 and 122.5, are
	// on the way to it: idle exit up to 121.8, switch up to 123.0. It handles the message 0.03 +
	// 0.06 + 0.15 + 0.03 + 0.15 + 0.2 + 0.5us later, at 124.1, in column 52: 105.6us.
	g := targets[8]
	small := shrunk(t, g)
	require.Equal(t, 2*sim.Microsecond, small.Column)
	require.InDelta(t, 105_600, int64(small.TotalNs), 2_000)
	require.Equal(t, "claimed by a in send, preempted by b", small.Kind)
	rows := map[string]string{}
	for _, line := range small.Picture {
		label, row := line[:len("A receiver/40   ")], line[len("A receiver/40   "):]
		rows[strings.TrimSpace(label)] = row
	}
	require.Equal(t, "r"+strings.Repeat("c", 49)+"ier", rows["cause"])
	require.Equal(t, strings.Repeat("-", 50)+".>>", rows["A receiver/40"])
	require.Equal(t, strings.Repeat(".", 49)+">", rows["B writer/10"])
	require.Equal(t, strings.Repeat("#", 49), rows["C burst/50"])
	require.Equal(t, "#", rows["D sender/40"])
}

func TestSmallestUnlinkedItem(t *testing.T) {
	// Look at the picture: the writer has pushed his item and not linked it; the receiver, woken
	// by the sender, finds it oldest and spins for it on its CPU, at priority 40, for all of the
	// burst.
	//
	// The sender wakes the receiver, which is on its CPU 1.5 + 4.0us later and then spins (~)
	// until the writer is back: no lock, so no row of one, and no boost.
	g := targets[9]
	small := shrunk(t, g)
	require.Equal(t, "spins work list by a in send, preempted by b", small.Kind)
	picture := strings.Join(small.Picture, "\n")
	require.Regexp(t, `(?m)^A receiver/40 +-+\.>+~{40,}#?$`, picture)
	require.Regexp(t, `(?m)^B writer/10 +\.{40,}>?$`, picture)
	require.NotContains(t, picture, "lock")
	require.NotContains(t, picture, "=")
}
