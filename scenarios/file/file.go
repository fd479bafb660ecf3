// Package file reads workload files: YAML in, the declarations of a closed world out, with every
// name resolved to an index and every mistake that can be seen without running reported at once.
//
// A file is read in three steps, each of which reports what it finds and goes on:
//
//	syntax.go     bytes to one tree of YAML nodes, none of them anchored, tagged or doubled
//	workload.go   the keys of the file, in the order in which they need each other
//	  task.go     one task; words.go the words of its program, loops.go its gotos and loops
//	flow.go       each program followed word by word, with what it holds (locks.go, sleeps.go)
//
// A program has no condition, so following it once is exact: there is one path, and only a goto
// or the end of a repeat can lead back. Whether two tasks block each other for ever is not asked
// here: that depends on time.
//
// What a file may say is a grammar: a table of keys and a table of words. A scenario file is
// another grammar, read in the same steps with two before them:
//
//	scenario.go               the grammar, and what it adds at the top of a file
//	  scenario_parameters.go  the parameters, what is set from outside, and the $names of the file
//	  scenario_copies.go      tasks that stand for several: one a CPU, or as many as is set
//	  scenario_words.go       the words, and who has which queue open
//	  scenario_load.go        interrupts and bursts; scenario_claims.go what should hold
package file

import (
	"rtsim/model"
	"rtsim/sim"
)

// File is what a workload file declares.
type File struct {
	model.Workload
	Costs string // the name of the cost profile, "zero" if the file names none
}

// maxBytes bounds a file: a larger one is a mistake, and would take seconds to refuse.
const maxBytes = 8 << 20

// maxPieces bounds the lines, commas and semicolons of a file, and so its values and words: each
// takes up to 400 bytes while it is read.
const maxPieces = 1 << 19

// noEnd says to read that nobody overrides the file's own until.
const noEnd sim.Time = -1

// Read reads and checks a workload file; name is what its errors call it. The error is an Errors
// with every problem, in the order of the file.
func Read(name string, data []byte) (*File, error) {
	return read(name, data, workloadGrammar(), noEnd)
}

// ReadUntil is Read for a run that the caller ends at until, whatever the file says, so that a
// loop that only time moves on needs no until in the file.
func ReadUntil(name string, data []byte, until sim.Time) (*File, error) {
	return read(name, data, workloadGrammar(), until)
}

// grammar is what one kind of file may say.
type grammar struct {
	file         string    // what to call it, with its article
	topic        string    // of rtsim help
	keys         []fileKey // in the order in which they are read, whatever the file's order
	words        []wordRule
	taskKeys     []key
	foreignKeys  []string // known, but only to another kind of file; of files and of tasks
	foreignWords []string
	foreign      string // which kind that is, and what to do
}

// fileKey is a key at the top of a file. read is not called if the key is absent.
type fileKey struct {
	key
	read func(*reader, value)
}

// reader reads one file: the problems found so far and what is declared so far.
type reader struct {
	problems
	grammar  grammar
	lines    []sourceLine // of the source, for the positions of words
	out      *File
	names    map[string]declared
	badLocks map[int32]bool // declared with a kind that does not exist
	programs []program      // one a task
	root     Place          // the file's first key
	ended    bool           // the run ends at a stated instant
	outside  bool           // which the caller states, whatever the file says
	maxCPU   int64          // the highest CPU; MaxCPUs-1 while cpus is not known
	foreign  bool           // the file says what belongs to another kind of file

	wrongDesign func(name string) string // nil: names of designs are not checked

	scenario  *Scenario         // nil in a workload file
	parameter map[string]string // the values by name
	measures  bool              // the file has measure
}

// read reads a file of one grammar.
func read(name string, data []byte, g grammar, until sim.Time) (*File, error) {
	r := newReader(name, g)
	r.read(data, until)
	if len(r.found) > 0 {
		return nil, r.sorted()
	}
	return r.out, nil
}

func newReader(name string, g grammar) *reader {
	return &reader{
		problems: problems{file: name},
		grammar:  g,
		out:      &File{Workload: model.Workload{Until: sim.Never}, Costs: "zero"},
		names:    map[string]declared{},
		badLocks: map[int32]bool{},
		maxCPU:   model.MaxCPUs - 1,
	}
}

// read reads a workload file.
func (r *reader) read(data []byte, until sim.Time) {
	if root := r.document(data); root != nil {
		r.root = Place{root.Line, root.Column}
		r.workload(root)
		if until != noEnd {
			r.out.Until, r.ended = until, true
		}
		r.flows()
	}
}
