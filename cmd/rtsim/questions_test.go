package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shortly runs each command of the document as it is written, but for two milliseconds.
const shortly = `set -e
rtsim() {
	case $1 in
	list|draw) command rtsim "$@" >/dev/null ;;
	*) command rtsim "$@" --duration 2ms --json >/dev/null ;;
	esac
}
go() { :; }
`

func TestQuestionsCanBeAsked(t *testing.T) {
	// Look at the command that is printed: every one of docs/questions.md runs, with the files
	// that the commands before it have written. What it gave then is not looked at.
	text, err := os.ReadFile("../../docs/questions.md")
	require.NoError(t, err)
	lists := regexp.MustCompile(`rtsim (list[^|\n]*)\|`)
	dir := t.TempDir()
	asked := 0
	for question := range strings.SplitSeq(string(text), "\n### ") {
		var script strings.Builder
		for line := range strings.SplitSeq(question, "\n") {
			if code, ok := strings.CutPrefix(line, "    "); ok {
				script.WriteString(code + "\n")
			}
		}
		if !strings.Contains(script.String(), "rtsim ") {
			continue
		}
		asked++
		cmd := exec.Command("sh", "-c",
			shortly+lists.ReplaceAllString(script.String(), "command rtsim $1|"))
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		assert.NoError(t, err, "%s\n%s", &script, out)
	}
	assert.Greater(t, asked, 20)
}
