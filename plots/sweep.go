package plots

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"rtsim/scenarios/campaign"
)

// Sweep draws a sweep. Over one parameter there is a figure a metric, with a line a design (twelve
// in each figure, if there are more). Over two there is a map a metric and design, and one a metric
// of which design has the least.
func Sweep(s *campaign.Sweep) (all []Named, err error) {
	for m := range s.Shown() {
		var some []Named
		if len(s.Axes) == 1 {
			some, err = sweepLines(s, m)
		} else {
			some, err = sweepMaps(s, m)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// fileName makes a metric's or a design's name part of a file's.
func fileName(name string) string {
	return strings.NewReplacer(".", "-", "/", "-", "_", "-").Replace(name)
}

// sweepCaption says what was run.
func sweepCaption(s *campaign.Sweep) []string {
	seeds := fmt.Sprintf("seed %d", s.Seeds[0])
	if n := len(s.Seeds); n > 1 {
		seeds = fmt.Sprintf("seeds %d to %d", s.Seeds[0], s.Seeds[n-1])
	}
	settings := "as the scenario has them"
	if len(s.Set) > 0 {
		var set []string
		for _, name := range slices.Sorted(maps.Keys(s.Set)) {
			set = append(set, name+"="+s.Set[name])
		}
		settings = strings.Join(set, ", ")
	}
	return []string{fmt.Sprintf("%s, %s simulated each; scenario %s, kernel %s; rtsim %s.", seeds,
		s.DurationNs, s.Scenario, s.Kernel, s.Version), "Other settings: " + settings + "."}
}

// axisLabel names a parameter with its unit.
func axisLabel(a *campaign.Axis) string {
	if a.Unit == "duration" {
		return a.Name
	}
	return a.Name + " (" + a.Unit + ")"
}

func metricLabel(m *campaign.Metric) string {
	if m.IsTime {
		return m.Name
	}
	return m.Name + ", a count"
}

// findingsMost is how many places are named below a figure.
const findingsMost = 6

func sweepLines(s *campaign.Sweep, metric int) (all []Named, err error) {
	m, a := s.Shown()[metric], s.Axes[0]
	f := LinesFigure{Title: fmt.Sprintf("%s: %s over %s", s.Scenario, m.Name, a.Name),
		XLabel: axisLabel(a), YLabel: metricLabel(&m), XTexts: a.Values, Log: a.Log,
		IsTime: m.IsTime, Caption: sweepCaption(s)}
	for _, n := range a.Numbers() {
		f.X = append(f.X, float64(n))
	}
	if m.IsTime {
		for _, level := range s.Levels() {
			if level > 0 {
				f.LevelsNs = append(f.LevelsNs, int64(level))
			}
		}
	}
	f.Caption = append(f.Caption, "Lines are means over the seeds, bars reach from the least to "+
		"the greatest; bands are where one design falls below another.")
	f.addCrossings(s, m.Name)
	var lines []Line
	for d, name := range s.Designs() {
		l := Line{Name: name}
		for point := range a.Values {
			l.Values = append(l.Values, spreadOf(s.Value(point, d, metric)))
		}
		lines = append(lines, l)
	}
	for i, part := range slices.Collect(slices.Chunk(lines, SeriesMax)) {
		f.Lines = part
		d, err := Lines(f)
		if err != nil {
			return nil, err
		}
		name := fileName(m.Name)
		if i > 0 {
			name = fmt.Sprintf("%s-%d", name, i+1)
		}
		all = append(all, Named{name, d})
	}
	return all, nil
}

func spreadOf(v *campaign.Value) Spread {
	if v == nil {
		return Spread{Missing: true}
	}
	return Spread{Mean: v.Mean, Least: float64(v.Least), Greatest: float64(v.Greatest)}
}

// addCrossings shades where designs change places in a metric, and names the first of them.
func (f *LinesFigure) addCrossings(s *campaign.Sweep, metric string) {
	n := 0
	for i := range s.Crossings {
		c := &s.Crossings[i]
		if c.Metric != metric {
			continue
		}
		if n++; n <= findingsMost {
			f.Caption = append(f.Caption, fmt.Sprintf("%s falls below %s %s.", c.Design,
				c.Overtakes, &c.Between))
		}
		f.Bands = append(f.Bands, [2]int{slices.Index(f.XTexts, c.From),
			slices.Index(f.XTexts, c.To)})
	}
	if n > findingsMost {
		f.Caption = append(f.Caption, fmt.Sprintf("%d more are in table.md.", n-findingsMost))
	}
}

// floor is the design that is the least of all by construction: no choice for anybody, so the map
// of the least leaves it out, and so do the shades.
const floor = "ideal-spin"

func sweepMaps(s *campaign.Sweep, metric int) (all []Named, err error) {
	m := s.Shown()[metric]
	low, high := math.Inf(1), math.Inf(-1)
	for i := range s.Cells {
		v := s.Cells[i].Values[metric]
		if v != nil && v.Mean > 0 && s.Cells[i].Design != floor {
			low, high = math.Min(low, v.Mean), math.Max(high, v.Mean)
		}
	}
	for d, name := range s.Designs() {
		f := newSweepMap(s, name+": "+m.Name)
		if low <= high {
			f.Scale = []string{"light: " + m.Text(low) + " or less", "dark: " + m.Text(high),
				"in between by the logarithm; all designs but " + floor + " alike"}
		}
		f.eachCell(s, func(point int) GridCell {
			v := s.Value(point, d, metric)
			if v == nil {
				return GridCell{Text: "n/a"}
			}
			shade := 0.0
			if v.Mean > low {
				shade = math.Log(v.Mean/low) / math.Log(high/low)
			}
			return GridCell{Text: m.Text(v.Mean), Shade: shade}
		})
		drawing, err := Grid(f)
		if err != nil {
			return nil, err
		}
		all = append(all, Named{fileName(m.Name + "-" + name), drawing})
	}
	least, err := leastMap(s, metric)
	if err != nil || least == nil {
		return all, err
	}
	return append(all, *least), nil
}

// leastMap is which design has the least of a metric; nil if there are not two to choose from, or
// too many to tell apart.
func leastMap(s *campaign.Sweep, metric int) (*Named, error) {
	m := s.Shown()[metric]
	f := newSweepMap(s, m.Name+": which design has the least")
	var choice []int
	for d, name := range s.Designs() {
		if name != floor {
			choice = append(choice, d)
			f.Names = append(f.Names, name)
		}
	}
	if len(choice) < 2 || len(choice) > SeriesMax {
		return nil, nil
	}
	f.Caption = append(f.Caption, "Several markers where several have the least; "+floor+
		" is left out.")
	f.eachCell(s, func(point int) GridCell {
		var best GridCell
		least := math.Inf(1)
		for i, d := range choice {
			v := s.Value(point, d, metric)
			switch {
			case v == nil || v.Mean > least:
			case v.Mean == least:
				best.Series = append(best.Series, i)
			default:
				least = v.Mean
				best = GridCell{Text: m.Text(least), Series: []int{i}}
			}
		}
		return best
	})
	d, err := Grid(f)
	return &Named{fileName(m.Name + "-least"), d}, err
}

func newSweepMap(s *campaign.Sweep, title string) GridFigure {
	return GridFigure{Title: s.Scenario + ": " + title, XLabel: axisLabel(s.Axes[0]),
		YLabel: axisLabel(s.Axes[1]), XTexts: s.Axes[0].Values, YTexts: s.Axes[1].Values,
		Caption: append(sweepCaption(s), "Means over the seeds.")}
}

// eachCell fills the map from the points of the sweep.
func (f *GridFigure) eachCell(s *campaign.Sweep, cell func(point int) GridCell) {
	point := 0
	for range s.Axes[0].Values {
		var column []GridCell
		for range s.Axes[1].Values {
			column = append(column, cell(point))
			point++
		}
		f.Cells = append(f.Cells, column)
	}
}
