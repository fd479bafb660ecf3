package judge_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios"
	"rtsim/scenarios/claim"
	"rtsim/scenarios/file"
	"rtsim/scenarios/judge"
	"rtsim/sim"
)

// Look at what the first claim of orin-queue gets without any search: the designs of today are
// refuted within a second, a doorbell, a persistent wait and the floor are proved, and of the cache
// nothing is known. Then at the same claims with another number of jobs.
func TestVerdictsOnSends(t *testing.T) {
	verdicts := func(jobs int) map[string]claim.Verdict {
		c, err := scenarios.Prepare(where, scenarios.Options{Duration: sim.Second})
		require.NoError(t, err)
		q, skipped, err := judge.New(c, nil)
		require.NoError(t, err)
		assert.Empty(t, skipped)
		q.Items = slices.DeleteFunc(q.Items, func(it judge.Item) bool {
			return it.Claim.Kind != file.NeverOver || it.Claim.Metric != judge.Send
		})
		q.Jobs, q.Searches, q.Quick, q.Seeds = jobs, -1, true, []uint64{1}
		judged, err := q.Execute(t.Context())
		require.NoError(t, err)
		of := map[string]claim.Verdict{}
		for _, j := range judged {
			assert.Equal(t, j.Verdict == claim.Proved, j.Held)
			assert.Equal(t, j.Verdict == claim.Refuted, *j.WitnessNs > *j.LimitNs)
			of[j.Design] = j.Verdict
		}
		return of
	}
	one := verdicts(1)
	for design, want := range map[string]claim.Verdict{"futex-plain": claim.Refuted,
		"futex-oneshot": claim.Refuted, "msg-ring": claim.Refuted, "eventfd": claim.Refuted,
		"signalfd": claim.Refuted, "futex-persistent": claim.Proved, "doorbell": claim.Proved,
		"ideal-spin": claim.Proved} {
		assert.Equal(t, want, one[design], design)
	}
	assert.NotEqual(t, claim.Refuted, one["msg-ring-cache"])
	assert.Equal(t, one, verdicts(2))
}

// Look at a kernel in which a design does not exist: it is skipped, with the reason.
func TestSkipped(t *testing.T) {
	data, _ := scenarios.Builtin(where)
	data = append(data, []byte("  - {name: z, delivers: all, designs: [futex-persistent/fix-f4, "+
		"msg-ring/fix-f4, doorbell]}\n")...)
	c, err := scenarios.Load("s", data, scenarios.Options{Set: []file.Setting{
		{Name: "kernel", Value: "6.18"}}})
	require.NoError(t, err)
	q, skipped, err := judge.New(c, nil)
	require.NoError(t, err)
	assert.NotEmpty(t, skipped)
	for _, s := range skipped {
		assert.NotEmpty(t, s.Why)
		assert.False(t, slices.ContainsFunc(q.Items, func(it judge.Item) bool {
			return it.Claim.Name == s.Claim && it.Asked == s.Design
		}))
	}
}

// Look at an inquiry that has not begun: all is unjudged.
func TestUnjudged(t *testing.T) {
	c, err := scenarios.Prepare(where, scenarios.Options{})
	require.NoError(t, err)
	q, _, err := judge.New(c, []string{"doorbell"})
	require.NoError(t, err)
	rest := q.Unjudged("interrupted")
	require.Len(t, rest, len(q.Items))
	for i, it := range q.Items {
		assert.Equal(t, judge.Skipped{Claim: it.Claim.Name, Design: "doorbell",
			Why: "interrupted"}, rest[i])
	}
}
