package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rtsim/scenarios"
	"rtsim/scenarios/explore/protocol"
)

// windowEntry is a window in JSON: the listing's line, and a shortest way there.
type windowEntry struct {
	Kind string         `json:"kind"`
	Line int            `json:"line"` // as in the listing; 0: before its first
	Step string         `json:"step"`
	Way  []stretchEntry `json:"way"`
}

// stretchEntry is steps of one thread.
type stretchEntry struct {
	Thread string   `json:"thread"`
	Steps  []string `json:"steps"`
}

// listWindows prints at which steps of its send path a preempted sender holds back others.
func listWindows(cmd *cobra.Command, name string, f *listFlags) error {
	d, c, err := designInCase(name, f)
	if err != nil {
		return err
	}
	listings, err := scenarios.Listings(d, c.Profile)
	if err != nil {
		return err
	}
	r, err := protocol.Explore(cmd.Context(), d, protocol.Options{})
	if err != nil {
		return err
	}
	if !f.json {
		return printText(cmd.OutOrStdout(), windowsText(d.Variant, c.Era.Kernel, &listings[0], r))
	}
	entries := []windowEntry{}
	for _, w := range r.Windows {
		entries = append(entries, windowEntry{string(w.Kind), listings[0].NumberOf(w.Line), w.Step,
			stretches(w.Trail)})
	}
	var lost []stretchEntry
	if r.Lost != nil {
		lost = stretches(*r.Lost)
	}
	return printDocument(cmd.OutOrStdout(), struct {
		Schema  string         `json:"schema"`
		Design  string         `json:"design"`
		Kernel  string         `json:"kernel"`
		States  int            `json:"states"`
		Windows []windowEntry  `json:"windows"`
		Lost    []stretchEntry `json:"lost"` // null: no wake-up can be lost
	}{"rtsim.windows/1", d.Variant, c.Era.Kernel, r.States, entries, lost})
}

func stretches(t protocol.Trail) []stretchEntry {
	entries := []stretchEntry{}
	for _, s := range t {
		entries = append(entries, stretchEntry(s))
	}
	return entries
}

// windowsText says which windows there are, and one way into each kind of them.
func windowsText(design, kernel string, send *scenarios.Listing, r *protocol.Report) string {
	text := wrapped(fmt.Sprintf("%s in kernel %s: all orders of the steps of a real-time sender "+
		"S, a low-priority sender P and the receiver R, %d states, without time. A window is a "+
		"step before which P may be preempted while S has returned from his call and R can't "+
		"go on: P runs at his own priority then, for R waits for no lock of his.", design, kernel,
		r.States))
	if len(r.Windows) == 0 {
		text += "\nNo window.\n"
	}
	for _, kind := range []protocol.Kind{protocol.Parked, protocol.Unlinked} {
		text += kindText(kind, send, r)
	}
	if r.Lost == nil {
		return text + "\nNo wake-up can be lost.\n"
	}
	return text + "\n" + wrapped("A wake-up can be lost: nobody is left who will wake R, and S's "+
		"message is not handled. A shortest way there:") + wayText(*r.Lost)
}

// kindText is one kind of window; nothing if there is none.
func kindText(kind protocol.Kind, send *scenarios.Listing, r *protocol.Report) string {
	rows, way := [][]string{}, ""
	for _, w := range r.Windows {
		if w.Kind != kind {
			continue
		}
		if way == "" {
			way = wayText(w.Trail)
		}
		rows = append(rows, []string{fmt.Sprintf("  [%2d]", send.NumberOf(w.Line)), w.Step})
	}
	if len(rows) == 0 {
		return ""
	}
	title := "R is parked until P has gone on from before"
	if kind == protocol.Unlinked {
		title = "R spins before an entry that P has not linked yet, before"
	}
	return "\n" + title + "\n" + aligned(rows) + "A shortest way to the first\n" + way
}

// wayText is one paragraph a stretch.
func wayText(t protocol.Trail) string {
	text := ""
	for _, s := range t {
		text += wrapped("  " + s.Thread + ": " + strings.Join(s.Steps, "; "))
	}
	return text
}
