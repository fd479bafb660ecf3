package plots

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"

	"rtsim/scenarios"
	"rtsim/scenarios/blame"
	"rtsim/sim"
)

// worstOf explains the worst message of a short run of a design.
func worstOf(t *testing.T, design, metric string) *scenarios.Explanation {
	c, err := scenarios.Prepare("orin-queue", scenarios.Options{Duration: 200 * sim.Millisecond})
	require.NoError(t, err)
	asked, chosen, err := scenarios.FindDesigns([]string{design})
	require.NoError(t, err)
	q := &scenarios.Question{Case: c, Design: chosen[0], Asked: asked[0], Seed: 1, Metric: metric,
		Worst: 1, Columns: 50}
	e, err := q.Explain(t.Context())
	require.NoError(t, err)
	require.Len(t, e.Worst, 1)
	return e
}

// aChart is a message of 10 us: its task runs, sleeps for a lock whose holder is preempted, runs.
func aChart() *scenarios.Explanation {
	chart := &blame.Chart{Ns: 10_000, Rows: []blame.ChartRow{
		{Kind: blame.RowCause, Label: "cause", Slices: []blame.Slice{
			{From: 0, To: 1000, Mark: 'r', Name: "runs"},
			{From: 1000, To: 9000, Mark: 'b', Name: "blocked on S"},
			{From: 9000, To: 10_000, Mark: 'r', Name: "runs"}}},
		{Kind: blame.RowCPU, Label: "CPU 0", Slices: []blame.Slice{
			{From: 0, To: 9000, Mark: 'B', Name: "irq"}, {From: 9000, To: 10_000, Mark: ' '}}},
		{Kind: blame.RowTask, Label: "A low/10", Slices: []blame.Slice{
			{From: 0, To: 1000, Mark: '.', Priority: 10},
			{From: 1000, To: 10_000, Mark: '.', Priority: 40, Boosted: true}}},
		{Kind: blame.RowTask, Label: "B irq/50", Slices: []blame.Slice{
			{From: 0, To: 9000, Mark: '#', Priority: 50}, {From: 9000, To: 10_000, Mark: '-'}}},
		{Kind: blame.RowLock, Label: "S", Slices: []blame.Slice{
			{From: 0, To: 1000, Mark: 'A', Name: "low", Priority: 10},
			{From: 1000, To: 9999, Mark: 'A', Name: "low", Priority: 40, Boosted: true},
			{From: 9999, To: 10_000, Mark: '?'}}}},
		Path: []blame.PathSlice{{From: 0, To: 1000, Row: 2}, {From: 1000, To: 9000, Row: 3},
			{From: 9000, To: 10_000, Row: 2}}}
	return &scenarios.Explanation{Scenario: "s", Design: "d", Metric: "send",
		Worst: []scenarios.Explained{{TotalNs: 10_000, Sentence: "blocked on S", Chart: chart}}}
}

// chartPlaces are where things are in the figure of a chart.
type chartPlaces struct {
	*ledger
	chart       *blame.Chart
	left, right vg.Length // of the frame
	path        []stroke  // the pieces of the line over the rows
}

// placesOf finds them: the line is drawn last of what is in the frame, and that before the frame.
func placesOf(t *testing.T, e *scenarios.Explanation) *chartPlaces {
	d, err := Worst(e, 0)
	require.NoError(t, err)
	c := &chartPlaces{ledger: drawn(d), chart: e.Worst[0].Chart}
	frame := slices.IndexFunc(c.strokes, func(s stroke) bool { return s.color == axisInk })
	require.Positive(t, frame)
	c.left, c.right = c.strokes[frame].box.Min.X, c.strokes[frame].box.Max.X
	c.path = c.strokes[frame-(2*len(c.chart.Path)-1) : frame]
	return c
}

// x is where an instant is.
func (c *chartPlaces) x(at sim.Time) float64 {
	return float64(c.left + (c.right-c.left)*vg.Length(at)/vg.Length(c.chart.Ns))
}

// isIn says whether a height is in the row that a label names.
func (c *chartPlaces) isIn(y vg.Length, label string) bool {
	for _, text := range c.texts {
		if text.text == label {
			middle := (text.box.Min.Y + text.box.Max.Y) / 2
			return y > middle-rowHeight/2 && y < middle+rowHeight/2
		}
	}
	return false
}

// Look at each slice of the rows: it is filled from where it begins to where it ends, in its row,
// and what is drawn is what the chart has and no more.
func TestWorstFillsEverySlice(t *testing.T) {
	for _, e := range []*scenarios.Explanation{aChart(), worstOf(t, "signalfd", "send"),
		worstOf(t, "futex-persistent/rcu-walk+no-wake-fix", "receive")} {
		c := placesOf(t, e)
		filled := c.fills[1:] // after the paper
		for i := range c.chart.Rows {
			row, at := &c.chart.Rows[i], sim.Time(0)
			for _, s := range row.Slices {
				assert.Equal(t, at, s.From, "the slices of a row leave nothing out")
				at = s.To
				if s.Mark == ' ' {
					continue
				}
				box := filled[0].box
				filled = filled[1:]
				const hair = 0.61 // the least width
				assert.InDelta(t, c.x(s.From), float64(box.Min.X), hair)
				assert.InDelta(t, c.x(s.To), float64(box.Max.X), hair)
				assert.Greater(t, box.Max.X, box.Min.X)
				assert.True(t, c.isIn((box.Min.Y+box.Max.Y)/2, row.Label), row.Label)
			}
			assert.Equal(t, c.chart.Ns, at)
		}
		assert.Less(t, len(filled), 10, "only the key is left")
	}
}

// Look at the words: the sentence, a name in each slice that has room, the boost with both
// priorities, and in the key nothing that is not drawn. They do not cover each other.
func TestWorstSaysWhoAndWhat(t *testing.T) {
	d, err := Worst(aChart(), 0)
	require.NoError(t, err)
	l := drawn(d)
	count := map[string]int{}
	for i, a := range l.texts {
		count[a.text]++
		assert.True(t, inside(a.box, d.width, d.height), a.text)
		for _, b := range l.texts[:i] {
			assert.False(t, overlap(a.box, b.box), "%s covers %s", a.text, b.text)
		}
	}
	for text, n := range map[string]int{"s: d: send of message 0 took 10.000 us": 1,
		"blocked on S.": 1, "blocked on S": 1, "irq": 1, "ready, boosted to 40": 1,
		"low, boosted to 40": 1, "runs": 4, "ready": 2, "sleeps for a lock": 1, "sleeps": 1,
		"free, waited for": 1, "spins": 0, "interrupt": 0, "since the call began (us)": 1} {
		assert.Equal(t, n, count[text], text)
	}
}

// Look at the red line: all the time it lies in the row of the task at the bottom.
func TestWorstMarksThePath(t *testing.T) {
	for _, e := range []*scenarios.Explanation{aChart(), worstOf(t, "signalfd", "receive")} {
		c := placesOf(t, e)
		at := sim.Time(0)
		for i, s := range c.chart.Path {
			assert.Equal(t, at, s.From, "the path leaves nothing out")
			at = s.To
			piece := c.path[2*i]
			assert.Equal(t, limitInk, piece.color)
			assert.InDelta(t, c.x(s.From), float64(piece.box.Min.X), 0.01)
			assert.InDelta(t, c.x(s.To), float64(piece.box.Max.X), 0.01)
			assert.Equal(t, blame.RowTask, c.chart.Rows[s.Row].Kind)
			assert.True(t, c.isIn(piece.box.Min.Y, c.chart.Rows[s.Row].Label))
		}
		assert.Equal(t, c.chart.Ns, at)
	}
}
