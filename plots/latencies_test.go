package plots_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/plots"
	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// compared runs designs for a moment.
func compared(t *testing.T, seeds []uint64, names ...string) *scenarios.Comparison {
	t.Helper()
	c, err := scenarios.Prepare("orin-queue", scenarios.Options{Duration: 10 * sim.Millisecond,
		Thresholds: []sim.Time{0, 5 * sim.Microsecond},
		Set:        []file.Setting{{Name: "switch", Value: "1us"}, {Name: "lock", Value: "20ns"}}})
	require.NoError(t, err)
	p := &scenarios.Plan{Case: c, Seeds: seeds, Jobs: 1}
	for _, name := range names {
		d, err := scenarios.FindDesign(strings.Split(name, "#")[0])
		require.NoError(t, err)
		p.Asked, p.Designs = append(p.Asked, name), append(p.Designs, d)
	}
	results, err := p.Execute(t.Context())
	require.NoError(t, err)
	return p.Compare("v1", results)
}

// Look at the figures: one a quantity with all designs, one a design, each with the values of all
// seeds, and in each what was run.
func TestLatencies(t *testing.T) {
	c := compared(t, []uint64{3, 4}, "doorbell/always-wake", "futex-plain")
	named, err := plots.Latencies(c)
	require.NoError(t, err)
	var names []string
	for _, n := range named {
		names = append(names, n.Name)
		svg, err := n.Drawing.SVG()
		require.NoError(t, err)
		for _, text := range []string{"orin-queue: ", "20 messages a run, seeds 3 to 4, 10ms ",
			"kernel 7.4; rtsim v1.", "Settings: lock=20ns, switch=1us.", "threshold 5 us"} {
			assert.Contains(t, string(svg), text, n.Name)
		}
		assert.NotContains(t, string(svg), "threshold 0")
	}
	assert.Equal(t, []string{"send", "receive", "irq-start", "hist-doorbell-always-wake",
		"hist-futex-plain"}, names)
	for i, metric := range []string{"send", "receive", "irq_start"} {
		for k := range c.Summary {
			h := c.Histogram(&c.Summary[k], metric)
			assert.Contains(t, named[i].Drawing.Numbers(), fmt.Sprintf("%s N=%d max_ns=%d\n",
				c.Summary[k].Design, h.Count(), h.Max()))
		}
	}
	assert.Contains(t, named[3].Drawing.Numbers(), "doorbell/always-wake N=36 ",
		"two of each run are sent before 1 ms")
}

// Look at a design that does not exist in the era: a result with three keys, a row that says why,
// no figure; and an error of who names it.
func TestUnsupported(t *testing.T) {
	c, err := scenarios.Prepare("orin-queue", scenarios.Options{Duration: 10 * sim.Millisecond})
	require.NoError(t, err)
	gone := designs.Design{Name: "gone", Variant: "gone",
		Absent: []designs.Absence{{Kernel: "7.4", Why: "it went with 7.0"}}}
	p := &scenarios.Plan{Case: c, Seeds: []uint64{3}, Asked: []string{"gone", "ideal-spin"},
		Designs: []*designs.Design{&gone, designs.IdealSpin}}
	assert.NoError(t, c.Exist(p.Asked, p.Designs, []string{"all"}))
	assert.EqualError(t, c.Exist(p.Asked, p.Designs, []string{"ideal-spin", "gone"}),
		"gone does not exist in kernel 7.4: it went with 7.0")
	results, err := p.Execute(t.Context())
	require.NoError(t, err)
	compared := p.Compare("v1", results)
	document, err := json.Marshal(compared.Results[0])
	require.NoError(t, err)
	assert.JSONEq(t, `{"design": "gone", "seed": 3, "unsupported": "it went with 7.0"}`,
		string(document))
	table := scenarios.NewTable(compared)
	assert.Contains(t, table.Text(), "gone        unsupported: it went with 7.0\n")
	assert.Nil(t, compared.Summary[1].Against)
	lines, err := compared.CSV()
	require.NoError(t, err)
	assert.NotContains(t, lines, "gone")
	named, err := plots.Latencies(compared)
	require.NoError(t, err)
	assert.Len(t, named, 4)
	assert.Equal(t, "hist-ideal-spin", named[3].Name)
}

// Look at thirteen designs: they are more than can be told apart, so there are two figures.
func TestLatenciesOfMany(t *testing.T) {
	var names []string
	for i := range plots.SeriesMax + 1 {
		names = append(names, fmt.Sprintf("ideal-spin#%d", i))
	}
	named, err := plots.Latencies(compared(t, []uint64{1}, names...))
	require.NoError(t, err)
	assert.Equal(t, "send", named[0].Name)
	assert.Equal(t, "send-2", named[1].Name)
	assert.Equal(t, plots.SeriesMax, strings.Count(named[0].Drawing.Numbers(), "N="))
	assert.Equal(t, 1, strings.Count(named[1].Drawing.Numbers(), "N="))
}
