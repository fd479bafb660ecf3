package explore

import (
	"context"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rtsim/model"
	"rtsim/scenarios"
	"rtsim/sim"
)

// What searches stand on: a run is a function of its tape, and a copy of a machine is one of its
// own.

// drawAnswers draws answers to questions of a machine's tape.
func drawAnswers(t *rapid.T, m *model.Machine) (answers []Answer) {
	for range rapid.IntRange(0, 12).Draw(t, "answers") {
		site := sim.StreamID(rapid.IntRange(0, m.Tape().Len()-1).Draw(t, "site"))
		answers = append(answers, Answer{Site: m.Tape().Name(site),
			Ordinal: uint64(rapid.IntRange(0, 30).Draw(t, "ordinal")),
			Value:   rapid.Int64Range(0, int64(2*sim.Millisecond)).Draw(t, "value")})
	}
	return answers
}

// anyMachine builds machines of a design on the published experiment with drawn answers.
func anyMachine(t *rapid.T, cases map[string]*Problem) func() *model.Machine {
	name := rapid.SampledFrom([]string{"futex-oneshot", "msg-ring", "doorbell"}).Draw(t, "design")
	p := cases[name]
	w := p.Case.Workload(p.Design)
	seed := rapid.Uint64().Draw(t, "seed")
	w.Answers = drawAnswers(t, model.New(w, p.Case.Profile.Table(), seed))
	return func() *model.Machine { return model.New(w, p.Case.Profile.Table(), seed) }
}

func problems(t *testing.T) map[string]*Problem {
	all := map[string]*Problem{}
	for _, name := range []string{"futex-oneshot", "msg-ring", "doorbell"} {
		c, err := scenarios.Prepare("orin-queue", scenarios.Options{})
		require.NoError(t, err)
		d, err := scenarios.FindDesign(name)
		require.NoError(t, err)
		all[name] = &Problem{Case: c, Design: d, Metric: scenarios.MetricSend, Seed: 1}
	}
	return all
}

// same demands that two machines are in the same state after the same records. Slices that are
// empty are alike, whether there is memory behind them or not.
func same(t *rapid.T, a, b *model.Machine) {
	var x, y keyMaker
	x.machine(a)
	y.machine(b)
	require.True(t, slices.Equal(x.words, y.words), "states")
	require.Equal(t, a.Digest(), b.Digest())
	require.Equal(t, a.Steps(), b.Steps())
}

// Look at the states: the same tape gives the same run, in one piece or in many, whatever the
// number of threads.
func TestSameTapeSameRun(t *testing.T) {
	cases := problems(t)
	rapid.Check(t, func(t *rapid.T) {
		build := anyMachine(t, cases)
		end := sim.Time(rapid.Int64Range(1, int64(2*sim.Millisecond)).Draw(t, "end"))
		whole := build()
		require.NoError(t, whole.Run(end))
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(rapid.IntRange(1, 8).Draw(t, "threads")))
		again := build()
		for again.Next() <= end {
			require.NoError(t, again.Run(again.Next()))
		}
		require.NoError(t, again.Run(end))
		same(t, whole, again)
	})
}

// Look at the instant of the copy: a machine that is copied there goes on as if it had not been,
// and so does the copy; one that goes another way changes nothing of that it was taken from.
func TestCopyIsItsOwn(t *testing.T) {
	cases := problems(t)
	rapid.Check(t, func(t *rapid.T) {
		build := anyMachine(t, cases)
		fork := sim.Time(rapid.Int64Range(1, int64(sim.Millisecond)).Draw(t, "fork"))
		end := fork + sim.Time(rapid.Int64Range(1, int64(sim.Millisecond)).Draw(t, "rest"))
		whole, m := build(), build()
		require.NoError(t, whole.Run(end))
		require.NoError(t, m.Run(fork))
		kept, other := m.Clone(), m.Clone()
		other.Tape().Reseed(rapid.Uint64().Draw(t, "other"))
		for _, a := range drawAnswers(t, m) {
			other.Tape().AnswerAll([]Answer{a})
		}
		require.NoError(t, other.Run(end))
		same(t, kept, m)
		require.NoError(t, m.Run(end))
		same(t, whole, m)
		other.CopyFrom(kept) // into memory that was used
		require.NoError(t, other.Run(end))
		same(t, whole, other)
	})
}

// Look at the counts: with the same number of runs, drawn at random, nothing comes near what the
// adversary finds.
func TestSearchBeatsRandomRuns(t *testing.T) {
	const runs = 400
	p := problems(t)["futex-oneshot"]
	f, _, err := Search(context.Background(), p, Plan{Seed: 3, Evaluations: runs})
	require.NoError(t, err)
	a, err := newArena(p)
	require.NoError(t, err)
	require.NoError(t, a.openAll(&stress{seed: p.Seed}, []sim.Time{4 * sim.Millisecond},
		DefaultWindow))
	random := sim.Time(0)
	for seed := range uint64(runs) {
		m := a.quick
		s := a.begin(m, &candidate{})
		m.Tape().Reseed(seed)
		require.NoError(t, m.Run(s.to))
		longest, _ := a.longest(m.Trace, 0)
		random = max(random, longest.total())
	}
	t.Logf("after %d runs: search %s, random %s", runs, f.Total, random)
	assert.Greater(t, f.Total, random)
}
