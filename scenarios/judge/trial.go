package judge

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/scenarios/claim"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// A claim in a Go test, from its options to what the test prints. A failure is repeated as rapid
// does it: flags of the test binary, which the failure prints, replace seeds and length of the runs
// of every claim, and put the answers of a search in their place.

// trial is how a claim in a test is judged.
type trial struct {
	options  scenarios.Options
	seeds    int
	searches int
	proven   bool
	than     *designs.Design
}

// The flags of a test binary that repeat a failure.
var (
	replaySeed = flag.Uint64("rtsim.seed", 0, "judge claims by this seed alone; 0: as they say")
	replayFor  = flag.String("rtsim.for", "", "simulate so long, as 250ms; empty: as claims say")
	replayWith = flag.String("rtsim.answers", "", "answers in place of draws, parted by blanks")
)

// claims judges a claim about a design and fails the test if it does not pass.
func claims(t TestingT, d *designs.Design, scenario string, c file.Claim, options []Option) bool {
	help(t)
	o := &trial{options: scenarios.Options{Duration: 2 * sim.Second}, seeds: 3}
	for _, option := range options {
		option(o)
	}
	j, err := o.judge(d, scenario, c)
	if err != nil {
		t.Errorf("%s, %s on %s: %v", variant(d), c.Name, scenario, err)
		return false
	}
	if !o.passes(c.Kind, j.Verdict) {
		t.Errorf("%s", failure(t, j, scenario))
		return false
	}
	return true
}

// variant is a design's name.
func variant(d *designs.Design) string {
	if d == nil {
		return "no design"
	}
	return d.Variant
}

// judge finds the verdict.
func (o *trial) judge(d *designs.Design, scenario string, c file.Claim) (
	*claim.Judgement, error) {
	if err := o.sensible(d, &c); err != nil {
		return nil, err
	}
	if err := d.Paths.Check(); err != nil {
		return nil, fmt.Errorf("the listings are wrong: %w", err)
	}
	seeds, err := o.replay()
	if err != nil {
		return nil, err
	}
	prepared, err := scenarios.Prepare(scenario, o.options)
	if err != nil {
		return nil, err
	}
	if why := d.Unsupported(prepared.Scenario.Kernel); why != "" {
		return nil, errors.New(why)
	}
	if c.Metric != "" && !slices.Contains(file.Metrics, c.Metric) {
		return nil, fmt.Errorf("no metric %q; the metrics are %s", c.Metric,
			strings.Join(file.Metrics, ", "))
	}
	if err := sensibleCPUs(&c, prepared.Scenario.CPUs); err != nil {
		return nil, err
	}
	q := &Inquiry{Case: prepared, Seeds: seeds, Jobs: 1, Searches: o.searches,
		Items: []Item{{Claim: c, Asked: d.Variant, Design: d, Than: o.than}}}
	if o.searches == 0 {
		q.Searches = -1
	}
	judged, err := q.Execute(context.Background())
	if err != nil {
		return nil, err
	}
	return judged[0], nil
}

// sensible says what is wrong with a claim's arguments and options.
func (o *trial) sensible(d *designs.Design, c *file.Claim) error {
	switch {
	case d == nil || c.Kind == file.NeverLater && o.than == nil:
		return errors.New("there is no design")
	case o.options.Duration <= 0 || o.seeds < 1 || o.searches < 0:
		return fmt.Errorf("%s with %d seeds and %d runs of a search; take more than 0s, a seed at "+
			"least, and no less than 0 runs", o.options.Duration, o.seeds, o.searches)
	case c.Kind == file.AtMost && (c.AtMost <= 0 || c.AtMost >= 1):
		return fmt.Errorf("a probability of %g; take one above 0 and below 1", c.AtMost)
	case c.Kind == file.AtMost && (c.Confidence <= 0.5 || c.Confidence >= 1):
		return fmt.Errorf("a confidence of %g; take one above 0.5 and below 1", c.Confidence)
	}
	return nil
}

// sensibleCPUs says what is wrong with the CPUs of a claim that needs some, of so many.
func sensibleCPUs(c *file.Claim, cpus int) error {
	if c.Kind != file.Unmoved {
		return nil
	}
	if len(c.CPUs) == 0 {
		return errors.New("no CPUs; name at least one")
	}
	for i, cpu := range c.CPUs {
		switch {
		case cpu < 0 || int(cpu) >= cpus:
			return fmt.Errorf("CPU %d; take one of 0 to %d", cpu, cpus-1)
		case slices.Contains(c.CPUs[:i], cpu):
			return fmt.Errorf("CPU %d comes twice; name it once", cpu)
		}
	}
	return nil
}

// replay gives the seeds, those of the flags if they are given.
func (o *trial) replay() (seeds []uint64, err error) {
	for i := range o.seeds {
		seeds = append(seeds, uint64(i+1))
	}
	if *replaySeed != 0 {
		seeds = []uint64{*replaySeed}
	}
	if *replayFor != "" {
		if o.options.Duration, err = sim.ParseTime(*replayFor); err != nil {
			return nil, fmt.Errorf("-rtsim.for: %w", err)
		}
	}
	for _, text := range strings.Fields(*replayWith) {
		some, err := sim.ParseAnswers(text)
		if err != nil {
			return nil, fmt.Errorf("-rtsim.answers: %w", err)
		}
		o.options.Answers = append(o.options.Answers, some...)
	}
	return seeds, nil
}

// failure is what a test prints, in testify's layout.
func failure(t TestingT, j *claim.Judgement, scenario string) string {
	var b strings.Builder
	row := func(title string, lines ...string) {
		for i, line := range lines {
			if i > 0 {
				title = ""
			} else {
				title += ":"
			}
			fmt.Fprintf(&b, "\n\t%-12s\t%s", title, line)
		}
	}
	row("Claim", fmt.Sprintf("%s, %s on %s", j.Claim, j.Design, scenario))
	said := []string{string(j.Verdict)}
	for _, text := range []string{j.Evidence, j.Witness} {
		if text != "" {
			said = append(said, text)
		}
	}
	row("Error", said...)
	row("Picture", j.Picture...)
	if j.Small != nil {
		row("Small file", append([]string{fmt.Sprintf("%d happenings: %s", j.Small.Happenings,
			j.Small.Sentence)}, strings.Split(strings.TrimSpace(string(j.Small.File)), "\n")...)...)
	}
	test := "."
	if n, ok := t.(interface{ Name() string }); ok {
		row("Test", n.Name())
		test = "'^" + n.Name() + "$'"
	}
	if j.Seed != 0 {
		repeat := fmt.Sprintf("go test -run %s -args -rtsim.seed=%d -rtsim.for=%s", test, j.Seed,
			j.UntilNs)
		if len(j.Answers) > 0 {
			repeat += " -rtsim.answers='" + strings.Join(j.Answers, " ") + "'"
		}
		row("Repeat", repeat)
	}
	return b.String()
}
