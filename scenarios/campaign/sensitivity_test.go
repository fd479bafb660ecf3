package campaign

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios"
	"rtsim/sim"
)

func TestAssumptionsAreMovedToTheirEnds(t *testing.T) {
	// Look at what is moved: what the source calls assumed, to the ends of its range or to each
	// other word, and never what was measured or stated.
	c, err := scenarios.Prepare("orin-queue", scenarios.Options{})
	require.NoError(t, err)
	ends := map[string]string{}
	for _, a := range assumptions(c) {
		ends[a.name] = strings.Join(a.ends, " ")
	}
	assert.Equal(t, "0 0.95", ends["burst_duty"])
	assert.Equal(t, "log-uniform constant", ends["burst_shape"])
	assert.Equal(t, "0us 200us", ends["low_jitter"])
	assert.Equal(t, "1us 5us", ends["idle_exit"])
	for _, stated := range []string{"send_period", "burst_max", "line_transfer", "switch"} {
		assert.NotContains(t, ends, stated)
	}
}

func TestConclusionsHoldOrFall(t *testing.T) {
	// Look at the three answers: less in every seed, more in every seed, or the seeds differ.
	never := &Conclusion{"doorbell", "send.over.100us", ""}
	less := &Conclusion{"msg-ring", "send.over.100us", "futex-oneshot"}
	two := func(a, b int64) *Value {
		return &Value{Least: min(a, b), Greatest: max(a, b), Seeds: []int64{a, b}}
	}
	assert.Equal(t, holds, never.of(two(0, 0), nil))
	assert.Equal(t, refuted, never.of(two(0, 1), nil))
	assert.Equal(t, holds, less.of(two(1, 2), two(3, 4)))
	assert.Equal(t, refuted, less.of(two(5, 6), two(3, 4)))
	assert.Equal(t, equal, less.of(two(1, 6), two(3, 4)))
	assert.Equal(t, equal, less.of(two(0, 0), two(0, 0)))
	assert.Equal(t, "doorbell has no send over 100us", never.String())
	assert.Equal(t, "msg-ring has fewer sends over 100us than futex-oneshot", less.String())
}

func TestSensitivityLeavesOutWhatCannotMatter(t *testing.T) {
	// Look at a cost that is not on a design's path: it is not run, and if it were nothing would
	// move. One that is on the path is.
	asked, chosen, err := scenarios.FindDesigns([]string{"doorbell", "futex-plain"})
	require.NoError(t, err)
	data, _ := scenarios.Builtin("orin-queue")
	b := &Base{Version: "v1", Scenario: "orin-queue", Data: data, Asked: asked, Designs: chosen,
		Options: scenarios.Options{Duration: 10 * sim.Millisecond}, Seeds: []uint64{1}, Jobs: 2}
	p, err := NewSensitivity(b, []string{"send.max"})
	require.NoError(t, err)
	s, err := p.Execute(t.Context())
	require.NoError(t, err)
	moved := map[string]int{}
	for _, d := range s.Designs {
		for _, m := range d.Moves {
			moved[d.Design+" "+m.Name]++
		}
	}
	assert.Zero(t, moved["doorbell futex_base"])
	assert.Equal(t, 2, moved["futex-plain futex_base"])
	assert.Equal(t, 2, moved["doorbell wake_enqueue"])
	assert.Equal(t, 5, moved["doorbell low_policy"])
	assert.Equal(t, "doorbell has no send over 100us", s.Conclusions[0].Conclusion)
	assert.Equal(t, "survives", s.Conclusions[0].Verdict)

	without, err := p.moves[0].c.Run(t.Context(), chosen[0], asked[0], 1, &p.simulated)
	require.NoError(t, err)
	for i := range p.moves {
		m := &p.moves[i]
		if m.of == nil || m.ran[0] {
			continue
		}
		with, err := m.c.Run(t.Context(), chosen[0], asked[0], 1, &p.simulated)
		require.NoError(t, err)
		assert.Equal(t, without.Digest, with.Digest, m.text())
	}

	bars, middle, ok := s.Designs[1].Bars(0)
	require.True(t, ok)
	require.NotEmpty(t, bars)
	for i := range bars[1:] {
		assert.GreaterOrEqual(t, bars[i].width(middle), bars[i+1].width(middle))
	}
}
