package model

// compile translates a task's words: one step a word, so that a word is one zero-time step, but
// for those that take a design's path, whose listing is spliced in.
func (p *Program) compile(id int, of *Workload) {
	d := &of.Tasks[id]
	c := compiler{p: p, base: int32(len(p.code)), task: TaskID(id)}
	p.entry = append(p.entry, c.base)
	for i := range d.Program {
		c.starts = append(c.starts, int32(len(p.code)))
		c.word(int32(i), &d.Program[i], of)
	}
	c.starts = append(c.starts, int32(len(p.code)))
	p.hasWait = append(p.hasWait, c.waits)
	p.code = append(p.code, Step{Op: OpExit, Cost: NoCost, Lock: NoLock, Task: NoTask, Word: -1})
	for i := c.base; i < int32(len(p.code)); i++ {
		if s := &p.code[i]; s.toWord {
			s.Target = c.starts[s.Target]
		}
	}
}

type compiler struct {
	p      *Program
	task   TaskID
	base   int32
	starts []int32 // of each word, and of the exit
	waits  bool    // the program has a wait
}

// wordOps gives each word its operation and the cost paid before its effect.
var wordOps = [...]struct {
	op   Op
	cost CostID
}{
	WordRun: {OpExec, NoCost}, WordLock: {OpLock, CostLock}, WordUnlock: {OpUnlock, CostUnlock},
	WordReadLock: {OpReadLock, CostLock}, WordReadUnlock: {OpReadUnlock, CostUnlock},
	WordWriteLock: {OpLock, CostLock}, WordWriteUnlock: {OpUnlock, CostUnlock},
	WordSleep: {OpSleep, NoCost}, WordSleepUntil: {OpSleep, NoCost}, WordWait: {OpWait, NoCost},
	WordWake: {OpWake, CostWake}, WordPost: {OpPost, CostWake}, WordTake: {OpTake, NoCost},
	WordGoto: {OpJump, NoCost}, WordRepeat: {OpRepeat, NoCost}, WordEnd: {OpEnd, NoCost},
	WordYield: {OpYield, NoCost}, WordPreemptOff: {OpOff, NoCost},
	WordPreemptOn: {OpOn, NoCost}, WordIRQOff: {OpOff, NoCost}, WordIRQOn: {OpOn, NoCost},
	WordBHOff: {OpOff, NoCost}, WordBHOn: {OpOn, NoCost}, WordPrepare: {OpPrepare, NoCost},
	WordSchedule: {OpSchedule, NoCost}, WordSetPriority: {OpSetPriority, NoCost},
	WordEvery: {OpEvery, NoCost}, WordFor: {OpFor, NoCost},
}

// word appends the steps of one word.
func (c *compiler) word(i int32, w *Word, of *Workload) {
	switch w.Kind {
	case WordSend:
		send := of.pathsOf(w.Lock).Send
		if send.publishes() {
			c.action(ActCallBegin, w.Lock)
		} else {
			c.action(ActSendBegin, w.Lock)
		}
		c.splice("send", send)
		c.action(ActSendEnd, w.Lock)
	case WordReceive:
		c.action(ActReceive, w.Lock)
		c.splice("receive", of.pathsOf(w.Lock).Receive)
	case WordOpen, WordClose:
		c.action(ActReceive, w.Lock)
		if w.Kind == WordOpen {
			c.splice("open", of.pathsOf(w.Lock).Open)
		} else {
			c.splice("close", of.pathsOf(w.Lock).Close)
		}
	case WordBurst:
		c.action(ActBurstBegin, w.Arg)
		c.p.code = append(c.p.code, Step{Op: OpBurst, Cost: NoCost, Lock: NoLock, Task: NoTask,
			Word: i, Arg: w.Arg})
		c.action(ActBurstEnd, w.Arg)
	default:
		s := Step{Cost: NoCost, Lock: NoLock, Task: TaskID(w.Task), Word: i, Arg: w.Arg}
		c.waits = c.waits || w.Kind == WordWait
		c.translate(&s, w)
		c.p.code = append(c.p.code, s)
	}
}

func (c *compiler) action(a Action, queue int32) {
	c.p.code = append(c.p.code, Step{Op: OpDo, Action: a, Arg: queue, Cost: NoCost, Lock: NoLock,
		Task: NoTask, Word: -1})
}

// publishes says whether the message is stored in the listing, not before it.
func (code Code) publishes() bool {
	for i := range code {
		if code[i].Action == ActPublish {
			return true
		}
	}
	return false
}

// splice appends the listing of a path; costs that are zero in this run are no costs.
func (c *compiler) splice(path string, code Code) {
	for _, l := range code {
		s := l.Step
		c.p.name(path, l.Note)
		s.Cost = c.p.costs.known(s.Cost)
		if s.Target != 0 {
			s.Target += int32(len(c.p.code))
		}
		c.p.code = append(c.p.code, s)
	}
}

func (c *compiler) translate(s *Step, w *Word) {
	s.Op, s.Cost = wordOps[w.Kind].op, wordOps[w.Kind].cost
	switch w.Kind {
	case WordRun, WordSleep, WordSleepUntil, WordEvery, WordFor:
		s.Time, s.Until, s.Aux = w.Time, w.Kind == WordSleepUntil, w.Aux
	case WordLock, WordUnlock, WordReadLock, WordReadUnlock, WordWriteLock, WordWriteUnlock:
		s.Lock = c.p.instances[w.Lock]
		if c.p.kinds[w.Lock] == Raw {
			s.Cost = CostRawLock
		}
	case WordPost, WordTake:
		s.Arg = w.Lock
	case WordGoto:
		s.Target, s.toWord = w.Arg, true
	case WordEnd:
		s.Target, s.toWord = w.Match+1, true
	case WordPreemptOff, WordPreemptOn:
		s.Arg = int32(offPreempt)
	case WordIRQOff, WordIRQOn:
		s.Arg = int32(offIRQ)
	case WordBHOff, WordBHOn:
		s.Arg = int32(offBH)
	}
	if w.Kind == WordEvery && w.Aux > 0 {
		s.Arg = int32(len(c.p.net.jitters))
		c.p.net.jitters = append(c.p.net.jitters, c.task)
	}
	s.Cost = c.p.costs.known(s.Cost)
}
