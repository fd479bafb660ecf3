package scenarios

import (
	"fmt"
	"strings"

	"rtsim/model/trace"
	"rtsim/scenarios/blame"
	"rtsim/sim"
)

// StretchExplanation says why a stretch of a task's time in a trace passed. It has the fields that
// rtsim.explain/1 has, with one entry.
type StretchExplanation struct {
	Schema string      `json:"schema"`
	File   string      `json:"file"`
	Task   string      `json:"task"`
	Worst  []Explained `json:"worst"`
}

// ExplainTrace explains a task's time from one instant of a trace to another, both on the trace's
// clock. There is a record at least.
func ExplainTrace(name string, records []trace.Record, names *trace.Names, task string, from,
	to sim.Time) (*StretchExplanation, error) {
	id := names.TaskCalled(task)
	first, last := records[0].At, records[len(records)-1].At
	switch {
	case id < 0:
		return nil, fmt.Errorf("%s: no task is named %q%s", name, task, nearTasks(names, task))
	case from < first || to > last:
		return nil, fmt.Errorf("%s: the trace is from %s to %s; write --from and --to within it",
			name, first, last)
	}
	h := blame.NewHistory(names)
	for i := range records {
		h.Take(&records[i])
	}
	parts := h.Stretch(id, from, to)
	return &StretchExplanation{Schema: "rtsim.explain/1", File: name, Task: task,
		Worst: []Explained{{AtNs: from, TotalNs: to - from, Sentence: blame.Sentence(parts),
			Parts: parts}}}, nil
}

// nearTasks suggests tasks of a trace.
func nearTasks(n *trace.Names, task string) string {
	var all []string
	for i := range n.Tasks {
		all = append(all, n.Tasks[i].Name)
	}
	if near := Near(task, all); len(near) > 0 {
		return "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return fmt.Sprintf("; it has %d tasks", len(all))
}
