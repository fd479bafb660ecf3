package blame

import (
	"fmt"
	"slices"
	"strings"

	"rtsim/model/trace"
	"rtsim/sim"
)

// view is the stretch of a message as rows: the message's cause and whoever is at the bottom of its
// chain, then the CPUs, tasks and locks that its parts name, and no more. At each instant a row has
// a cell. A picture in text samples the cells, a chart has them from end to end.
type view struct {
	*History
	begin, end sim.Time
	parts      []Part
	sender     int32
	receiver   int32
	meet       sim.Time // until then the message's time is the sender's
	tasks      []int32
	locks      []int32
	cpus       []int16
}

// cell is what a row is at an instant. Its mark is a letter of a picture's legend, or 0 for the
// letter of the task who.
type cell struct {
	mark byte
	who  int32
	prio int32 // effective, of the task whose row it is or of the lock's owner
	// boosted: that is above his own.
	boosted bool
	part    *Part // of the cause
}

// view gathers the rows of a message that is just over.
func (f *Follower) view(m *Message, parts []Part) *view {
	v := &view{History: f.History, begin: m.Begin, end: m.Begin + Sum(parts), parts: parts,
		sender: f.Sender, receiver: f.Receiver, meet: sim.Never}
	v.tasks = append(v.tasks, f.Sender)
	if f.Receives {
		v.tasks = append(v.tasks, f.Receiver)
		v.meet, _ = f.meeting(m)
	}
	v.name(parts)
	slices.Sort(v.tasks)
	v.tasks = slices.Compact(v.tasks)
	slices.Sort(v.locks)
	v.locks = slices.Compact(v.locks)
	for _, id := range v.tasks {
		until := v.end
		v.cpus = append(v.cpus, v.History.tasks[id].at(v.begin, &until).cpu)
	}
	slices.Sort(v.cpus)
	v.cpus = slices.Compact(v.cpus)
	return v
}

// name collects the tasks and locks that parts name.
func (v *view) name(parts []Part) {
	for i := range parts {
		for _, name := range []string{parts[i].Holder, parts[i].By} {
			if id := v.TaskCalled(name); id != none {
				v.tasks = append(v.tasks, id)
			}
		}
		lock := slices.Index(v.Locks, strings.TrimSpace(parts[i].Object+" "+parts[i].Of))
		if lock >= 0 {
			v.locks = append(v.locks, int32(lock))
		}
		v.name(parts[i].Because)
	}
}

func (v *view) cpuLabel(c int16) string { return fmt.Sprintf("CPU %d", c) }

func (v *view) taskLabel(id int32) string {
	return fmt.Sprintf("%c %s/%d", v.letter(id), v.Tasks[id].Name, v.Tasks[id].Prio)
}

// letter is what a task is called in the rows of others.
func (v *view) letter(id int32) byte {
	switch i := slices.Index(v.tasks, id); {
	case id == none:
		return ' '
	case i >= 0 && i < 26:
		return byte('A' + i)
	}
	return '+'
}

// letterOf is a cell as a letter.
func (v *view) letterOf(c cell) byte {
	if c.mark == 0 {
		return v.letter(c.who)
	}
	return c.mark
}

// causeLetters are Causes, one letter each.
const causeLetters = "rbpsi!hce"

func (v *view) cause(t sim.Time, until *sim.Time) cell {
	part, _ := partAt(v.parts, t-v.begin, t, until)
	return cell{mark: causeLetters[slices.Index(Causes, part.Cause)], who: none, part: part}
}

// bottom is whoever is at the bottom of the chain: who preempts, or what the last holder does.
func (v *view) bottom(t sim.Time, until *sim.Time) cell {
	who, parts, left := "", v.parts, t-v.begin
	for len(parts) > 0 {
		part, begin := partAt(parts, left, t, until)
		switch {
		case part.By != "":
			who = part.By
		case part.Holder != "":
			who = part.Holder
		}
		parts, left = part.Because, left-begin
	}
	if who == "" {
		return cell{who: none}
	}
	return cell{who: v.TaskCalled(who)}
}

// path is the same, or the message's own task where nobody else is to blame.
func (v *view) path(t sim.Time, until *sim.Time) cell {
	c := v.bottom(t, until)
	switch {
	case c.who != none:
	case t < v.meet:
		c.who = v.sender
		*until = min(*until, v.meet)
	default:
		c.who = v.receiver
	}
	return c
}

// partAt is the part that holds after so much of their time, at an instant, and when it began.
// until is moved down to its end.
func partAt(parts []Part, after, at sim.Time, until *sim.Time) (*Part, sim.Time) {
	begin, i := sim.Time(0), 0
	for i < len(parts)-1 && after >= begin+parts[i].Ns {
		begin += parts[i].Ns
		i++
	}
	*until = min(*until, at-after+begin+parts[i].Ns)
	return &parts[i], begin
}

func (v *view) cpu(c int16) func(sim.Time, *sim.Time) cell {
	return func(t sim.Time, until *sim.Time) cell {
		l := &v.History.cpus[c]
		curr, move, irq := l.curr.at(t, until), l.moving.at(t, until), l.irq.at(t, until)
		switch {
		case move != settled:
			return cell{mark: '>', who: none}
		case irq != none:
			return cell{mark: '!', who: none}
		}
		return cell{who: curr}
	}
}

func (v *view) task(id int32) func(sim.Time, *sim.Time) cell {
	return func(t sim.Time, until *sim.Time) cell {
		s := v.History.tasks[id].at(t, until)
		return cell{mark: v.taskMark(&s, t, until), who: none, prio: s.prio,
			boosted: s.prio > s.own}
	}
}

func (v *view) taskMark(s *taskState, t sim.Time, until *sim.Time) byte {
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
	c := &v.History.cpus[s.cpu]
	move, irq := c.moving.at(t, until), c.irq.at(t, until)
	switch {
	case move != settled:
		return '>'
	case irq != none:
		return '!'
	case s.spins != none || s.unlinked != none:
		return '~'
	case s.prio > s.own:
		return '='
	}
	return '#'
}

func (v *view) lock(l int32) func(sim.Time, *sim.Time) cell {
	return func(t sim.Time, until *sim.Time) cell {
		s := v.History.locks[l].at(t, until)
		switch {
		case s.owner != none:
			o := v.History.tasks[s.owner].at(t, until)
			return cell{who: s.owner, prio: o.prio, boosted: o.prio > o.own}
		case s.top != none:
			return cell{mark: '?', who: none}
		}
		return cell{mark: ' ', who: none}
	}
}
