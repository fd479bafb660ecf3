package tracepoint

import (
	"strings"

	"rtsim/model"
	"rtsim/model/trace"
)

// The tracepoints of io_uring (include/trace/events/io_uring.h, 7.4) come from notes: a step that
// submits, and the operations on rings. What the model has no number for (addresses of requests,
// user_data) is not told.

// submitStep begins the listings' lines that submit a request.
const submitStep = "io_submit_sqes: "

// opcode is what a step submits, "" if it submits nothing.
func opcode(text string) string {
	what, ok := strings.CutPrefix(text, submitStep)
	switch what = strings.ToUpper(what); {
	case !ok:
		return ""
	case strings.Contains(what, "MSG"):
		return "MSG_RING"
	case strings.Contains(what, "FUTEX") && strings.Contains(what, "WAKE"):
		return "FUTEX_WAKE"
	case strings.Contains(what, "FUTEX"):
		return "FUTEX_WAIT"
	}
	what, _, _ = strings.Cut(what, " ")
	return what
}

// uring gives what a note says of io_uring.
func (s *Stream) uring(r *trace.Record) {
	if r.Task < 0 {
		return
	}
	t := &s.tasks[r.Task]
	s.event.Ring = r.Task
	if r.Kind == trace.Step {
		t.step = r.A
		if next := strings.HasSuffix(s.names.Steps[r.A].Text, " ring"); !next {
			s.submit(r)
		}
		return
	}
	switch action, yes := model.Action(r.B/2), r.B%2 == 1; action {
	case model.ActNextOpen: // a loop over rings submits if there is one more
		if yes {
			s.submit(r)
		}
	case model.ActWorkPop:
		if yes {
			t.popped++
		}
	case model.ActWork:
		if !yes && t.popped > 0 {
			s.event.Count = t.popped
			s.give(UringRun, r, r.CPU)
			t.popped = 0
		}
	case model.ActPostCQE:
		s.give(UringComplete, r, r.CPU)
	case model.ActArm:
		s.give(UringWait, r, r.CPU)
	}
}

// submit gives the request that the task's step submits, if it does.
func (s *Stream) submit(r *trace.Record) {
	if step := s.tasks[r.Task].step; step >= 0 && s.submits[step] != "" {
		s.event.Opcode = s.submits[step]
		s.give(UringSubmit, r, r.CPU)
	}
}
