package designs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// TestPictures runs the scripts of testdata: each shows what a design does in a few microseconds.
// The pictures were derived by hand before the machine first drew them; look at the comment above
// each for the derivation. A script's line names the design and what is not free of cost:
//
//	picture design=doorbell/no-wake-fix costs=(wake_claim=2us,handle=2us) name=...
//
// and is followed by the CPUs and tasks of a scenario file, with a queue Q, a sender S and a
// receiver R. Below the picture stands who is refused a message or handed a request in use, and
// when. kernel=6.18 draws it in that era, sizes=(pool_requests=2) with such a pool.
func TestPictures(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				return draw(t, d)
			})
		})
	}
}

func TestEveryDesignIsDrawn(t *testing.T) {
	// Look at the design that is missing, or there twice: each has its ordinary path in each era in
	// which it exists.
	for kernel, name := range map[string]string{"7.4": "ordinary", "6.18": "ordinary_618"} {
		text, err := os.ReadFile("testdata/" + name + ".txt")
		require.NoError(t, err)
		var all, drawn []string
		for _, d := range designs.All() {
			if d.Unsupported(kernel) == "" {
				all = append(all, d.Variant)
			}
		}
		for _, line := range regexp.MustCompile(`(?m)^picture design=(\S+)`).FindAllStringSubmatch(
			string(text), -1) {
			drawn = append(drawn, line[1])
		}
		assert.ElementsMatch(t, all, drawn, kernel)
	}
}

// draw runs one script and draws all of it.
func draw(t *testing.T, d *datadriven.TestData) string {
	t.Helper()
	var design string
	d.ScanArgs(t, "design", &design)
	kernel := "7.4"
	d.MaybeScanArgs(t, "kernel", &kernel)
	profile, ok := designs.FindProfile("zero")
	require.True(t, ok)
	for _, arg := range d.CmdArgs {
		for _, setting := range arg.Vals {
			name, value, _ := strings.Cut(setting, "=")
			var err error
			switch arg.Key {
			case "sizes":
				size, ok := profile.FindSize(name)
				require.True(t, ok, "%s: unknown size %s", d.Pos, name)
				size.Value, err = strconv.ParseInt(value, 10, 64)
			case "costs":
				cost, ok := profile.Find(name)
				require.True(t, ok, "%s: unknown cost %s", d.Pos, name)
				cost.Typical, err = sim.ParseTime(value)
			}
			require.NoError(t, err, d.Pos)
		}
	}
	w := readScenario(t, d.Pos, d.Input, design, kernel)
	found, _ := designs.Parse(design)
	era, _ := designs.FindEra(kernel)
	w.Paths = found.In(era).Sized(profile).Paths
	m, err := scenarios.RunWorkload(w, profile.Table(), 1)
	if err != nil {
		return fmt.Sprintln(err)
	}
	return scenarios.Draw(w, m, 0, m.Now(), sim.Microsecond) + remarks(m)
}

// remarks are what no row shows: messages refused, and requests handed out that were in use.
func remarks(m *model.Machine) string {
	var b strings.Builder
	for _, r := range m.Trace {
		what := map[trace.Kind]string{trace.Refused: "is refused",
			trace.InUse: "is handed out a request in use"}[r.Kind]
		if what != "" {
			fmt.Fprintf(&b, "%s %s %s\n", r.At, m.Program().TaskName(r.Task), what)
		}
	}
	return b.String()
}

// readScenario reads CPUs and tasks, among them S and R, and puts a design's paths in.
func readScenario(t require.TestingT, name, text, design, kernel string) *model.Workload {
	if !strings.Contains(text, "queues:") {
		text += "\nqueues: [Q]"
	}
	s, err := file.ReadScenario(name, []byte(text+"\nmeasure: {sender: S, receiver: R}\n"), nil)
	require.NoError(t, err)
	d, err := designs.Parse(design)
	require.NoError(t, err, name)
	era, ok := designs.FindEra(kernel)
	require.True(t, ok, name)
	require.Empty(t, d.Unsupported(kernel), name)
	s.Workload.Paths = d.In(era).Paths
	return &s.Workload
}
