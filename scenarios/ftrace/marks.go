package ftrace

import "rtsim/model/trace"

// mark is how a record that no tracepoint of the kernel's tells is written:
//
//	tracing_mark_write: rtsim: NAME pid=PID A=... B=...
//
// with the record's own numbers. An empty key leaves the number out, which is 0 then.
type mark struct {
	name, a, b string
}

// marks are those of all kinds of records that may need one.
var marks = [trace.NKinds]mark{
	trace.SchedWakeup:  {"ready", "by", "was"},
	trace.SetPriority:  {"set_priority", "old", "new"},
	trace.SpinBegin:    {"spin_begin", "lock", "raw"},
	trace.SpinEnd:      {"spin_end", "lock", "raw"},
	trace.LockWait:     {"lock_wait", "lock", "owner"},
	trace.WaiterQueued: {"waiter_queued", "lock", "prio"},
	trace.TaskSleep:    {"sleep", "why", ""},
	trace.Word:         {"word", "number", ""},
	trace.Deadlock:     {"deadlock", "lock", ""},
	trace.Publish:      {"publish", "number", "queue"},
	trace.Handle:       {"handle", "number", "queue"},
	trace.BurstDue:     {"burst_due", "load", ""},
	trace.BurstBegin:   {"burst_begin", "load", ""},
	trace.Refused:      {"refused", "message", "target"},
	trace.InUse:        {"in_use", "request", "target"},
	trace.SendLate:     {"send_late", "laps", ""},
	trace.Event:        {"event", "endpoint", "action"},
	trace.Step:         {"step", "number", ""},
	trace.Switching:    {"switching", "idle_exit_ns", "switch_ns"},
	trace.WaitLock:     {"wait_lock", "lock", "has"},
}

// prefix begins every mark.
const prefix = "rtsim: "

// markCalled finds the kind of a mark by its name.
func markCalled(name string) (trace.Kind, bool) {
	for k := range marks {
		if marks[k].name == name && name != "" {
			return trace.Kind(k), true
		}
	}
	return 0, false
}
