package plots

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios"
	"rtsim/scenarios/campaign"
	"rtsim/sim"
)

func twoLines() LinesFigure {
	return LinesFigure{Title: "t", XLabel: "x", YLabel: "y", X: []float64{1, 10, 100},
		XTexts: []string{"1", "10", "100"}, Log: true, Bands: [][2]int{{0, 2}},
		Lines: []Line{{"a", []Spread{{Mean: 0}, {Missing: true}, {Mean: 20, Least: 10,
			Greatest: 30}}}, {"b", []Spread{{Mean: 5, Least: 5, Greatest: 5}, {Mean: 5, Least: 5,
			Greatest: 5}, {Mean: 5, Least: 5, Greatest: 5}}}}}
}

func TestLines(t *testing.T) {
	// Look at the numbers: each place of each line, a gap where there is no value; and at where 0
	// is drawn: at the bottom, below the least value, with a tick that says so.
	f := twoLines()
	d, err := Lines(f)
	require.NoError(t, err)
	assert.Equal(t, "a\n1 0 0 0\n10 missing\n100 20 10 30\n"+
		"b\n1 5 5 5\n10 5 5 5\n100 5 5 5\n", d.Numbers())
	first, err := d.SVG()
	require.NoError(t, err)
	again, err := Lines(f)
	require.NoError(t, err)
	second, err := again.SVG()
	require.NoError(t, err)
	assert.Equal(t, first, second)

	pg := newPage(Figure{})
	pg.valueAxis(&f)
	assert.Less(t, pg.y.Min, 4.0)
	ticks := pg.y.Tick.Marker.Ticks(pg.y.Min, pg.y.Max)
	assert.Equal(t, "0", ticks[0].Label)
	assert.Equal(t, pg.y.Min, ticks[0].Value)

	f.Lines[0].Values = f.Lines[0].Values[:2]
	_, err = Lines(f)
	assert.ErrorContains(t, err, `line "a" has 2 values for 3 places`)
}

func TestGrid(t *testing.T) {
	// Look at the numbers: by column, then row from the bottom, what is written and whose markers.
	d, err := Grid(GridFigure{Title: "t", XTexts: []string{"1", "2"}, YTexts: []string{"u", "v"},
		Names: []string{"a", "b"}, Cells: [][]GridCell{{{Text: "7"}, {Text: "8", Shade: 1}},
			{{Text: "0", Series: []int{0, 1}}, {Text: "3", Series: []int{1}}}}})
	require.NoError(t, err)
	assert.Equal(t, "1 u 7\n1 v 8\n2 u 0 a b\n2 v 3 b\n", d.Numbers())
	_, err = Grid(GridFigure{Title: "t", XTexts: []string{"1"}, YTexts: []string{"u"},
		Cells: [][]GridCell{{}}})
	assert.ErrorContains(t, err, "0 rows and 1 names")
}

func TestSweepFigures(t *testing.T) {
	// Look at the names: over one parameter a figure a metric; over two a map a metric and design,
	// and one of the least, in which the floor does not take part.
	sweep := func(vary ...string) map[string]string {
		asked, chosen, err := scenarios.FindDesigns([]string{"doorbell", "futex-plain", floor})
		require.NoError(t, err)
		data, _ := scenarios.Builtin("quiet")
		p, err := campaign.NewSweep(&campaign.Base{Scenario: "quiet", Data: data, Asked: asked,
			Options: scenarios.Options{Duration: 5 * sim.Millisecond}, Designs: chosen,
			Seeds: []uint64{1}}, vary, []string{"send.max", "send.over.100us"})
		require.NoError(t, err)
		s, err := p.Execute(t.Context())
		require.NoError(t, err)
		drawings, err := Sweep(s)
		require.NoError(t, err)
		numbers := map[string]string{}
		for _, d := range drawings {
			numbers[d.Name] = d.Drawing.Numbers()
		}
		return numbers
	}
	lines := sweep("low_pubs=0..1")
	assert.Len(t, lines, 2)
	assert.Contains(t, lines["send-over-100us"], "futex-plain\n0 0 0 0\n1 0 0 0\n")
	maps := sweep("low_pubs=0..1", "low_subs=0..1")
	assert.Len(t, maps, 8)
	assert.Contains(t, maps, "send-max-ideal-spin")
	assert.Equal(t, "0 0 0 doorbell futex-plain\n0 1 0 doorbell futex-plain\n"+
		"1 0 0 doorbell futex-plain\n1 1 0 doorbell futex-plain\n", maps["send-over-100us-least"])
}
