package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rtsim/plots"
	"rtsim/scenarios"
	"rtsim/scenarios/blame"
	"rtsim/scenarios/whole"
)

// drawWorst draws the worst message of a run.
func drawWorst(cmd *cobra.Command, name string, f *drawFlags) error {
	if f.span.given() || f.column.given {
		return errors.New("--worst draws one message; leave --from, --to and --column out")
	}
	if err := f.checkFigure(); err != nil {
		return err
	}
	machine, err := readMachine(cmd, name)
	if err != nil {
		return err
	}
	if machine != nil {
		return fmt.Errorf("%s is a trace, whose messages are not known; leave --worst out, or "+
			"explain a stretch of it", name)
	}
	e := &explainFlags{runFlags: f.runFlags, metric: f.metric, worst: 1}
	q, err := e.question(cmd, name)
	if err != nil {
		return err
	}
	q.Columns = columnsChosen
	stop := f.progress(cmd, q)
	found, err := q.Explain(cmd.Context())
	stop()
	if err != nil {
		return runError(name, err)
	}
	if len(found.Worst) == 0 {
		return fmt.Errorf("%s: no message that is measured was sent and ended within %s; set a "+
			"longer --duration", q.Asked, found.DurationNs)
	}
	found.Version = version()
	f.remarkUnasked(cmd, found.Asked)
	if f.figure != "" {
		return f.writeFigure(cmd, found)
	}
	w := &found.Worst[0]
	d := drawing{Design: q.Asked, From: w.AtNs, To: w.AtNs + w.TotalNs, Column: w.Column,
		Lines: w.Picture}
	if f.json {
		return f.show(cmd, []drawing{d}, nil)
	}
	text := fmt.Sprintf("%s, %s of message %d at %s: %s\n  %s.\n\n%s\n", q.Asked, found.Metric,
		w.Message, seconds(w.AtNs), blame.Us(w.TotalNs), w.Sentence, strings.Join(w.Picture, "\n"))
	if !f.quiet {
		text += fmt.Sprintf("\nA column is %s and shows its first instant.\n", w.Column)
		text += blame.PictureLegend
	}
	written := ""
	if f.out != "" {
		files := []output{{drawingOutName + drawingSuffix, []byte(text)}}
		if err := writeOutputs(f.out, files); err != nil {
			return err
		}
		written = f.writtenText(files)
	}
	return printText(cmd.OutOrStdout(), text+written)
}

// figureFormats are those in which a figure can be written, by what the file's name ends with.
var figureFormats = []string{".svg", ".png", ".pdf"}

// checkFigure says what is wrong with the file of the figure.
func (f *drawFlags) checkFigure() error {
	if f.figure == "" {
		return nil
	}
	var wrong []error
	if !slices.Contains(figureFormats, filepath.Ext(f.figure)) {
		wrong = append(wrong, fmt.Errorf("-o %s: a figure's name ends with %s", f.figure,
			strings.Join(figureFormats, ", ")))
	}
	if err := whole.Check(f.figure); err != nil {
		wrong = append(wrong, fmt.Errorf("-o: %w", err))
	}
	if f.json || f.out != "" {
		wrong = append(wrong, errors.New("-o writes a figure and nothing else; leave --json and "+
			"--out out"))
	}
	return errors.Join(wrong...)
}

// writeFigure writes the figure of the worst message.
func (f *drawFlags) writeFigure(cmd *cobra.Command, e *scenarios.Explanation) error {
	figure, err := plots.Worst(e, 0)
	if err != nil {
		return err
	}
	formats := []func() ([]byte, error){figure.SVG, figure.PNG, figure.PDF}
	data, err := formats[slices.Index(figureFormats, filepath.Ext(f.figure))]()
	if err != nil {
		return err
	}
	if err := whole.WriteAll([]whole.File{{Name: f.figure, Data: data}}); err != nil {
		return fmt.Errorf("-o: %w", err)
	}
	if f.quiet {
		return nil
	}
	w := &e.Worst[0]
	return printText(cmd.OutOrStdout(), fmt.Sprintf("Written to %s.\n  message %d: %s of %s, "+
		"begun at %s\n", f.figure, w.Message, e.Metric, blame.Us(w.TotalNs), seconds(w.AtNs)))
}
