package judge_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"rtsim/designs"
	k "rtsim/model"
	"rtsim/scenarios/judge"
	"rtsim/sim"
)

const (
	us    = sim.Microsecond
	where = "orin-queue"
)

// claims are what the design keeps, by name.
var claims = map[string]func(t judge.TestingT, d *designs.Design) bool{
	"sends are never late": func(t judge.TestingT, d *designs.Design) bool {
		return judge.NeverOver(t, d, where, judge.Send, 100*us)
	},
	"receives are never late": func(t judge.TestingT, d *designs.Design) bool {
		return judge.NeverOver(t, d, where, judge.Receive, 100*us)
	},
	"no message is lost": func(t judge.TestingT, d *designs.Design) bool {
		return judge.Delivers(t, d, where, judge.For(200*sim.Millisecond))
	},
	"preemption is never off for long": func(t judge.TestingT, d *designs.Design) bool {
		return judge.NeverOver(t, d, where, judge.LowPreemptOff, 2*us)
	},
	"CPUs 0 and 1 do not matter": func(t judge.TestingT, d *designs.Design) bool {
		return judge.Unmoved(t, d, where, judge.Send, 10*us, []int32{0, 1}, judge.Seeds(1))
	},
	"sends are no slower than the original's": func(t judge.TestingT, d *designs.Design) bool {
		return judge.NeverLater(t, d, mine(nil), where, judge.Send, us, judge.Seeds(1))
	},
	"one send in two hundred is late at most": func(t judge.TestingT, d *designs.Design) bool {
		return judge.AtMost(t, d, where, judge.Send, 100*us, 0.005, 0.9, judge.For(sim.Second))
	},
}

// Look at a design that is right: every claim passes.
func TestRightDesign(t *testing.T) {
	for name, claim := range claims {
		assert.True(t, claim(t, mine(nil)), name)
	}
}

// mutants are designs that are wrong on purpose: what is wrong, the claim that kills it, and what
// the failure says.
var mutants = []struct {
	name, claim, says string
	change            func(p *parts)
}{
	{"wakes before the bits are set", "receives are never late", "REFUTED",
		func(p *parts) {
			p.target = k.Seq(awake, k.Exec(designs.CostOf("slab_new"), "something slow"), bits)
		}},
	{"wakes only if it set the first bit", "receives are never late", "REFUTED",
		func(p *parts) {
			p.target = k.When(k.ActBell, designs.CostOf("doorbell_or"), "or the bits: first?",
				awake)
		}},
	{"wakes nobody", "no message is lost", "lost although nobody refused",
		func(p *parts) { p.target = bits }},
	{"looks before it says that it waits", "receives are never late", "REFUTED",
		func(p *parts) {
			p.sleep = k.When(k.ActBellSilent, k.NoCost, "no bits?", arm, k.Prepare(), k.Schedule(),
				disarm)
		}},
	{"sleeps without looking", "receives are never late", "REFUTED",
		func(p *parts) { p.sleep = k.Seq(arm, k.Prepare(), k.Schedule(), disarm) }},
	{"takes a sleeping lock", "sends are never late", "blocked",
		func(p *parts) { p.before, p.after = k.Lock(k.RefHash), k.Unlock(k.RefHash) }},
	{"takes a sleeping lock, for less time", "CPUs 0 and 1 do not matter", "REFUTED",
		func(p *parts) {
			p.target = k.Seq(k.Lock(k.RefHash), bits, k.Unlock(k.RefHash), awake)
		}},
	{"takes a sleeping lock, counted", "one send in two hundred is late at most", "REFUTED",
		func(p *parts) { p.before, p.after = k.Lock(k.RefHash), k.Unlock(k.RefHash) }},
	{"allocates", "sends are never late", "list_lock",
		func(p *parts) {
			p.before = k.Seq(k.Lock(k.RefList),
				k.Exec(designs.CostOf("slab_detach"), "a slab off the partial list"),
				k.Exec(designs.CostOf("slab_take"), "and its objects"), k.Unlock(k.RefList))
		}},
	{"keeps preemption off for the whole walk", "preemption is never off for long", "REFUTED",
		func(p *parts) { p.before, p.after = k.PreemptOff(), k.PreemptOn() }},
	{"has a slow step", "sends are no slower than the original's", "REFUTED",
		func(p *parts) { p.before = k.Exec(designs.CostOf("slab_new"), "something slow") }},
	{"forgets an unlock", "sends are never late", "the listings are wrong",
		func(p *parts) { p.unlock = nil }},
	{"takes a sleeping lock with preemption off", "sends are never late", "the listings are wrong",
		func(p *parts) {
			p.target = k.Seq(k.PreemptOff(), k.Lock(k.RefHash), bits, k.Unlock(k.RefHash),
				k.PreemptOn(), awake)
		}},
	{"sleeps with its ring's lock held", "receives are never late", "the listings are wrong",
		func(p *parts) {
			p.sleep = k.Seq(k.Lock(k.RefOwnRing), arm, k.Prepare(), k.Schedule(), disarm,
				k.Unlock(k.RefOwnRing))
		}},
}

// Look at the mutants: the claim that is named kills each, and says what is wrong.
func TestMutantsDie(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			c := &captured{}
			assert.False(t, claims[m.claim](c, mine(m.change)))
			assert.Contains(t, c.String(), m.says)
			if testing.Verbose() {
				t.Log(c)
			}
		})
	}
}
