package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rtsim/scenarios/blame"
)

// drawWorst draws the worst message of a run.
func drawWorst(cmd *cobra.Command, name string, f *drawFlags) error {
	if f.from.given || f.to.given || f.column.given {
		return errors.New("--worst draws one message; leave --from, --to and --column out")
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
		return fmt.Errorf("%s: no message was sent and ended within %s; set a longer --duration",
			q.Asked, found.DurationNs)
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
