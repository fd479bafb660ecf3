package scenarios

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"rtsim/model"
	"rtsim/model/draw"
	"rtsim/model/trace"
	"rtsim/sim"
)

// Draw pictures a finished run of a workload from an instant to another, one row a task and a
// lock. The machine must have kept all its records.
func Draw(w *model.Workload, m *model.Machine, from, to, column sim.Time) string {
	prog := m.Program()
	letters, distinct := initials(prog)
	p := draw.Picture{Rows: Rows(w, prog), From: from, To: to, Column: column, CPUs: w.CPUs,
		Initial: func(task int32) byte { return letters[task] }}
	if !distinct {
		for i := range w.Tasks {
			p.Rows[i].Label = string(letters[i]) + " " + p.Rows[i].Label
		}
	}
	for _, l := range waitedLocks(m.Trace, prog.LockInstances(), from, to) {
		if prog.LockDeclOf(l) < 0 { // of the kernel's paths
			p.Rows = append(p.Rows, draw.Row{Label: "  " + prog.LockName(l), ID: l, Lock: true})
		}
	}
	return p.Text(m.Trace)
}

// initials are what tasks are called in the rows of locks: the first letters of their names if
// those are distinct, or else letters in the order of tasks, and + when there are no more.
func initials(prog *model.Program) (letters []byte, distinct bool) {
	var names []string
	for id := range prog.FileTasks() {
		names = append(names, prog.TaskName(int32(id)))
	}
	letters, distinct = lettersOf(names)
	return append(letters, strings.Repeat("k", model.MaxCPUs)...), distinct // ktimers
}

// lettersOf are the initials of names.
func lettersOf(names []string) (letters []byte, distinct bool) {
	distinct = true
	var used [256]bool
	for _, name := range names {
		c := name[0]
		distinct = distinct && !used[c]
		used[c] = true
		letters = append(letters, c)
	}
	if !distinct {
		const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		for i := range letters {
			letters[i] = '+'
			if i < len(alphabet) {
				letters[i] = alphabet[i]
			}
		}
	}
	return letters, distinct
}

// waitedLocks are those of n locks for which somebody waits between two instants.
func waitedLocks(records []trace.Record, n int32, from, to sim.Time) []int32 {
	waiters := make([]int, n)
	shown := make([]bool, n)
	for i := range records {
		r := &records[i]
		if r.At >= to {
			break
		}
		raw := r.Kind == trace.SpinBegin && r.B == 1
		begins := r.Kind == trace.WaiterQueued || raw
		ends := r.Kind == trace.WaiterLeft || r.Kind == trace.SpinEnd && r.B == 1
		if !begins && !ends || r.A < 0 || r.A >= n {
			continue
		}
		if begins {
			waiters[r.A]++
		} else {
			waiters[r.A]--
		}
		shown[r.A] = r.At >= from || waiters[r.A] > 0
	}
	var locks []int32
	for l := range n {
		if shown[l] {
			locks = append(locks, l)
		}
	}
	return locks
}

// Rows are the rows of a workload's picture: its tasks, then its locks, a local one for each CPU.
func Rows(w *model.Workload, prog *model.Program) []draw.Row {
	var rows []draw.Row
	for i := range w.Tasks {
		d := &w.Tasks[i]
		rows = append(rows, draw.Row{
			Label: fmt.Sprintf("%s %s/%s", d.Name, cpuList(d.CPUs), priorityText(d)),
			ID:    int32(i), Multi: bits.OnesCount64(d.CPUs) > 1, Own: d.Priority})
	}
	for l := int32(0); l < prog.LockInstances(); l++ {
		if d := prog.LockDeclOf(l); d >= 0 {
			rows = append(rows, draw.Row{Label: "  " + prog.LockName(l), ID: l, Lock: true,
				RW: w.Locks[d].Kind == model.RW})
		}
	}
	return rows
}

func priorityText(d *model.TaskDecl) string {
	switch d.Policy {
	case model.Other:
		return "other"
	case model.RR:
		return "rr" + strconv.Itoa(int(d.Priority))
	}
	return strconv.Itoa(int(d.Priority))
}

// cpuList prints a set of CPUs as 0, 0,1 or 0-3.
func cpuList(set uint64) string {
	text := ""
	for c := 0; c < 64; c++ {
		if set>>c&1 == 0 {
			continue
		}
		last := c
		for last < 63 && set>>(last+1)&1 != 0 {
			last++
		}
		if text != "" {
			text += ","
		}
		text += strconv.Itoa(c)
		if last >= c+2 {
			text += "-" + strconv.Itoa(last)
			c = last
		}
	}
	return text
}
