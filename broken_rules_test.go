package rtsim_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A brokenRule is a patch under model/testdata/broken: the machine with one rule of the kernel
// broken, and the test of ./model that must fail for it. Its text:
//
//	# what is wrong then, with the rule's number
//	test TestPictures/lock_steal.txt
//	file model/rtmutex.go
//	<<<<
//	the lines as they are, found exactly once
//	====
//	the lines that break the rule
//	>>>>
//
// with as many files and places as it takes.
type brokenRule struct {
	why, test string
	places    []place
}

type place struct{ file, old, new string }

func TestBrokenRulesAreCaught(t *testing.T) {
	// Look at the patch with the name of the failing part: it breaks a rule, and either the test
	// that it names does not notice, or the machine has changed and the patch must follow.
	paths, err := filepath.Glob("model/testdata/broken/*.patch")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(paths), 16)
	rules := map[string]brokenRule{}
	var tests []string
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		rule, err := parseBrokenRule(string(text))
		require.NoError(t, err, path)
		rules[filepath.Base(path)] = rule
		tests = append(tests, rule.test)
	}
	slices.Sort(tests)
	for _, test := range slices.Compact(tests) {
		require.Empty(t, runModelTest(test), "%s must pass while no rule is broken", test)
	}
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			overlay, err := rule.overlay(os.ReadFile, t.TempDir())
			require.NoError(t, err)
			complaint := verdict(rule.test, runModelTest(rule.test, "-overlay="+overlay))
			assert.Empty(t, complaint, rule.why)
		})
	}
}

// runModelTest runs one test of ./model and returns its output if it fails, else nothing.
func runModelTest(test string, flags ...string) string {
	var pattern []string
	for part := range strings.SplitSeq(test, "/") {
		pattern = append(pattern, "^"+strings.ReplaceAll(part, ".", `\.`)+"$")
	}
	args := append([]string{"test", "-vet=off", "-run", strings.Join(pattern, "/")}, flags...)
	output, err := exec.Command("go", append(args, "./model")...).CombinedOutput()
	if err == nil {
		return ""
	}
	return string(output) + err.Error()
}

// verdict says what is wrong with the output of a test that must have failed.
func verdict(test, output string) string {
	switch {
	case output == "":
		return test + " passes: nothing notices the broken rule"
	case !strings.Contains(output, "--- FAIL: "+test):
		return test + " did not run: " + output
	}
	return ""
}

// overlay writes the changed files to a folder, and the list of them that the go command reads.
func (b brokenRule) overlay(read func(string) ([]byte, error), folder string) (string, error) {
	changed := map[string]string{}
	for _, p := range b.places {
		text, known := changed[p.file]
		if !known {
			data, err := read(p.file)
			if err != nil {
				return "", err
			}
			text = string(data)
		}
		if n := strings.Count(text, p.old); n != 1 {
			return "", fmt.Errorf("%s has the old lines %d times, must have them once:\n%s",
				p.file, n, p.old)
		}
		changed[p.file] = strings.Replace(text, p.old, p.new, 1)
	}
	replace := map[string]string{}
	for file, text := range changed {
		original, err := filepath.Abs(file)
		if err != nil {
			return "", err
		}
		replace[original] = filepath.Join(folder, filepath.Base(file))
		if err := os.WriteFile(replace[original], []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "overlay.json")
	return path, os.WriteFile(path, list, 0o600)
}

func parseBrokenRule(text string) (brokenRule, error) {
	var b brokenRule
	var into *string // where the lines of a place go
	for line := range strings.Lines(text) {
		word, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		last := len(b.places) - 1
		switch {
		case word == "<<<<" && into == nil && last >= 0:
			into = &b.places[last].old
		case word == "====" && into != nil:
			into = &b.places[last].new
		case word == ">>>>" && into != nil:
			into = nil
		case into != nil:
			*into += line
		case word == "#":
			b.why += value
		case word == "test":
			b.test = value
		case word == "file":
			b.places = append(b.places, place{file: value})
		default:
			return b, fmt.Errorf("does not belong outside of a place: %q", line)
		}
	}
	isEmpty := func(p place) bool { return p.old == "" }
	if into != nil || b.why == "" || b.test == "" || len(b.places) == 0 ||
		slices.ContainsFunc(b.places, isEmpty) {
		return b, errors.New("a patch has a # line, a test line, and places with old lines")
	}
	return b, nil
}

func TestBrokenRulesCanFail(t *testing.T) {
	// Look at the words: what does not fit is refused, and a test that passes is a survivor.
	const head = "# why\ntest TestA/b.txt\n"
	rule, err := parseBrokenRule(head + "file a.go\n<<<<\nx\n====\ny\n>>>>\n" +
		"file a.go\n<<<<\nz\n====\n>>>>\n")
	require.NoError(t, err)
	assert.Equal(t, brokenRule{"why", "TestA/b.txt",
		[]place{{"a.go", "x\n", "y\n"}, {"a.go", "z\n", ""}}}, rule)
	const end = "file a.go\n<<<<\nx\n====\n>>>>\n"
	for _, text := range []string{"", head, "# why\n" + end, "test TestA\n" + end,
		"x\n" + head + end, head + end + "more\n", head + "<<<<\nx\n",
		head + "file a.go\n<<<<\nx\n====\n",
		head + "file a.go\n<<<<\n====\n>>>>\n"} {
		_, err := parseBrokenRule(text)
		assert.Error(t, err, "%q", text)
	}
	for text, want := range map[string]string{
		"x\nz\n": "", "x\n": "0 times", "x\nx\nz\n": "2 times",
	} {
		read := func(string) ([]byte, error) { return []byte(text), nil }
		path, err := rule.overlay(read, t.TempDir())
		if want != "" {
			assert.ErrorContains(t, err, want)
			continue
		}
		require.NoError(t, err)
		changed, err := os.ReadFile(filepath.Join(filepath.Dir(path), "a.go"))
		require.NoError(t, err)
		assert.Equal(t, "y\n", string(changed))
	}
	assert.Contains(t, verdict("TestA", ""), "nothing notices")
	assert.Contains(t, verdict("TestA", "FAIL rtsim/model [build failed]"), "did not run")
	assert.Empty(t, verdict("TestA", "--- FAIL: TestA (0.00s)"))
}
