// Package rtsim is the map of this repository; it holds no code.
//
// # What and why
//
// A real-time thread that sends a message must wake whoever reads it, and the wake-up takes locks
// that threads of no importance take too. On a PREEMPT_RT kernel such a lock may be held by a
// thread that is preempted, and the sender then waits for it: priority inheritance helps on one
// CPU, less across two. rtsim answers, before anyone writes the kernel patch: if wake-ups worked
// like this, how late could the real-time task be, and because of whom? It replays the kernel's
// paths step by step on simulated CPUs, under the rules by which PREEMPT_RT schedules and locks,
// and gives the same arrivals to each design that it compares.
//
// # A schedule
//
// One row a task with its CPU and rt_priority, one row a lock, one column a microsecond:
//
//	         0         10
//	L 0/10   ##====........##
//	H 0/30     xxxx###
//	M 0/20      ......#####
//	  S      LLLLLLHHH
//
// L holds the lock S when H arrives, preempts it at 2 and blocks (x) on S. L inherits the priority
// of H (=) and so M, ready (.) from 3 on, cannot come between. The unlock at 6 takes the priority
// back and wakes H in one step; after H comes M, and L ends last. Without inheritance M would run
// from 3 to 8 while H, more urgent than either, waits for L.
//
// # The house
//
//	sim/         integer time, the event queue, named random choices, the digest
//	model/       the kernel: a State of plain values, and the interpreter that moves it on
//	  trace/     records, named after the kernel's tracepoints
//	  draw/      records as the picture above
//	  watch/     monitors: small automata that read records and object
//	designs/     one file a way to wake a reader; the costs of its steps, with their sources
//	scenarios/   one file a workload; runs designs on it and measures
//	  file/      workload and scenario files, read and checked
//	  blame/     records as the reasons why a message was late
//	  bound/     how late a message can be at most; cert/ checks that by itself
//	  campaign/  one scenario many times: sweeps, and what survives other assumptions
//	  claim/     what samples prove about a claim
//	  explore/   what random draws would not find: late messages (an adversary), rare events
//	    protocol/  all orders of a listing's steps, without time: hand-off windows
//	  judge/     the verdict on a claim, for check and for tests in Go
//	  shrink/    a late message as the smallest file that still has one
//	  tracepoint/  records in the kernel's words, for ftrace/, perfetto/ and chrome/
//	  whole/     files written whole or not at all
//	  export/    distributions in the formats of other tools
//	plots/       one file a figure, drawn from results alone
//	cmd/rtsim/   one file a command: flags in, text out
//
// Who may import whom, a < b meaning that b may import a:
//
//	sim < model/trace < model/draw, model/watch
//	model/trace < model < designs < scenarios < plots < cmd/rtsim
//	model/draw, model/watch < scenarios
//
// The tests of this package hold the tree to that order and to the rest of the house's rules, and
// tell the reason of the one that is broken.
//
// # Where to start
//
//  1. Run "go run ./cmd/rtsim compare", and read its table.
//  2. Open one file in designs, and see it as a listing with "rtsim list DESIGN".
//  3. Read model/testdata: each file is a few short stories with their pictures, the promises of
//     the model. A mark such as R1.4 is the number of a rule of the kernel; the code that obeys it
//     carries the same mark.
//  4. Then model/state.go for what there is, and model/machine.go for how it moves; that file
//     opens with the order of all that happens in one instant.
//
// A new design is one new file in designs that registers itself; every scenario, figure, claim and
// conformance test then takes it up.
//
// # Decisions
//
// These stand until a measurement or a better argument overturns one; change this page then.
//
// A path is data. A kernel path is a slice of steps, built once, checked before it runs. A
// goroutine or coroutine would read as well, but keeps its place on a stack that nothing can copy,
// compare, hash or print; and in a sketch a step took 430 ns with goroutines and channels, 74 with
// iter.Pull, 10 as data. As data a path can be printed with the locks held at each step, refused
// if unbalanced, summed to a bound, forked and explored. Control flow and locks stand in the
// listing; queues and caches are named operations in model.
//
// State is values. What changes lies in one State without pointer, map, function, channel or
// interface; one thing refers to another by a typed index. So a copy is a snapshot, and a fork.
// Exhaustive exploration, adversarial search and rare-event splitting all stand on that.
//
// Model is one package. Scheduling, locks and inheritance call each other; to part them would take
// interfaces that serve nothing else.
//
// Time is an integer. Nanoseconds in int64, no float below scenarios, no iteration over a map:
// amd64 and arm64 must give the same digest.
//
// One order. Events that fall into one instant have a written order, which depends on the
// workload's file and never on history, so a fork and its parent agree. Each task, timer and
// arrival owns one slot of the queue; to cancel or move it is one write.
//
// One tape of choices. Whatever the workload leaves open, such as an arrival's phase, a cost or who
// wins a race, is asked of one place by a site's name. A random run, a replay, a shrinking
// property test, an adversary and an exhaustive search differ only in who answers.
//
// Streams have names. A random stream is derived from the seed and its name, so two designs see the
// same arrivals, are compared pair by pair, and a new stream shifts no other.
//
// Costs have sources. A cost has a least, a typical and a greatest value, and says whether it was
// measured, derived or assumed; a result names the assumed ones on its path.
//
// The core only records. Pictures, histograms, blame and monitors are functions of records, so a
// trace of a real machine can go through the same code.
package rtsim
