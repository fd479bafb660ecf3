package blame

import (
	"rtsim/sim"
)

// Chart is the stretch of a message as rows of slices, for a figure: what Picture shows, but with
// every change at its instant. Times are since the message's beginning.
type Chart struct {
	Ns   sim.Time // how long the message took
	Rows []ChartRow
	// Path says whose time the message's is: the task at the bottom of its chain, by its row. The
	// slices add up to Ns; so do those of each row.
	Path []PathSlice
}

// RowKind is what a row of a chart is of.
type RowKind int

// The kinds of rows, in the order in which a chart has them.
const (
	RowCause RowKind = iota
	RowCPU
	RowTask
	RowLock
)

// ChartRow is a row.
type ChartRow struct {
	Kind   RowKind
	Label  string // of a task its letter, name and own priority
	Slices []Slice
}

// Slice is a stretch in which a row's cell is the same.
type Slice struct {
	From, To sim.Time
	Mark     byte   // as in PictureLegend; of a CPU or a lock a task's letter, ' ' nothing
	Name     string // the task on the CPU, the lock's owner; of a cause its words, no steps
	Priority int32  // effective, of a task and of a lock's owner
	Boosted  bool   // above the task's own
}

// PathSlice is a stretch in which a task is at the bottom of the message's chain.
type PathSlice struct {
	From, To sim.Time
	Row      int // of the chart
}

// Chart gives the rows of a message that is just over.
func (f *Follower) Chart(m *Message, parts []Part) *Chart {
	v := f.view(m, parts)
	c := &Chart{Ns: v.end - v.begin}
	c.Rows = append(c.Rows, ChartRow{RowCause, "cause", v.slices(v.cause)})
	for _, cpu := range v.cpus {
		c.Rows = append(c.Rows, ChartRow{RowCPU, v.cpuLabel(cpu), v.slices(v.cpu(cpu))})
	}
	rows := map[int32]int{}
	for _, id := range v.tasks {
		rows[id] = len(c.Rows)
		c.Rows = append(c.Rows, ChartRow{RowTask, v.taskLabel(id), v.slices(v.task(id))})
	}
	for _, l := range v.locks {
		c.Rows = append(c.Rows, ChartRow{RowLock, v.Locks[l], v.slices(v.lock(l))})
	}
	for t := v.begin; t < v.end; {
		until := v.end
		row := rows[v.path(t, &until).who]
		if n := len(c.Path) - 1; n >= 0 && c.Path[n].Row == row {
			c.Path[n].To = until - v.begin
		} else {
			c.Path = append(c.Path, PathSlice{t - v.begin, until - v.begin, row})
		}
		t = until
	}
	return c
}

// slices are a row's cells from end to end.
func (v *view) slices(of func(sim.Time, *sim.Time) cell) []Slice {
	var all []Slice
	for t := v.begin; t < v.end; {
		until := v.end
		c := of(t, &until)
		s := Slice{t - v.begin, until - v.begin, v.letterOf(c), "", c.prio, c.boosted}
		switch {
		case c.part != nil && c.part.Cause == Runs:
			s.Name = Runs
		case c.part != nil:
			s.Name = treeText(c.part)
		case c.who != none:
			s.Name = v.Tasks[c.who].Name
		}
		if n := len(all) - 1; n >= 0 && all[n].joins(&s) {
			all[n].To = s.To
		} else {
			all = append(all, s)
		}
		t = until
	}
	return all
}

// joins says whether two neighbours are the same.
func (s *Slice) joins(next *Slice) bool {
	return s.Mark == next.Mark && s.Name == next.Name && s.Priority == next.Priority &&
		s.Boosted == next.Boosted
}
