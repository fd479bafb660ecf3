package ftrace

import (
	"fmt"

	"rtsim/model/trace"
	"rtsim/scenarios/tracepoint"
)

// put appends formatted text to the line.
func (w *Writer) put(format string, args ...any) { w.line = fmt.Appendf(w.line, format, args...) }

// arguments are EVENT: ARGUMENTS, in the formats of the kernel (7.4, include/trace/events/).
func (w *Writer) arguments(e *tracepoint.Event) {
	r := e.Record
	switch e.Point {
	case tracepoint.SchedSwitch:
		w.put("sched_switch: prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s ==> "+
			"next_comm=%s next_pid=%d next_prio=%d", w.comm(e.Task, e.CPU), w.pid(e.Task), e.Prio,
			stateText(e), w.comm(e.Next, e.CPU), w.pid(e.Next), e.NextPrio)
	case tracepoint.SchedWaking:
		w.put("sched_waking: comm=%s pid=%d prio=%d target_cpu=%03d", w.comm(e.Task, 0),
			w.pid(e.Task), e.Prio, e.Target)
	case tracepoint.SchedWakeup:
		w.put("sched_wakeup: comm=%s pid=%d prio=%d target_cpu=%03d", w.comm(e.Task, 0),
			w.pid(e.Task), e.Prio, e.Target)
	case tracepoint.SchedMigrate:
		w.put("sched_migrate_task: comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d",
			w.comm(e.Task, 0), w.pid(e.Task), e.Prio, e.From, e.Target)
	case tracepoint.SchedPISetprio:
		w.put("sched_pi_setprio: comm=%s pid=%d oldprio=%d newprio=%d", w.comm(e.Task, 0),
			w.pid(e.Task), e.Prio, e.NextPrio)
	case tracepoint.SchedExit:
		w.put("sched_process_exit: comm=%s pid=%d prio=%d group_dead=true", w.comm(e.Task, 0),
			w.pid(e.Task), e.Prio)
	case tracepoint.SendBegin:
		w.put("tracing_mark_write: B|%d|send %d late_ns=%d", w.pid(r.Task), r.A, r.B)
	case tracepoint.SendEnd:
		w.put("tracing_mark_write: E|%d|send %d", w.pid(r.Task), r.A)
	case tracepoint.Mark:
		w.mark(r)
	default:
		w.locks(e)
	}
}

// locks are the arguments of what is about locks and interrupts.
func (w *Writer) locks(e *tracepoint.Event) {
	r := e.Record
	switch e.Point {
	case tracepoint.ContentionBegin:
		flags := "RT"
		if r.Kind == trace.SpinBegin {
			flags = "SPIN"
		}
		w.put("contention_begin: %s (flags=%s)", address(r.A), flags)
	case tracepoint.ContentionEnd:
		w.put("contention_end: %s (ret=0)", address(r.A))
	case tracepoint.LockAcquired:
		w.put("lock_acquired: %s %s%s", address(r.A), modes[r.B], w.names.Locks[r.A])
	case tracepoint.LockRelease:
		w.put("lock_release: %s %s%s", address(r.A), modes[r.B], w.names.Locks[r.A])
	case tracepoint.IRQEntry:
		w.put("irq_handler_entry: irq=%d name=%s", r.A, w.names.Sources[r.A])
	case tracepoint.IRQExit:
		w.put("irq_handler_exit: irq=%d ret=handled", r.A)
	case tracepoint.IPISend:
		w.put("ipi_send_cpu: cpu=%d callsite=smp_send_reschedule+0x0/0x0 callback=0x0", e.Target)
	case tracepoint.IPIEntry:
		w.put("ipi_entry: (Rescheduling interrupts)")
	case tracepoint.UringSubmit, tracepoint.UringComplete, tracepoint.UringWait,
		tracepoint.UringRun:
		w.uring(e)
	default:
		w.put("%s: caller=%s parent=0x0", sections[e.Point].event, w.comm(e.Context, e.CPU))
	}
}

// ringBase and ringStride are where the rings of the tasks lie.
const ringBase, ringStride = 0x1000000, 0x1000

// uring is what io_uring does. The model's requests have no address and no user_data: 0.
func (w *Writer) uring(e *tracepoint.Event) {
	ring := fmt.Sprintf("ring %016x", ringBase+int64(e.Ring)*ringStride)
	const none = "req 0000000000000000, user_data 0x0, "
	switch e.Point {
	case tracepoint.UringSubmit:
		w.put("io_uring_submit_req: %s, %sopcode %s, flags 0x0, sq_thread 0", ring, none, e.Opcode)
	case tracepoint.UringComplete:
		w.put("io_uring_complete: %s, %sresult 0, cflags 0x0 extra1 0 extra2 0", ring, none)
	case tracepoint.UringWait:
		w.put("io_uring_cqring_wait: %s, min_events 1", ring)
	case tracepoint.UringRun:
		w.put("io_uring_local_work_run: %s, count %d, loops 1", ring, e.Count)
	}
}

// section is a tracepoint that begins or ends a section, with the record that it is.
type section struct {
	event string
	kind  trace.Kind
	b     int32
}

var sections = map[tracepoint.Point]section{
	tracepoint.IRQDisable:     {"irq_disable", trace.IRQOff, 1},
	tracepoint.IRQEnable:      {"irq_enable", trace.IRQOff, 0},
	tracepoint.PreemptDisable: {"preempt_disable", trace.PreemptOff, 1},
	tracepoint.PreemptEnable:  {"preempt_enable", trace.PreemptOff, 0},
}

// modes are how a lock is held, before its name.
var modes = [...]string{trace.ModeWrite: "", trace.ModeRead: "read ", trace.ModeMutex: "rtmutex "}

// stateLetters are why a task leaves its CPU, by Sleep.
var stateLetters = [...]byte{trace.Runnable: 'R', trace.NotYet: 'I', trace.Parked: 'S',
	trace.InWait: 'S', trace.InSleep: 'S', trace.InTake: 'D', trace.InSched: 'S',
	trace.OnLock: 'D', trace.OnReaders: 'D', trace.Exited: 'X'}

// stateText is prev_state; a task that was preempted has a plus sign.
func stateText(e *tracepoint.Event) string {
	if e.State == trace.Runnable && e.Task >= 0 {
		return "R+"
	}
	return string(stateLetters[e.State])
}

// mark writes a record that the kernel has no tracepoint for.
func (w *Writer) mark(r *trace.Record) {
	m := &marks[r.Kind]
	w.put("tracing_mark_write: %s%s", prefix, m.name)
	if r.Kind != trace.Switching {
		w.put(" pid=%d", w.pid(r.Task))
	}
	if m.a != "" {
		w.put(" %s=%d", m.a, r.A)
	}
	if m.b != "" {
		w.put(" %s=%d", m.b, r.B)
	}
	if r.Kind == trace.Step && int(r.A) < len(w.names.Steps) {
		w.put(" %s", w.names.Steps[r.A].Text)
	}
}
