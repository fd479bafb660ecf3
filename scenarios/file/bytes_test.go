package file

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const minimal = "cpus: 1\ntasks: [{name: A, priority: 1, program: yield}]\n"

// Look at files that are no files: each gives its problems, and none a panic.
func TestBytes(t *testing.T) {
	const empty = "w:1:1: the file is empty; it needs at least cpus and tasks"
	for _, c := range []struct{ name, data, want string }{
		{"nothing", "", empty},
		{"space", " \n\n", empty},
		{"a comment", "# hello\n", empty},
		{"a document of nothing", "---\n", empty},
		{"a null", "~", empty},
		{"a NUL", "cpus: 1\x00", "w:1:8: control character U+0000; a workload file is UTF-8 text"},
		{"a binary", "\x7fELF\x02\x01\x01\x00", "w:1:1: control character U+007F; " +
			"a workload file is UTF-8 text"},
		{"UTF-16", "\xff\xfec\x00", "w:1:1: the file is UTF-16; save it as UTF-8"},
		{"half a character", "cpus: 1\r\nµ: \xc2", "w:2:4: byte 0xc2 is not UTF-8; " +
			"a workload file is UTF-8 text"},
		{"old line ends", "cpus: 1\rtasks: 0\r", "w:2:8: tasks is 0; write a list of tasks"},
		{"10 MB", strings.Repeat("0123456789", 1<<20), "w:1:1: the file is larger than 8 MB; " +
			"a workload file has at most 8388608 bytes"},
		{"deep", strings.Repeat("[", 5_000_000), "w:1:33: not YAML: exceeded max depth of 32; " +
			"a file nests four deep"},
		{"deep, indented", strings.Repeat("- ", 100), "w:1:65: not YAML: " +
			"exceeded max depth of 32; a file nests four deep"},
		{"a text", "hello", `w:1:1: the file is "hello"; ` +
			"write keys and values, at least cpus and tasks"},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			_, err := Read("w", []byte(c.data))
			require.Error(t, err)
			assert.Equal(t, c.want, err.Error())
			assert.Less(t, time.Since(start), 5*time.Second)
		})
	}
}

// Look at what a message repeats of a long text: forty characters, however many bytes they have.
func TestQuote(t *testing.T) {
	assert.Equal(t, `"µ"`, quote("µ"))
	for _, c := range []string{"a", "µ", "日", "😀"} {
		assert.Equal(t, `"`+strings.Repeat(c, 40)+`"`, quote(strings.Repeat(c, 40)))
		assert.Equal(t, `"`+strings.Repeat(c, 40)+`…"`, quote(strings.Repeat(c, 41)))
		assert.Equal(t, `"`+strings.Repeat(c, 40)+`…"`, quote(strings.Repeat(c, 100_000)))
	}
}

// Look at what is allowed around a document: a byte order mark, its begin and its end, line ends.
func TestAround(t *testing.T) {
	for _, data := range []string{
		"\ufeff" + minimal, "---\n" + minimal, minimal + "...\n", "# c\n" + minimal + "# c",
		strings.ReplaceAll(minimal, "\n", "\r\n"), strings.ReplaceAll(minimal, "\n", "\r"),
	} {
		_, err := Read("w", []byte(data))
		assert.NoError(t, err, "%q", data)
	}
}

// Look at a file of 60,000 mistakes on one line: its time is not the square of its size.
func TestManyMistakes(t *testing.T) {
	var b strings.Builder
	b.WriteString("{cpus: 1, locks: {")
	for i := range 20_000 {
		fmt.Fprintf(&b, "S%d: spin, ", i)
	}
	b.WriteString("}, tasks: [")
	for range 100 {
		b.WriteString(`{name: A, priority: 1, program: "`)
		for i := range 300 {
			fmt.Fprintf(&b, "lock S%d; lock T%d; fly; ", i, i)
		}
		b.WriteString(`"}, `)
	}
	b.WriteString("]}")
	require.Less(t, b.Len(), maxBytes)
	start := time.Now()
	_, err := Read("w", []byte(b.String()))
	var es Errors
	require.ErrorAs(t, err, &es)
	require.Len(t, es, maxFound+1) // a name is given 99 times too often
	more := fmt.Sprintf("and %d more problems; repair those above first", 99+100*300*2-maxFound)
	assert.Equal(t, more, es[maxFound].Message)
	assert.Less(t, time.Since(start), 10*time.Second)
}

// Look at files of nothing but values: what has more of them than any file is refused where they
// become too many, before a node of them is made.
func TestTooManyPieces(t *testing.T) {
	const head = "cpus: 1\ntasks: [{name: A, priority: 1, program: \""
	for _, c := range []struct{ name, data, at string }{
		{"words", head + strings.Repeat("x;", maxPieces), "w:2:1048613:"}, // 41 + 2 * (524289 - 3)
		{"lines", strings.Repeat("a: 1\n", maxPieces+1), "w:524289:5:"},
		{"items", "cpus: [" + strings.Repeat("1,", maxPieces+1), "w:1:1048585:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read("w", []byte(c.data))
			require.Error(t, err)
			assert.Equal(t, c.at+" the file goes on after 524288 lines, commas and semicolons; "+
				"a workload file has at most so many", err.Error())
		})
	}
}

// Look at one program of 30,000 locks: following it takes time in proportion to its length.
func TestLongProgram(t *testing.T) {
	const n = 30_000
	var locks, taken, released strings.Builder
	for i := range n {
		fmt.Fprintf(&locks, "S%d: mutex, ", i)
		fmt.Fprintf(&taken, "lock S%d; sleep 1us; ", i)
		fmt.Fprintf(&released, "unlock S%d; ", i)
	}
	start := time.Now()
	_, err := Read("w", fmt.Appendf(nil, "cpus: 1\nlocks: {%s}\ntasks: [{name: A, priority: 1, "+
		"program: %s%s}]\n", locks.String(), taken.String(), released.String()))
	require.NoError(t, err)
	assert.Less(t, time.Since(start), 10*time.Second)
}

// Look at any bytes: Read answers with a file or with problems, which have places and are in order.
func FuzzRead(f *testing.F) {
	for _, pattern := range []string{"testdata/*.yaml", "testdata/broken/*.yaml",
		"../testdata/cases/*.yaml"} {
		files, err := filepath.Glob(pattern)
		require.NoError(f, err)
		for _, name := range files {
			data, err := os.ReadFile(name)
			require.NoError(f, err)
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Read("w", data)
		if err == nil {
			require.NotNil(t, got)
			require.NotEmpty(t, got.Tasks)
			return
		}
		require.Nil(t, got)
		var es Errors
		require.True(t, errors.As(err, &es))
		require.NotEmpty(t, es)
		lines := strings.Count(string(data), "\n") + strings.Count(string(data), "\r") + 1
		require.True(t, slices.IsSortedFunc(es, func(a, b Error) int {
			require.NotEmpty(t, a.Message)
			require.GreaterOrEqual(t, a.Line, 1)
			require.GreaterOrEqual(t, a.Column, 1)
			if a.Line != b.Line {
				return a.Line - b.Line
			}
			return a.Column - b.Column
		}))
		require.LessOrEqual(t, es[len(es)-1].Line, lines+1)
	})
}
