package model

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/sim"
)

func TestStateIsPlain(t *testing.T) {
	// Look at the path of the field: a pointer, map, func, chan or interface in State would make
	// a copy share what changes.
	walkPlain(t, "State", reflect.TypeFor[State]())
}

func walkPlain(t *testing.T, path string, v reflect.Type) {
	t.Helper()
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Func, reflect.Chan, reflect.Interface,
		reflect.UnsafePointer:
		t.Errorf("%s is a %s", path, v.Kind())
	case reflect.Struct:
		for i := range v.NumField() {
			walkPlain(t, path+"."+v.Field(i).Name, v.Field(i).Type)
		}
	case reflect.Slice, reflect.Array:
		walkPlain(t, path+"[]", v.Elem())
	}
}

func TestWalkPlainRefuses(t *testing.T) {
	// Look at the verdict: the walk must see what hides in a slice of structs.
	type bad struct{ List []struct{ P *int } }
	fake := &testing.T{}
	walkPlain(fake, "bad", reflect.TypeFor[bad]())
	require.True(t, fake.Failed())
}

// contended is a small workload with a contended spinlock and mutex, sleeps and an interrupt.
func contended() *Workload {
	word := func(k WordKind, d sim.Time, lock int32) Word {
		return Word{Kind: k, Time: d, Lock: lock, Task: -1}
	}
	body := func(first, second int32, d sim.Time) []Word {
		return []Word{word(WordLock, 0, first), word(WordRun, d, 0), word(WordLock, 0, second),
			word(WordRun, d, 0), word(WordUnlock, 0, second), word(WordUnlock, 0, first),
			word(WordSleep, 3*d, 0), {Kind: WordGoto, Task: -1}}
	}
	w := &Workload{CPUs: 2, Until: sim.Never,
		Locks: []LockDecl{{"M", Mutex}, {"S", Spin}}}
	for i, d := range []sim.Time{3, 5, 7, 11} {
		w.Tasks = append(w.Tasks, TaskDecl{Name: string(rune('a' + i)), Policy: FIFO,
			Priority: int32(10 + 10*i), CPUs: 3, FirstCPU: int32(i % 2), TimerCPU: int32(i % 2),
			Arrive: d, Program: body(0, 1, d)})
	}
	w.Interrupts = []InterruptDecl{{At: 20, CPU: 0, Cost: 5}}
	return w
}

func TestCloneIsASnapshot(t *testing.T) {
	// Look at the instant: a machine forked there and its parent must end in equal states, and
	// running one must not touch the other.
	for fork := sim.Time(0); fork < 300; fork += 7 {
		whole := New(contended(), ZeroCosts(), 1)
		require.NoError(t, whole.Run(1000))
		m := New(contended(), ZeroCosts(), 1)
		require.NoError(t, m.Run(fork))
		before, twin := m.Clone(), m.Clone()
		require.NoError(t, m.Run(1000))
		require.Equal(t, before.State, twin.State, "fork at %s", fork)
		require.NoError(t, twin.Run(1000))
		require.Equal(t, whole.State, m.State, "fork at %s", fork)
		require.Equal(t, whole.State, twin.State, "fork at %s", fork)
		twin.CopyFrom(before)
		require.Equal(t, before.State, twin.State, "copied back at %s", fork)
	}
}

func TestSplitRun(t *testing.T) {
	// Look at the step: running in pieces is running at once.
	whole := New(contended(), ZeroCosts(), 1)
	require.NoError(t, whole.Run(1000))
	m := New(contended(), ZeroCosts(), 1)
	for at := sim.Time(0); at <= 1000; at += 13 {
		require.NoError(t, m.Run(at))
	}
	require.NoError(t, m.Run(1000))
	require.Equal(t, whole.State, m.State)
}

func TestTraceDoesNotChangeTheRun(t *testing.T) {
	// Look at the digests: keeping records must not change what happens.
	a, b := New(contended(), ZeroCosts(), 1), New(contended(), ZeroCosts(), 1)
	b.KeepAll()
	require.NoError(t, a.Run(1000))
	require.NoError(t, b.Run(1000))
	require.Equal(t, a.State, b.State)
	require.NotEmpty(t, b.Trace)
}

func TestCopyDoesNotAllocate(t *testing.T) {
	// Look at the count: a fork into a reused machine must not allocate.
	m := New(contended(), ZeroCosts(), 1)
	require.NoError(t, m.Run(100))
	c := m.Clone()
	require.Zero(t, testing.AllocsPerRun(100, func() { c.CopyFrom(m) }))
}

func BenchmarkFork(b *testing.B) {
	m := New(contended(), ZeroCosts(), 1)
	require.NoError(b, m.Run(100))
	c := m.Clone()
	for b.Loop() {
		c.CopyFrom(m)
	}
	b.ReportMetric(float64(stateBytes(m)), "state-bytes")
}

// stateBytes is the size of what a fork copies.
func stateBytes(m *Machine) uintptr {
	n := reflect.TypeFor[State]().Size()
	for _, s := range []any{m.cpus, m.tasks, m.locks, m.sems, m.held} {
		v := reflect.ValueOf(s)
		n += uintptr(v.Len()) * v.Type().Elem().Size()
	}
	return n
}
