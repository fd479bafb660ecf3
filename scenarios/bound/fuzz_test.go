package bound_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios"
	"rtsim/scenarios/bound"
	"rtsim/scenarios/bound/cert"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// P27: whatever a scenario is, no simulated send is over its bound. The scenarios are random, short
// and cruel: bursts and interrupts come as soon as they may about half of the time.

var (
	fuzzSystems = flag.Int("systems", 150, "how many random systems are held to their bounds")
	fuzzFirst   = flag.Uint64("first", 1, "the number of the first of them")
)

// pick is one of some texts.
func pick(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

// randomScenario is the text of one: a sender on CPU 2, a receiver on CPU 3, low-priority tasks
// and bursts on CPUs 0 and 1.
func randomScenario(r *rand.Rand) string {
	var b strings.Builder
	other := pick(r, "", "", ", {name: X, bucket_of: Q}")
	fmt.Fprintf(&b, "cpus: 4\nqueues: [Q%s]\ntasks:\n", other)
	fmt.Fprintf(&b, "  - {name: S, priority: 40, cpus: [2], "+
		"program: \"every %s; send Q; goto 0\"}\n",
		pick(r, "31us", "57us", "103us", "251us", "1ms"))
	b.WriteString("  - {name: R, priority: 40, cpus: [3], " +
		"program: \"open Q; receive Q; goto 1\"}\n")
	shared := strings.Contains(b.String(), "bucket_of")
	same := pick(r, "policy: other", "priority: 5", "")
	for i := range 1 + r.IntN(5) {
		how := same
		if how == "" {
			how = pick(r, "policy: other", "priority: 1", "priority: 5", "priority: 10",
				"policy: rr, priority: 7")
		}
		q := "Q"
		if shared && r.IntN(3) == 0 {
			q = "X"
		}
		program := fmt.Sprintf("every %s jitter %s; run %s; send %s; goto 0",
			pick(r, "13us", "40us", "100us", "200us"), pick(r, "0us", "7us", "13us"),
			pick(r, "0us", "1us", "5us"), q)
		switch r.IntN(4) {
		case 0:
			program = fmt.Sprintf("open %s; receive %s; goto 1", q, q)
		case 1:
			program = fmt.Sprintf("open %s; for %s; receive %s; end; close %s; sleep %s; goto 0",
				q, pick(r, "10us", "100us", "1ms"), q, q, pick(r, "1us", "30us", "1ms"))
		}
		fmt.Fprintf(&b, "  - {name: L%d, %s, cpus: [%d], program: \"%s\"}\n", i, how, r.IntN(2),
			program)
	}
	if r.IntN(3) == 0 {
		fmt.Fprintf(&b, "  - {name: W, policy: other, cpus: [%d], program: \"every %s; run %s; "+
			"goto 0\"}\n", r.IntN(2), pick(r, "50us", "333us"), pick(r, "5us", "60us"))
	}
	b.WriteString("load:\n  - {tick: \"tick-{cpu}\", each_cpu: [0, 1, 2, 3], every: ")
	fmt.Fprintf(&b, "%s}\n", pick(r, "4ms", "1ms", "333us"))
	for c := range 2 {
		if r.IntN(5) > 0 {
			least, duty := pick(r, "1us", "20us", "100us"), pick(r, "0.3", "0.6", "0.9", "0.95")
			fmt.Fprintf(&b, "  - {burst: B%d, cpu: %d, priority: %s, shape: %s, least: %s, "+
				"greatest: %s, duty: %s, gap_min: %s}\n", c, c,
				pick(r, "50", "50", "50", "45", "20"),
				pick(r, "uniform", "constant"), least, pick(r, "100us", "200us", "1ms"), duty,
				pick(r, "10us", "10us", "20us", "50us", "300us"))
		}
	}
	for c := range 4 {
		if r.IntN(3) == 0 {
			fmt.Fprintf(&b, "  - {device: D%d, cpu: %d, every: %s, least: 1us, greatest: %s}\n",
				c, c,
				pick(r, "20us", "25us", "100us"), pick(r, "1us", "2us", "5us", "9us"))
		}
	}
	b.WriteString("measure: {sender: S, receiver: R}\n")
	return b.String()
}

// randomCosts sets some costs within their ranges.
func randomCosts(r *rand.Rand) (set []file.Setting) {
	p, _ := designs.FindProfile("orin-7.4")
	if r.IntN(3) == 0 {
		return nil
	}
	extreme := r.IntN(2) == 0
	for i := range p.Costs {
		c := &p.Costs[i]
		v := c.Least + sim.Time(r.Int64N(int64(c.Greatest-c.Least)+1))
		if extreme {
			v = c.Greatest
		}
		if c.Greatest > 0 && (extreme || r.IntN(2) == 0) {
			set = append(set, file.Setting{Name: c.Name, Value: v.String()})
		}
	}
	return append(set, file.Setting{Name: "cost_jitter_percent", Value: pick(r, "0", "10", "50")})
}

// longest runs a case and returns its longest send and its longest receive, of those measured.
func longest(t *testing.T, c *scenarios.Case, d *designs.Design, seed uint64) (
	send, receive sim.Time) {
	m := model.New(c.Workload(d), c.Profile.Table(), seed)
	m.Keep(trace.SendBegin, trace.SendEnd, trace.Publish, trace.Handle)
	require.NoError(t, m.Run(c.Options().Duration))
	begin, sent := sim.Never, map[int32]sim.Time{}
	for i := range m.Trace {
		switch r := &m.Trace[i]; {
		case r.Kind == trace.Handle && r.Task == 1:
			for number, at := range sent {
				if number <= r.A {
					receive = max(receive, r.At-at)
					delete(sent, number)
				}
			}
		case r.Task != 0:
		case r.Kind == trace.SendBegin:
			begin = r.At
		case r.Kind == trace.Publish && begin >= c.Scenario.From:
			sent[r.A] = begin
		case r.Kind == trace.SendEnd:
			send, begin = max(send, r.At-begin), sim.Never
		}
	}
	if begin != sim.Never { // a call that has not returned yet
		send = max(send, c.Options().Duration-begin)
	}
	for _, at := range sent { // not handled yet
		receive = max(receive, c.Options().Duration-at)
	}
	return send, receive
}

// Look at the name of a system that fails: -args -first N -systems 1 repeats it.
func TestNoSendIsOverItsBound(t *testing.T) {
	most, bounded := map[string]float64{}, map[string]int{}
	all := designs.All()
	for n := *fuzzFirst; n < *fuzzFirst+uint64(*fuzzSystems); n++ {
		r := rand.New(rand.NewPCG(n, 27))
		text := randomScenario(r)
		c, err := scenarios.Load("random", []byte(text), scenarios.Options{
			Duration: 8 * sim.Millisecond, Set: randomCosts(r)})
		require.NoError(t, err, text)
		d := all[r.IntN(len(all))]
		if bare := designs.Bare(); r.IntN(2) == 0 {
			d = bare[r.IntN(len(bare))]
		}
		b, err := bound.Compute(&bound.System{Scenario: c.Scenario, Design: d.In(c.Era),
			Profile: c.Profile, Fixed: c.Fixed()}, "send")
		require.NoError(t, err)
		if b.Unbounded != "" {
			continue
		}
		sum := sim.Time(0)
		for _, term := range b.Terms {
			sum += term.Ns
		}
		require.Equal(t, b.Value, sum)
		err = cert.Check(b.Certificate, c.Scenario, d.In(c.Era), c.Profile, c.Fixed())
		if err != nil {
			require.Contains(t, err.Error(), "not checked", "system %d, %s:\n%s", n,
				d.Variant, text)
		}
		took, _ := longest(t, c, d, n)
		require.LessOrEqual(t, took, b.Value, "system %d, %s:\n%s\n%v", n, d.Variant, text, b.Terms)
		bounded[d.Name]++
		most[d.Name] = max(most[d.Name], float64(took)/float64(b.Value))
	}
	t.Logf("systems with a bound %v, the greatest share of it %v", bounded, most)
}

// Look at the same of receives, of the designs in which nobody owes the receiver a wake-up, or only
// under a raw lock.
func TestNoReceiveIsOverItsBound(t *testing.T) {
	most, bounded := map[string]float64{}, map[string]int{}
	for n := *fuzzFirst; n < *fuzzFirst+uint64(*fuzzSystems); n++ {
		r := rand.New(rand.NewPCG(n, 28))
		text := randomScenario(r)
		switch r.IntN(3) {
		case 0: // the sender begins when the receiver has opened its end
			text = strings.Replace(text, "priority: 40,", "priority: 40, arrive: 500us,", 1)
		case 1: // the first messages are not measured
			text = strings.Replace(text, "receiver: R}", "receiver: R, from: "+
				pick(r, "5us", "100us", "1ms")+"}", 1)
		}
		c, err := scenarios.Load("random", []byte(text), scenarios.Options{
			Duration: 8 * sim.Millisecond, Set: randomCosts(r)})
		require.NoError(t, err, text)
		d, _ := designs.Find(pick(r, "doorbell", "doorbell", "doorbell/fix-f2", "ideal-spin",
			"futex-persistent/fix-f4", "futex-persistent/fix-f4", "doorbell/fix-f3"))
		s := &bound.System{Scenario: c.Scenario, Design: d.In(c.Era), Profile: c.Profile,
			Fixed: c.Fixed()}
		b := compute(t, s, "receive")
		if b.Unbounded != "" {
			continue
		}
		require.NoError(t, check(s, b), "system %d, %s:\n%s", n, d.Variant, text)
		_, took := longest(t, c, d, n)
		require.LessOrEqual(t, took, b.Value, "system %d, %s:\n%s\n%v", n, d.Variant, text, b.Terms)
		bounded[d.Variant]++
		most[d.Variant] = max(most[d.Variant], float64(took)/float64(b.Value))
	}
	require.Positive(t, bounded["doorbell"])
	require.Positive(t, bounded["doorbell/fix-f3"])
	require.Positive(t, bounded["futex-persistent/fix-f4"])
	t.Logf("systems with a bound %v, the greatest share of it %v", bounded, most)
}
