package scenarios

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/sim"
)

func TestFittingColumn(t *testing.T) {
	// Look at the column: 1, 2 or 5 times a power of ten, and the next finer one is too fine.
	for _, c := range []struct {
		from, to sim.Time
		columns  int64
		column   sim.Time
	}{
		{0, 100, 100, 1}, {0, 101, 100, 2}, {0, 201, 100, 5}, {50, 151, 100, 2},
		{0, 24 * sim.Microsecond, 100, 500}, {0, 2 * sim.Millisecond, 100, 20 * sim.Microsecond},
		{0, 2 * sim.Millisecond, 400, 5 * sim.Microsecond}, {0, 1, 100, 1},
	} {
		p := Picture{From: c.from, To: c.to}
		assert.Equal(t, c.column, p.Fitting(c.columns), "%v", c)
	}
}

func TestChosenPicture(t *testing.T) {
	// Look at the column: the grid of what happens if that is coarser than what fits, but never so
	// coarse that fewer than ten columns are left; and nothing that is given is changed.
	at := func(times ...sim.Time) *model.Machine {
		m := &model.Machine{}
		for _, t := range times {
			m.Trace = append(m.Trace, trace.Record{At: t})
		}
		return m
	}
	const us = sim.Microsecond
	for _, c := range []struct {
		asked Picture
		m     *model.Machine
		want  Picture
	}{
		{Picture{}, at(0, 6*us, 9*us, 17*us), Picture{0, 17 * us, us}},
		{Picture{}, at(0, 20*us), Picture{0, 20 * us, 2 * us}},
		{Picture{}, at(0, 10*us, 20*us, 200*us), Picture{0, 200 * us, 10 * us}},
		{Picture{}, at(0, 1, 200*us), Picture{0, 200 * us, 2 * us}},
		{Picture{}, at(0), Picture{0, 1, 1}},
		{Picture{}, at(), Picture{0, 1, 1}},
		{Picture{From: 5 * us, To: 25 * us}, at(0, 1, 15*us, 40*us+1),
			Picture{5 * us, 25 * us, 2 * us}},
		{Picture{To: 7, Column: 3}, at(0, 100*us), Picture{0, 7, 3}},
	} {
		assert.Equal(t, c.want, c.asked.Chosen(c.m.Trace, 100), "%v", c.asked)
	}
}
