package scenarios

import (
	"fmt"
	"math/bits"
	"strconv"

	"rtsim/model"
	"rtsim/model/draw"
	"rtsim/sim"
)

// Draw pictures a finished run of a workload from an instant to another, one row a task and a
// lock. The machine must have kept all its records.
func Draw(w *model.Workload, m *model.Machine, from, to, column sim.Time) string {
	prog := m.Program()
	p := draw.Picture{Rows: Rows(w, prog), From: from, To: to, Column: column, CPUs: w.CPUs,
		Initial: func(task int32) byte { return prog.TaskName(task)[0] }}
	return p.Text(m.Trace)
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
