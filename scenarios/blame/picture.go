package blame

import (
	"strconv"
	"strings"

	"rtsim/sim"
)

// The stretch of a message as a picture in text: one column a fixed time, which shows its first
// instant. Rows are what the message's parts name, and no more: the message's cause and whoever is
// at the bottom of its chain, the CPUs, the tasks, and the locks with their owners' priorities.
//
//	cause    b blocked  c claimed  e idle-exit  h handover  i ipi  p preempted  r runs  s spins
//	         ! irq
//	CPU      the letter of the task on it, + another, > between two tasks, ! in an interrupt
//	task     # runs  = runs with inherited priority  . ready  - asleep  x asleep for a lock
//	         ~ spins  > its CPU is switching to it  ! its CPU is in an interrupt
//	lock     the letter of its owner, ? free and waited for; below it the owner's priority
type picture struct {
	*view
	column sim.Time
}

// PictureLegend says the same to those who see a picture.
const PictureLegend = `Cause: b blocked  c claimed  e idle-exit  h handover  i ipi  p preempted
  r runs  s spins  ! irq
CPUs and locks: the letter of their task  + another  > between two tasks  ? free but waited for
Tasks: # runs  = runs with inherited priority  . is ready  - sleeps  x sleeps for a lock
  ~ spins  > its CPU is switching to it  ! its CPU is in an interrupt
`

// Picture draws a message that is just over.
func (f *Follower) Picture(m *Message, parts []Part, column sim.Time) []string {
	p := &picture{f.view(m, parts), column}
	return p.lines()
}

// lines are the rows, below a ruler.
func (p *picture) lines() []string {
	labels, rows := []string{"cause", "at the bottom"}, []string{p.row(p.cause), p.row(p.bottom)}
	for _, c := range p.cpus {
		labels = append(labels, p.cpuLabel(c))
		rows = append(rows, p.row(p.cpu(c)))
	}
	for _, id := range p.tasks {
		labels = append(labels, p.taskLabel(id))
		rows = append(rows, p.row(p.task(id)))
	}
	for _, l := range p.locks {
		row := p.row(p.lock(l))
		if strings.TrimSpace(row) == "" {
			continue // it was held between two columns only
		}
		labels = append(labels, "  "+p.Locks[l], "    priority")
		rows = append(rows, row, p.priorities(l))
	}
	width := 0
	for _, l := range labels {
		width = max(width, len(l)+3)
	}
	ruler := strings.Repeat(" ", width)
	for col := 0; col < p.columns(); col += 10 {
		ruler += strings.Repeat(" ", max(width+col-len(ruler), 0)) + strconv.Itoa(col)
	}
	lines := []string{ruler}
	for i := range rows {
		pad := strings.Repeat(" ", width-len(labels[i]))
		lines = append(lines, strings.TrimRight(labels[i]+pad+rows[i], " "))
	}
	return lines
}

func (p *picture) columns() int { return int((p.end - p.begin + p.column - 1) / p.column) }

func (p *picture) row(of func(t sim.Time, until *sim.Time) cell) string {
	cells := make([]byte, p.columns())
	for col := range cells {
		until := p.end
		cells[col] = p.letterOf(of(p.begin+sim.Time(col)*p.column, &until))
	}
	return string(cells)
}

// priorities writes the effective priority of a lock's owner where it changes.
func (p *picture) priorities(l int32) string {
	text, last := "", ""
	for col := range p.columns() {
		now, until := "", p.end
		t := p.begin + sim.Time(col)*p.column
		if owner := p.History.locks[l].at(t, &until).owner; owner != none {
			now = strconv.Itoa(int(p.History.tasks[owner].at(t, &until).prio))
		}
		if now != last && (len(text) < col || col == 0) {
			text += strings.Repeat(" ", col-len(text)) + now
			last = now
		}
	}
	return text
}
