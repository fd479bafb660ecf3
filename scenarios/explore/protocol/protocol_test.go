package protocol_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/scenarios/explore/protocol"
)

func parse(t *testing.T, name string) *designs.Design {
	t.Helper()
	d, err := designs.Parse(name)
	require.NoError(t, err)
	return d
}

func explore(t *testing.T, d *designs.Design, o protocol.Options) *protocol.Report {
	t.Helper()
	r, err := protocol.Explore(t.Context(), d, o)
	require.NoError(t, err)
	return r
}

// kinds are the kinds of windows that are open.
func kinds(r *protocol.Report) (parked, unlinked bool) {
	for _, w := range r.Windows {
		parked = parked || w.Kind == protocol.Parked
		unlinked = unlinked || w.Kind == protocol.Unlinked
	}
	return parked, unlinked
}

func TestFirstSetterWindow(t *testing.T) {
	// Look at the way. R parks with an empty word. P sets the first bit and is to wake R. S finds a
	// bit, so the wake-up is not his (first-wake), and returns. R sleeps until P has gone on: that
	// is the shortest way, as R must have armed and looked before either bit, P's bit must be
	// before S's, and P's next step is his look at cq_wait_nr.
	r := explore(t, parse(t, "doorbell/first-wake"), protocol.Options{})
	require.NotEmpty(t, r.Windows)
	assert.Equal(t, "cq_wait_nr > 0: somebody waits", r.Windows[0].Step)
	way := r.Windows[0].Trail
	threads := []string{}
	for _, s := range way {
		threads = append(threads, s.Thread)
	}
	assert.ElementsMatch(t, []string{"P", "R", "S"}, unique(threads), way.String())
	bit := "atomic_fetch_or(bits, &target->doorbell): was it 0?"
	assert.Less(t, place(way, "P", bit+" (yes)"), place(way, "S", bit+" (no)"), way.String())
	assert.Less(t, place(way, "R", "nothing has come meanwhile (yes)"),
		place(way, "P", bit+" (yes)"), way.String())
	assert.Positive(t, place(way, "S", "exit io_uring_enter"), way.String())
	assert.Equal(t, -1, place(way, "P", "cq_wait_nr > 0: somebody waits (yes)"), way.String())
	assert.Nil(t, r.Lost)
}

// place is the number of a thread's step on a way; -1: it takes none of that text.
func place(way protocol.Trail, thread, text string) int {
	n := 0
	for _, s := range way {
		for _, step := range s.Steps {
			if s.Thread == thread && step == text {
				return n
			}
			n++
		}
	}
	return -1
}

func unique(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

func TestReducedAgrees(t *testing.T) {
	// Look at the design: with and without the reduction the same kinds of windows are open, and
	// a wake-up is lost in both or in neither; the reduction leaves out states.
	for _, name := range []string{"futex-plain", "futex-oneshot", "eventfd", "signalfd",
		"futex-persistent", "futex-persistent/no-wake-fix", "futex-persistent/rcu-walk+fix-f4",
		"doorbell", "doorbell/no-wake-fix", "doorbell/first-wake+fix-f3"} {
		d := parse(t, name)
		all := explore(t, d, protocol.Options{})
		some := explore(t, d, protocol.Options{Reduced: true})
		parked, unlinked := kinds(all)
		alsoParked, alsoUnlinked := kinds(some)
		assert.Equal(t, parked, alsoParked, name)
		assert.Equal(t, unlinked, alsoUnlinked, name)
		assert.Equal(t, all.Lost != nil, some.Lost != nil, name)
		assert.Less(t, some.States, all.States, name)
	}
}

func TestTwoLowSenders(t *testing.T) {
	// Look at the design: with two low senders, or one who sends twice, the proposals in their bare
	// forms lose nothing and leave no window.
	for _, name := range []string{"futex-persistent", "doorbell"} {
		for _, o := range []protocol.Options{{Low: 1, Sends: 2, Reduced: true},
			{Low: 2, Sends: 1, Reduced: true}} {
			r := explore(t, parse(t, name), o)
			assert.Nil(t, r.Lost, name)
			assert.Empty(t, r.Windows, name)
		}
	}
}

func TestStateBeforeCountLosesNothing(t *testing.T) {
	// Look at the order of the waiter's two stores. As the kernel has them, cq_wait_nr and then
	// the state, a late claim between them is a lost wake-up; the other way round it finds
	// somebody to wake, who looks again.
	d := *parse(t, "doorbell/no-wake-fix")
	assert.NotNil(t, explore(t, &d, protocol.Options{Reduced: true}).Lost)
	d.Paths.Receive = slices.Clone(d.Paths.Receive)
	swapped := 0
	for i := 1; i < len(d.Paths.Receive); i++ {
		arm, prepare := &d.Paths.Receive[i-1], &d.Paths.Receive[i]
		if arm.Action == model.ActArm && prepare.Op == model.OpPrepare {
			*arm, *prepare = *prepare, *arm
			swapped++
		}
	}
	require.Equal(t, 1, swapped)
	r := explore(t, &d, protocol.Options{Reduced: true})
	assert.Nil(t, r.Lost)
	assert.NotEmpty(t, r.Windows, "W1 stays open")
}

func TestForgottenWakeUpIsLost(t *testing.T) {
	// Look at what is cut out of the listing: a sender who never wakes loses the wake-up, and one
	// who looks for a waiter before he rings misses one who parks in between.
	d := *parse(t, "doorbell")
	d.Paths.Send = slices.Clone(d.Paths.Send)
	for i := range d.Paths.Send {
		if d.Paths.Send[i].Op == model.OpWake {
			d.Paths.Send[i] = model.Exec(model.NoCost, "forgotten")[0]
		}
	}
	assert.NotNil(t, explore(t, &d, protocol.Options{Reduced: true}).Lost)

	e := *parse(t, "doorbell")
	late := model.Do(model.ActBell, model.NoCost, "rings too late")
	var send model.Code
	for _, l := range e.Paths.Send {
		if l.Action == model.ActBell {
			l = model.Exec(model.NoCost, "rings later")[0]
		}
		send = append(send, l)
	}
	e.Paths.Send = append(send, late...)
	assert.NotNil(t, explore(t, &e, protocol.Options{Reduced: true}).Lost)
}

func TestRefusals(t *testing.T) {
	// Look at the message: what can't be explored says so, with the design's name.
	_, err := protocol.Explore(t.Context(), parse(t, "doorbell"), protocol.Options{States: 10})
	assert.EqualError(t, err, "protocol: doorbell: more than 10 states")
	_, err = protocol.Explore(t.Context(), parse(t, "doorbell"), protocol.Options{Low: 3})
	assert.ErrorContains(t, err, "3 low senders with 1 sends; at most 2 with 3")
	d := *parse(t, "doorbell")
	d.Paths.Send = model.Do(model.ActExpire, model.NoCost, "ktimers")
	_, err = protocol.Explore(t.Context(), &d, protocol.Options{})
	assert.ErrorContains(t, err, "has no meaning here")
	d.Paths.Send = model.Seq(model.Lock(model.RefNode), model.Lock(model.RefNode))
	_, err = protocol.Explore(t.Context(), &d, protocol.Options{})
	assert.ErrorContains(t, err, "nobody can go on, after:\n")
	d.Paths.Send = model.Do(model.ActBurstBegin, model.NoCost, "")
	_, err = protocol.Explore(t.Context(), &d, protocol.Options{})
	assert.Error(t, err)
}
