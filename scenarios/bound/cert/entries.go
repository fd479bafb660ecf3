package cert

import (
	"rtsim/model"
	"rtsim/sim"
)

// Items on the receiver's list besides the one that its way through the loop has: two that are
// there or begun when the call ends, and what others than the sender add in the window. Each of
// them adds one, and one more after each call of its own that lies in the window; calls of one CPU
// do not overlap in what they execute.

// entries is how long the receiver runs them in a window; 0 of what queues nothing.
func (k *checker) entries(send, receive *way, window sim.Time) sim.Time {
	if kind(send) != items {
		return 0
	}
	one, n := sim.Time(0), sim.Time(2)
	for i := range receive.code {
		if receive.code[i].Action == items.take { // the test, and the longer of two ways
			taken, failed := receive.costs(k, i+1, i+4), receive.costs(k, i+4, i+5)
			one = max(one, receive.costs(k, i-1, i+1)+max(taken, failed))
		}
	}
	shortest := map[int32]sim.Time{}
	for _, r := range k.ways {
		if r.kind != "send" || r.queue != send.queue || r.task == send.task {
			continue
		}
		n++
		cpu := k.tasks[r.task].cpu
		call := k.least(r) + k.ranBefore(r)
		if was, known := shortest[cpu]; !known || call < was {
			shortest[cpu] = call
		}
	}
	for _, call := range shortest {
		n += window / max(call, 1)
	}
	period, jitter := k.every(send.task)
	begins := k.takes(send.task, k.charged(model.CostTimer)+k.wakes(lock{}, send.task, -1))
	if k.c.Call.Value+window+begins >= period-jitter {
		k.refuse("the sender's next message may come before, which is not checked")
	}
	return n * one
}

// costs is the most that lines take.
func (r *way) costs(k *checker, from, to int) (sum sim.Time) {
	for i := from; i < to && i < len(r.code); i++ {
		sum += k.pays(r.code[i].Cost)
	}
	return sum
}

// least is the least that a call takes: the lines that no test guards.
func (k *checker) least(r *way) (sum sim.Time) {
	for i := 0; i < len(r.code); {
		l := &r.code[i]
		switch {
		case l.Target > 0: // of a test, or of the jump around what it guards
			i += int(l.Target)
			continue
		case l.Op != model.OpJump:
			spread := k.charged(l.Cost) * sim.Time(k.p.JitterPercent) / 100
			sum += k.charged(l.Cost) - spread
		}
		i++
	}
	return sum
}

// ranBefore is what the program of a task runs before each send of it, at least.
func (k *checker) ranBefore(r *way) sim.Time {
	words := k.w.Tasks[r.task].Program
	least := sim.Never
	for i, w := range words {
		if w.Kind != model.WordSend {
			continue
		}
		ran := sim.Time(0)
		if i > 0 && words[i-1].Kind == model.WordRun {
			ran = words[i-1].Time
		}
		for _, jump := range words {
			if jump.Kind == model.WordGoto && int(jump.Arg) == i {
				ran = 0
			}
		}
		least = min(least, ran)
	}
	return least
}

// every is the sender's period, and how much later each message may be.
func (k *checker) every(task int) (period, jitter sim.Time) {
	for _, w := range k.w.Tasks[task].Program {
		if w.Kind == model.WordEvery {
			period, jitter = period+w.Time, jitter+w.Aux
		}
	}
	return period, jitter
}
