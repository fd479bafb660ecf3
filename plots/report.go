package plots

import (
	"bytes"
	_ "embed" // for the template
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/scenarios/blame"
	"rtsim/sim"
)

// The report of a comparison is one HTML file for a design review. It loads nothing from outside,
// says without its script all that it says with it, and can be printed. The same input gives the
// same bytes. Its elements are closed as XML wants it, so that a test can read it.

// Report is a comparison and what a report says beside it.
type Report struct {
	Comparison *scenarios.Comparison
	Case       *scenarios.Case
	Designs    []*designs.Design // of Comparison.Summary, in its order
	Figures    []Named           // of Latencies
	Answers    []Answer          // why a design's worst send was late; a design may have none
	Remarks    []string          // how to read the table, a paragraph each
	Repeat     string            // the command that makes the comparison again
}

// Answer is an explanation with the command that gives it again.
type Answer struct {
	*scenarios.Explanation
	Repeat string
}

//go:embed report.html
var reportText string

var reportTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"us": blame.Us, "tree": blame.Tree,
	"second": func(t sim.Time) string {
		return fmt.Sprintf("%d.%09d s", t/sim.Second, t%sim.Second)
	},
	"lines":   func(lines []string) string { return strings.Join(lines, "\n") },
	"indent":  func(depth int) string { return fmt.Sprintf("%.1fem", 1.2*float64(depth)) },
	"legend":  func() string { return blame.PictureLegend },
	"grouped": groups,
}).Parse(reportText))

// reportView is what the template reads.
type reportView struct {
	*Report
	Header  []string
	Rows    []reportRow
	Figures []reportFigure // of all designs
	Names   []string       // of the designs in these figures, in order
	Parts   []reportDesign
	Caption []string
}

// reportRow is a design in the table.
type reportRow struct {
	Row   string // as in Summary
	Cells []reportCell
	Span  int // of the last cell, a sentence instead of numbers; else 1
}

// reportCell has a key to sort by: a number, or the text.
type reportCell struct{ Text, Key string }

// reportFigure is a figure of all designs; Names are those in it, in the order of its styles.
type reportFigure struct {
	Names []string
	SVG   template.HTML
}

// reportDesign is what is said of one design.
type reportDesign struct {
	*scenarios.Summary
	Design   *designs.Design
	ID       string
	SVG      template.HTML // of its sends, empty if there is none
	Answer   *Answer
	Worst    template.HTML // the figure of that message
	Results  []*scenarios.Result
	Listings []scenarios.Listing
	Costs    []reportCost
}

// reportCost is an assumed cost and the paths on which it is paid.
type reportCost struct {
	*designs.Cost
	Paths string
}

// HTML writes the report.
func (r *Report) HTML() ([]byte, error) {
	v := &reportView{Report: r, Caption: latencyCaption(r.Comparison)}
	table := scenarios.NewTable(r.Comparison)
	v.Header = table.Header
	for i, cells := range table.Rows {
		row := reportRow{Row: r.Comparison.Summary[i].Row, Span: 1}
		for _, text := range cells {
			row.Cells = append(row.Cells, reportCell{text, sortKey(text)})
		}
		row.Span += len(table.Header) - len(cells)
		v.Rows = append(v.Rows, row)
	}
	if err := v.addDesigns(); err != nil {
		return nil, fmt.Errorf("report.html: %w", err)
	}
	if err := v.addFigures(); err != nil {
		return nil, fmt.Errorf("report.html: %w", err)
	}
	var b bytes.Buffer
	if err := reportTemplate.Execute(&b, v); err != nil {
		return nil, fmt.Errorf("report.html: %w", err)
	}
	return b.Bytes(), nil
}

// addDesigns adds what is said of each design.
func (v *reportView) addDesigns() error {
	c := v.Comparison
	for i := range c.Summary {
		s := &c.Summary[i]
		p := reportDesign{Summary: s, Design: v.Designs[i], ID: fmt.Sprintf("design-%d", i),
			Results: c.Of(s)}
		if s.Unsupported == "" {
			v.Names = append(v.Names, s.Design)
			p.Design = p.Design.In(v.Case.Era).Sized(v.Case.Profile)
			var err error
			if p.Listings, err = scenarios.Listings(p.Design, v.Case.Profile); err != nil {
				return err
			}
			p.addCosts(v.Case.Profile)
		}
		for k := range v.Answers {
			if a := &v.Answers[k]; a.Design == s.Design && len(a.Worst) > 0 {
				if err := p.answer(a); err != nil {
					return err
				}
			}
		}
		v.Parts = append(v.Parts, p)
	}
	return nil
}

// answer adds why the design's worst send was late, and its figure.
func (p *reportDesign) answer(a *Answer) error {
	figure, err := Worst(a.Explanation, 0)
	if err == nil {
		p.Answer = a
		p.Worst, err = figure.inline()
	}
	return err
}

// addCosts adds the assumed costs, each with the paths that name it.
func (p *reportDesign) addCosts(profile *designs.Profile) {
	for _, name := range p.Design.AssumedCosts(profile) {
		var paths []string
		for i := range p.Listings {
			l := &p.Listings[i]
			for k := range l.Lines {
				if l.Lines[k].Cost == name {
					paths = append(paths, l.Path)
					break
				}
			}
		}
		if len(paths) == 0 {
			paths = []string{"the machine's"}
		}
		cost, _ := profile.Find(name)
		p.Costs = append(p.Costs, reportCost{cost, strings.Join(paths, ", ")})
	}
}

// addFigures takes the figures of all designs, and to each design its histogram.
func (v *reportView) addFigures() error {
	for i := range v.Report.Figures {
		f := &v.Report.Figures[i]
		svg, err := f.Drawing.inline()
		if err != nil {
			return err
		}
		isHistogram := false
		for k := range v.Parts {
			if histogramName(v.Parts[k].Summary.Design) == f.Name {
				v.Parts[k].SVG, isHistogram = svg, true
			}
		}
		if isHistogram {
			continue
		}
		part := 0
		if dash := strings.LastIndexByte(f.Name, '-'); dash >= 0 {
			if n, err := strconv.Atoi(f.Name[dash+1:]); err == nil {
				part = n - 1
			}
		}
		names := v.Names[part*SeriesMax:]
		v.Figures = append(v.Figures, reportFigure{names[:min(len(names), SeriesMax)], svg})
	}
	return nil
}

// sortKey is what a cell of the table is sorted by: its number, times in nanoseconds; or its text.
func sortKey(text string) string {
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return text
	}
	number, err := strconv.ParseFloat(fields[0], 64)
	if err != nil {
		return text
	}
	switch {
	case len(fields) == 2 && fields[1] == "us":
		number = math.Round(number * 1e3)
	case len(fields) == 2 && fields[1] == "ms":
		number = math.Round(number * 1e6)
	}
	return strconv.FormatFloat(number, 'f', -1, 64)
}
