package judge_test

import (
	"flag"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"rtsim/designs"
	k "rtsim/model"
	"rtsim/scenarios/judge"
	"rtsim/sim"
)

// This is all that a test of one's own design needs. It is a test itself: look at that it passes.
func TestMine(t *testing.T) {
	judge.NeverOver(t, mine(nil), "orin-queue", judge.Send, 100*sim.Microsecond,
		judge.For(100*sim.Millisecond))
}

func ExampleNeverOver() {
	t := &captured{} // a *testing.T in a test
	held := judge.NeverOver(t, designs.Doorbell, "orin-queue", judge.Receive, 100*sim.Microsecond,
		judge.For(100*sim.Millisecond), judge.Seeds(2))
	fmt.Println(held, t)
	// Output: true
}

func ExampleAtMost() {
	t := &captured{}
	held := judge.AtMost(t, designs.FutexOneshot, "orin-queue", judge.Send, 100*sim.Microsecond,
		0.05, 0.95, judge.For(sim.Second), judge.With("burst_duty", "0.2"))
	fmt.Println(held, t)
	// Output: true
}

// Look at the message of a design that takes a sleeping lock: it says what was claimed, who is to
// blame, draws it, gives the smallest file that shows it, and the command that repeats it.
func TestFailureHasAPicture(t *testing.T) {
	c := &captured{}
	broken := mine(func(p *parts) {
		p.before, p.after = k.Lock(k.RefHash), k.Unlock(k.RefHash)
	})
	assert.False(t, judge.NeverOver(c, broken, "orin-queue", judge.Send, 100*sim.Microsecond))
	for _, line := range []string{
		`\n\tClaim:      \tno send is over 100us, mine on orin-queue\n`,
		`\n\tError:      \tREFUTED\n`,
		`blocked [0-9.]+ us on hb->lock \(Q\): held by low-(pub|sub)-[01], boosted to 40, `,
		`sender/40 +#x+\.`,
		`hb->lock Q +A+`,
		`\{name: burst, priority: 50, cpus: \[0\], arrive: `,
		`\n\tTest:       \tTestMine\n`,
		`\n\tRepeat:     \tgo test -run '\^TestMine\$' -args -rtsim.seed=[1-3] -rtsim.for=`,
	} {
		assert.Regexp(t, line, c.String())
	}
	assert.Len(t, c.text, 1, "one failure a claim")
}

// Look at the option: ten milliseconds of runs meet no preempted link, and the claim passes; an
// adversary finds one in as long.
func TestSearchingFindsWhatRunsDoNot(t *testing.T) {
	passes := func(more ...judge.Option) bool {
		return judge.NeverOver(&captured{}, designs.MsgRingCache, "orin-queue", judge.Receive,
			100*sim.Microsecond, append(more, judge.For(10*sim.Millisecond), judge.Seeds(1))...)
	}
	assert.True(t, passes())
	assert.False(t, passes(judge.Searching(20_000)))
}

// Look at the failure with the flags that it prints: it is the same one.
func TestReplay(t *testing.T) {
	broken := mine(func(p *parts) { p.before, p.after = k.Lock(k.RefHash), k.Unlock(k.RefHash) })
	fails := func() string {
		c := &captured{}
		judge.NeverOver(c, broken, "orin-queue", judge.Send, 100*sim.Microsecond)
		return c.String()
	}
	before := fails()
	flags := regexp.MustCompile(`-(rtsim\.\w+)=(\S+)`).FindAllStringSubmatch(before, -1)
	assert.Len(t, flags, 2)
	for _, f := range flags {
		old := flag.Lookup(f[1]).Value.String()
		assert.NoError(t, flag.Set(f[1], f[2]))
		defer func() { assert.NoError(t, flag.Set(f[1], old)) }()
	}
	assert.Equal(t, before, fails())
}

// Look at the error: an answer outside its range is another run than the one that was asked for.
func TestReplayRefusesAnswers(t *testing.T) {
	answers := flag.Lookup("rtsim.answers").Value
	old := answers.String()
	defer func() { assert.NoError(t, answers.Set(old)) }()
	assert.NoError(t, answers.Set("load-length/irq-50-cpu0#0=5"))
	c := &captured{}
	assert.False(t, judge.NeverOver(c, designs.Doorbell, "orin-queue", judge.Send, sim.Second,
		judge.For(10*sim.Millisecond)))
	assert.Contains(t, strings.Join(c.text, "\n"),
		"#0=5: the range of that question is 20000 to 1000000, in ns")
}

// Look at that it holds: where the claim itself has bursts take the longest that they may, an
// answer in the scenario's range is outside the one there, and no mistake of the user's.
func TestReplayInAnotherWorld(t *testing.T) {
	answers := flag.Lookup("rtsim.answers").Value
	old := answers.String()
	defer func() { assert.NoError(t, answers.Set(old)) }()
	assert.NoError(t, answers.Set("load-length/irq-50-cpu0#0=20000"))
	c := &captured{}
	assert.True(t, judge.Unmoved(c, designs.Doorbell, "orin-queue", judge.Send, sim.Second,
		[]int32{0, 1}, judge.For(10*sim.Millisecond)), c)
}

// Look at what is wrong with each claim: it fails, and says what would be right.
func TestWrongClaims(t *testing.T) {
	for says, claim := range map[string]func(t judge.TestingT) bool{
		`unknown scenario "nowhere"`: func(t judge.TestingT) bool {
			return judge.Delivers(t, mine(nil), "nowhere")
		},
		`no metric "sends"; the metrics are send, receive`: func(t judge.TestingT) bool {
			return judge.NeverOver(t, mine(nil), "orin-queue", "sends", 1)
		},
		"sender, which is measured, runs on CPUs 4; name those": func(t judge.TestingT) bool {
			return judge.Unmoved(t, mine(nil), "orin-queue", judge.Send, 1, []int32{4})
		},
		"no CPUs; name at least one": func(t judge.TestingT) bool {
			return judge.Unmoved(t, mine(nil), "orin-queue", judge.Send, 1, nil)
		},
		"CPU 77; take one of 0 to 5": func(t judge.TestingT) bool {
			return judge.Unmoved(t, mine(nil), "orin-queue", judge.Send, 1, []int32{77})
		},
		"CPU -1; take one of 0 to 5": func(t judge.TestingT) bool {
			return judge.Unmoved(t, mine(nil), "orin-queue", judge.Send, 1, []int32{-1, 4})
		},
		"CPU 1 comes twice; name it once": func(t judge.TestingT) bool {
			return judge.Unmoved(t, mine(nil), "orin-queue", judge.Send, 1, []int32{1, 0, 1})
		},
		"--set low_perod=1ms": func(t judge.TestingT) bool {
			return judge.Delivers(t, mine(nil), "orin-queue", judge.With("low_perod", "1ms"))
		},
		"OPEN": func(t judge.TestingT) bool {
			return judge.KeepsOrder(t, mine(nil), "orin-queue", judge.Proven(),
				judge.For(10*sim.Millisecond))
		},
		"no send in 1000.001us": func(t judge.TestingT) bool {
			return judge.AtMost(t, mine(nil), "orin-queue", judge.Send, 1, 0.5, 0.9,
				judge.For(sim.Millisecond+1), judge.Seeds(1))
		},
		"nothing to measure: from is 1ms, and the run ends at 1ms": func(t judge.TestingT) bool {
			return judge.Delivers(t, mine(nil), "orin-queue", judge.For(sim.Millisecond))
		},
		"there is no design": func(t judge.TestingT) bool {
			return judge.NeverOver(t, nil, "orin-queue", judge.Send, 1)
		},
		"0ns with 0 seeds": func(t judge.TestingT) bool {
			return judge.Delivers(t, mine(nil), "orin-queue", judge.For(0), judge.Seeds(0))
		},
		"a probability of 2; take": func(t judge.TestingT) bool {
			return judge.AtMost(t, mine(nil), "orin-queue", judge.Send, 1, 2, 0.9)
		},
		"a confidence of 0.5; take": func(t judge.TestingT) bool {
			return judge.AtMost(t, mine(nil), "orin-queue", judge.Send, 1, 0.5, 0.5)
		},
	} {
		c := &captured{}
		assert.False(t, claim(c), says)
		assert.Contains(t, strings.Join(c.text, "\n"), says)
	}
}
