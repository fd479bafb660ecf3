package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"rtsim/scenarios/blame"
	"rtsim/scenarios/claim"
	"rtsim/scenarios/judge"
	"rtsim/sim"
)

// checkText is what a person reads: the table, then each claim with its evidence.
func checkText(r *judge.Report, verbose, quiet bool) string {
	rows := [][]string{{"  design", "verdict", "limit", "worst", "bound", "gap"}}
	for i, j := range r.Claims {
		if i == 0 || r.Claims[i-1].Claim != j.Claim {
			rows = append(rows, []string{j.Claim})
		}
		rows = append(rows, []string{"  " + j.Design, string(j.Verdict), timeCell(j.LimitNs),
			timeCell(j.WitnessNs), timeCell(j.BoundNs), gapCell(j.Gap)})
	}
	text := aligned(rows)
	for _, s := range r.Skipped {
		text += wrapped(fmt.Sprintf("%s of %s is not judged: %s", s.Claim, s.Design, s.Why))
	}
	for _, j := range r.Claims {
		if !quiet || verbose {
			text += "\n" + judgementText(j, verbose)
		}
	}
	if !quiet {
		text += "\n" + checkLegend
	}
	return text
}

const checkLegend = "Times are in us. Worst is the longest of a run that was found, or how far " +
	"two runs differ; bound is\nwhat no run is over, gap how far below it the worst is. PROVED " +
	"and ESTIMATED claims hold; for the\nothers see rtsim check --help.\n"

// judgementText is one claim with its evidence.
func judgementText(j *claim.Judgement, verbose bool) string {
	text := wrapped(fmt.Sprintf("%s: %s, %s", j.Verdict, j.Claim, j.Design))
	text += wrapped("    " + j.Evidence)
	if j.Witness != "" {
		text += wrapped("    " + j.Witness)
	}
	if j.Small != nil {
		text += wrapped(fmt.Sprintf("    as small as it gets, %d happenings: %s (%s)",
			j.Small.Happenings, j.Small.Sentence, blame.Us(j.Small.Ns)))
	}
	if verbose {
		if j.Small != nil {
			text += "    the small one, drawn:\n"
		}
		for _, line := range j.Picture {
			text += strings.TrimRight("      "+line, " ") + "\n"
		}
		for _, t := range j.Terms {
			text += wrapped(fmt.Sprintf("    bound: %s %s: %s", blame.Us(t.Ns), t.Name, t.Why))
		}
		for _, a := range j.Assumptions {
			text += wrapped("    assumes: " + a)
		}
	}
	return text + "    repeat: " + j.Repeat + "\n"
}

// timeCell is a time in microseconds, nothing if there is none.
func timeCell(t *sim.Time) string {
	if t == nil {
		return ""
	}
	return strings.TrimSuffix(blame.Us(*t), " us")
}

// gapCell is a gap in per cent; 0.0 and 100.0 are only what is just that.
func gapCell(gap *float64) string {
	const least, most = 0.0005, 0.9995 // of what one decimal shows
	switch {
	case gap == nil:
		return ""
	case *gap > 0 && *gap < least:
		return "<0.1 %"
	case *gap < 1 && *gap >= most:
		return ">99.9 %"
	}
	return fmt.Sprintf("%.1f %%", 100**gap)
}

// write writes the small files, the certificates and the document, and says so.
func (f *checkFlags) write(r *judge.Report) (string, error) {
	if f.out == "" {
		return "", nil
	}
	var files []output
	for _, j := range r.Claims {
		name := fileName(j.Claim) + "-" + fileName(j.Design)
		if j.Small != nil {
			j.Small.Name = name + ".yaml"
			files = append(files, output{j.Small.Name, j.Small.File})
			j.Small.Repeat = strings.ReplaceAll(j.Small.Repeat, "FILE",
				filepath.Join(f.out, j.Small.Name))
		}
		if j.Certificate != nil {
			files = append(files, output{name + ".certificate.json", j.Certificate})
		}
	}
	document, err := marshal(r)
	if err != nil {
		return "", fmt.Errorf("check.json: %w", err)
	}
	files = append([]output{{"check.json", document}}, files...)
	if err := writeOutputs(f.out, files); err != nil {
		return "", err
	}
	return f.writtenText(files), nil
}

// notInNames is what file names leave out.
var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// fileName is a text as a part of a file's name.
func fileName(text string) string {
	return strings.Trim(notInNames.ReplaceAllString(strings.ToLower(text), "-"), "-")
}
