package scenarios

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"rtsim/designs"
	"rtsim/model/trace"
)

// expected is what a trace file must hold, worked out from the records by other means than the
// writer's: begins and ends are matched by key, not by a track's stack.
type expected struct {
	r      recorded
	spans  []span
	values []span
	arrows []arrow
	kernel []kernelEvent
	open   map[span]int64 // by track and name
	eff    []int32
	waits  []int32 // lock, by task
	steps  []int32
	writes map[int32]string // what an owner's slice is called, by lock
	wakes  map[int32]arrow
	locks  map[int32]arrow
	ends   map[int32]bool
}

func (x *expected) begin(at int64, track, name string) {
	x.open[span{track: track, name: name}] = at
}

func (x *expected) end(at int64, track, name string) {
	key := span{track: track, name: name}
	from, ok := x.open[key]
	if !ok {
		return
	}
	delete(x.open, key)
	key.from, key.to = from, at
	x.spans = append(x.spans, key)
}

func expect(r recorded) *expected {
	x := &expected{r: r, open: map[span]int64{}, writes: map[int32]string{},
		wakes: map[int32]arrow{}, locks: map[int32]arrow{}, ends: map[int32]bool{}}
	for i := range r.names.Tasks {
		x.eff = append(x.eff, r.names.Tasks[i].Prio)
		x.waits, x.steps = append(x.waits, -1), append(x.steps, -1)
		if len(r.records) > 0 {
			x.value(int64(r.records[0].At), int32(i), x.eff[i])
		}
	}
	for _, id := range r.names.Endpoints {
		x.ends[id] = true
	}
	for i := range r.records {
		x.take(&r.records[i])
	}
	return x
}

func (x *expected) value(at int64, id, prio int32) {
	x.values = append(x.values, span{track: "priority of " + x.r.taskNamed(id), from: at, to: at,
		value: int64(prio)})
}

// kernelEvent adds an event of ftrace, of which the CPU and the pid that it is hit by are not
// compared: the records do not have them.
func (x *expected) kernelEvent(r *trace.Record, field int, comm int32, numbers [8]int64) {
	e := kernelEvent{at: int64(r.At), field: protowire.Number(field), numbers: numbers}
	if comm >= 0 {
		e.comm = x.r.taskNamed(comm)
	}
	x.kernel = append(x.kernel, e)
}

func (x *expected) take(r *trace.Record) {
	at, name := int64(r.At), ""
	if r.Task >= 0 {
		name = x.r.taskNamed(r.Task)
	}
	switch r.Kind {
	case trace.SchedSwitch:
		x.takeSwitch(r)
	case trace.SchedWakeup:
		prio := x.r.kernelPrio(r.Task, x.eff[r.Task])
		n := [8]int64{2: x.r.pidOf(r.Task), 3: prio, 4: 1, 5: int64(r.CPU)}
		x.kernelEvent(r, 20, r.Task, n)
		x.kernelEvent(r, 17, r.Task, n)
		x.wake(r)
	case trace.SchedMigrate:
		x.kernelEvent(r, 491, r.Task, [8]int64{2: x.r.pidOf(r.Task),
			3: x.r.kernelPrio(r.Task, x.eff[r.Task]), 4: int64(r.A), 5: int64(r.CPU)})
	case trace.SchedPISetprio:
		x.kernelEvent(r, 353, r.Task, [8]int64{2: x.r.kernelPrio(r.Task, r.B),
			3: x.r.kernelPrio(r.Task, r.A), 4: x.r.pidOf(r.Task)})
		x.eff[r.Task] = r.B
		x.value(at, r.Task, r.B)
	case trace.IRQEntry:
		x.kernelEvent(r, 36, -1, [8]int64{1: int64(r.A)})
	case trace.IRQExit:
		x.kernelEvent(r, 37, -1, [8]int64{1: int64(r.A), 2: 1})
	case trace.SendBegin:
		x.begin(at, name, "send")
	case trace.SendEnd:
		x.end(at, name, "send")
	case trace.Handle:
		if a, ok := x.wakes[r.Task]; ok {
			delete(x.wakes, r.Task)
			a.to, a.end = at, name
			x.arrows = append(x.arrows, a)
		}
	case trace.Step:
		if s := x.steps[r.Task]; s >= 0 {
			x.end(at, "steps of "+name, x.r.names.Steps[s].Text)
		}
		x.steps[r.Task] = r.A
		x.begin(at, "steps of "+name, x.r.names.Steps[r.A].Text)
	case trace.IRQOff:
		x.section(r, "interrupts off by "+name, "interrupts off")
	case trace.PreemptOff:
		x.section(r, "preemption off by "+name, "preemption off")
	default:
		x.takeLock(r, at, name)
	}
}

func (x *expected) takeSwitch(r *trace.Record) {
	n := [8]int64{2: x.r.pidOf(r.A), 3: 120, 6: x.r.pidOf(r.Task), 7: 120}
	if r.A >= 0 {
		n[3], n[4] = x.r.kernelPrio(r.A, x.eff[r.A]), kernelStates[trace.Sleep(r.B)]
	}
	if r.Task >= 0 {
		n[7] = x.r.kernelPrio(r.Task, x.eff[r.Task])
	}
	x.kernelEvent(r, 4, r.A, n)
}

func (x *expected) section(r *trace.Record, track, name string) {
	if r.B == 1 {
		x.begin(int64(r.At), track, name)
	} else {
		x.end(int64(r.At), track, name)
	}
}

func (x *expected) wake(r *trace.Record) {
	if r.A < 0 {
		return
	}
	a := arrow{from: int64(r.At), waker: x.r.taskNamed(r.A)}
	switch why := trace.Sleep(r.B); {
	case why == trace.OnLock || why == trace.OnReaders:
		x.locks[r.Task] = a
	case x.ends[r.Task]:
		x.wakes[r.Task] = a
	}
}

func (x *expected) takeLock(r *trace.Record, at int64, name string) {
	lock := ""
	if r.Kind >= trace.SpinBegin && r.Kind <= trace.WaiterLeft && r.A >= 0 {
		lock = x.r.names.Locks[r.A]
	}
	spins := "spins for " + lock
	if lock == "" {
		spins = "polls"
	}
	switch r.Kind {
	case trace.WaiterQueued:
		if x.waits[r.Task] < 0 {
			x.begin(at, "waits of "+name, "waits for "+lock)
		}
		x.waits[r.Task] = r.A
	case trace.WaiterLeft:
		x.end(at, "waits of "+name, "waits for "+lock)
		x.waits[r.Task] = -1
	case trace.SpinBegin:
		x.begin(at, "waits of "+name, spins)
	case trace.SpinEnd:
		x.end(at, "waits of "+name, spins)
	case trace.LockAcquired:
		if a, ok := x.locks[r.Task]; ok {
			delete(x.locks, r.Task)
			a.to, a.end = at, lock
			if r.B == trace.ModeRead {
				a.end = lock + " read by " + name
			}
			x.arrows = append(x.arrows, a)
		}
		switch r.B {
		case trace.ModeRead:
			x.begin(at, lock+" read by "+name, name)
		case trace.ModeMutex:
			x.writes[r.A] = name + ", waiting for readers"
			x.begin(at, lock, x.writes[r.A])
		default:
			x.end(at, lock, name+", waiting for readers")
			x.writes[r.A] = name
			x.begin(at, lock, name)
		}
	case trace.LockReleased:
		if r.B == trace.ModeRead {
			x.end(at, lock+" read by "+name, name)
		} else {
			x.end(at, lock, x.writes[r.A])
		}
	}
}

// bySpan orders spans, so that what is compared does not depend on packets' order.
func bySpan(a, b span) int {
	return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to),
		cmp.Compare(a.track, b.track), cmp.Compare(a.name, b.name), cmp.Compare(a.value, b.value))
}

func byArrow(a, b arrow) int {
	return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to),
		cmp.Compare(a.end, b.end))
}

func byKernel(a, b kernelEvent) int {
	return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.field, b.field),
		slices.Compare(a.numbers[:], b.numbers[:]))
}

// comparePerfetto compares a file with the records, kind by kind.
func comparePerfetto(t *testing.T, name string, r recorded) {
	t.Helper()
	found, want := perfettoOf(t, r), expect(r)
	for i := range found.spans { // a send's slice also has its number
		s := &found.spans[i]
		if len(s.name) > 5 && s.name[:5] == "send " {
			s.name = "send"
		}
	}
	for i := range found.kernel {
		e := &found.kernel[i]
		e.cpu, e.pid = 0, 0
		if e.field == 4 && e.numbers[2] == 0 {
			e.comm = "" // the idle task of its CPU
		}
	}
	slices.SortFunc(found.spans, bySpan)
	slices.SortFunc(want.spans, bySpan)
	slices.SortFunc(found.values, bySpan)
	slices.SortFunc(want.values, bySpan)
	slices.SortFunc(found.arrows, byArrow)
	slices.SortFunc(want.arrows, byArrow)
	slices.SortFunc(found.kernel, byKernel)
	slices.SortFunc(want.kernel, byKernel)
	requireSame(t, name+": slices", want.spans, found.spans)
	requireSame(t, name+": priorities", want.values, found.values)
	requireSame(t, name+": flows", want.arrows, found.arrows)
	requireSame(t, name+": events of ftrace", want.kernel, found.kernel)
}

// requireSame names the first difference; the lists are long.
func requireSame[T comparable](t *testing.T, what string, want, found []T) {
	t.Helper()
	for i := range min(len(want), len(found)) {
		if want[i] != found[i] {
			require.Equal(t, want[i], found[i], "%s: number %d", what, i)
		}
	}
	require.Equal(t, len(want), len(found), what)
}

// Look at every slice, priority, flow and event of ftrace in the file: they are those that the
// records say, of every workload that is drawn anywhere and of every design.
func TestPerfettoSaysTheRecords(t *testing.T) {
	arrows := 0
	check := func(name string, r recorded) {
		comparePerfetto(t, name, r)
		arrows += len(expect(r).arrows)
	}
	eachWorkload(t, check)
	for _, d := range designs.Bare() {
		check(d.Variant, recordedDesign(t, d))
	}
	require.Greater(t, arrows, 100)
}

// Look at the worst message: it has a slice on a track of its own, and is the range of interest.
func TestPerfettoMarksTheWorst(t *testing.T) {
	d := perfettoOf(t, recordedDesign(t, designs.FutexPlain),
		Message{Number: 7, Begin: 3_500_000, End: 3_512_345})
	require.Equal(t, []int64{3500}, d.interest)
	require.Contains(t, d.spans, span{track: "longest messages", name: "message 7: 12.345us",
		from: 3_500_000, to: 3_512_345})
}
