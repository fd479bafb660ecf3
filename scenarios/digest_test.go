package scenarios_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// short is how much the tests simulate: long enough for contention, short enough to be quick.
const short = 100 * sim.Millisecond

func digestOf(t *testing.T, design string, seed uint64, set ...file.Setting) string {
	t.Helper()
	r, err := scenarios.Run(design, "orin-queue", seed, scenarios.Options{
		Duration: short, Set: set})
	require.NoError(t, err)
	return r.Digest
}

func TestDigestDependsOnSeedCostAndDesignOnly(t *testing.T) {
	// Look at the digests: the same inputs give the same, a seed, a design or one cost by 1 ns
	// another.
	first := digestOf(t, "futex-oneshot", 1)
	require.Equal(t, first, digestOf(t, "futex-oneshot", 1))
	require.Equal(t, first, digestOf(t, "futex-oneshot", 1, file.Setting{
		Name: "switch", Value: "1200ns"}), "a cost set to what it is")
	require.NotEqual(t, first, digestOf(t, "futex-oneshot", 2))
	require.NotEqual(t, first, digestOf(t, "futex-plain", 1))
	require.NotEqual(t, first, digestOf(t, "futex-oneshot", 1, file.Setting{
		Name: "switch", Value: "1201ns"}))
	require.NotEqual(t, first, digestOf(t, "futex-oneshot", 1, file.Setting{
		Name: "wake_claim", Value: "61ns"}))
}

func TestParallelRunsAreTheSame(t *testing.T) {
	// Look at the digests: how many runs go side by side, and on how many processors, changes
	// nothing.
	plan := func(jobs int) []string {
		c, err := scenarios.Prepare("orin-queue", scenarios.Options{Duration: short})
		require.NoError(t, err)
		p := &scenarios.Plan{Case: c, Seeds: []uint64{1, 2}, Jobs: jobs}
		for _, d := range designs.Bare() {
			p.Designs = append(p.Designs, d)
			p.Asked = append(p.Asked, d.Name)
		}
		results, err := p.Execute(context.Background())
		require.NoError(t, err)
		var digests []string
		for _, r := range results {
			digests = append(digests, r.Variant+" "+r.Digest)
		}
		return digests
	}
	one := plan(1)
	require.Equal(t, one, plan(8))
	old := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(old)
	require.Equal(t, one, plan(3))
}

func TestParallelCancelKeepsWhatIsDone(t *testing.T) {
	// Look at the error and the results: a cancelled plan says so and returns nothing half done.
	c, err := scenarios.Prepare("orin-queue", scenarios.Options{Duration: 1000 * sim.Second})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	d, _ := designs.Find("doorbell")
	p := &scenarios.Plan{Case: c, Seeds: []uint64{1}, Designs: []*designs.Design{d},
		Asked: []string{"doorbell"}, Jobs: 2}
	results, err := p.Execute(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, []*scenarios.Result{nil}, results)
}

func TestDigestChangesWithATie(t *testing.T) {
	// Look at the digests: two equal tasks in the other order are another run.
	run := func(text string) string {
		f, err := file.Read("tie.yaml", []byte(text))
		require.NoError(t, err)
		m, err := scenarios.RunWorkload(&f.Workload, model.ZeroCosts(), 1)
		require.NoError(t, err)
		return m.Digest().String()
	}
	a := `{name: A, priority: 20, arrive: 1us, program: "run 3us"}`
	b := `{name: B, priority: 20, arrive: 1us, program: "run 5us"}`
	head := "cpus: 1\ntasks:\n  - "
	require.NotEqual(t, run(head+a+"\n  - "+b), run(head+b+"\n  - "+a))
}
