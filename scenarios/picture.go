package scenarios

import (
	"rtsim/model/trace"
	"rtsim/sim"
)

// Picture is which part of a run to draw, and how coarsely.
type Picture struct {
	From, To sim.Time // nothing is drawn from To on
	Column   sim.Time
}

// Columns is how wide the picture is.
func (p Picture) Columns() int64 {
	return int64((p.To - p.From + p.Column - 1) / p.Column)
}

// Chosen completes a picture of records: To is the instant of the last unless it is given,
// and Column, unless it is given, leaves at most so many columns. If all that happens lies on a
// coarser grid, that is the column.
func (p Picture) Chosen(records []trace.Record, columns int64) Picture {
	if p.To == 0 && len(records) > 0 {
		p.To = records[len(records)-1].At
	}
	p.To = max(p.To, p.From+1)
	if p.Column == 0 {
		p.Column = max(p.Fitting(columns), gridOf(records, p))
	}
	return p
}

// Fitting is the least column of 1, 2 or 5 times a power of ten with which the picture has at most
// so many columns.
func (p Picture) Fitting(columns int64) sim.Time {
	for ten := sim.Time(1); ; ten *= 10 {
		for _, digit := range []sim.Time{1, 2, 5} {
			p.Column = digit * ten
			if p.Columns() <= columns {
				return p.Column
			}
		}
	}
}

// columnsLeast is how many columns a coarser grid leaves at least.
const columnsLeast = 10

// gridOf is the greatest column of 1, 2 or 5 times a power of ten at whose multiples, from the
// picture's beginning, everything in it happens; 0 if there is none that is fine enough.
func gridOf(records []trace.Record, p Picture) sim.Time {
	grid := sim.Time(0)
	for i := range records {
		if at := records[i].At; at >= p.From && at <= p.To {
			grid = commonDivisor(grid, at-p.From)
		}
	}
	column := sim.Time(0)
	for ten := sim.Time(1); ten <= grid; ten *= 10 {
		for _, digit := range []sim.Time{1, 2, 5} {
			if grid%(digit*ten) == 0 && p.To-p.From >= columnsLeast*digit*ten {
				column = digit * ten
			}
		}
	}
	return column
}

// commonDivisor is the greatest common divisor; that of 0 and a number is the number.
func commonDivisor(a, b sim.Time) sim.Time {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
