package rtsim_test

import (
	"fmt"
	"go/ast"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// lastRule is the number of the last rule of each part: 1 scheduling, 2 locks, 3 interrupts,
// softirqs and timers.
var lastRule = map[byte]int{'1': 28, '2': 17, '3': 13}

// A rule that no picture can show names the Go test that shows it, and says why it must.
type unpictured struct {
	rule, test, reason string
}

var unpicturedRules = []unpictured{
	{"R2.17", "TestWaitLockSerialises",
		"at zero cost, which pictures need, the wait_lock is held for no time"},
}

var (
	citation    = regexp.MustCompile(`\bR[0-9]\.[0-9]+\b`)
	pictureLine = regexp.MustCompile(`(?m)^picture\b.*$`)
	ruleOfLine  = regexp.MustCompile(`\brule=(\([^)]*\)|\S+)`)
)

var rulesCheck = check{
	name: "rules",
	because: "a rule of the kernel that the code cites is drawn in model/testdata, so that a " +
		"reader can see it hold and a change that breaks it has a picture; and a drawn rule is " +
		"cited where it is done, so that the reader of the code finds the picture.",
	run: func(tree []source) []string {
		return checkRules(tree, unpicturedRules)
	},
	onPlanted: func(tree []source) []string { return checkRules(tree, nil) },
	planted: []planted{
		{"model/a.go", "package model // R1.4", "model/a.go:1: R1.4 has no picture"},
		{"model/trace/a.go", "package trace\n\n// R2.8 says", "a.go:3: R2.8 has no picture"},
		{"model/a.go", "package model // R1.29", "R1.29 is no rule"},
		{"model/a.go", "package model // R4.1", "R4.1 is no rule"},
		{"model/a_test.go", "package model // R1.4", ""},
		{"designs/a.go", "package designs // R1.4", ""},
		{"model/testdata/a.txt", "picture rule=R1.4 name=a\n", "a.txt:1: R1.4 is not cited"},
		{"model/testdata/a.txt", "\npicture rule=(R1.4,R1.7) name=a\n", "a.txt:2: R1.7 is not"},
		{"model/testdata/a.txt", "picture name=a\n", "a.txt:1: names no rule"},
		{"model/testdata/a.txt", "picture rule=R3.14 name=a\n", "R3.14 is no rule"},
		{"model/testdata/a.txt", "picture rule=W name=a\n", ""},
	},
}

func checkRules(tree []source, exceptions []unpictured) []string {
	cited, drawn, tests, complaints := gatherRules(tree)
	for _, e := range exceptions {
		switch {
		case drawn[e.rule] != "":
			complaints = append(complaints, e.rule+" is drawn: take it out of unpicturedRules")
		case cited[e.rule] == "":
			complaints = append(complaints, e.rule+" is not cited: take it out of unpicturedRules")
		case !tests[e.test]:
			complaints = append(complaints, fmt.Sprintf("%s: there is no test %s", e.rule, e.test))
		case e.reason == "":
			complaints = append(complaints, e.rule+": why can no picture show it?")
		}
	}
	isException := func(rule string) bool {
		return slices.ContainsFunc(exceptions, func(e unpictured) bool { return e.rule == rule })
	}
	for _, rule := range slices.Sorted(maps.Keys(cited)) {
		if drawn[rule] == "" && !isException(rule) {
			complaints = append(complaints, cited[rule]+": "+rule+" has no picture")
		}
	}
	for _, rule := range slices.Sorted(maps.Keys(drawn)) {
		if cited[rule] == "" {
			complaints = append(complaints, drawn[rule]+": "+rule+" is not cited in model's code")
		}
	}
	return complaints
}

// gatherRules finds where each rule is first cited and first drawn, and the names of all tests.
func gatherRules(tree []source) (cited, drawn map[string]string, tests map[string]bool,
	complaints []string) {
	cited, drawn, tests = map[string]string{}, map[string]string{}, map[string]bool{}
	note := func(found map[string]string, rule, place string) {
		if !isRule(rule) {
			complaints = append(complaints, place+": "+rule+" is no rule")
		} else if found[rule] == "" {
			found[rule] = place
		}
	}
	for _, s := range tree {
		switch {
		case s.syntax != nil && s.isTest():
			for _, declaration := range s.syntax.Decls {
				if f, ok := declaration.(*ast.FuncDecl); ok && f.Recv == nil {
					tests[f.Name.Name] = true
				}
			}
		case s.syntax != nil && s.in("model"):
			for _, at := range citation.FindAllStringIndex(s.text, -1) {
				note(cited, s.text[at[0]:at[1]], s.placeOf(at[0]))
			}
		case s.in("model/testdata") && strings.HasSuffix(s.path, ".txt"):
			for _, at := range pictureLine.FindAllStringIndex(s.text, -1) {
				rules := rulesOf(s.text[at[0]:at[1]])
				if len(rules) == 0 {
					complaints = append(complaints, s.placeOf(at[0])+": names no rule")
				}
				for _, rule := range rules {
					if rule != "W" {
						note(drawn, rule, s.placeOf(at[0]))
					}
				}
			}
		}
	}
	return cited, drawn, tests, complaints
}

// placeOf is the line of a byte of the text.
func (s source) placeOf(offset int) string {
	return fmt.Sprintf("%s:%d", s.path, 1+strings.Count(s.text[:offset], "\n"))
}

// rulesOf reads rule=R1.4 or rule=(R1.4, R1.7) of a picture's line; rule=W is a whole workload,
// which shows no single rule.
func rulesOf(line string) []string {
	match := ruleOfLine.FindStringSubmatch(line)
	if match == nil {
		return nil
	}
	isBetween := func(r rune) bool { return strings.ContainsRune("(), ", r) }
	return strings.FieldsFunc(match[1], isBetween)
}

func isRule(rule string) bool {
	if !citation.MatchString(rule) {
		return false
	}
	number, err := strconv.Atoi(rule[3:])
	return err == nil && 1 <= number && number <= lastRule[rule[1]]
}

// Look at the last complaint: an exception goes when its rule is drawn, so the list cannot rot.
func TestUnpicturedRulesAreShownByATest(t *testing.T) {
	tree := []source{
		newSource(t, "model/a.go", "package model // R1.4 R1.5 R1.6 (R2.1)"),
		newSource(t, "model/a_test.go", "package model\nfunc TestFour() {}"),
		newSource(t, "model/testdata/a.txt", "picture rule=(R1.6, R2.1) column=10us name=a\n"),
	}
	complaints := checkRules(tree, []unpictured{
		{"R1.4", "TestFour", "it is about cost"},
		{"R1.5", "TestFive", "it is about cost"},
		{"R1.6", "TestFour", "it is about cost"},
		{"R1.7", "TestFour", "it is about cost"},
	})
	assert.Equal(t, []string{
		"R1.5: there is no test TestFive",
		"R1.6 is drawn: take it out of unpicturedRules",
		"R1.7 is not cited: take it out of unpicturedRules",
	}, complaints)
}
