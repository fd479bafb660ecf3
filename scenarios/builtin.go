package scenarios

import (
	_ "embed"
	"fmt"
	"strings"
)

// orinQueue is the file of the published experiment.
//
//go:embed orin-queue.yaml
var orinQueue string

// The other files.
var (
	//go:embed storm.yaml
	storm string
	//go:embed fan-out.yaml
	fanOut string
	//go:embed target-never-drains.yaml
	targetNeverDrains string
	//go:embed start-stop.yaml
	startStop string
)

// builtins are the scenarios that rtsim has, the default first.
var builtins = []struct{ name, text string }{
	{"orin-queue", orinQueue},
	{"quiet", quiet()},
	{"storm", storm},
	{"fan-out", fanOut},
	{"target-never-drains", targetNeverDrains},
	{"start-stop", startStop},
}

// quiet is orin-queue without the low-priority processes: what a design costs when nobody of less
// importance touches the queue. It is the same file but for what says so.
func quiet() string {
	text := orinQueue
	_, text, _ = strings.Cut(text, "\n")
	for _, name := range []string{"low_pubs", "low_subs"} {
		before, after := name+":\n    {value: 1,", name+":\n    {value: 0,"
		if strings.Count(text, before) != 1 {
			panic(fmt.Sprintf("orin-queue.yaml does not have %q once", before))
		}
		text = strings.Replace(text, before, after, 1)
	}
	return "# A real-time sender and receiver alone on their queue, under the same bursts.\n" + text
}

// Builtin gives the file of a scenario that rtsim has.
func Builtin(name string) (data []byte, ok bool) {
	for _, b := range builtins {
		if b.name == name {
			return []byte(b.text), true
		}
	}
	return nil, false
}

// BuiltinNames gives the names of the scenarios that rtsim has, the default first.
func BuiltinNames() []string {
	var names []string
	for _, b := range builtins {
		names = append(names, b.name)
	}
	return names
}

// BuiltinAbout says in one line what a scenario is: the first line of its file, a comment. It is
// empty if there is none of that name.
func BuiltinAbout(name string) string {
	data, _ := Builtin(name)
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimPrefix(line, "# ")
}
