package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rtsim/model"
	"rtsim/scenarios"
	"rtsim/sim"
)

// drawFlags are the flags of draw.
type drawFlags struct {
	runFlags
	span   spanFlags
	column timeFlag
	worst  bool
	metric metricFlag
	figure string
}

const (
	columnsChosen  = 100 // at most, unless --column says otherwise
	columnsMost    = 400
	scenarioDrawn  = 2 * sim.Millisecond // of a scenario, unless --to or --duration says otherwise
	drawingSuffix  = ".txt"
	drawingOutName = "draw"
)

// newDrawCommand draws the schedule of a workload or a scenario.
func newDrawCommand() *cobra.Command {
	f := &drawFlags{}
	cmd := &cobra.Command{
		Use:   "draw FILE|SCENARIO",
		Short: "Draw the schedule of a file as text, one row a task and a lock",
		Long: `Runs a workload file, or a scenario with a --design, and draws the schedule as text:
one row a task and a lock, one column a stretch of time. A trace of a machine, as ftrace text, is
drawn in the same way; rtsim help trace says what is inferred.

--worst finds the worst message of a scenario's run, which takes as long as compare does unless
--duration is shorter, and draws what explain says of it: the rows that its parts name. With -o
it is drawn as a figure instead, with each change at its instant; the format is what the file's
name ends with: .svg, .png or .pdf.`,
		Example: "  rtsim draw workload.yaml\n" +
			"  rtsim draw workload.yaml --from 10us --to 20us --column 100ns\n" +
			"  rtsim draw orin-queue --design futex-oneshot,doorbell --to 500us\n" +
			"  rtsim draw orin-queue --design msg-ring --worst --duration 10s\n" +
			"  rtsim draw orin-queue --design msg-ring --worst -o worst.svg\n" +
			"  rtsim draw trace.ftrace --from 55.0325s --to 55.0341s",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("draw needs one file or scenario; write rtsim draw FILE, " +
					"or - for standard input")
			}
			return nil
		},
		ValidArgsFunction: completeScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.worst {
				return drawWorst(cmd, args[0], f)
			}
			return draw(cmd, args[0], f)
		},
	}
	f.add(cmd, "to the end of what the file declares; "+scenarioDrawn.String()+" of a scenario")
	f.addAnswers(cmd)
	f.span.add(cmd, "draw from this instant on (default 0ns)",
		"draw up to this instant (default the end)")
	cmd.Flags().Var(&f.column, "column",
		fmt.Sprintf("what a column stands for (default at most %d columns)", columnsChosen))
	flags := cmd.Flags()
	flags.BoolVar(&f.worst, "worst", false, "draw the worst message of the run")
	f.metric.add(cmd, "of --worst, ")
	flags.StringVarP(&f.figure, "output", "o", "", "of --worst, write a figure to this `file`")
	return cmd
}

// drawing is a picture in a JSON document.
type drawing struct {
	Design string   `json:"design,omitempty"`
	From   sim.Time `json:"from_ns"`
	To     sim.Time `json:"to_ns"`
	Column sim.Time `json:"column_ns"`
	Lines  []string `json:"lines"`
}

// draw draws one picture a design.
func draw(cmd *cobra.Command, name string, f *drawFlags) error {
	if err := f.checkDraw(cmd); err != nil {
		return err
	}
	machine, err := readMachine(cmd, name)
	if err != nil {
		return err
	}
	if machine != nil {
		return drawMachine(cmd, name, machine, f)
	}
	worlds, err := f.span.worlds(cmd, name, &f.runFlags, scenarioDrawn)
	if err != nil {
		return err
	}
	var drawings []drawing
	var fault error
	var asked []scenarios.Asked
	for i := range worlds {
		w := &worlds[i]
		m, err := w.Run(cmd.Context(), f.seed)
		deadlock := errors.Is(err, model.ErrDeadlock) || errors.Is(err, model.ErrInstant) ||
			errors.Is(err, model.ErrSemaphore)
		if err != nil && !deadlock {
			return runError(name, err)
		}
		if deadlock && fault == nil { // the picture shows how it came to that
			fault = fmt.Errorf("%s: %w", strings.TrimSpace(name+" "+w.Design), err)
		}
		p, err := f.picture(m, deadlock)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		text := scenarios.Draw(w.Workload, m, p.From, p.To, p.Column)
		drawings = append(drawings, drawing{w.Design, p.From, p.To, p.Column,
			strings.Split(strings.TrimSuffix(text, "\n"), "\n")})
		asked = append(asked, w.Asked)
	}
	f.remarkUnasked(cmd, asked...)
	return errors.Join(f.show(cmd, drawings, fault), fault)
}

// checkDraw says what is wrong with the flags.
func (f *drawFlags) checkDraw(cmd *cobra.Command) error {
	wrong := []error{f.checkOne(), f.span.check()}
	if f.figure != "" {
		wrong = append(wrong, errors.New("-o writes the figure of --worst; add --worst, or write "+
			"text with --out"))
	}
	if cmd.Flags().Changed("metric") {
		wrong = append(wrong, errors.New("--metric is of --worst; add --worst, or leave it out"))
	}
	if f.column.given && f.column.t == 0 {
		wrong = append(wrong, errors.New("--column 0ns: write at least 1ns"))
	}
	return errors.Join(wrong...)
}

// picture chooses what the flags leave open.
func (f *drawFlags) picture(m *model.Machine, deadlock bool) (scenarios.Picture, error) {
	p := scenarios.Picture{From: f.span.from.t, To: f.span.to.t, Column: f.column.t}
	if !deadlock && p.From > 0 && p.From >= m.Now() {
		return p, fmt.Errorf("--from %s: the run ends at %s; write an earlier --from", p.From,
			m.Now())
	}
	p = p.Chosen(m.Trace, columnsChosen)
	if deadlock && !f.span.to.given {
		p.To += p.Column // the run's last instant is the one that matters
	}
	return p, tooWide(p)
}

// tooWide says that a picture has more columns than a person can look at.
func tooWide(p scenarios.Picture) error {
	n := p.Columns()
	if n <= columnsMost {
		return nil
	}
	return fmt.Errorf("the picture would have %d columns; --column %s makes it fit into "+
		"%d, --from and --to draw a part", n, p.Fitting(columnsMost), columnsMost)
}

// show prints the pictures; of a run that failed, no document.
func (f *drawFlags) show(cmd *cobra.Command, drawings []drawing, fault error) error {
	if f.json && fault != nil {
		return nil
	}
	text, written := drawingsText(drawings, f.quiet), ""
	if f.out != "" && fault == nil {
		files := []output{{drawingOutName + drawingSuffix, []byte(text)}}
		if err := writeOutputs(f.out, files); err != nil {
			return err
		}
		written = f.writtenText(files)
	}
	if f.json {
		return printDocument(cmd.OutOrStdout(), struct {
			Schema   string    `json:"schema"`
			Drawings []drawing `json:"drawings"`
		}{"rtsim.draw/1", drawings})
	}
	return printText(cmd.OutOrStdout(), text+written)
}

// drawingsText is the pictures below each other, then the legend.
func drawingsText(drawings []drawing, quiet bool) string {
	text := ""
	for i, d := range drawings {
		if i > 0 {
			text += "\n"
		}
		if d.Design != "" {
			text += d.Design + "\n"
		}
		text += strings.Join(d.Lines, "\n") + "\n"
		if !quiet {
			text += fmt.Sprintf("\nA column is %s and shows its first instant; the first is at "+
				"%s.\n", d.Column, d.From)
		}
	}
	if quiet {
		return text
	}
	return text + drawingLegend
}

const drawingLegend = `Tasks (name CPUs/priority): # runs  = runs with inherited priority
  . is ready  - sleeps  x sleeps for a lock  ~ spins  ! its CPU is in an interrupt
  of a task that may run on several CPUs, the CPU's digit for # and its letter for =
Locks: the owner's initial  ? free but waited for; of an rw lock, the number of readers
`
