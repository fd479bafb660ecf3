package ftrace

import "strings"

// party is a task as an event names it.
type party struct {
	comm string
	pid  int32
	prio int32 // the kernel's number
}

// partyOf reads three values: a name, a pid, a priority.
func partyOf(comm, pid, prio string) (p party, ok bool) {
	p.comm = comm
	var pidOK, prioOK bool
	p.pid, pidOK = numberIn(pid)
	p.prio, prioOK = numberIn(prio)
	return p, pidOK && prioOK && p.pid >= 0
}

// partyReport reads COMM:PID [PRIO] and what follows it, as trace-cmd report writes it.
func partyReport(text string) (p party, rest string, ok bool) {
	end := strings.LastIndex(text, "]")
	open := strings.LastIndex(text, " [")
	if open < 0 || end < open {
		return p, "", false
	}
	colon := strings.LastIndexByte(text[:open], ':')
	if colon < 0 {
		return p, "", false
	}
	p, ok = partyOf(text[:colon], text[colon+1:open], text[open+2:end])
	return p, text[end+1:], ok
}

// switchEvent is sched_switch.
type switchEvent struct {
	prev, next party
	state      byte // why prev left: a letter of the kernel's, R if it is still runnable
}

// parseSwitch reads the three dialects of sched_switch:
//
//	kernel         prev_comm=C prev_pid=P prev_prio=N prev_state=S ==> next_comm=C ...
//	trace-cmd -R   the same without the arrow, the state a number
//	trace-cmd      C:P [N] S ==> C:P [N]
func parseSwitch(args string) (e switchEvent, ok bool) {
	if !strings.HasPrefix(args, "prev_comm=") {
		return parseSwitchReport(args)
	}
	v, ok := fields(args, "prev_comm=", " prev_pid=", " prev_prio=", " prev_state=",
		" next_comm=", " next_pid=", " next_prio=")
	if !ok {
		return e, false
	}
	var prevOK, nextOK, stateOK bool
	e.prev, prevOK = partyOf(v[0], v[1], v[2])
	e.next, nextOK = partyOf(v[4], v[5], v[6])
	e.state, stateOK = stateOf(strings.TrimSuffix(v[3], " ==>"))
	return e, prevOK && nextOK && stateOK
}

func parseSwitchReport(args string) (e switchEvent, ok bool) {
	arrow := strings.LastIndex(args, " ==> ")
	if arrow < 0 {
		return e, false
	}
	var state string
	if e.prev, state, ok = partyReport(args[:arrow]); !ok {
		return e, false
	}
	if e.state, ok = stateOf(strings.TrimSpace(state)); !ok {
		return e, false
	}
	e.next, _, ok = partyReport(args[arrow+len(" ==> "):])
	return e, ok
}

// stateBits are the letters of the bits of a state that is written as a number, from bit 0 on.
// Above them lies only that the task was preempted.
const stateBits = "SDTtXZPI"

// stateOf is the first letter of a state.
func stateOf(text string) (byte, bool) {
	n, isNumber := numberIn(text)
	switch {
	case text == "":
		return 0, false
	case !isNumber:
		return text[0], text[0] >= 'A' && text[0] <= 'z'
	}
	for i := range len(stateBits) {
		if n>>i&1 != 0 {
			return stateBits[i], true
		}
	}
	return 'R', true
}

// parseWaking reads sched_waking, sched_wakeup and sched_wakeup_new.
func parseWaking(args string) (p party, cpu int32, ok bool) {
	if !strings.HasPrefix(args, "comm=") {
		var rest string
		if p, rest, ok = partyReport(args); !ok {
			return p, 0, false
		}
		_, rest, ok = strings.Cut(rest, "CPU:")
		cpu, cpuOK := numberIn(rest)
		return p, cpu, ok && cpuOK
	}
	v, ok := fields(args, "comm=", " pid=", " prio=", " target_cpu=")
	if !ok {
		return p, 0, false
	}
	cpu, cpuOK := numberIn(v[3])
	p, ok = partyOf(v[0], v[1], v[2])
	return p, cpu, ok && cpuOK
}

// parseMigrate reads sched_migrate_task.
func parseMigrate(args string) (p party, from, to int32, ok bool) {
	v, ok := fields(args, "comm=", " pid=", " prio=", " orig_cpu=", " dest_cpu=")
	if !ok {
		return p, 0, 0, false
	}
	from, fromOK := numberIn(v[3])
	to, toOK := numberIn(v[4])
	p, ok = partyOf(v[0], v[1], v[2])
	return p, from, to, ok && fromOK && toOK
}

// parseSetprio reads sched_pi_setprio: the task with its priority before, and the one after.
func parseSetprio(args string) (p party, now int32, ok bool) {
	v, ok := fields(args, "comm=", " pid=", " oldprio=", " newprio=")
	if !ok {
		return p, 0, false
	}
	now, nowOK := numberIn(v[3])
	p, ok = partyOf(v[0], v[1], v[2])
	return p, now, ok && nowOK
}

// parseContention reads contention_begin and contention_end: the lock's address and what stands
// in parentheses behind it.
func parseContention(args, key string) (address, value string, ok bool) {
	address, rest, ok := strings.Cut(args, " ")
	rest, keyOK := strings.CutPrefix(rest, "("+key+"=")
	value, endOK := strings.CutSuffix(rest, ")")
	return address, value, ok && keyOK && endOK && address != ""
}
