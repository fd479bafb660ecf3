package file

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Look at any bytes and any setting: ReadScenario answers with a scenario or with problems, which
// are in order and have places in the file, or none if they are the setting's.
func FuzzReadScenario(f *testing.F) {
	for _, pattern := range []string{"testdata/scenario.yaml", "testdata/broken-scenario/*.yaml",
		"testdata/whole.yaml", "../*.yaml"} {
		files, err := filepath.Glob(pattern)
		require.NoError(f, err)
		require.NotEmpty(f, files)
		for _, name := range files {
			data, err := os.ReadFile(name)
			require.NoError(f, err)
			f.Add(data, "period", "1ms")
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, name, value string) {
		got, err := ReadScenario("w", data, []Setting{{name, value}})
		if err == nil {
			require.NotNil(t, got)
			require.True(t, slices.ContainsFunc(got.Parameters, func(p Parameter) bool {
				return p.Name == name && p.Value == value
			}))
			for _, task := range got.Tasks {
				require.NotEmpty(t, task.Name)
			}
			return
		}
		require.Nil(t, got)
		var es Errors
		require.True(t, errors.As(err, &es))
		require.NotEmpty(t, es)
		for i, e := range es {
			require.NotEmpty(t, e.Message)
			require.Equal(t, e.Line == 0, e.Column == 0)
			require.Equal(t, e.Line == 0, strings.HasPrefix(e.File, "--set"))
			require.True(t, i == 0 || es[i-1].Line <= e.Line)
		}
		_, again := ReadScenario("w", data, nil)
		require.LessOrEqual(t, len(problemsOf(again)), len(es))
	})
}

func problemsOf(err error) Errors {
	var es Errors
	errors.As(err, &es)
	return es
}

// scenarioPiece generates a piece of a program about two queues and a lock.
func scenarioPiece(depth int) *rapid.Generator[[]string] {
	return rapid.Custom(func(t *rapid.T) []string {
		queue := rapid.SampledFrom([]string{"P", "Q"}).Draw(t, "queue")
		inner := []string{"every 1ms"}
		if depth > 0 {
			pieces := rapid.SliceOfN(scenarioPiece(depth-1), 1, 3).Draw(t, "inner")
			inner = slices.Concat(pieces...)
		}
		switch rapid.IntRange(0, 7).Draw(t, "piece") {
		case 0, 1:
			return slices.Concat([]string{"open " + queue}, inner, []string{"close " + queue})
		case 2:
			return slices.Concat([]string{"repeat 2"}, inner, []string{"end"})
		case 3:
			return []string{"for 1s", "every 1ms", "receive " + queue, "end"}
		case 4:
			return []string{rapid.SampledFrom([]string{"open " + queue, "close " + queue,
				"receive " + queue, "lock S", "unlock S"}).Draw(t, "odd")}
		case 5:
			return []string{"lock S", "unlock S", "send " + queue}
		}
		return []string{"receive " + queue}
	})
}

// Look at random programs of queues: the check finds something wrong exactly where an execution of
// every round does.
func TestQueuesAgreeWithExecution(t *testing.T) {
	const frame = "cpus: 1\nqueues: [P, Q]\nlocks: {S: spin}\nmeasure: {sender: A, receiver: B}\n" +
		"tasks:\n  - {name: X, priority: 1, program: \"%s\"}\n" +
		"  - {name: A, priority: 1, program: \"every 1s; send P\"}\n" +
		"  - {name: B, priority: 1, program: \"open P; receive P\"}\n"
	right, wrong := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for range 20 { // a single one rarely has its only mistake in a loop
			pieces := rapid.SliceOfN(scenarioPiece(2), 1, 3).Draw(t, "pieces")
			starts := []int{0}
			for _, p := range pieces {
				starts = append(starts, starts[len(starts)-1]+len(p))
			}
			text := slices.Concat(pieces...)
			if rapid.Bool().Draw(t, "goto") {
				to := rapid.SampledFrom(starts).Draw(t, "to")
				text = append(text, "every 1ms", fmt.Sprint("goto ", to))
			}
			source := fmt.Sprintf(frame, strings.Join(text, "; "))
			want := isWrongScenario(t, source)
			_, err := ReadScenario("w", []byte(source), nil)
			require.Equal(t, want, err != nil, "%s\n%v", source, err)
			if want {
				wrong++
			} else {
				right++
			}
		}
	})
	require.Greater(t, right, 10)
	require.Greater(t, wrong, 10)
}

// isWrongScenario executes the first program of a file naively.
func isWrongScenario(t require.TestingT, source string) bool {
	r := newReader("w", scenarioGrammar())
	r.scenario = &Scenario{}
	root := r.document([]byte(source))
	r.parameters(root, nil)
	r.workload(root)
	require.Empty(t, r.found)
	n := naive{words: r.out.Tasks[0].Program}
	n.block(0, int32(len(n.words)), 0)
	return n.wrong
}
