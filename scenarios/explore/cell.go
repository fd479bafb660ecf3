package explore

import (
	"rtsim/model"
	"rtsim/sim"
)

// Strata by when the burst comes. That a burst comes in the few microseconds in which it finds the
// owner of a lock that the message is about to want is rare, and one event: nothing lies on the way
// to it that could be split. But its probability is known. So the time around the release is cut
// into cells, and a stratum is a burst's source and a cell. Its flights run up to the begin of the
// cell as a run would, and on until the source's next interrupt is pending, if it is not. That is
// then drawn to come within the cell, and the flight counts with the probability of that, given the
// time elapsed; it counts 0 if the cell is over. That is one factor, below 1, and exact.
//
// Each late message belongs to one stratum. Its cause is the first burst that it waited for, by a
// rule below that looks at the past alone, and it belongs to that burst's source and the cell in
// which its interrupt came, if that was the source's first in the cell. What belongs to none (no
// burst, one outside all cells, a second one) is the rest, a stratum without a condition. A flight
// counts only what belongs to its stratum, and so the sum over all strata is the probability,
// whatever the cells are; cells that fit make it precise.
//
// Rejected: to force more than one draw, as weights multiply and few flights then count; to let
// weights differ that much within a stratum that few count (Rare.Effective shows it).

// cell is a time relative to a release, from excluded, to included.
type cell struct{ from, to sim.Time }

// stratum is what flights have in common: a way, and a burst's interrupt that comes in a cell.
type stratum struct {
	group int
	burst int // index of field.bursts; -1: the rest
	cell  int
}

// cellEdges are those after a release, in us. Before it they are powers of two.
var cellEdges = []sim.Time{0, 2, 4, 6, 8, 12, 16, 24, 32, 64}

// cellsOf are the cells from so long before a release.
func cellsOf(before sim.Time) (cells []cell) {
	edge := -before
	for to := -512 * sim.Microsecond; to <= -2*sim.Microsecond; to /= 2 {
		if to > edge {
			cells = append(cells, cell{edge, to})
			edge = to
		}
	}
	for _, us := range cellEdges {
		cells = append(cells, cell{edge, us * sim.Microsecond})
		edge = us * sim.Microsecond
	}
	return cells
}

// strata are all of a field.
func (f *field) strata() (all []stratum) {
	for i := range f.groups {
		all = append(all, stratum{group: i, burst: -1})
		for b := range f.bursts {
			for c := range f.cells {
				all = append(all, stratum{group: i, burst: b, cell: c})
			}
		}
	}
	return all
}

// coming is what a flight has seen of a burst's interrupts: of one of its stratum from the begin of
// the cell on, of the rest all.
type coming struct {
	pending bool
	due     sim.Time // of the pending one
	came    sim.Time // the last one; sim.Never: none
	before  sim.Time // the one before that
}

// watch follows the interrupts of all bursts, after each instant.
func (f *flight) watch() {
	for i, load := range f.field.bursts {
		c := &f.seen[i]
		_, _, pending := f.m.Pending(load)
		if c.pending && !pending {
			c.came, c.before = c.due, c.came
		}
		if c.pending = pending; pending {
			c.due = f.m.Due(load)
		}
	}
}

// belongs says to which cell the last interrupt of a burst belongs, -1: to none.
func (f *flight) belongs(burst int) int {
	c := &f.seen[burst]
	if c.came == sim.Never {
		return -1
	}
	for i := range f.field.cells {
		from, to := f.cell(i)
		if from < c.came && c.came <= to && (c.before == sim.Never || c.before <= from) {
			return i
		}
	}
	return -1
}

// cell is a cell of this flight, as times.
func (f *flight) cell(i int) (from, to sim.Time) {
	c := f.field.cells[i]
	return f.release + c.from, f.release + c.to
}

// force has the burst of the flight's stratum come in its cell, which has begun; it waits until
// the interrupt is pending.
func (f *flight) force() {
	load := f.field.bursts[f.of.burst]
	from, floor, is := f.m.Pending(load)
	_, to := f.cell(f.of.cell)
	if !is {
		if f.m.Now() >= to {
			f.over = f.m.Now()
		}
		return
	}
	d := &f.field.workload.Loads[load]
	g := gapsUntil(d, from, floor, f.m.Now(), to)
	if g.none {
		f.over = f.m.Now()
		return
	}
	draws := sim.NewStream(f.seed, "explore/force")
	f.weight, f.forced = g.share(), true
	f.m.SetGap(load, g.at(&d.Gap, draws.Bits()))
	f.watch()
}

// held is the condition on a flight's pending draws.
func (f *flight) held() window {
	if f.forced && f.seen[f.of.burst].pending && !f.came {
		_, to := f.cell(f.of.cell)
		return window{f.field.bursts[f.of.burst], to}
	}
	return noWindow
}

// cause is the burst that the message waits for, -1 if none: one whose interrupt or thread has the
// CPU of a task that the message waits for or, if it is received, that may have taken its wake-up
// on itself, as it is in the middle of a send.
func (f *flight) cause() int {
	for pass := range 2 {
		for i, load := range f.field.bursts {
			if f.displaces(load, func(task int32) bool {
				if pass == 0 {
					return f.waitsFor(task)
				}
				return f.field.receives && f.m.Path(task) == "send"
			}) {
				return i
			}
		}
	}
	return -1
}

// displaces says whether a burst has the CPU of a task of a kind, other than the message's own.
func (f *flight) displaces(load int, kind func(task int32) bool) bool {
	d := &f.field.workload.Loads[load]
	if f.m.Handles(d.CPU) != load && f.m.Current(d.CPU) != d.Task {
		return false
	}
	for id := range f.field.workload.Tasks {
		task := int32(id)
		if task == f.field.sender || task == f.field.receiver || task == d.Task {
			continue
		}
		if cpu, is := f.m.Displaced(task); is && cpu == d.CPU && kind(task) {
			return true
		}
	}
	return false
}

// lateAtRandom says whether the releases of a task are.
func lateAtRandom(w *model.Workload, task int32) bool {
	for _, word := range w.Tasks[task].Program {
		if word.Kind == model.WordEvery && word.Aux > 0 {
			return true
		}
	}
	return false
}
