package rtsim_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// banned words, each with what to write instead. A pattern has one letter in brackets, so that
// this file does not ban itself.
var banned = []struct {
	word    *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\bTOD[O]\b`), "do it, or open an issue"},
	{regexp.MustCompile(`\bFIXM[E]\b`), "fix it, or say in a sentence what does not hold"},
	{regexp.MustCompile(`\bXX[X]\b`), "say in a sentence what is odd, and why it stays"},
	{regexp.MustCompile(`(?i)\bplaceholde[r]s?\b`), "the real thing, or nothing"},
	{regexp.MustCompile(`(^|[^\w.])/(wor[k]|tm[p]|roo[t]|hom[e])/`),
		"a path of this repository, t.TempDir, or mktemp"},
	{regexp.MustCompile(`\.\./share[d]\b`), "a path of this repository: a clone has no other"},
	{regexp.MustCompile(`SPDX-License-Identifie[r]: *GPL`), "your own words: cite, copy no text"},
	{regexp.MustCompile(`\bt\.Ski[p](f|Now)?\(`), "a test that always runs, on input that fits"},
}

var wordsCheck = check{
	name: "words",
	because: "a clone must work and read the same on every machine, and an unfinished thing is " +
		"either finished or an issue with a number.",
	run: checkWords,
	planted: []planted{
		{"a.md", "# A\nTO" + "DO: later", "a.md:2: TO" + "DO: write do it, or open an issue"},
		{"sim/a.go", "package sim // FIX" + "ME", "FIX" + "ME: write"},
		{"sim/a.go", "package sim // X" + "XX", "X" + "XX: write"},
		{"a.txt", "Place" + "holders", "Place" + "holders: write"},
		{".ci/a", "cd /wo" + "rk/main", "/wo" + "rk/: write"},
		{".ci/a", "/ho" + "me/me", "/ho" + "me/: write"},
		{"a.md", "docs/wo" + "rk/a, ./tm" + "p/b", ""},
		{"a.md", "see .." + "/shared/DESIGN.md", "a clone has no other"},
		{"a.c", "// SPDX-License-" + "Identifier: GPL-2.0", "copy no text"},
		{"a_test.go", "package a\nfunc f() { t.Sk" + "ip() }", "a test that always runs"},
		{"LICENSE", "methods, todos, the work of others", ""},
	},
}

func checkWords(tree []source) []string {
	var complaints []string
	for _, s := range tree {
		number := 0
		for line := range strings.Lines(s.text) {
			number++
			for _, b := range banned {
				if word := b.word.FindString(line); word != "" {
					complaints = append(complaints, fmt.Sprintf("%s:%d: %s: write %s",
						s.path, number, strings.TrimSpace(word), b.instead))
				}
			}
		}
	}
	return complaints
}

var (
	layerFolders = []string{"sim", "model", "designs", "scenarios", "plots", "cmd"}
	otherFolders = []string{".ci", "docs", "testdata"} // no Go in these
)

var foldersCheck = check{
	name: "folders",
	because: "the top folders are the layers, so who has read the listing has seen the house. " +
		"Beside them only .ci, docs and testdata, which hold no Go.",
	run: checkFolders,
	planted: []planted{
		{"util/a.go", "package util", "util is no layer"},
		{"docs/a.go", "package docs", "docs/a.go: Go outside of the layers"},
		{"sim/a.go", "package sim", "model has no Go file"},
		{"doc.go", "package rtsim", "plots has no Go file"},
	},
}

func checkFolders(tree []source) []string {
	var complaints []string
	seen := map[string]bool{}
	for _, s := range tree {
		folder, _, below := strings.Cut(s.path, "/")
		isLayer := slices.Contains(layerFolders, folder)
		switch {
		case !below:
		case isLayer:
			seen[folder] = seen[folder] || s.syntax != nil
		case slices.Contains(otherFolders, folder):
			if strings.HasSuffix(s.path, ".go") {
				complaints = append(complaints, s.path+": Go outside of the layers")
			}
		case !seen[folder]:
			seen[folder] = true
			complaints = append(complaints, folder+" is no layer")
		}
	}
	for _, folder := range layerFolders {
		if !seen[folder] {
			complaints = append(complaints, folder+" has no Go file")
		}
	}
	return complaints
}
