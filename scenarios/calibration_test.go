package scenarios_test

import (
	"context"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

func TestCalibratedCostsAreInRange(t *testing.T) {
	// Look for a setting that fitting may not move: it is a cost, assumed by the profile and within
	// its least and greatest, or the duty or the least gap of the bursts. No name comes twice.
	p, ok := designs.FindProfile("orin-7.4")
	require.True(t, ok)
	for _, c := range scenarios.Calibrations() {
		var names []string
		for _, s := range c.Set {
			names = append(names, s.Name)
			cost, isCost := p.Find(s.Name)
			if !isCost {
				assert.Contains(t, []string{"burst_duty", "burst_gap_min"}, s.Name, c.Name)
				continue
			}
			v, err := sim.ParseTime(s.Value)
			require.NoError(t, err, c.Name)
			assert.True(t, cost.Least <= v && v <= cost.Greatest, "%s: %s is %s, not %s to %s",
				c.Name, s.Name, v, cost.Least, cost.Greatest)
			assert.True(t, cost.Assumed, "%s: %s has a source", c.Name, s.Name)
		}
		slices.Sort(names)
		assert.Equal(t, slices.Compact(slices.Clone(names)), names, c.Name)
	}
}

func TestCalibrationsLoad(t *testing.T) {
	// Look at which calibration the default scenario refuses, or whose name is not its duty.
	for _, c := range scenarios.Calibrations() {
		found, ok := scenarios.FindCalibration(c.Name)
		require.True(t, ok, c.Name)
		require.Equal(t, c, found)
		_, err := scenarios.Prepare("orin-queue", scenarios.Options{Set: c.Set})
		require.NoError(t, err, c.Name)
		require.Equal(t, "duty-"+c.Duty, c.Name)
	}
	_, ok := scenarios.FindCalibration("duty-0")
	require.False(t, ok)
}

func TestRowsAreMarked(t *testing.T) {
	// Look at the mark: it is about what is simulated, not about how it was set. Without any
	// setting it is the calibration at 0.35; one cost by 1 ns, another duty or another scenario is
	// none. A row that is not explained says why.
	mark := func(scenario string, set ...file.Setting) (string, []string) {
		c, err := scenarios.Prepare(scenario, scenarios.Options{Duration: 2 * sim.Millisecond,
			Set: set})
		require.NoError(t, err)
		asked, chosen, err := scenarios.FindDesigns([]string{"futex-oneshot", "futex-plain"})
		require.NoError(t, err)
		p := &scenarios.Plan{Case: c, Asked: asked, Designs: chosen, Seeds: []uint64{1}}
		results, err := p.Execute(context.Background())
		require.NoError(t, err)
		compared := p.Compare("test", results)
		var rows []string
		for i := range compared.Summary {
			s := &compared.Summary[i]
			require.Equal(t, s.Row == scenarios.RowUnexplained, s.Reason != "", s.Row)
			require.Equal(t, s.Row, scenarios.NewTable(compared).Rows[i][1])
			rows = append(rows, s.Row)
		}
		return compared.Calibration, rows
	}
	fitted, none := []string{"fitted", "predicted"}, []string{"not calibrated", "not calibrated"}
	for _, c := range scenarios.Calibrations() {
		name, rows := mark("orin-queue", c.Set...)
		require.Equal(t, c.Name, name)
		if len(c.Unexplained) > 0 {
			require.Equal(t, []string{"not explained", "predicted"}, rows)
			continue
		}
		require.Equal(t, fitted, rows)
	}
	name, rows := mark("orin-queue")
	require.Equal(t, "duty-0.35", name)
	require.Equal(t, fitted, rows)
	name, _ = mark("orin-queue", file.Setting{Name: "burst_duty", Value: "0.350"},
		file.Setting{Name: "futex_base", Value: "140ns"})
	require.Equal(t, "duty-0.35", name)
	for _, s := range []file.Setting{{Name: "futex_base", Value: "141ns"},
		{Name: "cost_jitter_percent", Value: "9"}, {Name: "burst_duty", Value: "0.2"},
		{Name: "rt_priority", Value: "60"}, {Name: "costs", Value: "x86"}} {
		name, rows := mark("orin-queue", s)
		require.Empty(t, name, s.Name)
		require.Equal(t, none, rows, s.Name)
	}
	name, rows = mark("quiet")
	require.Empty(t, name)
	require.Equal(t, none, rows)
}

func TestRangesHoldEachCalibration(t *testing.T) {
	// Look for a range that is not that of its calibrations' own figures, each from a run of its
	// own, and for a fitted row without its mark.
	all := scenarios.Calibrations()
	var cs []*scenarios.Comparison
	var late, longest []int64
	for _, c := range all {
		o := scenarios.Options{Duration: 500 * sim.Millisecond, Set: c.Set}
		prepared, err := scenarios.Prepare("orin-queue", o)
		require.NoError(t, err)
		asked, chosen, err := scenarios.FindDesigns([]string{"futex-oneshot", "ideal-spin"})
		require.NoError(t, err)
		p := &scenarios.Plan{Case: prepared, Asked: asked, Designs: chosen, Seeds: []uint64{3}}
		results, err := p.Execute(context.Background())
		require.NoError(t, err)
		cs = append(cs, p.Compare("test", results))
		alone, err := scenarios.Run("futex-oneshot", "orin-queue", 3, o)
		require.NoError(t, err)
		late = append(late, alone.Receive.Over["100000"])
		longest = append(longest, int64(alone.Send.MaxNs))
	}
	r := scenarios.NewRanges(all, cs)
	require.Len(t, r.Designs, 2)
	futex := r.Designs[0]
	require.Equal(t, "fitted", futex.Row)
	require.Equal(t, "predicted", r.Designs[1].Row)
	require.Empty(t, r.Designs[1].Unexplained)
	require.Equal(t, scenarios.Range{Least: slices.Min(late), Greatest: slices.Max(late)},
		futex.Ranges["receive_over_100us"])
	require.Equal(t, scenarios.Range{Least: slices.Min(longest), Greatest: slices.Max(longest)},
		futex.Ranges["send_max_ns"])
	for i, c := range all {
		row, _ := c.Row("futex-oneshot")
		require.Equal(t, row == scenarios.RowUnexplained,
			slices.Contains(futex.Unexplained, c.Name))
		require.Equal(t, row, r.Calibrations[i].Summary[0].Row)
	}
	row := r.Table().Rows[0]
	require.Len(t, row, len(r.Table().Header))
	if least, most := slices.Min(late), slices.Max(late); least < most {
		require.Contains(t, row, strconv.FormatInt(least, 10)+" .. "+strconv.FormatInt(most, 10))
	}
}
