package export

import (
	"fmt"
	"strings"

	"rtsim/sim"
)

// histogramMost is the longest histogram of Cyclictest, in microseconds; what is longer is counted
// as an overflow.
const histogramMost = 10_000

// Cyclictest is the histogram of cyclictest -h: one column a series, one row a microsecond, which
// has the values from there to the next, all rows up to the last that is not empty.
func Cyclictest(all []Series) string {
	rows, over := make([][]int64, len(all)), make([]int64, len(all))
	most := 0
	for i := range all {
		rows[i] = make([]int64, histogramMost)
		for _, b := range all[i].Bins {
			at := int(b.At / sim.Microsecond)
			if at >= histogramMost {
				over[i] += b.Count
				continue
			}
			rows[i][at] += b.Count
			most = max(most, at+1)
		}
	}
	var b strings.Builder
	b.WriteString("# Histogram\n")
	for at := range most {
		fmt.Fprintf(&b, "%06d ", at)
		for i := range all {
			if i > 0 {
				b.WriteString("\t")
			}
			fmt.Fprintf(&b, "%06d", rows[i][at])
		}
		b.WriteString("\n")
	}
	footer := func(name, format string, value func(i int) int64) {
		b.WriteString("# " + name + ":")
		for i := range all {
			fmt.Fprintf(&b, " "+format, value(i))
		}
		b.WriteString("\n")
	}
	footer("Total", "%09d", func(i int) int64 { return all[i].Count() - over[i] })
	footer("Min Latencies", "%05d", func(i int) int64 { return least(&all[i]) })
	footer("Avg Latencies", "%05d", func(i int) int64 { return int64(all[i].mean()) / 1000 })
	footer("Max Latencies", "%05d", func(i int) int64 { return int64(all[i].Max / 1000) })
	footer("Histogram Overflows", "%05d", func(i int) int64 { return over[i] })
	for i := range all {
		fmt.Fprintf(&b, "# Column %d: %s %s\n", i+1, all[i].Design, all[i].Metric)
	}
	return b.String()
}

// least is the least value in microseconds.
func least(s *Series) int64 {
	if len(s.Bins) == 0 {
		return 0
	}
	return int64(s.Bins[0].At / sim.Microsecond)
}
