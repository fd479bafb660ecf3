package file

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/model"
	"rtsim/sim"
)

const us = sim.Microsecond

// Look at the worked cases: each of them is a correct file with a program for every task.
func TestCasesRead(t *testing.T) {
	for _, dir := range []string{"cases", "cases-own"} {
		files, err := filepath.Glob(filepath.Join("..", "testdata", dir, "*.yaml"))
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(files), 12)
		for _, name := range files {
			f := readFile(t, name)
			assert.Equal(t, "zero", f.Costs, name)
			assert.Equal(t, sim.Never, f.Until, name)
			for _, task := range f.Tasks {
				assert.NotEmpty(t, task.Program, "%s: %s", name, task.Name)
			}
		}
	}
}

// readFile reads a correct file.
func readFile(t *testing.T, name string) *File {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	f, err := Read(name, data)
	require.NoError(t, err)
	return f
}

// Look at pending-lock-is-stolen-by-higher: three tasks on one CPU and a mutex.
func TestCaseOfAMutex(t *testing.T) {
	f := readFile(t, "../testdata/cases/pending-lock-is-stolen-by-higher.yaml")
	lock := model.Word{Kind: model.WordLock}
	unlock := model.Word{Kind: model.WordUnlock}
	run := func(d sim.Time) model.Word { return model.Word{Kind: model.WordRun, Time: d} }
	assert.Equal(t, model.Workload{
		CPUs:  1,
		Until: sim.Never,
		Locks: []model.LockDecl{{Name: "S", Kind: model.Mutex}},
		Tasks: []model.TaskDecl{
			{Name: "O", Priority: 40, CPUs: 1, Program: []model.Word{lock, run(2 * us),
				{Kind: model.WordSleep, Time: 3 * us}, run(2 * us), unlock, run(3 * us)}},
			{Name: "W", Priority: 20, CPUs: 1, Arrive: 1 * us,
				Program: []model.Word{run(1 * us), lock, run(2 * us), unlock}},
			{Name: "Th", Priority: 30, CPUs: 1, Arrive: 8 * us,
				Program: []model.Word{lock, run(2 * us), unlock, run(1 * us)}},
		},
	}, f.Workload)
}

// Look at irq-thread: a task that starts asleep, a loop of a wait, an interrupt with a cost.
func TestCaseOfAnInterrupt(t *testing.T) {
	f := readFile(t, "../testdata/cases/irq-thread.yaml")
	require.Len(t, f.Tasks, 2)
	assert.Equal(t, model.TaskDecl{Name: "I", Priority: 50, CPUs: 1, Asleep: true,
		Program: []model.Word{{Kind: model.WordWait}, {Kind: model.WordRun, Time: 2 * us},
			{Kind: model.WordGoto, Arg: 0}}}, f.Tasks[1])
	assert.Equal(t, []model.InterruptDecl{
		{At: 3 * us, CPU: 0, Cost: 1 * us, Wakes: []int32{1}}}, f.Interrupts)
}

// Look at lower-task-is-pushed: tasks that may run on two CPUs.
func TestCaseOfTwoCPUs(t *testing.T) {
	f := readFile(t, "../testdata/cases/lower-task-is-pushed.yaml")
	require.Len(t, f.Tasks, 2)
	assert.Equal(t, 2, f.CPUs)
	assert.Equal(t, uint64(3), f.Tasks[1].CPUs)
	assert.Equal(t, int32(40), f.Tasks[1].Priority)
	assert.Equal(t, 2*us, f.Tasks[1].Arrive)
}

// Look at testdata/whole.yaml: every key and every word, and nothing left at its default.
func TestWholeFile(t *testing.T) {
	f := readFile(t, "testdata/whole.yaml")
	assert.Equal(t, "orin-7.4", f.Costs)
	tasks := f.Tasks
	f.Tasks = nil
	assert.Equal(t, model.Workload{
		CPUs:   4,
		Until:  1500 * us,
		BHLock: true,
		Locks: []model.LockDecl{{Name: "S", Kind: model.Spin}, {Name: "C", Kind: model.Local},
			{Name: "M", Kind: model.Mutex}, {Name: "W", Kind: model.RW},
			{Name: "R", Kind: model.Raw}},
		Semaphores: []model.SemaphoreDecl{{Name: "P", Count: 0}, {Name: "Q", Count: 7}},
		Interrupts: []model.InterruptDecl{{At: 4 * us, CPU: 3, Cost: 250, Wakes: []int32{2, 0}},
			{At: 4 * us, CPU: 1}},
		FairServers: []model.FairServerDecl{
			{CPU: 0, Runtime: 50 * sim.Millisecond, Period: sim.Second},
			{CPU: 2, Runtime: 0, Period: 1 * us}},
	}, f.Workload)
	require.Len(t, tasks, 4)
	word := func(kind model.WordKind) model.Word { return model.Word{Kind: kind} }
	on := func(kind model.WordKind, lock int32) model.Word {
		return model.Word{Kind: kind, Lock: lock}
	}
	assert.Equal(t, model.TaskDecl{Name: "a-1", Policy: model.RR, Priority: 99, CPUs: 0b1100,
		FirstCPU: 3, Arrive: 5, TimerCPU: 1, Program: []model.Word{
			on(model.WordLock, 0), {Kind: model.WordRun, Time: 1500}, on(model.WordUnlock, 0),
			on(model.WordLock, 1), on(model.WordUnlock, 1),
			on(model.WordLock, 2), {Kind: model.WordSleep, Time: 1 * us}, on(model.WordUnlock, 2),
			on(model.WordReadLock, 3), on(model.WordReadUnlock, 3),
			on(model.WordWriteLock, 3), on(model.WordWriteUnlock, 3),
			on(model.WordLock, 4), on(model.WordUnlock, 4),
			{Kind: model.WordSleepUntil, Time: sim.Millisecond},
			word(model.WordPrepare), word(model.WordSchedule), {Kind: model.WordGoto, Arg: 18},
		}}, tasks[0])
	assert.Equal(t, model.Other, tasks[1].Policy)
	assert.Equal(t, int32(-20), tasks[1].Nice)
	assert.Equal(t, []model.Word{
		{Kind: model.WordRepeat, Arg: 2, Match: 6}, on(model.WordPost, 1),
		{Kind: model.WordRepeat, Arg: 3, Match: 3}, {Kind: model.WordEnd, Match: 2},
		on(model.WordTake, 0), word(model.WordYield), {Kind: model.WordEnd, Match: 0},
	}, tasks[1].Program)
	assert.Equal(t, []model.Word{word(model.WordWait), {Kind: model.WordWake, Task: 3},
		{Kind: model.WordSetPriority, Task: -1, Arg: 1},
		{Kind: model.WordSetPriority, Task: 3, Arg: 99}, {Kind: model.WordGoto, Arg: 0},
	}, tasks[2].Program)
	assert.Equal(t, []model.Word{word(model.WordPreemptOff), word(model.WordPreemptOff),
		word(model.WordIRQOff), {Kind: model.WordRun, Time: 1}, word(model.WordIRQOn),
		word(model.WordPreemptOn), word(model.WordPreemptOn),
		word(model.WordBHOff), word(model.WordBHOff), word(model.WordBHOn), word(model.WordBHOn),
	}, tasks[3].Program)
}

// Look at what is not said: policy fifo, CPU 0, at once, no end, no costs.
func TestDefaults(t *testing.T) {
	f, err := Read("w", []byte("cpus: 2\ntasks: [{name: A, priority: 1, program: yield}]"))
	require.NoError(t, err)
	assert.Equal(t, &File{Costs: "zero", Workload: model.Workload{CPUs: 2, Until: sim.Never,
		Tasks: []model.TaskDecl{{Name: "A", Policy: model.FIFO, Priority: 1, CPUs: 1,
			Program: []model.Word{{Kind: model.WordYield}}}}}}, f)
}

// Look at the first CPU of an affinity: it is the previous one, and its timer wakes the task.
func TestFirstCPU(t *testing.T) {
	f, err := Read("w",
		[]byte("cpus: 3\ntasks: [{name: A, priority: 1, cpus: [2, 0], program: yield}]"))
	require.NoError(t, err)
	assert.Equal(t, uint64(0b101), f.Tasks[0].CPUs)
	assert.Equal(t, int32(2), f.Tasks[0].FirstCPU)
	assert.Equal(t, int32(2), f.Tasks[0].TimerCPU)
}

// Look at a loop that only time moves on: an end in the file or from the caller makes it right.
func TestUntil(t *testing.T) {
	const loop = "cpus: 1\ntasks: [{name: A, priority: 1, program: run 1us; goto 0}]\n"
	_, err := Read("w", []byte(loop))
	require.ErrorContains(t, err, "the file has no until")
	f, err := Read("w", []byte(loop+"until: 0us\n"))
	require.NoError(t, err)
	assert.Equal(t, sim.Time(0), f.Until)
	f, err = ReadUntil("w", []byte(loop+"until: 5us\n"), 3*us)
	require.NoError(t, err)
	assert.Equal(t, 3*us, f.Until)
	f, err = ReadUntil("w", []byte(loop), 3*us)
	require.NoError(t, err)
	assert.Equal(t, 3*us, f.Until)
}
