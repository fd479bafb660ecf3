package export_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios/export"
	"rtsim/sim"
)

// series counts values, which a test writes down in microseconds.
func series(us ...sim.Time) export.Series {
	slices.Sort(us)
	s := export.Series{Design: "doorbell", Metric: "send"}
	for _, v := range us {
		at := v * sim.Microsecond
		if n := len(s.Bins); n > 0 && s.Bins[n-1].At == at {
			s.Bins[n-1].Count++
		} else {
			s.Bins = append(s.Bins, export.Bin{At: at, Count: 1})
		}
		s.Max = at
	}
	return s
}

// Ten values, by hand: nearest ranks, and none that ten values do not support (95 % needs 20).
func TestFio(t *testing.T) {
	s := series(1, 2, 3, 4, 5, 6, 7, 8, 9, 100)
	assert.Equal(t, `doorbell: send (nsec): max=100000, min=1000, avg=14500.00, N=10
    send percentiles (nsec):
     |  1.00th=[  1000],  5.00th=[  1000], 10.00th=[  1000], 20.00th=[  2000],
     | 30.00th=[  3000], 40.00th=[  4000], 50.00th=[  5000], 60.00th=[  6000],
     | 70.00th=[  7000], 80.00th=[  8000], 90.00th=[  9000]
`, export.Fio(&s))
	empty := export.Series{Design: "doorbell", Metric: "send"}
	assert.Equal(t, "doorbell: no send\n", export.Fio(&empty))
}

// The line has the maximum first, and of ten values only the median.
func TestBenchstat(t *testing.T) {
	s := series(1, 2, 3, 4, 5, 6, 7, 8, 9, 100)
	assert.Equal(t, "BenchmarkSend/design=doorbell 10 100000 max-ns 5000 p50-ns\n",
		export.Benchstat(&s))
}

// Two columns; 20 ms is longer than the histogram and is an overflow, which the total leaves out
// and the maximum does not.
func TestCyclictest(t *testing.T) {
	assert.Equal(t, `# Histogram
000000 000000	000000
000001 000002	000000
000002 000001	000001
# Total: 000000003 000000001
# Min Latencies: 00001 00002
# Avg Latencies: 00001 10001
# Max Latencies: 00002 20000
# Histogram Overflows: 00000 00001
# Column 1: doorbell send
# Column 2: doorbell send
`, export.Cyclictest([]export.Series{series(1, 1, 2), series(2, 20_000)}))
}

// From the greatest down, with how many values are at least as great.
func TestCSV(t *testing.T) {
	assert.Equal(t, "design,metric,at_ns,count,at_least\ndoorbell,send,2000,1,1\n"+
		"doorbell,send,1000,2,3\n", export.CSV([]export.Series{series(1, 1, 2)}))
}

// Every row of the percentile text is a nearest rank of the values, sorted; shares go up from 0,
// five to each halving, as far as a hundred values support; the last row is the maximum alone.
func TestHGRM(t *testing.T) {
	var values []sim.Time
	for i := range sim.Time(100) {
		values = append(values, i*i%97+1)
	}
	s := series(values...) // sorts them
	lines := strings.Split(strings.TrimSuffix(export.HGRM(&s), "\n"), "\n")
	require.Equal(t, []string{"Value", "Percentile", "TotalCount", "1/(1-Percentile)"},
		strings.Fields(lines[0]))
	require.Empty(t, lines[1])
	rows, footer := lines[2:len(lines)-3], strings.Join(lines[len(lines)-3:], "\n")
	last := -1.0
	for i, row := range rows {
		cells := strings.Fields(row)
		value, err := strconv.ParseFloat(cells[0], 64)
		require.NoError(t, err)
		share, err := strconv.ParseFloat(cells[1], 64)
		require.NoError(t, err)
		require.Greater(t, share, last)
		last = share
		if i == len(rows)-1 {
			require.Len(t, cells, 3, "the last row has no fourth column")
			require.Equal(t, []string{"97.000", "1.000000000000", "100"}, cells)
			break
		}
		require.LessOrEqual(t, share, 0.99)
		rank := max(int(share*100+0.999999), 1)
		require.Equal(t, float64(values[rank-1]), value, row)
	}
	assert.Regexp(t, `^#\[Mean    = +\d+\.\d{3}, StdDeviation   = +\d+\.\d{3}\]\n`+
		`#\[Max     = +97\.000, Total count    = +100\]\n#\[Buckets = `, footer)
}
