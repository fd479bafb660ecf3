package scenarios

import (
	"cmp"
	"fmt"
	"strings"

	"rtsim/model/trace"
	"rtsim/scenarios/blame"
)

// The words of the second way to blame (blame_forward_test.go).

// chain says in words what a task's time passes with now.
func (f *forward) chain(id int32) string {
	why, asleep := f.sleep[id]
	switch {
	case asleep && why == trace.OnLock:
		return f.lockChain(blame.Blocked, f.lock[id], id)
	case asleep && why == trace.OnReaders:
		return f.lockText(blame.Blocked, f.lock[id]) + f.whoseFault(f.wakesLater(id))
	case asleep:
		by := int32(-1)
		if why != trace.InSleep {
			if by = f.wakesLater(id); len(f.owes[id]) > 0 {
				by = f.owes[id][0]
			}
		}
		if by < 0 || by == id {
			absent := map[trace.Sleep]string{trace.NotYet: " not there yet", trace.Exited: " gone"}
			return f.stepText(id) + cmp.Or(absent[why], " asleep")
		}
		return blame.Claimed + f.whoseFault(by)
	}
	text := f.awakeChain(id)
	if l, queued := f.queued[id]; queued {
		if _, owned := f.owner[l]; !owned && f.line[l][0][0] == id {
			return f.lockText(blame.Handover, l) + "/" + f.sys.Tasks[id].Name + " < " + text
		}
	}
	return text
}

// wakesLater is who is the next to wake a task.
func (f *forward) wakesLater(id int32) int32 {
	for i := range f.rest {
		if r := &f.rest[i]; r.Kind == trace.SchedWakeup && r.Task == id {
			return r.A
		}
	}
	return -1
}

// whoseFault names a holder and goes on with him.
func (f *forward) whoseFault(id int32) string {
	if id < 0 {
		return ""
	}
	boosted := ""
	if f.prio[id] > f.own[id] {
		boosted = " boosted"
	}
	return fmt.Sprintf("/%s %d%s < %s", f.sys.Tasks[id].Name, f.prio[id], boosted, f.chain(id))
}

func (f *forward) lockText(cause string, l int32) string {
	name, of, _ := strings.Cut(f.sys.Locks[l], " ")
	return cause + " " + name + " " + of
}

// lockChain is a task that waits for a lock.
func (f *forward) lockChain(cause string, l, id int32) string {
	text := f.lockText(cause, l)
	if o, owned := f.owner[l]; owned {
		return text + f.whoseFault(o)
	}
	if len(f.line[l]) > 0 && f.line[l][0][0] != id {
		return text + " < " + f.chain(f.line[l][0][0])
	}
	return text
}

func (f *forward) stepText(id int32) string {
	s := f.sys.Steps[f.step[id]]
	return blame.Runs + " " + s.Path + " " + s.Text
}

// awakeChain is a task that runs or is ready.
func (f *forward) awakeChain(id int32) string {
	c := f.place[id]
	curr, busy := f.runs[c]
	source, handles := f.handler[c]
	inIRQ := fmt.Sprintf("%s %d %s", blame.IRQ, c, f.sys.Sources[source])
	if busy && curr == id {
		l, spins := f.spin[id]
		by, stuck := f.stuck[id]
		switch {
		case f.now < f.moves[c][0]:
			return fmt.Sprintf("%s %d", blame.IdleExit, c)
		case f.now < f.moves[c][1]:
			return blame.Runs + "  context_switch"
		case handles:
			return inIRQ
		case spins && l < 0:
			return blame.Spins + " word"
		case spins:
			return f.lockChain(blame.Spins, l, id)
		case stuck && by != id:
			return blame.Spins + " work list " + f.whoseFault(by)
		}
		return f.stepText(id)
	}
	willGo := !busy || f.prio[curr] < f.prio[id]
	switch {
	case handles && !(f.ipi[c] && willGo && f.sys.Sources[source] == trace.RescheduleIPI):
		return inIRQ
	case f.ipi[c] && willGo:
		return fmt.Sprintf("%s %d", blame.IPI, c)
	case !busy:
		return fmt.Sprintf("%s %d", blame.IdleExit, c)
	}
	why := ""
	if willGo {
		switch {
		case f.now < f.moves[c][1]:
			why = "being switched to"
		case f.irqOff[curr]:
			why = "interrupts off"
		case f.preemptOff[curr]:
			why = "preemption off"
		}
	}
	return fmt.Sprintf("%s %s %d %d %s", blame.Preempted, f.sys.Tasks[curr].Name, f.prio[curr], c,
		why)
}
