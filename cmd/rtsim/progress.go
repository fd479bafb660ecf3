package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"rtsim/sim"
)

// progressEvery is how often progress is shown.
const progressEvery = 200 * time.Millisecond

// work is runs in progress; it may be asked at any time.
type work interface {
	Progress() (done, all sim.Time, runs int)
}

// progress shows how much is done, unless the flags ask for silence, until stop is called.
func (f *runFlags) progress(cmd *cobra.Command, w work) (stop func()) {
	if f.quiet || f.json {
		return func() {}
	}
	return showProgress(cmd.ErrOrStderr(), w)
}

// showProgress tells a terminal how much of the work is done, until stop is called, which wipes it.
// Elsewhere it does nothing.
func showProgress(stderr io.Writer, w work) (stop func()) {
	if !isTerminal(stderr) {
		return func() {}
	}
	end := make(chan struct{})
	var shown sync.WaitGroup
	shown.Go(func() {
		ticks := time.NewTicker(progressEvery)
		defer ticks.Stop()
		start := time.Now()
		for {
			select {
			case <-end:
				fmt.Fprint(stderr, "\r\x1b[K")
				return
			case <-ticks.C:
				fmt.Fprint(stderr, "\r\x1b[K"+progressText(w, time.Since(start)))
			}
		}
	})
	return func() { close(end); shown.Wait() }
}

// progressText says how much is done, and how long the rest will take.
func progressText(w work, spent time.Duration) string {
	done, all, runs := w.Progress()
	text := fmt.Sprintf("%3d %% of %d runs of %s", int64(float64(done)/float64(all)*100), runs,
		all/sim.Time(runs))
	if done > 0 && spent > time.Second {
		left := time.Duration(float64(spent) * float64(all-done) / float64(done))
		text += fmt.Sprintf(", %s left", left.Round(time.Second))
	}
	return text
}
