package plots

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"rtsim/scenarios"
	"rtsim/sim"
)

// Named is a drawing with the name of its file, without what says the format.
type Named struct {
	Name    string
	Drawing *Drawing
}

// quantities are what a comparison is drawn by: the metric, the file, what is measured.
var quantities = []struct{ metric, file, title, axis string }{
	{"send", "send", "time in the call that wakes the receiver", "time in the sending call"},
	{"receive", "receive", "from the start of the call to the receiver handling the message",
		"time from send to handling"},
	{"irq_start", "irq-start", "from an interrupt thread's wake-up to its first instruction",
		"time from wake-up to start"},
}

// Latencies draws a comparison, all seeds of a design together: for each quantity all designs on
// one pair of axes (twelve on each, if there are more), and for each design the histogram of its
// sends.
func Latencies(c *scenarios.Comparison) ([]Named, error) {
	var all []Named
	for _, q := range quantities {
		f := newLatencies(c, q.title, q.axis)
		var series []Series
		for i := range c.Summary {
			if s := &c.Summary[i]; s.Unsupported == "" {
				series = append(series, latencySeries(s.Design, c.Histogram(s, q.metric)))
			}
		}
		for i, part := range slices.Collect(slices.Chunk(series, SeriesMax)) {
			name := q.file
			if i > 0 {
				name = fmt.Sprintf("%s-%d", q.file, i+1)
			}
			f.Series = part
			d, err := CCDF(f)
			if err != nil {
				return nil, err
			}
			all = append(all, Named{name, d})
		}
	}
	histograms, err := sendHistograms(c)
	return append(all, histograms...), err
}

// sendHistograms draws the sends of each design, all with the same axes.
func sendHistograms(c *scenarios.Comparison) ([]Named, error) {
	var figures []Figure
	var all []Named
	q := quantities[0]
	for i := range c.Summary {
		s := &c.Summary[i]
		if s.Unsupported != "" {
			continue
		}
		f := newLatencies(c, s.Design+": "+q.title, q.axis)
		f.Series = []Series{latencySeries(s.Design, c.Histogram(s, q.metric))}
		figures = append(figures, f)
		all = append(all, Named{Name: histogramName(s.Design)})
	}
	drawings, err := Histograms(figures...)
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].Drawing = drawings[i]
	}
	return all, nil
}

// histogramName is the file of a design's histogram.
func histogramName(design string) string { return "hist-" + strings.ReplaceAll(design, "/", "-") }

// newLatencies is a figure without series.
func newLatencies(c *scenarios.Comparison, title, axis string) Figure {
	f := Figure{Title: c.Scenario + ": " + title, XLabel: axis, Caption: latencyCaption(c)}
	for _, t := range c.Thresholds {
		if t > 0 {
			f.ThresholdsNs = append(f.ThresholdsNs, int64(t))
		}
	}
	return f
}

func latencySeries(name string, h *scenarios.Histogram) Series {
	s := Series{Name: name, N: h.Count(), MaxNs: int64(h.Max())}
	for _, b := range h.Bins() {
		s.Bins = append(s.Bins, Bin{AtNs: int64(b.AtNs), Count: b.Count})
	}
	return s
}

// latencyCaption says what was run, so that the figure can be understood, and made again, alone.
func latencyCaption(c *scenarios.Comparison) []string {
	least, greatest := int64(-1), int64(0)
	for _, r := range c.Results {
		if r.Unsupported == "" {
			greatest = max(greatest, r.Messages)
			if least < 0 || r.Messages < least {
				least = r.Messages
			}
		}
	}
	messages := groups(greatest)
	if least >= 0 && least < greatest {
		messages = groups(least) + " to " + messages
	}
	text := fmt.Sprintf("%s messages a run, %s, %s simulated each", messages, seedsText(c),
		sim.Time(c.DurationNs))
	settings := "as the scenario has them"
	if len(c.Set) > 0 {
		var set []string
		for _, name := range slices.Sorted(maps.Keys(c.Set)) {
			set = append(set, name+"="+c.Set[name])
		}
		settings = strings.Join(set, ", ")
	}
	if n := len(c.Answers); n > 0 {
		settings += fmt.Sprintf("; %d draws of the seed replaced", n)
	}
	return []string{
		fmt.Sprintf("%s; scenario %s, kernel %s; rtsim %s.", text, c.Scenario, c.Kernel, c.Version),
		"Settings: " + settings + ".",
	}
}

// seedsText names the seeds, which are consecutive.
func seedsText(c *scenarios.Comparison) string {
	first, last := c.Results[0].Seed, c.Results[0].Seed
	for _, r := range c.Results {
		first, last = min(first, r.Seed), max(last, r.Seed)
	}
	if first == last {
		return fmt.Sprintf("seed %d", first)
	}
	return fmt.Sprintf("seeds %d to %d", first, last)
}
