package file

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Look at the positions: the file is written word by word, and where each word was put is what the
// error about it says, however the program is laid out.
func TestPositionsOfWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		style := rapid.SampledFrom([]string{"plain", "'", `"`, ">", "|"}).Draw(t, "style")
		source := "cpus: 1\ntasks:\n  - name: A\n    priority: 1\n    program: "
		switch style {
		case "plain":
		case ">", "|":
			source += style + rapid.SampledFrom([]string{"", "-", " # a comment"}).Draw(t, "head") +
				"\n      "
		default:
			source += style
		}
		var want []string
		for i := range rapid.IntRange(1, 6).Draw(t, "words") {
			if i > 0 {
				source += ";" + gap(t, style)
			}
			name := fmt.Sprintf("w%d", i)
			want = append(want,
				fmt.Sprintf("%s: unknown word %q", endOf(source), name+ofWord(style)))
			source += name + sourceOfWord(style)
		}
		if style == "'" || style == `"` {
			source += style
		}
		_, err := Read("f", []byte(source+"\n"))
		require.Error(t, err, source)
		var got []string
		for _, line := range strings.Split(err.Error(), "\n") {
			got = append(got, line[:strings.Index(line, "; ")])
		}
		require.Equal(t, want, got, source)
	})
}

// gap is what may stand between two words.
func gap(t *rapid.T, style string) string {
	gaps := []string{"", " ", "   ", "\n      ", "\n\n      ", " \n\n\n      "}
	switch style {
	case ">", "|":
		gaps = append(gaps, "\n        ")
	case `"`:
		gaps = append(gaps, `\t`, `\n`, ` \x20`, "\\\n      ", `\u2028`, `\ `)
	}
	return rapid.SampledFrom(gaps).Draw(t, "gap")
}

// sourceOfWord ends a word with what its style must escape, as the source has it; ofWord as the
// text does.
func sourceOfWord(style string) string {
	return map[string]string{"'": "''µ", `"`: `\x41µ`}[style] + "ß"
}

func ofWord(style string) string {
	return map[string]string{"'": "'µ", `"`: "Aµ"}[style] + "ß"
}

// endOf is the position of what is put behind a source.
func endOf(source string) string {
	last := strings.LastIndex(source, "\n") + 1
	return fmt.Sprintf("f:%d:%d", strings.Count(source, "\n")+1,
		utf8.RuneCountInString(source[last:])+1)
}
