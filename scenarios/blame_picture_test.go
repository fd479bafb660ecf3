package scenarios_test

import (
	"slices"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/scenarios"
	"rtsim/scenarios/blame"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

func TestBlamePictures(t *testing.T) {
	// Look at the trees in testdata/blame.txt: derived by hand, one a cause.
	datadriven.RunTest(t, "testdata/blame.txt", func(t *testing.T, d *datadriven.TestData) string {
		f, err := file.Read("blame", []byte(d.Input))
		require.NoError(t, err)
		profile, ok := designs.FindProfile("zero")
		require.True(t, ok)
		costs := profile.Table()
		times := map[string]sim.Time{}
		task := ""
		for _, arg := range d.CmdArgs {
			if arg.Key == "task" {
				task = arg.Vals[0]
				continue
			}
			times[arg.Key], err = sim.ParseTime(arg.Vals[0])
			require.NoError(t, err)
			if arg.Key != "from" && arg.Key != "to" {
				i := slices.Index(costs.Names, arg.Key)
				require.NotEqual(t, -1, i, "no cost is named %s", arg.Key)
				costs.Ns[i] = times[arg.Key]
			}
		}
		m := model.New(&f.Workload, costs, 1)
		m.KeepAll()
		m.KeepNotes()
		require.NoError(t, m.Run(times["to"]))
		names := scenarios.NamesOf(&f.Workload, m.Program())
		h := blame.NewHistory(names)
		for i := range m.Trace {
			h.Take(&m.Trace[i])
		}
		parts := h.Stretch(names.TaskCalled(task), times["from"], times["to"])
		require.Equal(t, times["to"]-times["from"], blame.Sum(parts))
		return blame.Tree(parts)
	})
}
