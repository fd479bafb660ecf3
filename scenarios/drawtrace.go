package scenarios

import (
	"fmt"
	"strconv"

	"rtsim/model/draw"
	"rtsim/model/trace"
	"rtsim/sim"
)

// DrawTrace pictures records that come with a table of names, of a machine or of a run, one row a
// task that is awake or blocked at some time of the picture, and one a lock that is waited for.
func DrawTrace(records []trace.Record, names *trace.Names, p Picture) string {
	var rows []draw.Row
	var shown []int32
	var called []string
	for id, awake := range awakeTasks(records, len(names.Tasks), p.From, p.To) {
		if awake {
			shown = append(shown, int32(id))
			called = append(called, names.Tasks[id].Name)
		}
	}
	letters, distinct := lettersOf(called)
	initial := make([]byte, len(names.Tasks))
	for id := range initial {
		initial[id] = '+' // owns a lock, but has no row
	}
	own := ownPriorities(records, names, p.From)
	for i, id := range shown {
		t := &names.Tasks[id]
		prio := strconv.Itoa(int(own[id]))
		if own[id] == 0 {
			prio = "other"
		}
		label := fmt.Sprintf("%s %s/%s", t.Name, cpuList(t.CPUs), prio)
		if !distinct {
			label = string(letters[i]) + " " + label
		}
		initial[id] = letters[i]
		rows = append(rows, draw.Row{Label: label, ID: id, Multi: t.CPUs&(t.CPUs-1) != 0,
			Own: t.Prio})
	}
	for _, l := range waitedLocks(records, int32(len(names.Locks)), p.From, p.To) {
		rows = append(rows, draw.Row{Label: "  " + names.Locks[l], ID: l, Lock: true})
	}
	picture := draw.Picture{Rows: rows, From: p.From, To: p.To, Column: p.Column,
		CPUs: names.CPUs, Initial: func(task int32) byte { return initial[task] }}
	return picture.Text(records)
}

// ownPriorities are those that tasks have at an instant.
func ownPriorities(records []trace.Record, names *trace.Names, at sim.Time) []int32 {
	var own []int32
	for i := range names.Tasks {
		own = append(own, names.Tasks[i].Prio)
	}
	for i := 0; i < len(records) && records[i].At <= at; i++ {
		if r := &records[i]; r.Kind == trace.SetPriority {
			own[r.Task] = r.B
		}
	}
	return own
}

// awakeTasks are the tasks that are ready, on a CPU or blocked at some time between two instants.
func awakeTasks(records []trace.Record, n int, from, to sim.Time) []bool {
	awake, shown := make([]bool, n), make([]bool, n)
	begun := false
	for i := range records {
		r := &records[i]
		if r.At > to {
			break
		}
		if !begun && r.At > from {
			begun = true
			copy(shown, awake)
		}
		switch {
		case r.Kind == trace.SchedWakeup, r.Kind == trace.SchedSwitch && r.Task >= 0:
			awake[r.Task] = true
		case r.Kind == trace.TaskSleep:
			awake[r.Task] = trace.Sleep(r.A) == trace.OnLock || trace.Sleep(r.A) == trace.OnReaders
		default:
			continue
		}
		shown[r.Task] = shown[r.Task] || awake[r.Task]
	}
	if !begun {
		return awake
	}
	return shown
}
