package ftrace

import (
	"strconv"
	"strings"

	"rtsim/model/trace"
)

// hexadecimal reads a set of CPUs.
func hexadecimal(text string) (uint64, bool) {
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 64)
	return n, err == nil
}

// onLock reads what is about locks.
func (x *exact) onLock(l *line, r trace.Record) bool {
	at, rest, _ := strings.Cut(l.args, " ")
	lock, known := x.locks[at]
	if !known || r.Task < 0 {
		return false
	}
	t := &x.tasks[r.Task]
	r.A = lock
	switch l.event {
	case "contention_begin":
		r.Kind, r.B = trace.WaiterQueued, t.eff
		if rest == "(flags=SPIN)" {
			r.Kind, r.B, t.raw = trace.SpinBegin, 1, lock
		}
	case "contention_end":
		r.Kind = trace.WaiterLeft
		if t.raw == lock {
			r.Kind, r.B, t.raw = trace.SpinEnd, 1, -1
		}
	case "lock_acquired", "lock_release":
		r.Kind = trace.LockAcquired
		if l.event == "lock_release" {
			r.Kind = trace.LockReleased
		}
		for mode := trace.ModeRead; mode < len(modes); mode++ {
			if rest == modes[mode]+x.names.Locks[lock] {
				r.B = int32(mode)
			}
		}
	default:
		return false
	}
	x.records = append(x.records, r)
	return true
}

// onInterrupt reads what is about interrupts; what Writer does not write is an error.
func (x *exact) onInterrupt(l *line, r trace.Record) bool {
	switch l.event {
	case "irq_handler_entry", "irq_handler_exit":
		r.Kind = trace.IRQEntry
		if l.event == "irq_handler_exit" {
			r.Kind = trace.IRQExit
		}
		slot, ok := numberIn(strings.TrimPrefix(l.args, "irq="))
		if !ok || slot < 0 || int(slot) >= len(x.names.Sources) {
			return false
		}
		r.A = slot
	case "ipi_send_cpu":
		to, ok := numberIn(strings.TrimPrefix(l.args, "cpu="))
		if !ok || to < 0 || int(to) >= len(x.curr) {
			return false
		}
		r.Kind, r.CPU, r.Task, r.A = trace.IPI, int16(to), x.curr[to], int32(l.cpu)
	case "ipi_entry":
		r.Kind = trace.IPIArrives
	default:
		found := false
		for _, s := range sections {
			if s.event == l.event {
				r.Kind, r.B, found = s.kind, s.b, true
			}
		}
		if !found {
			return strings.HasPrefix(l.event, "io_uring_") // beside its mark
		}
	}
	x.records = append(x.records, r)
	return true
}

// onMark reads a tracing_mark_write.
func (x *exact) onMark(l *line, r trace.Record) bool {
	text, ok := strings.CutPrefix(l.args, prefix)
	if !ok {
		return x.onSend(l, r)
	}
	name, rest, _ := strings.Cut(text, " ")
	kind, ok := markCalled(name)
	if !ok {
		return false
	}
	r.Kind = kind
	if kind != trace.Switching {
		pid, ok := value(&rest, "pid")
		id, known := x.pids[pid]
		if !ok || !known {
			return false
		}
		r.Task = id
	}
	for _, v := range []struct {
		key string
		to  *int32
	}{{marks[kind].a, &r.A}, {marks[kind].b, &r.B}} {
		if v.key == "" {
			continue
		}
		if *v.to, ok = value(&rest, v.key); !ok {
			return false
		}
	}
	x.follow(&r)
	x.records = append(x.records, r)
	return true
}

// value reads one KEY=NUMBER at the beginning of a text, and cuts it off.
func value(text *string, key string) (int32, bool) {
	word, rest, _ := strings.Cut(*text, " ")
	number, ok := strings.CutPrefix(word, key+"=")
	n, err := strconv.ParseInt(number, 10, 32)
	*text = rest
	return int32(n), ok && err == nil
}

// follow keeps what later lines do not say again.
func (x *exact) follow(r *trace.Record) {
	if r.Task < 0 {
		return
	}
	switch t := &x.tasks[r.Task]; r.Kind {
	case trace.TaskSleep:
		t.asleep, t.cpu = trace.Sleep(r.A), r.CPU
	case trace.SchedWakeup: // ready
		t.asleep, t.cpu = trace.Runnable, r.CPU
	}
}

// onSend reads the begin or the end of a send.
func (x *exact) onSend(l *line, r trace.Record) bool {
	part := strings.SplitN(l.args, "|", 3)
	if len(part) != 3 || r.Task < 0 {
		return false
	}
	r.Kind = trace.SendEnd
	rest := part[2]
	message, ok := sendNumber(&rest)
	if !ok {
		return false
	}
	r.A = message
	if part[0] == "B" {
		r.Kind = trace.SendBegin
		if r.B, ok = value(&rest, "late_ns"); !ok {
			return false
		}
	}
	x.records = append(x.records, r)
	return true
}

// sendNumber reads "send N" and cuts it off.
func sendNumber(text *string) (int32, bool) {
	rest, ok := strings.CutPrefix(*text, "send ")
	word, rest, _ := strings.Cut(rest, " ")
	n, isNumber := numberIn(word)
	*text = rest
	return n, ok && isNumber
}
