package scenarios_test

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// This file reads workload files into the naive scheduler's state. It trusts them to be valid:
// it refuses only what it cannot run.

// naiveFile is a workload file as YAML has it.
type naiveFile struct {
	CPUs       int               `yaml:"cpus"`
	Costs      string            `yaml:"costs"`
	Until      string            `yaml:"until"`
	BHLock     bool              `yaml:"bh_lock"`
	Locks      map[string]string `yaml:"locks"`
	Semaphores map[string]int    `yaml:"semaphores"`
	Tasks      []naiveFileTask   `yaml:"tasks"`
	Interrupts []naiveFileIRQ    `yaml:"interrupts"`
}

type naiveFileTask struct {
	Name     string `yaml:"name"`
	Policy   string `yaml:"policy"`
	Priority int    `yaml:"priority"`
	Nice     int    `yaml:"nice"`
	CPUs     []int  `yaml:"cpus"`
	Arrive   string `yaml:"arrive"`
	TimerCPU *int   `yaml:"timer_cpu"`
	Asleep   bool   `yaml:"asleep"`
	Program  string `yaml:"program"`
}

type naiveFileIRQ struct {
	At    string   `yaml:"at"`
	CPU   int      `yaml:"cpu"`
	Cost  string   `yaml:"cost"`
	Wakes []string `yaml:"wakes"`
}

// naiveParse reads a file and makes the state at its start.
func naiveParse(text string) (*naiveSim, error) {
	var f naiveFile
	if err := yaml.Load([]byte(text), &f, yaml.WithKnownFields()); err != nil {
		return nil, fmt.Errorf("a workload for the naive scheduler: %w", err)
	}
	if f.Costs != "" && f.Costs != "zero" {
		return nil, fmt.Errorf("costs %q: the naive scheduler knows only zero", f.Costs)
	}
	s := &naiveSim{
		until: -1, rrSlice: naiveRRSlice, check: func(bool) {},
		named: map[string][]*naiveLock{}, sems: map[string]*naiveSem{},
	}
	s.out = naiveSchedule{
		CPUs: make([][]naiveSlice, f.CPUs), Acquired: []naiveAcquired{}, Words: []naiveEnded{},
	}
	for id := range f.CPUs {
		s.out.CPUs[id] = []naiveSlice{}
		s.cpus = append(s.cpus, &naiveCPU{id: id})
	}
	var err error
	if f.Until != "" {
		if s.until, err = naiveDuration(f.Until); err != nil {
			return nil, err
		}
	}
	s.addLocks(f)
	for _, ft := range f.Tasks {
		if err := s.addTask(ft); err != nil {
			return nil, err
		}
	}
	for _, c := range s.cpus {
		s.addKtimers(c)
	}
	return s, s.addInterrupts(f.Interrupts)
}

// addLocks makes the locks and semaphores.
func (s *naiveSim) addLocks(f naiveFile) {
	add := func(name, kind string) *naiveLock {
		l := &naiveLock{name: name, kind: kind}
		s.locks = append(s.locks, l)
		return l
	}
	for name, kind := range f.Locks {
		s.named[name] = append(s.named[name], add(name, kind))
		for kind == "local" && len(s.named[name]) < f.CPUs {
			s.named[name] = append(s.named[name], add(name, kind))
		}
	}
	for f.BHLock && len(s.bhLocks) < f.CPUs {
		s.bhLocks = append(s.bhLocks, add("bh", "bh"))
	}
	for name, count := range f.Semaphores {
		s.sems[name] = &naiveSem{count: count}
	}
}

// newTask makes a sleeping task.
func (s *naiveSim) newTask(name, policy string, priority int, cpus []int) *naiveTask {
	t := &naiveTask{
		name: name, policy: policy, normal: priority, eff: priority,
		allowed: make([]bool, len(s.cpus)), cpu: cpus[0],
		left: -1, ended: -1, timerAt: -1, rrLeft: s.rrSlice, holds: map[string]*naiveLock{},
	}
	for _, cpu := range cpus {
		t.allowed[cpu] = true
	}
	s.tasks = append(s.tasks, t)
	return t
}

// addTask adds a task of the file, waiting for its arrival or asleep.
func (s *naiveSim) addTask(ft naiveFileTask) error {
	if ft.Policy == "" {
		ft.Policy = "fifo"
	}
	if len(ft.CPUs) == 0 {
		ft.CPUs = []int{0}
	}
	t := s.newTask(ft.Name, ft.Policy, ft.Priority, ft.CPUs)
	var err error
	if t.program, err = naiveProgram(ft.Program); err != nil {
		return fmt.Errorf("task %s: %w", ft.Name, err)
	}
	if ft.Asleep {
		t.why = "asleep"
		if t.program[0].op == "wait" {
			t.why = "wait"
		}
		return nil
	}
	t.why = "arrival"
	t.timerAt = 0
	t.timerCPU = t.cpu
	if ft.TimerCPU != nil {
		t.timerCPU = *ft.TimerCPU
	}
	if ft.Arrive != "" {
		t.timerAt, err = naiveDuration(ft.Arrive)
	}
	return err
}

// addKtimers adds a CPU's ktimers thread, after the file's tasks (R3.10).
func (s *naiveSim) addKtimers(c *naiveCPU) {
	c.ktimers = s.newTask(fmt.Sprintf("ktimers/%d", c.id), "ktimers", 1, []int{c.id})
	c.ktimers.why = "ktimers"
}

// addInterrupts adds the file's interrupts.
func (s *naiveSim) addInterrupts(list []naiveFileIRQ) error {
	for _, fi := range list {
		i := &naiveIRQ{cpu: fi.CPU, wakes: fi.Wakes}
		var err error
		if i.at, err = naiveDuration(fi.At); err != nil {
			return err
		}
		if fi.Cost != "" {
			if i.cost, err = naiveDuration(fi.Cost); err != nil {
				return err
			}
		}
		s.irqs = append(s.irqs, i)
	}
	return nil
}

// naiveProgram reads a program.
func naiveProgram(text string) ([]naiveWord, error) {
	var program []naiveWord
	for _, part := range strings.Split(text, ";") {
		w, err := naiveReadWord(strings.Fields(part))
		if err != nil {
			return nil, fmt.Errorf("word %q: %w", strings.TrimSpace(part), err)
		}
		program = append(program, w)
	}
	return program, nil
}

// naiveReadWord reads one word.
func naiveReadWord(fields []string) (w naiveWord, err error) {
	if len(fields) == 0 {
		return w, fmt.Errorf("is empty")
	}
	w.op = fields[0]
	last := fields[len(fields)-1]
	switch w.op {
	case "run", "sleep", "sleep_until":
		w.time, err = naiveDuration(last)
	case "goto", "repeat":
		w.n, err = strconv.Atoi(last)
	case "set_priority":
		w.n, err = strconv.Atoi(last)
		if len(fields) == 3 {
			w.name = fields[1]
		}
	case "lock", "unlock", "read_lock", "read_unlock", "write_lock", "write_unlock",
		"wake", "post", "take":
		w.name = last
	case "wait", "end", "yield", "preempt_off", "preempt_on", "irq_off", "irq_on",
		"bh_off", "bh_on", "prepare", "schedule":
	default:
		err = fmt.Errorf("is unknown")
	}
	return w, err
}

// naiveDuration reads a duration in nanoseconds.
func naiveDuration(text string) (int64, error) {
	units := []struct {
		name string
		ns   int64
	}{
		{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6},
		{"s", 1e9}, {"m", 60e9}, {"h", 3600e9},
	}
	for _, unit := range units {
		digits, found := strings.CutSuffix(text, unit.name)
		if !found {
			continue
		}
		number, ok := new(big.Rat).SetString(digits)
		if !ok {
			break
		}
		number.Mul(number, new(big.Rat).SetInt64(unit.ns))
		if !number.IsInt() {
			break
		}
		return number.Num().Int64(), nil
	}
	return 0, fmt.Errorf("%q is no duration in whole nanoseconds", text)
}
