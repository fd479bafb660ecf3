package ftrace

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"rtsim/model/trace"
	"rtsim/scenarios/tracepoint"
)

// Writer writes records as a trace, in memory that does not grow with their number. Every record
// is at least one line; where the kernel has a tracepoint, with its name and fields, else a
// tracing_mark_write. Times have nine decimals. What does not read back: in whose context a task
// was boosted or moved, which is not in the records but guessed for the line.
type Writer struct {
	out    *bufio.Writer
	names  *trace.Names
	stream *tracepoint.Stream
	line   []byte
	off    []int32 // by CPU: depth without preemption
	err    error
}

// NewWriter begins a trace of the tasks and locks that the names say.
func NewWriter(out io.Writer, names *trace.Names) *Writer {
	w := &Writer{out: bufio.NewWriterSize(out, 1<<16), names: names,
		off: make([]int32, names.CPUs)}
	w.stream = tracepoint.NewStream(names, w.event)
	w.header()
	return w
}

// Add writes records, which follow those before in time.
func (w *Writer) Add(records []trace.Record) error {
	for i := range records {
		w.stream.Add(&records[i])
	}
	return w.err
}

// Close ends the trace.
func (w *Writer) Close() error {
	w.stream.Close()
	if w.err != nil {
		return w.err
	}
	return w.out.Flush()
}

// legend is the kernel's, of five flags.
const legend = `#
#                                _-----=> irqs-off/BH-disabled
#                               / _----=> need-resched
#                              | / _---=> hardirq/softirq
#                              || / _--=> preempt-depth
#                              ||| / _-=> migrate-disable
#                              |||| /     delay
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
`

// magic is in the header of a trace that was written here.
const magic = "# rtsim.ftrace/1"

// header names what the lines have numbers for, in comments that other readers pass over.
func (w *Writer) header() {
	fmt.Fprintf(w.out, "# tracer: nop\n#\n%s: of a simulation, not of a machine\n# cpus=%d\n",
		magic, w.names.CPUs)
	for i := range w.names.Tasks {
		t := &w.names.Tasks[i]
		fmt.Fprintf(w.out, "# task=%d pid=%d rt_priority=%d nice=%d cpus=0x%x comm=%s\n", i,
			t.PID, t.Prio, t.Nice, t.CPUs, t.Name)
	}
	for i, name := range w.names.Locks {
		fmt.Fprintf(w.out, "# lock=%d at=%s name=%s\n", i, address(int32(i)), name)
	}
	for i, name := range w.names.Sources {
		fmt.Fprintf(w.out, "# irq=%d name=%s\n", i, name)
	}
	for i, s := range w.names.Steps {
		fmt.Fprintf(w.out, "# step=%d path=%s text=%s\n", i, s.Path, s.Text)
	}
	for i, task := range w.names.Endpoints {
		fmt.Fprintf(w.out, "# endpoint=%d task=%d\n", i, task)
	}
	w.out.WriteString(legend)
}

// lockStride is how far the addresses of locks lie apart: a cache line.
const lockStride = 64

// address is where a lock lies, as %p prints it; none lies at 0.
func address(lock int32) string {
	return fmt.Sprintf("%016x", (int64(lock)+1)*lockStride)
}

// event writes one line.
func (w *Writer) event(e *tracepoint.Event) {
	w.line = w.line[:0]
	w.head(e)
	w.arguments(e)
	w.line = append(w.line, '\n')
	if _, err := w.out.Write(w.line); err != nil && w.err == nil {
		w.err = err
	}
	w.follow(e)
}

// head is TASK-PID [CPU] FLAGS TIME:.
func (w *Writer) head(e *tracepoint.Event) {
	name := w.comm(e.Context, -1)
	for range 16 - len(name) {
		w.line = append(w.line, ' ')
	}
	w.line = append(append(w.line, name...), '-')
	pid := len(w.line)
	w.line = strconv.AppendInt(w.line, int64(w.pid(e.Context)), 10)
	for len(w.line) < pid+7 {
		w.line = append(w.line, ' ')
	}
	w.line = append(w.line, " ["...)
	w.padded(int64(e.CPU), 3)
	w.line = append(w.line, "] "...)
	w.line = append(w.line, w.flags(e)...)
	seconds := strconv.FormatInt(int64(e.At/1e9), 10)
	for range 6 - len(seconds) {
		w.line = append(w.line, ' ')
	}
	w.line = append(append(w.line, seconds...), '.')
	w.padded(int64(e.At%1e9), 9)
	w.line = append(w.line, ": "...)
}

// padded appends a number with leading zeros.
func (w *Writer) padded(n int64, width int) {
	text := strconv.FormatInt(n, 10)
	for range width - len(text) {
		w.line = append(w.line, '0')
	}
	w.line = append(w.line, text...)
}

// flags are irqs-off, need-resched, the context, the depth without preemption, migration: what of
// them the records say.
func (w *Writer) flags(e *tracepoint.Event) string {
	flags := []byte(".....")
	if e.InIRQ {
		flags[0], flags[2] = 'd', 'h'
	}
	if e.Point >= tracepoint.SchedSwitch && e.Point <= tracepoint.SchedPISetprio {
		flags[0] = 'd' // under the run queue's lock
	}
	if n := w.off[e.CPU]; n > 0 {
		flags[3] = "0123456789abcdef"[min(n, 15)]
	}
	return string(flags)
}

// follow keeps what the flags of later lines say.
func (w *Writer) follow(e *tracepoint.Event) {
	switch e.Point {
	case tracepoint.PreemptDisable:
		w.off[e.CPU]++
	case tracepoint.PreemptEnable:
		w.off[e.CPU]--
	}
}

// comm is a task's name; the idle task is called otherwise where it stands in an argument.
func (w *Writer) comm(id int32, cpu int16) string {
	switch {
	case id >= 0:
		return w.names.Tasks[id].Name
	case cpu < 0:
		return "<idle>"
	}
	return "swapper/" + strconv.Itoa(int(cpu))
}

func (w *Writer) pid(id int32) int32 {
	if id < 0 {
		return 0
	}
	return w.names.Tasks[id].PID
}
