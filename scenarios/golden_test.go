package scenarios_test

import (
	"fmt"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

func TestDigestGolden(t *testing.T) {
	// Look at which design differs: one simulated second of each must have the digest of the
	// file on every machine (amd64, 386, arm64, riscv64). A change of the model changes all of
	// them, and says why in its commit.
	datadriven.RunTest(t, "testdata/digests.txt", func(t *testing.T,
		d *datadriven.TestData) string {
		var design string
		d.ScanArgs(t, "design", &design)
		kernel := "7.4"
		d.MaybeScanArgs(t, "kernel", &kernel)
		r, err := scenarios.Run(design, "orin-queue", 1, scenarios.Options{
			Duration: sim.Second, Set: []file.Setting{{Name: "kernel", Value: kernel}}})
		require.NoError(t, err)
		require.EqualValues(t, 2000, r.Messages)
		return fmt.Sprintf("%s\n", r.Digest)
	})
}
