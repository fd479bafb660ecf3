package model_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"rtsim/model"
	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// TestPictures runs the scripts of testdata: each shows one rule as the schedule it gives. The
// pictures were derived by hand before the machine first drew them; look at the comment above
// each for the derivation.
func TestPictures(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				return picture(t, d)
			})
		})
	}
}

// picture draws one script's workload.
func picture(t *testing.T, d *datadriven.TestData) string {
	t.Helper()
	column := sim.Microsecond
	for _, arg := range d.CmdArgs {
		if arg.Key == "column" {
			var err error
			column, err = sim.ParseTime(arg.Vals[0])
			require.NoError(t, err)
		}
	}
	w, err := file.Read(d.Pos, []byte(d.Input))
	if err != nil {
		return err.Error()
	}
	m, err := scenarios.RunWorkload(&w.Workload, model.ZeroCosts(), 1)
	if err != nil {
		return fmt.Sprintln(err)
	}
	require.Empty(t, scenarios.Watch(&w.Workload, m, model.ZeroCosts()), "%s", d.Pos)
	to := m.Now()
	return scenarios.Draw(&w.Workload, m, 0, to, column)
}
