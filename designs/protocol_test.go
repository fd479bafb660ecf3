package designs_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios"
	"rtsim/sim"
)

const (
	rounds    = 400                   // random scenarios for each design
	enough    = 100                   // of them, once an open window has shown itself
	costMost  = 30                    // ns, of every step
	burst     = 100 * sim.Microsecond // of an interrupt thread, on the CPU of a low sender
	late      = burst / 2             // more than this is due to somebody who was preempted
	almost    = burst - burst/10      // a message that came soon after a burst's begin
	receivers = 3                     // of them one comes and goes
	senders   = 4                     // at most, one of them real-time
)

func TestProtocol(t *testing.T) {
	// Look at the design and at the scenario that is printed. In random scenarios, with bursts
	// somewhere in the senders' paths, no message is lost for ever, none is handled twice, and one
	// is late if and only if the verdict says that a window is open.
	for _, era := range designs.Eras() {
		for _, d := range designs.All() {
			d = d.In(era)
			verdict, ok := verdicts[era.Kernel][d.Variant]
			require.Equal(t, d.Unsupported(era.Kernel) == "", ok, "say in verdicts which "+
				"windows %s leaves open with %s", d.Variant, era.Kernel)
			if ok {
				t.Run(era.Kernel+"/"+d.Variant, func(t *testing.T) {
					t.Parallel()
					holds(t, d, era.Kernel, verdict)
				})
			}
		}
	}
}

// holds runs random scenarios of a design.
func holds(t *testing.T, d *designs.Design, kernel, verdict string) {
	t.Helper()
	worst, total := sim.Time(0), 0
	for round := range rounds {
		s := newSituation(d, kernel, uint64(round), 0)
		m := s.run(t)
		delay := s.check(t, m)
		if verdict == "" {
			require.LessOrEqual(t, delay, s.bound(), s.text)
		}
		worst = max(worst, delay)
		if delay > late {
			total++
		}
		if round > enough && worst > almost {
			break
		}
	}
	if verdict != "" {
		assert.Positive(t, total, "%s is open, but nothing was late", verdict)
		assert.Greater(t, worst, almost)
	}
}

// situation is one random scenario.
type situation struct {
	design   *designs.Design
	kernel   string
	text     string
	profile  *designs.Profile
	workload *model.Workload
}

// newSituation draws one. S on CPU 1 and up to three low senders on CPUs 0 and 3, or so many that
// there are wakers in all, send a few times from about the same instant on; a burst arrives on
// each of the low CPUs within a call's time of it. R and T receive on CPUs of their own; L, on
// CPU 5, opens and closes in turn.
func newSituation(d *designs.Design, kernel string, seed uint64, wakers int) *situation {
	r := rand.New(rand.NewPCG(seed, 1))
	s := &situation{design: d, kernel: kernel}
	s.profile, _ = designs.FindProfile("zero")
	for i := range s.profile.Costs {
		s.profile.Costs[i].Typical = 1 + sim.Time(r.IntN(costMost))
	}
	ns := func(n int) string { return fmt.Sprintf("%dns", 1+r.IntN(n)) }
	var b strings.Builder
	b.WriteString("cpus: 6\ntasks:\n")
	task := func(name string, priority, cpu int, arrive, program string) {
		fmt.Fprintf(&b, "  - {name: %s, priority: %d, cpus: [%d], arrive: %s, program: \"%s\"}\n",
			name, priority, cpu, arrive, program)
	}
	sends := func() string {
		return strings.Repeat("send Q; sleep "+ns(1500)+"; ", r.IntN(3)) + "send Q"
	}
	begin := 4000 // ns: by then all are registered and asleep
	low := r.IntN(senders)
	if wakers > 0 {
		low = wakers - 1
	}
	for i := range low {
		at := begin + r.IntN(1500)
		task(fmt.Sprintf("P%d", i), 1, i%2*3, fmt.Sprintf("%dns", at), sends())
		if i < 2 {
			task(fmt.Sprintf("B%d", i), 50, i*3, fmt.Sprintf("%dns", at+r.IntN(1500)),
				"run "+burst.String())
		}
	}
	task("S", 40, 1, fmt.Sprintf("%dns", begin+r.IntN(4000)), "every 1ms; "+sends())
	lives := ""
	for i := range 1 + r.IntN(4) {
		life := []string{"receive Q", "sleep " + ns(4000)}[r.IntN(2)]
		if i == 0 && r.IntN(2) == 0 { // to the senders' calls, without a message
			life = fmt.Sprintf("sleep %dns", begin+r.IntN(4000))
		}
		lives += "open Q; " + life + "; close Q; sleep " + ns(1000) + "; "
	}
	task("L", 40, 5, ns(1000), lives+"open Q; receive Q; close Q")
	task("R", 40, 2, ns(1000), "open Q; receive Q; goto 1")
	task("T", 40, 4, ns(1000), "open Q; receive Q; goto 1")
	s.text = b.String()
	return s
}

func (s *situation) run(t *testing.T) *model.Machine {
	t.Helper()
	s.workload = readScenario(t, "random", s.text, s.design.Variant, s.kernel)
	m, err := scenarios.RunWorkload(s.workload, s.profile.Table(), 1)
	require.NoError(t, err, s.text)
	return m
}

// check follows the records and returns the longest delay of a message of S at R or T, from the
// begin of its call until their loops have read it.
func (s *situation) check(t *testing.T, m *model.Machine) (worst sim.Time) {
	t.Helper()
	loops := 1 // of a receiver that a message may cause
	if s.design.Name == "futex-plain" || s.design.Name == "futex-oneshot" {
		loops = 2 // the word had changed when it armed; and the wake-up
	}
	for _, name := range []string{"R", "T"} {
		var begun []sim.Time // by message: if it is S's
		read, handled, begin := 0, 0, sim.Never
		for _, r := range m.Trace {
			switch {
			case r.Kind == trace.SendBegin && m.Program().TaskName(r.Task) == "S":
				begin = r.At
			case r.Kind == trace.Publish:
				begun = append(begun, sim.Never)
				if m.Program().TaskName(r.Task) == "S" {
					begun[len(begun)-1] = begin
				}
			case r.Kind == trace.Handle && m.Program().TaskName(r.Task) == name:
				require.GreaterOrEqual(t, int(r.A), read, "%s goes back\n%s", name, s.text)
				require.LessOrEqual(t, int(r.A), len(begun), "%s reads ahead\n%s", name, s.text)
				for ; read < int(r.A); read++ {
					if begun[read] != sim.Never {
						worst = max(worst, r.At-begun[read])
					}
				}
				handled++
			}
		}
		require.Equal(t, len(begun), read, "%s sleeps for ever\n%s", name, s.text)
		require.LessOrEqual(t, handled, loops*len(begun), "%s loops for nothing\n%s", name, s.text)
	}
	return worst
}

// bound is what a message may take if nobody preempted delays it: every sender goes once through
// its call for every receiver while S waits behind him, and the receiver at most three times
// around its loop; the last is for interrupts and switches.
func (s *situation) bound() sim.Time {
	steps := senders*receivers*len(s.design.Paths.Send) + 3*len(s.design.Paths.Receive) + 8
	return costMost * sim.Time(steps)
}

func TestProtocolBoundsAreBelowBursts(t *testing.T) {
	// Look at the design: a delay within its bound is never taken for one by a burst.
	for _, era := range designs.Eras() {
		for _, d := range designs.All() {
			if verdicts[era.Kernel][d.Variant] == "" {
				s := situation{design: d.In(era)}
				assert.Less(t, s.bound(), late, "%s with %s", d.Variant, era.Kernel)
			}
		}
	}
}
