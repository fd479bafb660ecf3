package scenarios

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios/blame"
	"rtsim/sim"
)

// worstOf explains the worst message of a run, and runs it again with all records up to its end.
func worstOf(t *testing.T, c *Case, d *designs.Design, metric string) (
	*Explained, *model.Workload, *model.Machine) {
	t.Helper()
	q := &Question{Case: c, Design: d, Asked: d.Variant, Seed: 1, Metric: metric, Worst: 1,
		Columns: 100}
	e, err := q.Explain(t.Context())
	require.NoError(t, err)
	x, w := &e.Worst[0], c.Workload(d)
	m := model.New(w, c.Profile.Table(), 1)
	m.KeepAll()
	require.NoError(t, m.Run(x.AtNs+x.TotalNs))
	return x, w, m
}

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
			x, w, m := worstOf(t, c, d, metric)
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

func TestChartHasEveryChange(t *testing.T) {
	// Look at the locks' rows: owners change in the chart at the instants of the records, and the
	// chart agrees with the picture in text wherever that has a column.
	const duration = 200 * sim.Millisecond
	c, err := Prepare("orin-queue", Options{Duration: duration, Set: hard[1]})
	require.NoError(t, err)
	locks, marks := 0, 0
	for _, name := range []string{"futex-oneshot", "signalfd", "msg-ring"} {
		d, err := designs.Parse(name)
		require.NoError(t, err)
		x, w, m := worstOf(t, c, d, MetricReceive)
		names := NamesOf(w, m.Program())
		text := rowsOf(strings.Join(x.Picture, "\n"))
		for _, row := range x.Chart.Rows {
			if lock := slices.Index(names.Locks, row.Label); row.Kind == blame.RowLock {
				want := ownersOf(m.Trace, names, int32(lock), x)
				require.Equal(t, want, ownersDrawn(row), row.Label)
				locks++
			}
			task, _, _ := strings.Cut(row.Label[2:], "/") // after the letter
			for col, mark := range []byte(text[task]) {
				at := sim.Time(col) * x.Column
				i := slices.IndexFunc(row.Slices, func(s blame.Slice) bool {
					return s.From <= at && at < s.To
				})
				require.Equal(t, string(mark), string(row.Slices[i].Mark), row.Label)
				marks++
			}
		}
	}
	require.GreaterOrEqual(t, locks, 2)
	require.Greater(t, marks, 400)
}

// owner is who has a lock from an instant on; "" nobody.
type owner struct {
	from sim.Time
	name string
}

// ownersDrawn are those of a row.
func ownersDrawn(row blame.ChartRow) []owner {
	var all []owner
	for _, s := range row.Slices {
		if n := len(all); n == 0 || all[n-1].name != s.Name {
			all = append(all, owner{s.From, s.Name})
		}
	}
	return all
}

// ownersOf are those of a lock within a message's time, read from the records.
func ownersOf(records []trace.Record, names *trace.Names, lock int32, x *Explained) []owner {
	all := []owner{{0, ""}}
	for i := range records {
		r := &records[i]
		takes := r.Kind == trace.LockAcquired
		if !takes && r.Kind != trace.LockReleased || r.A != lock || r.At >= x.AtNs+x.TotalNs {
			continue
		}
		now := owner{max(r.At-x.AtNs, 0), ""}
		if takes {
			now.name = names.Tasks[r.Task].Name
		}
		n := len(all) - 1
		if all[n].from == now.from { // of one instant the last one holds
			all = all[:n]
			n--
		}
		if n < 0 || all[n].name != now.name {
			all = append(all, now)
		}
	}
	return all
}
