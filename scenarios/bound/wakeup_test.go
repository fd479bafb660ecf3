package bound_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/scenarios/bound"
)

// lineOf is the first line of a listing with an operation.
func lineOf(t *testing.T, code model.Code, act model.Action) int {
	i := slices.IndexFunc(code, func(l model.Line) bool { return l.Action == act })
	require.GreaterOrEqual(t, i, 0)
	return i
}

// moved is a listing in which a line has come behind some that followed it.
func moved(code model.Code, line, behind int) model.Code {
	c := slices.Clone(code)
	l := c[line]
	return slices.Insert(slices.Delete(c, line, line+1), line+behind, l)
}

// Look at the orders: of a listing in which one step has moved, so that the receiver may sleep with
// something left for it, or handle without having read, there is no bound; and the checker refuses
// what would be its certificate if nobody looked at the order.
func TestOrderOfSteps(t *testing.T) {
	for _, c := range []struct {
		name, design string
		spoil        func(p *model.Paths)
	}{
		{"it wakes, then sets the bits", "doorbell", func(p *model.Paths) {
			bell := lineOf(t, p.Send, model.ActBell)
			p.Send = moved(p.Send, bell, int(p.Send[bell+1].Target))
		}},
		{"it wakes, then adds the item", "futex-persistent/fix-f4", func(p *model.Paths) {
			mark := lineOf(t, p.Send, model.ActMarkPending)
			behind := int(p.Send[mark+2].Target)
			p.Send = moved(moved(p.Send, mark+1, behind), mark, behind)
		}},
		{"it leaves the lock between mark and item", "futex-persistent/fix-f4",
			func(p *model.Paths) { p.Send = p.Send.Replacing(model.RefNode, model.RefHash) }},
		{"it can be preempted between claim and wake-up", "doorbell/fix-f3",
			func(p *model.Paths) {
				on := slices.IndexFunc(p.Send, func(l model.Line) bool {
					return l.Op == model.OpOn && l.Arg == model.PreemptOn()[0].Arg
				})
				l := p.Send[on]
				p.Send = slices.Delete(slices.Clone(p.Send), on, on+1)
				p.Send = slices.Insert(p.Send, lineOf(t, p.Send, model.ActBell)+1, l)
			}},
		{"it looks before it says that it waits", "doorbell", func(p *model.Paths) {
			arm := lineOf(t, p.Receive, model.ActArm)
			p.Receive = moved(p.Receive, arm, 4)
		}},
		{"it sleeps without a look", "doorbell", func(p *model.Paths) {
			p.Receive = slices.Clone(p.Receive)
			p.Receive[lineOf(t, p.Receive, model.ActBellSilent)] = model.Exec(model.NoCost, "")[0]
		}},
		{"it looks for what nobody leaves", "doorbell", func(p *model.Paths) {
			p.Receive = slices.Clone(p.Receive)
			p.Receive[lineOf(t, p.Receive, model.ActBellSilent)].Action = model.ActNoWork
		}},
		{"it reads before it takes the completions", "doorbell", func(p *model.Paths) {
			p.Receive = moved(p.Receive, lineOf(t, p.Receive, model.ActReap), 1)
		}},
		{"it posts before it clears the mark", "futex-persistent/fix-f4", func(p *model.Paths) {
			p.Receive = moved(p.Receive, lineOf(t, p.Receive, model.ActClearPending), 1)
		}},
	} {
		s := system(t, "orin-queue", c.design)
		b := compute(t, s, "receive")
		require.Empty(t, b.Unbounded, c.design)
		require.NoError(t, check(s, b))
		wrong := &designs.Design{Name: s.Design.Name, Variant: s.Design.Variant,
			Paths: s.Design.Paths}
		c.spoil(&wrong.Paths)
		other := &bound.System{Scenario: s.Scenario, Design: wrong, Profile: s.Profile,
			Fixed: s.Fixed}
		assert.NotEmpty(t, compute(t, other, "receive").Unbounded, c.name)
		call := compute(t, other, "send")
		require.Empty(t, call.Unbounded, c.name)
		b.Certificate.Call = call.Certificate
		b.Certificate.Value += call.Value - b.Certificate.Terms[0].Ns
		b.Certificate.Terms[0].Ns = call.Value
		assert.Error(t, check(other, b), c.name)
		t.Log(c.name, compute(t, other, "receive").Unbounded, check(other, b))
	}
}
