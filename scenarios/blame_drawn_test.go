package scenarios

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/sim"
)

func TestWorstIsDrawnTwice(t *testing.T) {
	// Look at the rows: what blame draws of the worst message is what draw makes of the same
	// stretch of the records, but that draw has no mark for a switch or for a wait for a link.
	const duration = 200 * sim.Millisecond
	c, err := Prepare("orin-queue", Options{Duration: duration, Set: hard[1]})
	require.NoError(t, err)
	compared := 0
	for _, name := range []string{"futex-oneshot", "msg-ring", "futex-persistent/rcu-walk"} {
		for _, metric := range []string{MetricSend, MetricReceive} {
			d, err := designs.Parse(name)
			require.NoError(t, err)
			q := &Question{Case: c, Design: d, Asked: name, Seed: 1, Metric: metric, Worst: 1,
				Columns: 100}
			e, err := q.Explain(t.Context())
			require.NoError(t, err)
			x := &e.Worst[0]
			w := c.Workload(d)
			m := model.New(w, c.Profile.Table(), 1)
			m.KeepAll()
			require.NoError(t, m.Run(x.AtNs+x.TotalNs))
			drawn := rowsOf(Draw(w, m, x.AtNs, x.AtNs+x.TotalNs, x.Column))
			for label, row := range rowsOf(strings.Join(x.Picture, "\n")) {
				other, ok := drawn[label]
				if !ok {
					continue // the cause, a CPU, a priority, a thread of the kernel's
				}
				compared++
				require.Len(t, other, len(row), "%s %s: %s", name, metric, label)
				for i := range row {
					same := row[i] == other[i] || row[i] == '>' ||
						row[i] == '~' && other[i] == '#'
					require.True(t, same, "%s %s: %s\n%s\n%s", name, metric, label, row, other)
				}
			}
		}
	}
	require.Greater(t, compared, 15)
}

// rowsOf are the cells of the tasks' rows of a picture, by the tasks' names.
func rowsOf(picture string) map[string]string {
	rows := map[string]string{}
	lines := strings.Split(picture, "\n")
	start := strings.Index(lines[0], "0")
	for _, line := range lines[1:] {
		if len(line) < start || line[0] == ' ' {
			continue
		}
		fields := strings.Fields(line[:start])
		if len(fields) > 1 {
			name, _, _ := strings.Cut(fields[1], "/")
			rows[name] = line[start:]
		}
	}
	return rows
}
