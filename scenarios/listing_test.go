package scenarios

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/sim"
)

// counted is a profile whose costs of locks are 1, 10 and 100 ns to take and twice that to release.
func counted() *designs.Profile {
	p := &designs.Profile{Name: "counted"}
	for id := range p.Costs {
		p.Costs[id].Name = "other"
	}
	p.Costs[model.CostLock] = designs.Cost{Name: "lock", Least: 1, Typical: 10, Greatest: 100}
	p.Costs[model.CostUnlock] = designs.Cost{Name: "unlock", Least: 2, Typical: 20, Greatest: 200}
	return p
}

func TestListingSums(t *testing.T) {
	// Look at the sum: each loop once and its test twice, the dearer branch, a branch that is
	// left out if it is not there.
	const lock, unlock = model.CostLock, model.CostUnlock
	ten := model.Exec(lock, "ten")
	for _, c := range []struct {
		name         string
		code         model.Code
		once, rounds []int64 // typical
	}{
		{"nothing", nil, []int64{0}, nil},
		{"in line", model.Seq(ten, ten, ten), []int64{30}, nil},
		{"if", model.Seq(model.When(model.ActWork, unlock, "?", ten, ten), ten), []int64{50}, nil},
		{"the else is dearer", model.Either(model.ActWork, model.NoCost, "?", ten,
			model.Seq(ten, ten)), []int64{20}, nil},
		{"the if is dearer", model.Seq(model.Either(model.ActWork, model.NoCost, "?",
			model.Seq(ten, ten, ten), ten), ten), []int64{40}, nil},
		{"loop", model.Seq(model.While(model.ActWork, unlock, "?", ten), ten), []int64{60},
			[]int64{30}},
		{"loop in a loop", model.While(model.ActWork, lock, "?",
			model.While(model.ActWork, unlock, "?", ten)), []int64{10 + 20 + 10 + 20 + 10},
			[]int64{10 + 20 + 10 + 20, 30}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := newListing("send", c.code, counted())
			require.NoError(t, err)
			assert.EqualValues(t, c.once[0], l.Once.TypicalNs)
			assert.Equal(t, l.Once.TypicalNs, 10*l.Once.LeastNs)
			assert.Equal(t, l.Once.GreatestNs, 10*l.Once.TypicalNs)
			var rounds []int64
			for _, r := range l.Rounds {
				rounds = append(rounds, int64(r.TypicalNs))
			}
			assert.Equal(t, c.rounds, rounds)
		})
	}
}

func TestListingLines(t *testing.T) {
	// Look at the lines: an else has no number, a jump back no line, a lock is held from the step
	// after it is taken, and what sleeps or allocates is named by its number.
	code := model.Seq(
		model.Lock(model.RefHash),
		model.While(model.ActHashNext, model.CostLock, "a waiter",
			model.Either(model.ActWork, model.NoCost, "work",
				model.Exec(model.NoCost, "kmem_cache_alloc: a node"),
				model.Exec(model.NoCost, "none"))),
		model.Unlock(model.RefHash),
		model.Schedule())
	l, err := newListing("send", code, counted())
	require.NoError(t, err)
	held := []string{"hb->lock"}
	assert.Equal(t, []ListingLine{
		{1, 0, "step", "lock hb->lock", "lock", 10, []string{}},
		{2, 0, "while", "a waiter", "lock", 10, held},
		{3, 1, "if", "work", "", 0, held},
		{4, 2, "step", "kmem_cache_alloc: a node", "", 0, held},
		{0, 1, "else", "", "", 0, held},
		{5, 2, "step", "none", "", 0, held},
		{6, 0, "step", "unlock hb->lock", "unlock", 20, held},
		{7, 0, "step", "schedule()", "", 0, []string{}},
	}, l.Lines)
	assert.Equal(t, []int{1, 7}, l.Sleeps)
	assert.Equal(t, []int{4}, l.Allocates)
}

func TestListingsOfAllDesigns(t *testing.T) {
	// Look at the sums: of every path of every design, least <= typical <= greatest, and the
	// typical one is at most the sum over all its lines, tests of loops counted twice.
	for _, d := range designs.All() {
		paths := 4
		if d.Paths.Reclaim != nil {
			paths++
		}
		for _, p := range designs.Profiles() {
			listings, err := Listings(d, p)
			require.NoError(t, err)
			require.Len(t, listings, paths)
			for _, l := range listings {
				sum := sim.Time(0)
				for _, line := range l.Lines {
					sum += line.Ns
					if line.Kind == "while" {
						sum += line.Ns
					}
				}
				assert.LessOrEqual(t, l.Once.LeastNs, l.Once.TypicalNs)
				assert.LessOrEqual(t, l.Once.TypicalNs, l.Once.GreatestNs)
				assert.LessOrEqual(t, l.Once.TypicalNs, sum, "%s %s", d.Variant, l.Path)
			}
		}
	}
}
