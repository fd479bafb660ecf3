package bound

import (
	"rtsim/model"
	"rtsim/sim"
)

// Endpoints that leave and come back while the bounded task walks: it meets them again.

// returns is how often each endpoint, met in a walk, may have left and come back by the end of a
// window. It is met first, then leaves, and comes back. So the window is what is left of the call
// without its first visit, and, where the walk goes by priority, without those of a higher
// priority: they come before, and not again.
func (a *analysis) returns(window sim.Time) (back []int) {
	for i, e := range a.endpoints {
		n, rest := 0, window-a.visits[i]
		for j, o := range a.endpoints {
			if a.ranked && o.queue == e.queue && a.tasks[o.task].prio > a.tasks[e.task].prio {
				rest -= a.visits[j]
			}
		}
		pause, life, closes := lives(a.w.Tasks[e.task].Program)
		if closes && rest >= pause {
			n = 1 + int((rest-pause)/max(pause+life, 1))
		}
		back = append(back, n)
	}
	return back
}

// lives is how long a task sleeps at least between two lives of its endpoint, and how long such a
// life lasts.
func lives(program []model.Word) (pause, life sim.Time, closes bool) {
	for i := range program {
		switch w := &program[i]; w.Kind {
		case model.WordClose:
			closes = true
		case model.WordSleep:
			pause += w.Time
		case model.WordFor:
			life += w.Time
		case model.WordGoto:
			if w.Arg != 0 { // it may go round without passing these
				return 0, 0, closes
			}
		}
	}
	return pause, life, closes
}
