package file

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/model"
	"rtsim/sim"
)

// readScenario reads a correct scenario file.
func readScenario(t *testing.T, name string, set ...Setting) *Scenario {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	s, err := ReadScenario(filepath.Base(name), data, set)
	require.NoError(t, err)
	return s
}

// Look at what is around the tasks of testdata/scenario.yaml: queues, what is measured, claims.
func TestScenario(t *testing.T) {
	s := readScenario(t, "testdata/scenario.yaml")
	assert.Equal(t, "scenario.yaml", s.Name)
	assert.Equal(t, []string{"P", "Q"}, s.Queues)
	assert.Equal(t, "6.18", s.Kernel)
	assert.Equal(t, "orin-6.18", s.Costs)
	assert.Equal(t, "sender", s.Sender)
	assert.Equal(t, "receiver", s.Receiver)
	assert.Equal(t, int32(0), s.Measured)
	assert.Equal(t, []Claim{
		{Name: "never late", Kind: NeverOver, Metric: "send", Over: 100 * us,
			Designs: []string{"futex-persistent", "doorbell"}},
		{Name: "rarely late", Kind: AtMost, Metric: "receive", Over: 50 * us, AtMost: 1e-6,
			Confidence: 0.99, Designs: []string{"msg-ring-cache/trylock+no-wake-fix"}},
		{Name: "nothing is lost", Kind: Delivers, Designs: []string{"doorbell"}},
		{Name: "in order", Kind: Order, Designs: []string{"doorbell"}},
		{Name: "no window", Kind: Windows, Designs: []string{"doorbell"}},
		{Name: "better", Kind: NeverLater, Metric: "response", Over: 3 * us,
			Than: "futex-oneshot", Designs: []string{"doorbell/first-wake"}},
		{Name: "apart", Kind: Unmoved, Metric: "send", Over: 1 * us, CPUs: []int32{0, 1},
			CPUsAt: Place{65, 71}, Designs: []string{"doorbell"}},
	}, s.Claims)
	assert.Equal(t, []model.InterruptDecl{{At: 4 * us, CPU: 3, Cost: 250, Wakes: []int32{2}}},
		s.Interrupts)
}

// Look at the names: the first copy keeps its own, each CPU of each_cpu has its copies together,
// gone has none, and the threads of the bursts come last.
func TestScenarioTasks(t *testing.T) {
	s := readScenario(t, "testdata/scenario.yaml")
	var names []string
	for _, task := range s.Tasks {
		names = append(names, task.Name)
	}
	assert.Equal(t, []string{"sender", "receiver", "receiver-2", "low-a-1-1", "low-a-1-1-2",
		"low-a-1-0", "low-a-1-0-2", "same", "irq-0", "irq-1", "other"}, names)
	period := 500 * us
	assert.Equal(t, model.TaskDecl{Name: "sender", Priority: 40, CPUs: 0b1000, FirstCPU: 3,
		TimerCPU: 3, Program: []model.Word{{Kind: model.WordEvery, Time: period, Aux: 20 * us},
			{Kind: model.WordSend, Lock: 0}, {Kind: model.WordRun, Time: 1 * us},
			{Kind: model.WordGoto, Arg: 0}}}, s.Tasks[0])
	assert.Equal(t, s.Tasks[1].Program, s.Tasks[2].Program)
	low := model.TaskDecl{Name: "low-a-1-1", Policy: model.RR, Priority: 5, CPUs: 0b10,
		FirstCPU: 1, TimerCPU: 3, Program: []model.Word{
			{Kind: model.WordOpen, Lock: 1}, {Kind: model.WordFor, Time: period, Match: 8},
			{Kind: model.WordRepeat, Arg: 3, Match: 6}, {Kind: model.WordLock},
			{Kind: model.WordRun, Time: 1 * us}, {Kind: model.WordUnlock},
			{Kind: model.WordEnd, Match: 2}, {Kind: model.WordReceive, Lock: 1},
			{Kind: model.WordEnd, Match: 1}, {Kind: model.WordClose, Lock: 1},
			{Kind: model.WordSend, Lock: 1}}}
	assert.Equal(t, low, s.Tasks[3])
	low.Name, low.CPUs, low.FirstCPU = "low-a-1-0", 1, 0
	assert.Equal(t, low, s.Tasks[5])
	assert.Equal(t, model.TaskDecl{Name: "same", Priority: 7, CPUs: 0b100, FirstCPU: 2, Arrive: us,
		TimerCPU: 2, Program: []model.Word{{Kind: model.WordWake, Task: 4}}}, s.Tasks[7])
	assert.Equal(t, model.TaskDecl{Name: "irq-1", Priority: 50, CPUs: 0b10, FirstCPU: 1,
		TimerCPU: 1, Asleep: true, Program: []model.Word{{Kind: model.WordWait},
			{Kind: model.WordBurst, Arg: 1}, {Kind: model.WordGoto, Arg: 0}}}, s.Tasks[9])
}

// Look at the loads: a duty of a quarter leaves gaps of three times the mean length, 510 us; the
// histogram's mean is that of 3 times 15.0005 us and 5 times 25.0005 us, and half of the time.
func TestScenarioLoads(t *testing.T) {
	s := readScenario(t, "testdata/scenario.yaml")
	uniform := sim.Dist{Kind: sim.Uniform, Least: 20 * us, Greatest: sim.Millisecond}
	gap := sim.Dist{Kind: sim.ExpFloor, Least: 3 * us, Mean: 1530 * us}
	const mean = (3*15000.5 + 5*25000.5) / 8
	burst := model.LoadDecl{Name: "irq-0", Task: 8, Length: uniform, Gap: gap, Floor: 3 * us}
	second := burst
	second.Name, second.CPU, second.Task = "irq-1", 1, 9
	tick := sim.Dist{Least: 4 * sim.Millisecond}
	assert.Equal(t, []model.LoadDecl{burst, second,
		{Name: "other", CPU: 3, Task: 10, Floor: 20 * us,
			Length: sim.Dist{Kind: sim.Histogram, Bins: []sim.Bin{{Edge: 10 * us},
				{Edge: 20 * us, Count: 3}, {Edge: 30 * us, Count: 5}}},
			Gap: sim.Dist{Kind: sim.ExpFloor, Least: 20 * us, Mean: sim.Time(mean + 0.5)}},
		{Name: "nic", Kind: model.LoadDevice, CPU: 1, Task: -1,
			Length: sim.Dist{Kind: sim.Uniform, Least: us, Greatest: 5 * us},
			Gap:    sim.Dist{Kind: sim.ExpFloor, Least: 20 * us, Mean: 100 * us}},
		{Name: "tick-0", Kind: model.LoadTick, Task: -1, Gap: tick},
		{Name: "tick-2", Kind: model.LoadTick, CPU: 2, Task: -1, Gap: tick},
	}, s.Loads)
}

// Look at a plain workload file: read as a scenario it declares the same, and measures nothing.
func TestWorkloadAsScenario(t *testing.T) {
	files, err := filepath.Glob("../testdata/cases/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range append(files, "testdata/whole.yaml") {
		want := readFile(t, name)
		want.Measured = -1
		got := readScenario(t, name)
		assert.Equal(t, *want, got.File, name)
		assert.Equal(t, &Scenario{File: *want, Name: filepath.Base(name), Kernel: "7.4",
			Root: got.Root}, got)
		assert.Positive(t, got.Root.Line)
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		any, err := ReadAny(filepath.Base(name), data)
		require.NoError(t, err)
		assert.Equal(t, got, any)
	}
}

// Look at files of which nobody says what they are: a key or a word that only a scenario has
// makes them one, and else they are workloads.
func TestReadAny(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"a word", "cpus: 1\ntasks: [{name: A, priority: 1, program: every 1ms}]", ""},
		{"a key of a task", "cpus: 1\n" +
			"tasks: [{name: A, priority: 1, count: 2, program: yield}]", ""},
		{"a key", "kernel: 6.18\n" + minimal, ""},
		{"no workload", "claims: []\ncpu: 1", "w:1:1: the file has no cpus; add cpus: 2\n" +
			"w:1:1: the file has no tasks; add tasks, a list\n" +
			`w:2:1: unknown key "cpu" of a scenario file; did you mean cpus?`},
		{"no queue", "cpus: 1\ntasks: [{name: A, priority: 1, program: send Q}]",
			`w:2:41: "send Q": unknown queue "Q"; declare it under queues`},
		{"neither", "cpus: 1\nqueue: 1",
			"w:1:1: the file has no tasks; add tasks, a list\n" +
				`w:2:1: unknown key "queue" of a workload file; ` +
				"the keys of a workload file are cpus, costs, until, bh_lock, locks, " +
				"semaphores, tasks, interrupts, fair_server"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ReadAny("w", []byte(c.data))
			if c.want == "" {
				require.NoError(t, err)
				assert.NotEmpty(t, got.Tasks)
				return
			}
			require.Nil(t, got)
			assert.EqualError(t, err, c.want)
		})
	}
}

// Look at the cost profile: a file with queues has that of the published machine, by its kernel,
// unless it names another.
func TestScenarioCosts(t *testing.T) {
	const plain = "cpus: 1\ntasks: [{name: S, priority: 1, program: every 1us; send Q; goto 0}, " +
		"{name: R, priority: 1, program: open Q; receive Q; goto 1}]\n" +
		"queues: [Q]\nmeasure: {sender: S, receiver: R}\n"
	for _, c := range []struct{ data, want string }{
		{minimal, "zero"}, {minimal + "costs: orin", "orin-7.4"}, {plain, "orin-7.4"},
		{plain + "kernel: 6.18", "orin-6.18"}, {plain + "costs: zero", "zero"},
		{plain + "kernel: 6.18\ncosts: x86", "x86"}, {plain + "costs: orin-7.4", "orin-7.4"},
	} {
		s, err := ReadScenario("w", []byte(c.data), nil)
		require.NoError(t, err)
		assert.Equal(t, c.want, s.Costs, c.data)
	}
}

// Look at 4096 copies of a long program: it is read and checked once.
func TestManyCopies(t *testing.T) {
	data := []byte("cpus: 64\ntasks:\n  - {name: \"A-{cpu}\", priority: 1, count: 64, each_cpu: [0")
	for c := 1; c < 64; c++ {
		data = fmt.Appendf(data, ", %d", c)
	}
	data = append(data, "], program: \""...)
	for range 10_000 {
		data = append(data, "run 1us; "...)
	}
	start := time.Now()
	s, err := ReadScenario("w", append(data, "\"}\n"...), nil)
	require.NoError(t, err)
	assert.Len(t, s.Tasks, 64*64)
	assert.Len(t, s.Tasks[4095].Program, 10_000)
	assert.Equal(t, "A-63-64", s.Tasks[4095].Name)
	assert.Less(t, time.Since(start), 10*time.Second)
}
