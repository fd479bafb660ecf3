package watch

import "rtsim/model/trace"

// The monitors of scheduling.

// timeGoesOn: no record is earlier than the one before it.
var timeGoesOn = &Monitor{
	Name: "time goes on",
	meets: func(v *view, r *trace.Record) string {
		if r.At < v.now {
			return "the record before is of " + v.now.String()
		}
		return ""
	},
}

// oneCPU: a task is on one CPU at a time, the one where it is queued.
var oneCPU = &Monitor{
	Name: "a task on one CPU",
	meets: func(v *view, r *trace.Record) string {
		if r.Kind != trace.SchedSwitch {
			return ""
		}
		if curr := v.cpus[r.CPU].curr; curr != r.A {
			return v.taskName(r.A) + " leaves a CPU that " + v.taskName(curr) + " is on"
		}
		if r.Task == none {
			return ""
		}
		switch t := &v.tasks[r.Task]; {
		case t.onCPU:
			return v.taskName(r.Task) + " comes to a CPU and is on one"
		case t.cpu != int32(r.CPU):
			return v.taskName(r.Task) + " comes to a CPU and is queued on another"
		}
		return ""
	},
}

// wokenBeforeRun: what sleeps runs only after a wake-up, and what is awake is not woken.
var wokenBeforeRun = &Monitor{
	Name: "woken before it runs",
	meets: func(v *view, r *trace.Record) string {
		switch {
		case r.Task == none:
		case r.Kind == trace.SchedSwitch && !v.tasks[r.Task].queued:
			return v.taskName(r.Task) + " runs and was not woken"
		case r.Kind == trace.SchedWakeup && v.tasks[r.Task].queued:
			return v.taskName(r.Task) + " is woken and was awake"
		}
		return ""
	},
}

// highestRuns: no CPU runs a task while a higher one is queued there, nor idles while any is,
// once preemption and interrupts are on. Only a fair server lets fair tasks go first (R1.21).
var highestRuns = &Monitor{
	Name: "the highest runs",
	settled: func(v *view) string {
		for i := range v.tasks {
			t := &v.tasks[i]
			if !t.queued || t.onCPU {
				continue
			}
			c := &v.cpus[t.cpu]
			prio := int32(none)
			if c.curr != none {
				prio = v.tasks[c.curr].prio
			}
			if prio == 0 && v.FairServers>>t.cpu&1 != 0 {
				continue
			}
			if t.prio > prio && v.canReschedule(c) {
				return v.taskName(int32(i)) + " waits for " + v.taskName(c.curr)
			}
		}
		return ""
	},
}

// pinnedStays: the holder of a lock that pins never changes its CPU (R1.28, R2.1).
var pinnedStays = &Monitor{
	Name: "a pinned task stays",
	meets: func(v *view, r *trace.Record) string {
		if r.Kind == trace.SchedMigrate && v.tasks[r.Task].pins > 0 {
			return v.taskName(r.Task) + " moves and holds a lock that pins it"
		}
		return ""
	},
}
