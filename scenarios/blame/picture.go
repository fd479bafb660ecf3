package blame

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rtsim/model/trace"
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
	*History
	begin, end, column sim.Time
	parts              []Part
	tasks              []int32
	locks              []int32
	cpus               []int16
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
	p := &picture{History: f.History, begin: m.Begin, end: m.Begin + Sum(parts), column: column,
		parts: parts}
	p.tasks = append(p.tasks, f.Sender)
	if f.Receives {
		p.tasks = append(p.tasks, f.Receiver)
	}
	p.name(parts)
	slices.Sort(p.tasks)
	p.tasks = slices.Compact(p.tasks)
	slices.Sort(p.locks)
	p.locks = slices.Compact(p.locks)
	for _, id := range p.tasks {
		until := p.end
		p.cpus = append(p.cpus, p.History.tasks[id].at(p.begin, &until).cpu)
	}
	slices.Sort(p.cpus)
	p.cpus = slices.Compact(p.cpus)
	return p.lines()
}

// name collects the tasks and locks that parts name.
func (p *picture) name(parts []Part) {
	for i := range parts {
		for _, name := range []string{parts[i].Holder, parts[i].By} {
			if id := p.TaskCalled(name); id != none {
				p.tasks = append(p.tasks, id)
			}
		}
		lock := slices.Index(p.Locks, strings.TrimSpace(parts[i].Object+" "+parts[i].Of))
		if lock >= 0 {
			p.locks = append(p.locks, int32(lock))
		}
		p.name(parts[i].Because)
	}
}

// letter is what a task is called in the rows of others.
func (p *picture) letter(id int32) byte {
	switch i := slices.Index(p.tasks, id); {
	case id == none:
		return ' '
	case i >= 0 && i < 26:
		return byte('A' + i)
	}
	return '+'
}

// lines are the rows, below a ruler.
func (p *picture) lines() []string {
	labels, rows := []string{"cause", "at the bottom"}, []string{p.row(p.cause), p.row(p.bottom)}
	for _, c := range p.cpus {
		labels = append(labels, fmt.Sprintf("CPU %d", c))
		rows = append(rows, p.row(func(t sim.Time) byte { return p.cpu(c, t) }))
	}
	for _, id := range p.tasks {
		labels = append(labels, fmt.Sprintf("%c %s/%d", p.letter(id), p.Tasks[id].Name,
			p.Tasks[id].Prio))
		rows = append(rows, p.row(func(t sim.Time) byte { return p.task(id, t) }))
	}
	for _, l := range p.locks {
		row := p.row(func(t sim.Time) byte { return p.lock(l, t) })
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

func (p *picture) row(cell func(t sim.Time) byte) string {
	cells := make([]byte, p.columns())
	for col := range cells {
		cells[col] = cell(p.begin + sim.Time(col)*p.column)
	}
	return string(cells)
}

// causeLetters are Causes, one letter each.
const causeLetters = "rbpsi!hce"

func (p *picture) cause(t sim.Time) byte {
	part, _ := partAt(p.parts, t-p.begin)
	return causeLetters[slices.Index(Causes, part.Cause)]
}

// bottom is whoever is at the bottom of the chain: who preempts, or what the last holder does.
func (p *picture) bottom(t sim.Time) byte {
	who, parts, left := "", p.parts, t-p.begin
	for len(parts) > 0 {
		part, begin := partAt(parts, left)
		switch {
		case part.By != "":
			who = part.By
		case part.Holder != "":
			who = part.Holder
		}
		parts, left = part.Because, left-begin
	}
	if who == "" {
		return ' '
	}
	return p.letter(p.TaskCalled(who))
}

// partAt is the part that holds after so much of their time, and when it began.
func partAt(parts []Part, after sim.Time) (Part, sim.Time) {
	begin := sim.Time(0)
	for i := range parts[:len(parts)-1] {
		if after < begin+parts[i].Ns {
			return parts[i], begin
		}
		begin += parts[i].Ns
	}
	return parts[len(parts)-1], begin
}

func (p *picture) cpu(c int16, t sim.Time) byte {
	until := p.end
	l := &p.History.cpus[c]
	switch curr := l.curr.at(t, &until); {
	case l.moving.at(t, &until) != settled:
		return '>'
	case l.irq.at(t, &until) != none:
		return '!'
	default:
		return p.letter(curr)
	}
}

func (p *picture) task(id int32, t sim.Time) byte {
	until := p.end
	s := p.History.tasks[id].at(t, &until)
	switch s.asleep {
	case trace.NotYet, trace.Exited:
		return ' '
	case trace.OnLock, trace.OnReaders:
		return 'x'
	case trace.Runnable:
	default:
		return '-'
	}
	if !s.onCPU {
		return '.'
	}
	c := &p.History.cpus[s.cpu]
	switch {
	case c.moving.at(t, &until) != settled:
		return '>'
	case c.irq.at(t, &until) != none:
		return '!'
	case s.spins != none || s.unlinked != none:
		return '~'
	case s.prio > s.own:
		return '='
	}
	return '#'
}

func (p *picture) lock(l int32, t sim.Time) byte {
	until := p.end
	s := p.History.locks[l].at(t, &until)
	if s.owner == none && s.top != none {
		return '?'
	}
	return p.letter(s.owner)
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
