package plots

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"
)

// Look at: testdata, where each case derives by hand which numbers a figure shows.
func TestNumbersUnderTheFigures(t *testing.T) {
	for _, path := range []string{"testdata/ccdf.txt", "testdata/histogram.txt"} {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			f := Figure{Title: "golden", XLabel: "latency", Series: parseSeries(t, d.Input)}
			draw := map[string]func(Figure) (*Drawing, error){
				"ccdf": CCDF, "histogram": Histogram,
			}[d.Cmd]
			require.NotNil(t, draw, "no such command: %s", d.Cmd)
			drawing, err := draw(f)
			require.NoError(t, err)
			return drawing.Numbers()
		})
	}
}

// parseSeries reads lines "series NAME", "AtNs Count" and "max MaxNs"; the maximum is the last
// bin's value if none is given.
func parseSeries(t *testing.T, input string) []Series {
	var all []Series
	for _, line := range strings.Split(input, "\n") {
		first, second, _ := strings.Cut(line, " ")
		if first == "series" {
			all = append(all, Series{Name: second})
			continue
		}
		s := &all[len(all)-1]
		if first == "max" {
			_, err := fmt.Sscan(second, &s.MaxNs)
			require.NoError(t, err)
			continue
		}
		var b Bin
		_, err := fmt.Sscan(line, &b.AtNs, &b.Count)
		require.NoError(t, err)
		s.Bins, s.N, s.MaxNs = append(s.Bins, b), s.N+b.Count, b.AtNs
	}
	return all
}
