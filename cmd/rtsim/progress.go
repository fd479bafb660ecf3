package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"rtsim/scenarios"
)

// progressEvery is how often progress is shown.
const progressEvery = 200 * time.Millisecond

// showProgress tells a terminal how much of a plan is done, until stop is called, which wipes it.
// Elsewhere it does nothing.
func showProgress(stderr io.Writer, p *scenarios.Plan) (stop func()) {
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
				fmt.Fprint(stderr, "\r\x1b[K"+progressText(p, time.Since(start)))
			}
		}
	})
	return func() { close(end); shown.Wait() }
}

// progressText says how much is done, and how long the rest will take.
func progressText(p *scenarios.Plan, spent time.Duration) string {
	done, all := p.Progress()
	text := fmt.Sprintf("%3d %% of %d runs of %s", int64(float64(done)/float64(all)*100),
		len(p.Designs)*len(p.Seeds), p.Case.Options().Duration)
	if done > 0 && spent > time.Second {
		left := time.Duration(float64(spent) * float64(all-done) / float64(done))
		text += fmt.Sprintf(", %s left", left.Round(time.Second))
	}
	return text
}
