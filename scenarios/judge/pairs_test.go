package judge_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"rtsim/designs"
	"rtsim/scenarios/judge"
	"rtsim/sim"
)

// Look at the differences of a design to itself: there are none, to the nanosecond, since draws
// have names. Nor does anything move if what runs on CPUs 2 and 3, where nothing does, is
// replaced; but CPUs 0 and 1 do move something.
func TestCommonDraws(t *testing.T) {
	short := judge.For(200 * sim.Millisecond)
	for _, d := range []*designs.Design{designs.FutexOneshot, designs.Doorbell, mine(nil)} {
		judge.NeverLater(t, d, d, where, judge.Send, 0, short)
		judge.NeverLater(t, d, d, where, judge.Receive, 0, short)
		judge.Unmoved(t, d, where, judge.Send, 0, []int32{2, 3}, short)
		c := &captured{}
		assert.False(t, judge.Unmoved(c, d, where, judge.Send, 0, []int32{0, 1}, short))
		assert.Contains(t, c.String(), "REFUTED")
	}
}

// Look at what whatever runs on CPUs 0 and 1 does to the sender: with a doorbell or a persistent
// wait he spins for one raw section of each of them at most, with a one-shot futex he waits for a
// whole burst.
func TestNonInterference(t *testing.T) {
	cpus, short := []int32{0, 1}, judge.For(sim.Second)
	for _, d := range []*designs.Design{designs.FutexPersistent, designs.Doorbell} {
		judge.Unmoved(t, d, where, judge.Send, 20*us, cpus, short, judge.Seeds(2))
	}
	c := &captured{}
	assert.False(t, judge.Unmoved(c, designs.FutexOneshot, where, judge.Send, 300*us, cpus, short))
	assert.Contains(t, c.String(), "with the longest of all loads")
}

// Look at the second verdict: random runs of option 3 move no send by 20 us, whatever runs on CPUs
// 0 and 1, and the run that an adversary finds does: with nothing there the same message is short.
// Nor is it long with a one-shot futex, which goes to no slab.
func TestHostilePairs(t *testing.T) {
	cpus, short := []int32{0, 1}, judge.For(100*sim.Millisecond)
	assert.True(t, judge.Unmoved(t, designs.MsgRingCache, where, judge.Send, 20*us, cpus, short))
	c := &captured{}
	assert.False(t, judge.Unmoved(c, designs.MsgRingCache, where, judge.Send, 20*us, cpus, short,
		judge.Searching(1)))
	assert.Contains(t, c.String(), "us with nothing there")
	assert.Contains(t, c.String(), "-rtsim.answers='")
	c = &captured{}
	assert.False(t, judge.NeverLater(c, designs.MsgRingCache, designs.FutexOneshot, where,
		judge.Send, 10*us, short, judge.Searching(1)))
	assert.Contains(t, c.String(), "us with futex-oneshot")
}
