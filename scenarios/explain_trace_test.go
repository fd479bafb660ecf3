package scenarios

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/scenarios/blame"
	"rtsim/scenarios/ftrace"
	"rtsim/sim"
)

// explained is the explanation of a stretch of one of the samples, real traces.
func explained(t *testing.T, name, task, from, to string) Explained {
	t.Helper()
	f, err := os.Open(filepath.Join("ftrace", "testdata", name))
	require.NoError(t, err)
	defer f.Close()
	records, names, err := ftrace.Read(name, f)
	require.NoError(t, err)
	times := make([]sim.Time, 2)
	for i, text := range []string{from, to} {
		times[i], err = sim.ParseTime(text)
		require.NoError(t, err)
	}
	e, err := ExplainTrace(name, records, names, task, times[0], times[1])
	require.NoError(t, err)
	require.Equal(t, times[1]-times[0], blame.Sum(e.Worst[0].Parts))
	return e.Worst[0]
}

func TestExplainedTraceLateFutexSend(t *testing.T) {
	// Look at the file's lines: send40's futex call is from 55.032714 to 55.034001. It sleeps at
	// .032920; burst50a leaves CPU 0 at .033783, sub12 is deboosted at .033805 and wakes send40 at
	// .033819; CPU 1 switches to it at .033873, contention_end is at .033893.
	x := explained(t, "preempt-rt-6.1-late-futex-send.ftrace.txt", "send40", "55.032714s",
		"55.034001s")
	require.Equal(t, "blocked 885.000 us on hb->lock (00000000ff4ce6f5): held by sub12, "+
		"boosted to 40, preempted by burst50a (50) on CPU 0", x.Sentence)
	require.Equal(t, ""+
		"      206.000 us   16.0 %  runs\n"+
		"      885.000 us   68.8 %  blocked on hb->lock (00000000ff4ce6f5): held by sub12, "+
		"boosted to 40\n"+
		"      863.000 us   67.1 %    preempted by burst50a (50) on CPU 0\n"+
		"       22.000 us    1.7 %    runs\n"+
		"       14.000 us    1.1 %  blocked on hb->lock (00000000ff4ce6f5)\n"+
		"       14.000 us    1.1 %    runs\n"+
		"       74.000 us    5.7 %  handover of hb->lock (00000000ff4ce6f5) to send40\n"+
		"       54.000 us    4.2 %    idle-exit of CPU 1\n"+
		"       20.000 us    1.5 %    runs\n"+
		"      108.000 us    8.4 %  runs\n", blame.Tree(x.Parts))
}

func TestExplainedTraceInheritance(t *testing.T) {
	// Look at the file's lines: low is boosted from kernel priority 89 to 69, FIFO 10 to 30, at
	// .361356, high leaves the CPU to it at .361359; deboosted at .361369, low wakes high at
	// .361371, and the CPU switches at .361373.
	x := explained(t, "live-6.18-rtapp-pi-episode.ftrace.txt", "high", "779.361356s",
		"779.361386s")
	require.Equal(t, ""+
		"        3.000 us   10.0 %  runs\n"+
		"       10.000 us   33.3 %  blocked on futex (of low): held by low, boosted to 30\n"+
		"       10.000 us   33.3 %    runs\n"+
		"        2.000 us    6.7 %  blocked on futex (of low)\n"+
		"        2.000 us    6.7 %    runs\n"+
		"        2.000 us    6.7 %  handover of futex (of low) to high\n"+
		"        2.000 us    6.7 %    preempted by low (10) on CPU 0\n"+
		"       13.000 us   43.3 %  runs\n", blame.Tree(x.Parts))
}
