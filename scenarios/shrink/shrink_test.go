package shrink_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/scenarios"
	"rtsim/scenarios/blame"
	"rtsim/scenarios/file"
	"rtsim/scenarios/shrink"
	"rtsim/sim"
)

const limit = 100 * sim.Microsecond

// target is a witness: the first late message of a run, or the one that is named.
type target struct {
	scenario, design, metric string
	duration                 sim.Time
	message                  int32
	happenings               int    // so many are enough
	seed                     uint64 // 0: 1
}

// targets are a lock of each kind that a low-priority task can hold, a wake-up that one has taken
// on himself, an item of work that one has not linked, and a message that was sent before its
// reader was there.
var targets = []target{
	{"orin-queue", "futex-oneshot", scenarios.MetricSend, 50 * sim.Millisecond, -1, 4, 0},
	{"orin-queue", "futex-oneshot", scenarios.MetricSend, 50 * sim.Millisecond, 80, 4, 0},
	{"orin-queue", "eventfd", scenarios.MetricSend, 10 * sim.Millisecond, -1, 4, 0},
	{"orin-queue", "signalfd", scenarios.MetricSend, 60 * sim.Millisecond, -1, 4, 0},
	{"orin-queue", "msg-ring", scenarios.MetricSend, 630 * sim.Millisecond, -1, 4, 0},
	{"storm", "msg-ring", scenarios.MetricSend, 20 * sim.Millisecond, -1, 4, 0},
	{"start-stop", "futex-oneshot", scenarios.MetricSend, 260 * sim.Millisecond, 500, 4, 0},
	{"orin-queue", "futex-persistent/rcu-walk+no-wake-fix", scenarios.MetricReceive,
		80 * sim.Millisecond, -1, 4, 0},
	{"orin-queue", "doorbell/first-wake", scenarios.MetricReceive, 2290 * sim.Millisecond, -1, 4,
		0},
	{"storm", "msg-ring-cache", scenarios.MetricReceive, 330 * sim.Millisecond, 649, 4, 0},
	{"storm", "futex-persistent/rcu-walk+no-wake-fix", scenarios.MetricReceive,
		40 * sim.Millisecond, -1, 6, 0},
	{"orin-queue", "futex-persistent", scenarios.MetricReceive, 2 * sim.Millisecond, -1, 4, 368},
}

func (g *target) String() string {
	return strings.ReplaceAll(fmt.Sprint(g.scenario, " ", g.design, " ", g.metric, " ", g.message,
		" ", g.seed), "/", ":")
}

// input is the target's, the first message measured too.
func (g *target) input(t *testing.T) shrink.Input {
	c, err := scenarios.Prepare(g.scenario, scenarios.Options{Duration: g.duration})
	require.NoError(t, err)
	c.Scenario.From = 0
	d, err := scenarios.FindDesign(g.design)
	require.NoError(t, err)
	return shrink.Input{Case: c, Design: d, Asked: g.design, Seed: max(g.seed, 1), Metric: g.metric,
		Limit: limit, Message: g.message}
}

// done are the small files of targets, so that each is made once.
var done = map[target]*shrink.Small{}

// shrunk is a target's witness made small.
func shrunk(t *testing.T, g target) *shrink.Small {
	if done[g] == nil {
		small, err := shrink.Shrink(context.Background(), g.input(t))
		require.NoError(t, err)
		done[g] = small
	}
	return done[g]
}

// asInput is a small file as a witness.
func asInput(t *testing.T, in shrink.Input, data []byte) shrink.Input {
	c, err := scenarios.Load("small", data, scenarios.Options{Duration: 100 * sim.Millisecond})
	require.NoError(t, err)
	in.Case, in.Seed, in.Message = c, 1, -1
	return in
}

// worst is the longest message of a run, as the command explains it; of no time if none is over.
func worst(t *testing.T, in shrink.Input, seed uint64) scenarios.Explained {
	q := scenarios.Question{Case: in.Case, Design: in.Design, Asked: in.Asked, Seed: seed,
		Metric: in.Metric, Worst: 1}
	e, err := q.Explain(context.Background())
	require.NoError(t, err)
	if len(e.Worst) == 0 {
		return scenarios.Explained{} // no message is over when the run ends
	}
	return e.Worst[0]
}

// explained is one message of a run.
func explained(t *testing.T, in shrink.Input, message int32) scenarios.Explained {
	q := scenarios.Question{Case: in.Case, Design: in.Design, Asked: in.Asked, Seed: in.Seed,
		Metric: in.Metric, Worst: 100}
	e, err := q.Explain(context.Background())
	require.NoError(t, err)
	first := scenarios.Explained{Message: -1}
	for _, w := range e.Worst {
		late := w.TotalNs > in.Limit && message < 0
		if w.Message == message || late && (first.Message < 0 || w.Message < first.Message) {
			first = w
		}
	}
	require.NotEqual(t, int32(-1), first.Message)
	return first
}

var culprit = regexp.MustCompile(` by ([^,]+)`)

// anonymous is the kind of a message with letters for names, a kworker's apart.
func anonymous(parts []blame.Part) string {
	letters := map[string]string{}
	return culprit.ReplaceAllStringFunc(blame.Kind(parts), func(text string) string {
		if strings.HasPrefix(text, " by kworker/") {
			return " by kworker"
		}
		if letters[text] == "" {
			letters[text] = " by " + string(rune('A'+len(letters)))
		}
		return letters[text]
	})
}

func TestSmallFilesViolateForTheSameReason(t *testing.T) {
	// Look at the kinds: the witness's, and that of the small file, which is read and explained as
	// the command does it, are the same chain of causes, and the file's message is over the limit.
	for _, g := range targets {
		t.Run(g.String(), func(t *testing.T) {
			in := g.input(t)
			small := shrunk(t, g)
			was := explained(t, in, g.message)
			again := asInput(t, in, small.File)
			for seed := uint64(1); seed <= small.Seeds; seed++ {
				is := worst(t, again, seed)
				require.Greater(t, is.TotalNs, limit, "seed %d", seed)
				require.Equal(t, anonymous(was.Parts), anonymous(is.Parts), "seed %d", seed)
				if seed == 1 {
					require.Equal(t, is.TotalNs, small.TotalNs)
					require.Equal(t, is.Sentence, small.Sentence)
				}
			}
			s, err := file.ReadScenario("small", small.File, nil)
			require.NoError(t, err)
			require.Equal(t, len(s.Tasks)+len(s.Interrupts), small.Happenings)
			require.LessOrEqual(t, small.Happenings, g.happenings, "%s", small.File)
			require.LessOrEqual(t, s.CPUs, in.Case.Scenario.CPUs)
			require.LessOrEqual(t, len(s.Tasks), len(in.Case.Scenario.Tasks))

			twice, err := shrink.Shrink(context.Background(), again)
			require.NoError(t, err)
			require.Equal(t, string(small.File), string(twice.File), "what is small is as small")
			leaveOut(t, again, small.File, was.Parts)
		})
	}
}

// leaveOut checks that no task of a small file but the two measured ones can be left out.
func leaveOut(t *testing.T, in shrink.Input, data []byte, parts []blame.Part) {
	lines := strings.SplitAfter(string(data), "\n")
	for i, line := range lines {
		if !strings.Contains(line, "{name:") || !strings.Contains(line, "program:") ||
			strings.Contains(line, "{name: sender,") || strings.Contains(line, "{name: receiver,") {
			continue
		}
		rest := strings.Join(lines[:i], "") + strings.Join(lines[i+1:], "")
		less := worst(t, asInput(t, in, []byte(rest)), 1)
		require.False(t, less.TotalNs > limit && anonymous(less.Parts) == anonymous(parts),
			"without %s", line)
	}
}

func TestShrinkIsDeterministic(t *testing.T) {
	// Look at the two files of one witness: they are the same bytes.
	in := targets[2].input(t)
	one, err := shrink.Shrink(context.Background(), in)
	require.NoError(t, err)
	two, err := shrink.Shrink(context.Background(), in)
	require.NoError(t, err)
	require.Equal(t, one, two)
}

func TestNoWitness(t *testing.T) {
	// Look at the error: a run without a late message is none.
	in := targets[0].input(t)
	in.Limit = 10 * sim.Millisecond
	_, err := shrink.Shrink(context.Background(), in)
	require.EqualError(t, err, "futex-oneshot on orin-queue, seed 1: no send is over 10ms")
	in.Message = 3
	_, err = shrink.Shrink(context.Background(), in)
	require.EqualError(t, err,
		"futex-oneshot on orin-queue, seed 1: message 3 is not over the limit of 10ms")
}

func TestWithoutBursts(t *testing.T) {
	// Look at the files: nobody in the chain preempts anybody, so there is no burst in them. For
	// each reader a send has a round of its own, and so two readers make it long; and others who
	// meet on a lock may hand it over one after the other.
	for _, x := range []struct {
		target
		set        []file.Setting
		limit      sim.Time
		kind       string
		happenings int
	}{
		{target{scenario: "orin-queue", design: "msg-ring", metric: scenarios.MetricSend,
			duration: 10 * sim.Millisecond, message: -1}, nil, 5 * sim.Microsecond, "runs", 3},
		{target{scenario: "orin-queue", design: "futex-oneshot", metric: scenarios.MetricSend,
			duration: 10 * sim.Millisecond, message: -1},
			[]file.Setting{{Name: "rt_priority", Value: "60"}}, 10 * sim.Microsecond,
			"handover hb->lock by sender in send, idle-exit", 4},
	} {
		in := x.input(t)
		c, err := scenarios.Prepare(x.scenario, scenarios.Options{Duration: x.duration, Set: x.set})
		require.NoError(t, err)
		c.Scenario.From = 0
		in.Case, in.Limit = c, x.limit
		small, err := shrink.Shrink(context.Background(), in)
		require.NoError(t, err)
		require.Equal(t, x.kind, small.Kind)
		require.LessOrEqual(t, small.Happenings, x.happenings)
		require.NotContains(t, string(small.File), "burst")
		require.NotContains(t, string(small.File), "rt_priority")
		is := worst(t, asInput(t, in, small.File), 1)
		require.Equal(t, small.TotalNs, is.TotalNs)
		require.Greater(t, is.TotalNs, x.limit)
	}
}

func TestWitnessHasItsAnswers(t *testing.T) {
	// Look at message 1: the burst that makes it late is the first one of CPU 1; if the answer to
	// when that comes is another, the message is not late, and there is nothing to make small.
	in := targets[0].input(t)
	in.Message = 1
	_, err := shrink.Shrink(context.Background(), in)
	require.NoError(t, err)
	in.Case, err = scenarios.Prepare("orin-queue", scenarios.Options{Duration: sim.Millisecond + 1,
		Answers: []sim.Answer{{Site: "load-gap/irq-50-cpu1", Ordinal: 0,
			Value: int64(20 * sim.Millisecond)}}})
	require.NoError(t, err)
	in.Case.Scenario.From = 0
	_, err = shrink.Shrink(context.Background(), in)
	require.EqualError(t, err,
		"futex-oneshot on orin-queue, seed 1: message 1 is not over the limit of 100us")
}

func TestWitnessIsMeasured(t *testing.T) {
	// Look at the last target with the instant of the file, 1 ms: the message that is sent before
	// the receiver is there is not measured, and no other is late.
	in := targets[len(targets)-1].input(t)
	in.Case.Scenario.From = sim.Millisecond
	_, err := shrink.Shrink(context.Background(), in)
	require.EqualError(t, err, "futex-persistent on orin-queue, seed 368: no receive is over 100us")
}
