// Package draw turns records into pictures of schedules in text: one row a task and a lock, one
// column a fixed stretch of time. A column shows what holds once everything of its first instant
// has settled.
//
//	task  ' ' not arrived, or exited   '-' asleep        '.' ready: queued, not on a CPU
//	      'x' asleep for a lock        '~' spins         '!' its CPU is in an interrupt handler
//	      '#' runs                     '=' runs with inherited priority
//	      for a task that may run on several CPUs: their digit for '#', their letter for '='
//	lock  ' ' free   '?' pending: no owner, but waiters   else the owner's initial
//	      an rwlock held by readers shows their number
package draw

import (
	"strconv"
	"strings"

	"rtsim/model/trace"
	"rtsim/sim"
)

// Row describes a row to draw.
type Row struct {
	Label string
	ID    int32 // task, or lock instance
	Lock  bool
	RW    bool  // an rwlock
	Multi bool  // a task that may run on several CPUs
	Own   int32 // the priority a task starts with, 0 in the fair class
}

// Picture is what to draw: rows, the stretch of time, the width of a column.
type Picture struct {
	Rows     []Row
	From, To sim.Time // columns from From on, cut at To
	Column   sim.Time // > 0
	CPUs     int
	Initial  func(task int32) byte
}

// Text draws the records, which must be all of the run's up to To, in order.
func (p *Picture) Text(records []trace.Record) string {
	s := newState(p)
	width := int((p.To - p.From + p.Column - 1) / p.Column)
	cells := make([][]byte, len(p.Rows))
	next := 0
	for col := range width {
		at := p.From + sim.Time(col)*p.Column
		for next < len(records) && records[next].At <= at {
			s.apply(&records[next])
			next++
		}
		for i := range p.Rows {
			cells[i] = append(cells[i], s.cell(&p.Rows[i]))
		}
	}
	return p.lines(cells)
}

// lines puts labels before the cells and a ruler above them.
func (p *Picture) lines(cells [][]byte) string {
	label, last := 0, -1
	for i := range p.Rows {
		label = max(label, len(p.Rows[i].Label))
		cells[i] = []byte(strings.TrimRight(string(cells[i]), " "))
		last = max(last, len(cells[i])-1)
	}
	label += 3
	ruler := strings.Repeat(" ", label)
	for col := 0; col <= last; col += 10 {
		ruler += strings.Repeat(" ", max(label+col-len(ruler), 0)) + strconv.Itoa(col)
	}
	out := []string{strings.TrimRight(ruler, " ")}
	for i := range p.Rows {
		pad := strings.Repeat(" ", label-len(p.Rows[i].Label))
		out = append(out, strings.TrimRight(p.Rows[i].Label+pad+string(cells[i]), " "))
	}
	return strings.Join(out, "\n") + "\n"
}
