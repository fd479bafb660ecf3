package ftrace

import (
	"errors"
	"strconv"
	"strings"

	"rtsim/sim"
)

// line is one event of a trace: who was on which CPU, when, and what happened.
type line struct {
	comm  string // may hold anything, also " [001] "
	pid   int32
	cpu   int16
	flags string // as long as the legend says; empty if there are none
	at    sim.Time
	event string
	args  string
}

// errLine is what a line that no event line matches is told.
var errLine = errors.New("this is no line of ftrace; write " +
	"COMM-PID [CPU] FLAGS SECONDS.FRACTION: EVENT: ARGUMENTS")

// parseLine reads one event line. The task's name ends where the first " [CPU] " follows a
// "-PID", with the tgid in between if the trace has them.
func parseLine(text string) (l line, err error) {
	for from := 0; ; {
		open := strings.IndexByte(text[from:], '[')
		if open < 0 {
			return l, errLine
		}
		open += from
		from = open + 1
		end := strings.IndexByte(text[open:], ']')
		if end < 0 {
			return l, errLine
		}
		cpu, err := strconv.ParseUint(text[open+1:open+end], 10, 16)
		if err != nil || cpu > maxCPU {
			continue
		}
		var ok bool
		if l.comm, l.pid, ok = commPID(text[:open]); !ok {
			continue
		}
		l.cpu = int16(cpu)
		return l, l.parseRest(text[open+end+1:])
	}
}

// maxCPU bounds the CPUs of a machine that is read.
const maxCPU = 4095

// commPID reads NAME-PID, and a tgid in parentheses after it.
func commPID(text string) (comm string, pid int32, ok bool) {
	text = strings.TrimRight(text, " \t")
	if strings.HasSuffix(text, ")") {
		open := strings.LastIndexByte(text, '(')
		if open < 0 {
			return "", 0, false
		}
		text = strings.TrimRight(text[:open], " \t")
	}
	dash := strings.LastIndexByte(text, '-')
	if dash < 0 {
		return "", 0, false
	}
	n, ok := number(text[dash+1:])
	return strings.TrimLeft(text[:dash], " \t"), int32(n), ok && n >= 0
}

// parseRest reads FLAGS TIME: EVENT: ARGUMENTS.
func (l *line) parseRest(text string) error {
	text = strings.TrimLeft(text, " \t")
	word, rest, _ := strings.Cut(text, " ")
	if !strings.HasSuffix(word, ":") {
		l.flags = word
		word, rest, _ = strings.Cut(strings.TrimLeft(rest, " \t"), " ")
	}
	stamp, ok := strings.CutSuffix(word, ":")
	if !ok {
		return errLine
	}
	if l.at, ok = timestamp(stamp); !ok {
		return errors.New("the time " + strconv.Quote(stamp) + " is not seconds with a fraction")
	}
	rest = strings.TrimLeft(rest, " \t")
	if strings.HasPrefix(rest, "<") { // <stack trace>
		l.event, l.args, _ = strings.Cut(rest, ">")
		l.event += ">"
		return nil
	}
	l.event, l.args, ok = strings.Cut(rest, ":")
	if !ok || l.event == "" {
		return errLine
	}
	l.args = strings.TrimSpace(l.args)
	return nil
}

// timestamp reads seconds with a fraction of one to nine digits, as integers.
func timestamp(text string) (sim.Time, bool) {
	whole, fraction, ok := strings.Cut(text, ".")
	if !ok || len(fraction) == 0 || len(fraction) > 9 {
		return 0, false
	}
	seconds, err := strconv.ParseUint(whole, 10, 33) // 272 years
	if err != nil {
		return 0, false
	}
	part, err := strconv.ParseUint(fraction, 10, 32)
	if err != nil {
		return 0, false
	}
	for range 9 - len(fraction) {
		part *= 10
	}
	return sim.Time(seconds)*sim.Second + sim.Time(part), true
}

// number reads a decimal number, or a hexadecimal one after 0x, that fits into 32 bits.
func number(text string) (int64, bool) {
	base := 10
	if rest, hex := strings.CutPrefix(text, "0x"); hex {
		text, base = rest, 16
	}
	n, err := strconv.ParseInt(text, base, 32)
	return n, err == nil && text[0] != '+'
}

// fields reads the values behind keys, such as "comm=" and " pid=", from the right, since only a
// name at the left may hold spaces and equals signs. A value ends where the next key begins.
func fields(args string, keys ...string) ([]string, bool) {
	values := make([]string, len(keys))
	for i := len(keys) - 1; i >= 0; i-- {
		at := strings.LastIndex(args, keys[i])
		if at < 0 || i == 0 && at != 0 {
			return nil, false
		}
		values[i] = args[at+len(keys[i]):]
		args = args[:at]
	}
	return values, true
}

// numberIn reads the first word of a value: a kernel may put a field in that this one lacks.
func numberIn(value string) (int32, bool) {
	word, _, _ := strings.Cut(value, " ")
	n, ok := number(word)
	return int32(n), ok
}
