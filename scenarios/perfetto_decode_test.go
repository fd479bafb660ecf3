package scenarios

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"rtsim/model/trace"
	"rtsim/scenarios/perfetto"
)

// proto is a message taken apart: what each field holds, in order.
type proto map[protowire.Number][]protoValue

type protoValue struct {
	number uint64
	bytes  []byte
}

// takeApart reads the fields of a message.
func takeApart(t *testing.T, data []byte) proto {
	t.Helper()
	m := proto{}
	for len(data) > 0 {
		field, kind, n := protowire.ConsumeTag(data)
		require.Positive(t, n)
		data = data[n:]
		var v protoValue
		switch kind {
		case protowire.VarintType:
			v.number, n = protowire.ConsumeVarint(data)
		case protowire.Fixed64Type:
			v.number, n = protowire.ConsumeFixed64(data)
		case protowire.BytesType:
			v.bytes, n = protowire.ConsumeBytes(data)
		default:
			require.Fail(t, "a wire type that no field has")
		}
		require.Positive(t, n)
		data = data[n:]
		m[field] = append(m[field], v)
	}
	return m
}

func (m proto) int(field protowire.Number) int64 {
	if len(m[field]) == 0 {
		return 0
	}
	return int64(m[field][0].number)
}

func (m proto) text(field protowire.Number) string {
	if len(m[field]) == 0 {
		return ""
	}
	return string(m[field][0].bytes)
}

func (m proto) message(t *testing.T, field protowire.Number) proto {
	t.Helper()
	require.Len(t, m[field], 1)
	return takeApart(t, m[field][0].bytes)
}

// span is a slice, or with from == to an instant; or a counter's value.
type span struct {
	track, name string
	from, to    int64
	value       int64
}

// arrow is a flow: from an event's time and track to another's.
type arrow struct {
	from, to   int64
	waker, end string
}

// kernelEvent is an event of an ftrace bundle: which, where, who, and its fields in their order.
type kernelEvent struct {
	at      int64
	cpu     int64
	pid     int64
	field   protowire.Number
	numbers [8]int64
	comm    string
}

// decoded is a trace file taken apart.
type decoded struct {
	spans    []span
	values   []span
	instants []span
	arrows   []arrow
	kernel   []kernelEvent
	threads  map[int64]string // by tid
	interest []int64
	parents  map[string]string // by track
}

// perfettoOf writes records and takes the file apart, by the field numbers of Perfetto's
// messages. Every event must be on a track that was described before, and every end on a track
// with a slice that is open.
func perfettoOf(t *testing.T, r recorded, marked ...Message) *decoded {
	t.Helper()
	var b bytes.Buffer
	w := perfetto.NewWriter(&b, r.names, marked)
	require.NoError(t, w.Add(r.records))
	require.NoError(t, w.Close())
	d := &decoder{decoded: decoded{threads: map[int64]string{}, parents: map[string]string{}},
		t: t, names: map[int64]string{}, open: map[int64][]span{}, flows: map[int64]arrow{}}
	for _, v := range takeApart(t, b.Bytes())[1] {
		p := takeApart(t, v.bytes)
		require.EqualValues(t, 1, p.int(10), "every packet is of the one sequence")
		switch {
		case len(p[60]) > 0:
			d.descriptor(p.message(t, 60))
		case len(p[11]) > 0:
			d.event(p.int(8), p.message(t, 11))
		case len(p[1]) > 0:
			d.bundle(p.message(t, 1))
		case len(p[2]) > 0:
			for _, v := range p.message(t, 2)[2] {
				thread := takeApart(t, v.bytes)
				d.threads[thread.int(1)] = thread.text(2)
			}
		case len(p[90]) > 0:
			d.interest = append(d.interest, p.message(t, 90).int(1))
		}
	}
	return &d.decoded
}

type decoder struct {
	decoded
	t     *testing.T
	names map[int64]string // of tracks
	open  map[int64][]span // by track, the innermost last
	flows map[int64]arrow
}

func (d *decoder) descriptor(m proto) {
	uuid := m.int(1)
	require.NotZero(d.t, uuid)
	require.NotContains(d.t, d.names, uuid, "a track is described once")
	name := m.text(2)
	if len(m[4]) > 0 {
		thread := m.message(d.t, 4)
		name = thread.text(5)
		require.Equal(d.t, d.threads[thread.int(2)], name)
	}
	d.names[uuid] = name
	if parent := m.int(5); parent != 0 {
		require.Contains(d.t, d.names, parent, "the parent of %s is described before it", name)
		d.parents[name] = d.names[parent]
	}
	if len(m[8]) > 0 {
		require.Equal(d.t, "rt_priority", m.message(d.t, 8).text(6))
	}
}

func (d *decoder) event(at int64, m proto) {
	uuid := m.int(11)
	require.Contains(d.t, d.names, uuid, "the track of an event is described before it")
	track := d.names[uuid]
	s := span{track: track, name: m.text(23), from: at, to: at}
	switch m.int(9) {
	case 1:
		d.open[uuid] = append(d.open[uuid], s)
	case 2:
		n := len(d.open[uuid])
		require.Positive(d.t, n, "%s: an end without a begin at %d", track, at)
		s = d.open[uuid][n-1]
		d.open[uuid] = d.open[uuid][:n-1]
		s.to = at
		d.spans = append(d.spans, s)
	case 3:
		d.instants = append(d.instants, s)
	case 4:
		s.value = m.int(30)
		d.values = append(d.values, s)
	default:
		require.Fail(d.t, "an unknown type of event")
	}
	for _, id := range m[47] {
		require.NotContains(d.t, d.flows, int64(id.number), "a flow begins once")
		d.flows[int64(id.number)] = arrow{from: at, waker: track}
	}
	for _, id := range m[48] {
		a, ok := d.flows[int64(id.number)]
		require.True(d.t, ok, "a flow begins before it ends")
		a.to, a.end = at, track
		d.arrows = append(d.arrows, a)
	}
}

func (d *decoder) bundle(m proto) {
	for _, v := range m[2] {
		f := takeApart(d.t, v.bytes)
		e := kernelEvent{at: f.int(1), cpu: m.int(1), pid: f.int(2)}
		for field := range f {
			if field > 2 {
				require.Zero(d.t, e.field, "an event has one kind")
				e.field = field
			}
		}
		fields := f.message(d.t, e.field)
		e.comm = fields.text(1)
		for i := range e.numbers {
			e.numbers[i] = fields.int(protowire.Number(i))
		}
		d.kernel = append(d.kernel, e)
	}
}

// taskNamed is a task's name, as tracks have it.
func (r *recorded) taskNamed(id int32) string { return r.names.Task(id) }

// pidOf is a task's pid, 0 for the idle task.
func (r *recorded) pidOf(id int32) int64 {
	if id < 0 {
		return 0
	}
	return int64(r.names.Tasks[id].PID)
}

// kernelPrio is 99 less rt_priority, or 120 and the nice value.
func (r *recorded) kernelPrio(id, prio int32) int64 {
	if id >= 0 && prio == 0 {
		return 120 + int64(r.names.Tasks[id].Nice)
	}
	if id < 0 {
		return 120
	}
	return 99 - int64(prio)
}

// kernelStates are the bits of prev_state, by Sleep; a task that stays ready was preempted.
var kernelStates = map[trace.Sleep]int64{trace.Runnable: 256, trace.NotYet: 128, trace.Parked: 1,
	trace.InWait: 1, trace.InSleep: 1, trace.InTake: 2, trace.InSched: 1, trace.OnLock: 2,
	trace.OnReaders: 2, trace.Exited: 16}
