package blame

import (
	"slices"

	"rtsim/model"
	"rtsim/model/trace"
)

// What operations on the kernel's objects say of wake-ups. A task takes another's wake-up on
// himself when he claims its cq_wait_nr (W1), sets its pending mark or the first bit of its
// doorbell or has the first reference to its poll (W3), or puts it on his wake_q: who comes after
// him leaves the wake-up to him. A work item that is pushed and not linked holds up its ring's
// task, which spins (W2).

// takeEvent reads a note of an operation.
func (h *History) takeEvent(r *trace.Record) {
	action, yes := model.Action(r.B/2), r.B&1 == 1
	if r.A == none {
		if action == model.ActNextOpen || action == model.ActNodeNext {
			h.endClaims(r.Task)
		}
		return
	}
	target := h.Endpoints[r.A]
	switch action {
	case model.ActNextOpen, model.ActNodeNext:
		h.endClaims(r.Task)
	case model.ActClaim, model.ActClaimLazy, model.ActClaimKept, model.ActMarkPending,
		model.ActBell, model.ActWakeQAdd, model.ActPollGet:
		if yes && target != r.Task {
			h.claims[target] = append(h.claims[target], r.Task)
			h.setClaim(target)
		}
	case model.ActStateMatch: // the wake-up follows at once, or is none
		h.endClaim(target, r.Task)
	case model.ActWorkPush, model.ActWorkAdd:
		h.work[target] = append(h.work[target], item{r.Task, action == model.ActWorkAdd})
	case model.ActWorkLink:
		h.link(target, r.Task)
	case model.ActWork, model.ActNoWork:
		if yes == (action == model.ActNoWork) {
			h.work[target] = h.work[target][:0]
		}
	case model.ActWorkPop:
		h.pop(target, yes)
	}
}

// link says that a task has linked what it pushed last.
func (h *History) link(target, by int32) {
	list := h.work[target]
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].by == by && !list[i].linked {
			list[i].linked = true
			return
		}
	}
}

// pop is a ring's task that takes the oldest item, or finds it not linked.
func (h *History) pop(task int32, yes bool) {
	list, waits := h.work[task], none
	switch {
	case yes && len(list) > 0:
		h.work[task] = slices.Delete(list, 0, 1)
	case !yes && len(list) > 0:
		waits = list[0].by
	}
	if h.tasks[task].last().unlinked != waits {
		h.change(task, func(s *taskState) { s.unlinked = waits })
	}
}

// endClaim says that a task has done with another's wake-up.
func (h *History) endClaim(target, by int32) {
	n := len(h.claims[target])
	h.claims[target] = slices.DeleteFunc(h.claims[target], func(c int32) bool { return c == by })
	if len(h.claims[target]) != n {
		h.setClaim(target)
	}
}

// endClaims says that a task has done with everybody's.
func (h *History) endClaims(by int32) {
	for target := range h.claims {
		h.endClaim(int32(target), by)
	}
}

func (h *History) setClaim(target int32) {
	claimed := none
	if len(h.claims[target]) > 0 {
		claimed = h.claims[target][0]
	}
	h.change(target, func(s *taskState) { s.claimed = claimed })
}
