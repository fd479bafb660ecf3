package designs_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios"
)

// contractRounds is how many random situations each design and number of wakers sees.
const contractRounds = 40

// promise is what a design promises besides that no wake-up is lost.
type promise struct {
	perMessage int  // completions, and rounds of the loop, that a message may cause at most
	exact      bool // each message that is not refused causes one: nothing coalesces
	allocates  bool // a sender may go to the slab
	byNode     bool // subscribers are walked as they registered, else by priority
}

func promiseOf(d *designs.Design) promise {
	p := promise{perMessage: 1}
	p.byNode = d.Name == "futex-persistent"
	if d.Name == "futex-plain" || d.Name == "futex-oneshot" {
		p.perMessage = 2 // the word had changed when it armed; and the wake-up
	}
	is := func(word string) bool { return strings.Contains(d.Variant, word) }
	p.exact = d.Name == "msg-ring" || d.Name == "msg-ring-cache" || d.Name == "signalfd" ||
		is("registered")
	p.allocates = p.exact && !is("pool") && !is("credits")
	return p
}

func TestContract(t *testing.T) {
	// Look at the design and the complaint: with one, two and many wakers, preempted anywhere, no
	// wake-up is lost, none is invented, order is as promised, nobody allocates who may not, and
	// who leaves leaves nothing behind.
	for _, era := range designs.Eras() {
		for _, d := range designs.All() {
			if d = d.In(era); d.Unsupported(era.Kernel) != "" {
				continue
			}
			t.Run(era.Kernel+"/"+d.Variant, func(t *testing.T) {
				t.Parallel()
				for _, wakers := range []int{1, 2, senders} {
					for round := range uint64(contractRounds) {
						c := newContract(t, d, era.Kernel, d.Paths, round, wakers)
						require.Empty(t, c.complaint(), "%d wakers\n%s", wakers, c.text)
					}
				}
			})
		}
	}
}

// A brokenDesign is a design with one line of a listing changed.
type brokenDesign struct {
	why, design, want string
	path              func(p *model.Paths) *model.Code
	line              string // a part of its note
	op                model.Op
	action            model.Action
}

func sendOf(p *model.Paths) *model.Code    { return &p.Send }
func receiveOf(p *model.Paths) *model.Code { return &p.Receive }
func closeOf(p *model.Paths) *model.Code   { return &p.Close }

// receiveTwice ends with its last step done again.
func receiveTwice(p *model.Paths) *model.Code {
	p.Receive = model.Seq(p.Receive, p.Receive[len(p.Receive)-1:])
	return &p.Receive
}

var brokenDesigns = []brokenDesign{
	{"the waiter does not look again after it has armed", "doorbell",
		"its doorbell has rung", receiveOf, "nothing has come meanwhile", model.OpDo, model.ActArm},
	{"the waiter has not armed when it sleeps", "futex-persistent/rcu-walk+no-wake-fix",
		"sleeps for ever", receiveOf, "cq_wait_nr = 1", model.OpExec, model.ActNone},
	{"a message has two completions", "msg-ring", "completions",
		receiveOf, "io_msg_tw_complete", model.OpDo, model.ActPostCQE},
	{"the loop goes round twice", "ideal-spin", "rounds",
		receiveTwice, "and reads the queue up to it", model.OpDo, model.ActHandle},
	{"the node's waiters are walked by priority", "futex-persistent", "order",
		sendOf, "walk the node", model.OpDo, model.ActNextOpen},
	{"the sender allocates what he does not use", "eventfd", "allocates",
		sendOf, "fdget; vfs_write", model.OpDo, model.ActTakeOne},
	{"a process that ends leaves its pending signals", "signalfd", "signals are pending",
		closeOf, "flush_sigqueue", model.OpDo, model.ActBellSet},
	{"a handled request does not go back to the pool", "msg-ring-cache/pool", "a request is in use",
		receiveOf, "back to the pool", model.OpExec, model.ActNone},
}

func TestContractFindsBrokenDesigns(t *testing.T) {
	// Look at the design: one of its steps is not as it should be, and a complaint must say what
	// comes of it, in both eras.
	for _, era := range designs.Eras() {
		for _, b := range brokenDesigns {
			t.Run(era.Kernel+"/"+b.why, func(t *testing.T) {
				t.Parallel()
				d, err := designs.Parse(b.design)
				require.NoError(t, err)
				b.found(t, d.In(era), era.Kernel)
			})
		}
	}
}

// found breaks the design and searches for a situation in which that shows.
func (b *brokenDesign) found(t *testing.T, d *designs.Design, kernel string) {
	t.Helper()
	require.Empty(t, d.Unsupported(kernel))
	paths := d.Paths
	code := b.path(&paths)
	*code = slices.Clone(*code)
	changed := 0
	for i := range *code {
		if l := &(*code)[i]; strings.Contains(l.Note, b.line) {
			l.Op, l.Action = b.op, b.action
			changed++
		}
	}
	require.Positive(t, changed, b.line)
	complaint := ""
	for round := range uint64(rounds) {
		complaint = newContract(t, d, kernel, paths, round, senders).complaint()
		if strings.Contains(complaint, b.want) {
			break
		}
	}
	assert.Contains(t, complaint, b.want)
}

// contract is one random situation that was run, with what its records tell.
type contract struct {
	promise
	machine *model.Machine
	text    string
	tasks   []string // of endpoints
}

// newContract runs one. T has a higher and L a lower priority than R, so that there is an order.
func newContract(t *testing.T, d *designs.Design, kernel string, paths model.Paths, seed uint64,
	wakers int) *contract {
	t.Helper()
	s := newSituation(d, kernel, seed, wakers)
	s.text = strings.Replace(s.text, "{name: T, priority: 40", "{name: T, priority: 45", 1)
	s.text = strings.Replace(s.text, "{name: L, priority: 40", "{name: L, priority: 35", 1)
	w := readScenario(t, "random", s.text, d.Variant, kernel)
	w.Paths = paths
	m := model.New(w, s.profile.Table(), 1)
	m.KeepAll()
	m.KeepNotes()
	require.NoError(t, m.Run(scenarios.DefaultDuration), s.text)
	return &contract{promiseOf(d), m, s.text, []string{"L", "R", "T"}}
}

// complaint says what is broken first, "" if nothing is.
func (c *contract) complaint() string {
	for _, name := range []string{"R", "T"} {
		if what := c.heard(name); what != "" {
			return name + what
		}
	}
	for _, what := range []string{c.ordered(), c.allocated(), c.left()} {
		if what != "" {
			return what
		}
	}
	return ""
}

// event is an operation's record as the task's name, the action, the endpoint's owner, the result.
func (c *contract) event(r *trace.Record) (task string, a model.Action, target string, yes bool) {
	if r.Kind != trace.Event {
		return "", 0, "", false
	}
	if r.A >= 0 {
		target = c.tasks[r.A]
	}
	return c.machine.Program().TaskName(r.Task), model.Action(r.B / 2), target, r.B%2 == 1
}

// heard follows the messages to a subscriber that is there all the time.
func (c *contract) heard(name string) string {
	messages, refused, completions, rounds, read := 0, 0, 0, 0, 0
	for i := range c.machine.Trace {
		r := &c.machine.Trace[i]
		task, action, _, _ := c.event(r)
		switch {
		case r.Kind == trace.Publish:
			messages++
		case r.Kind == trace.Refused && c.machine.Program().TaskName(r.B) == name:
			refused++
		case r.Kind == trace.InUse:
			return " is sent a request in use"
		case action == model.ActPostCQE && task == name:
			completions++
		case r.Kind == trace.Handle && c.machine.Program().TaskName(r.Task) == name:
			if int(r.A) < read || int(r.A) > messages {
				return fmt.Sprintf(" goes from %d to %d of %d in its order", read, r.A, messages)
			}
			read = int(r.A)
			rounds++
		}
	}
	switch {
	case read < messages && refused == 0:
		return fmt.Sprintf(" sleeps for ever, has %d of %d messages", read, messages)
	case completions > c.perMessage*messages, c.exact && completions != messages-refused:
		return fmt.Sprintf(" has %d completions for %d messages", completions, messages-refused)
	case rounds > c.perMessage*messages:
		return fmt.Sprintf(" has %d rounds for %d messages", rounds, messages)
	}
	return ""
}

// ordered follows each sender's walk of the subscribers.
func (c *contract) ordered() string {
	rank := map[string]int{"T": 0, "R": 1, "L": 2}
	joined := 0
	at := map[string]int{} // by sender: the rank it has come to
	for i := range c.machine.Trace {
		r := &c.machine.Trace[i]
		task, action, target, yes := c.event(r)
		switch {
		case r.Kind == trace.SendBegin:
			at[c.machine.Program().TaskName(r.Task)] = -1
		case action == model.ActNodeJoin && c.byNode:
			joined++
			rank[task] = joined
		case !yes:
		case action == model.ActNextOpen, action == model.ActNodeNext,
			action == model.ActHashUnqueue:
			if rank[target] < at[task] {
				return task + " wakes " + target + " out of order"
			}
			at[task] = rank[target]
		}
	}
	return ""
}

// allocated counts objects that senders and the subscribers' loops take from the slab.
func (c *contract) allocated() string {
	taken, misses, caches := 0, 0, false
	for i := range c.machine.Trace {
		switch task, action, _, yes := c.event(&c.machine.Trace[i]); {
		case action == model.ActTakeOne, action == model.ActSheafPop && yes,
			action == model.ActCPUPop && yes,
			action == model.ActPageNew && yes && !c.allocates:
			if !c.allocates || slices.Contains(c.tasks, task) {
				return task + " allocates"
			}
			taken++
		case action == model.ActCacheGot && !slices.Contains(c.tasks, task):
			caches = true
			if !yes {
				misses++
			}
		}
	}
	if caches && taken != misses {
		return fmt.Sprintf("a sender allocates %d requests after %d misses", taken, misses)
	}
	return ""
}

// left asks for what the closed endpoint has left, and for requests that do not come back. What a
// sender posts to a ring that has exited waits for the next process; that is no registration.
func (c *contract) left() string {
	late := false
	for i := range c.machine.Trace {
		switch _, action, target, _ := c.event(&c.machine.Trace[i]); {
		case target != "L":
		case action == model.ActClose:
			late = false
		case action == model.ActWorkPush, action == model.ActWorkAdd,
			action == model.ActLlistBeaten, action == model.ActLlistBeatenLazy:
			late = true
		}
	}
	for task := range c.machine.Program().FileTasks() {
		name := c.machine.Program().TaskName(int32(task))
		what := c.machine.Left(int32(task))
		if what != "" && !(name == "L" && late) {
			return name + ": " + what
		}
	}
	return ""
}
