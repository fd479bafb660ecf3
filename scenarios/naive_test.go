package scenarios_test

import (
	"errors"
	"fmt"
)

// The naive scheduler is an oracle for workload files: it shares no code with the simulator, has
// no queue of events, and advances one nanosecond at a time. It is slow and meant to be read
// beside the contract and the rules of the kernel (their numbers, R1.1 and so on, are cited).
// This file has its state and the order within one instant; naive_sched_test.go run queues,
// wake-ups and placement; naive_push_test.go what moves tasks between CPUs; naive_lock_test.go
// the rtmutex; naive_holds_test.go the kinds of locks; naive_word_test.go the words;
// naive_irq_test.go interrupts and timers; naive_parse_test.go the file.

// naiveSchedule is what a run gives, in the shape of the JSON of `rtsim schedule`.
type naiveSchedule struct {
	CPUs     [][]naiveSlice  `json:"cpus"`
	Acquired []naiveAcquired `json:"acquired"`
	Words    []naiveEnded    `json:"words"`
	Deadlock []string        `json:"-"` // the tasks of the cycle, the one that closed it first
}

// naiveSlice is one task on one CPU, running or spinning. Times are nanoseconds here and below.
type naiveSlice struct {
	Task string `json:"task"`
	Kind string `json:"kind"`
	From int64  `json:"from"`
	To   int64  `json:"to"`
}

// naiveAcquired is one acquisition of a lock.
type naiveAcquired struct {
	Lock string `json:"lock"`
	Task string `json:"task"`
	At   int64  `json:"at"`
}

// naiveEnded is the end of one word of a program.
type naiveEnded struct {
	Task string `json:"task"`
	Word int    `json:"word"`
	At   int64  `json:"at"`
}

// naiveTask is a task of the file, or one of the hidden ktimers.
type naiveTask struct {
	name, policy string
	normal, eff  int    // priorities; 0 is the fair class
	allowed      []bool // its affinity, by CPU
	cpu          int    // where it is queued, or was last
	queued       bool   // runnable, on a CPU or not
	pushableAt   int    // when it became pushable, in the order of such events

	program []naiveWord
	pc      int
	left    int64 // of the run word at pc; -1 before it starts
	loops   []int // rounds left of the open repeats
	ended   int   // a word that is done and not recorded yet, or -1

	why       string // what it sleeps for, "" if it does not
	blocking  bool   // it sleeps and its CPU has yet to switch
	returning bool   // woken from the wait, sleep, take or schedule at pc
	retry     bool   // woken for the lock at pc
	prepared  bool   // its state, or its saved state, is interruptible (R2.15)
	token     bool

	preemptOff, irqOff, migrateOff, bhOff int
	migrateOn                             bool // when it goes on, migrateOff drops by one

	waits     *naiveLock // whose queue it is in
	rank      int        // its priority in that queue
	spinOwner *naiveTask // it spins on this owner
	holds     map[string]*naiveLock
	takeRank  int // its priority when it began to wait in take

	timerAt  int64 // when its timer expires, or -1
	timerCPU int
	soft     bool // the timer expires in ktimers
	rrLeft   int64
}

// naiveCPU is one CPU with its run queue, highest priority first, the running task included.
type naiveCPU struct {
	id      int
	queue   []*naiveTask
	curr    *naiveTask
	resched bool       // the running task has been asked to make room (R1.8)
	stopper *naiveTask // to be moved away by the stopper (R1.26)
	handler *naiveIRQ  // the hard handler that runs
	held    []naiveHeld
	expired []*naiveTask // sleepers whose soft timers ktimers is to serve
	ktimers *naiveTask
}

// naiveSim is a run.
type naiveSim struct {
	now, until int64 // until is -1 if the file has none
	tasks      []*naiveTask
	cpus       []*naiveCPU
	locks      []*naiveLock            // every instance
	named      map[string][]*naiveLock // one a CPU for local locks, else one
	bhLocks    []*naiveLock            // one a CPU; none without bh_lock
	sems       map[string]*naiveSem
	irqs       []*naiveIRQ
	rrSlice    int64

	here   int        // the CPU on which the present step is done
	server *naiveTask // the ktimers whose step it is
	failed error      // what ends the run
	pulls  []int      // CPUs that are to pull at the end of the step (R1.25)
	events int        // counts what made a task pushable
	steps  int        // words of this instant
	out    naiveSchedule
	check  func(settled bool) // of the tests; after each step, and when an instant is over
}

const (
	naiveRRSlice   = 100_000_000
	naiveStepLimit = 100_000
	naiveSemLimit  = 2_147_483_647
	naiveTimeLimit = 50_000_000 // no test is that long: a file without end
)

// naiveRun runs a workload file.
func naiveRun(yamlText string) (naiveSchedule, error) {
	s, err := naiveParse(yamlText)
	if err != nil {
		return naiveSchedule{}, err
	}
	err = s.run()
	return s.out, err
}

// run goes through the instants one by one.
func (s *naiveSim) run() error {
	for ; ; s.now++ {
		s.steps = 0
		s.endRuns()
		if err := s.settle(); err != nil {
			return err
		}
		s.interrupts()
		s.timers()
		if err := s.settle(); err != nil {
			return err
		}
		s.check(true)
		if s.out.Deadlock != nil || s.now == s.until || s.quiet() {
			return nil
		}
		if s.now == naiveTimeLimit {
			return errors.New("the run does not end")
		}
		s.advance()
	}
}

// settle is the loop of one instant: (1) reschedule, else (2) a spinner acts, else (3) a task
// does a zero-time word, until nothing is left.
func (s *naiveSim) settle() error {
	for s.out.Deadlock == nil {
		s.rescheduleAll()
		s.recordWords()
		if !s.spinnerActs() && !s.taskSteps() {
			return nil
		}
		s.runPulls()
		s.check(false)
		if s.failed != nil {
			return s.failed
		}
		if s.steps > naiveStepLimit {
			return fmt.Errorf("more than %d words at %d ns", naiveStepLimit, s.now)
		}
	}
	return nil
}

// goesOn says whether a task is on a CPU that is not busy with a hard handler.
func (s *naiveSim) goesOn(t *naiveTask) bool {
	c := s.cpus[t.cpu]
	return c.curr == t && c.handler == nil && !t.blocking
}

// recordWords notes the words whose tasks go on after them. What unlocks a local lock or BH allows
// migration only here, after the release and the preemption that this may bring.
func (s *naiveSim) recordWords() {
	for _, t := range s.tasks {
		if t.ended >= 0 && s.goesOn(t) {
			s.out.Words = append(s.out.Words, naiveEnded{t.name, t.ended, s.now})
			t.ended = -1
			if t.migrateOn {
				t.migrateOn = false
				t.migrateOff--
			}
		}
	}
}

// endRuns ends the run words whose time is used up, then round robin slices.
func (s *naiveSim) endRuns() {
	for _, t := range s.tasks {
		if s.cpus[t.cpu].curr == t && s.inRun(t) && t.left == 0 {
			s.out.Words = append(s.out.Words, naiveEnded{t.name, t.pc, s.now})
			t.pc++
			t.left = -1
		}
	}
	for _, t := range s.tasks {
		if t.policy == "rr" && t.rrLeft == 0 {
			t.rrLeft = s.rrSlice
			s.yield(t)
		}
	}
}

// inRun says whether a task is at a run word that takes time and nothing comes before it.
func (s *naiveSim) inRun(t *naiveTask) bool {
	return t.pc < len(t.program) && t.program[t.pc].op == "run" && t.program[t.pc].time > 0
}

// advance lets every CPU run its task for one nanosecond.
func (s *naiveSim) advance() {
	for _, c := range s.cpus {
		t := c.curr
		if t == nil || c.handler != nil {
			continue
		}
		kind := "spin"
		if t.waits == nil {
			kind = "run"
			if t.left < 0 {
				t.left = t.program[t.pc].time
			}
			t.left--
		}
		t.rrLeft--
		s.addSlice(c.id, t.name, kind)
	}
}

// addSlice appends this nanosecond to the schedule of a CPU.
func (s *naiveSim) addSlice(cpu int, task, kind string) {
	list := s.out.CPUs[cpu]
	if n := len(list) - 1; n >= 0 {
		last := &list[n]
		if last.Task == task && last.Kind == kind && last.To == s.now {
			last.To++
			return
		}
	}
	s.out.CPUs[cpu] = append(list, naiveSlice{task, kind, s.now, s.now + 1})
}

// quiet says whether nothing is left to happen.
func (s *naiveSim) quiet() bool {
	for _, c := range s.cpus {
		if c.curr != nil || c.handler != nil || len(c.held) > 0 {
			return false
		}
	}
	for _, t := range s.tasks {
		if t.timerAt >= 0 {
			return false
		}
	}
	for _, i := range s.irqs {
		if i.at > s.now {
			return false
		}
	}
	return true
}
