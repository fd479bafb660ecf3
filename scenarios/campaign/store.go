package campaign

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rtsim/scenarios"
	"rtsim/scenarios/whole"
	"rtsim/sim"
)

// What is kept of a finished run: a file named by a hash of all that the run depends on, which
// also has that in it. A file that cannot be read, or that is about something else, is not there.

const keptSchema = "rtsim.run/1"

// inputs are all that a run depends on.
type inputs struct {
	Build      string            `json:"build"`
	Scenario   string            `json:"scenario"`
	File       string            `json:"file"` // hash of the scenario's file
	Set        map[string]string `json:"set"`
	DurationNs sim.Time          `json:"duration_ns"`
	Thresholds []sim.Time        `json:"thresholds_ns"`
	Design     string            `json:"design"`
	Variant    string            `json:"variant"`
	Seed       uint64            `json:"seed"`
}

// keptRun is the file.
type keptRun struct {
	Schema      string            `json:"schema"`
	Inputs      inputs            `json:"inputs"`
	Result      *scenarios.Result `json:"result"`
	Unsupported string            `json:"unsupported,omitempty"` // then the result says no more
}

func newInputs(b *Base, r *run) *inputs {
	o := r.point.c.Options()
	in := &inputs{Build: b.Build, Scenario: b.Scenario, File: hashOf(b.Data),
		Set: map[string]string{}, DurationNs: o.Duration, Thresholds: r.point.c.Limits(),
		Design: b.Asked[r.design], Variant: b.Designs[r.design].Variant, Seed: r.seed}
	for _, s := range o.Set {
		in.Set[s.Name] = s.Value
	}
	return in
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// bytes are what the name of a run's file is made from.
func (in *inputs) bytes() []byte {
	data, err := json.Marshal(in)
	if err != nil {
		panic(err) // texts and numbers
	}
	return data
}

// store is the directory of the finished runs.
type store struct{ dir string }

// openStore makes the directory and clears what an interruption left half written in it.
func openStore(dir string) (store, error) {
	if dir == "" {
		return store{}, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return store{}, fmt.Errorf("keep runs: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return store{}, fmt.Errorf("keep runs: %w", err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), whole.BeingWritten) {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return store{}, fmt.Errorf("keep runs: %w", err)
			}
		}
	}
	return store{dir}, nil
}

func (s store) name(in *inputs) string { return hashOf(in.bytes()) + ".json" }

// load finds the result of a run.
func (s store) load(in *inputs) (*scenarios.Result, bool) {
	if s.dir == "" {
		return nil, false
	}
	data, err := os.ReadFile(filepath.Join(s.dir, s.name(in)))
	if err != nil {
		return nil, false
	}
	k, err := decode(data)
	if err != nil || k.Schema != keptSchema || !bytes.Equal(k.Inputs.bytes(), in.bytes()) {
		return nil, false
	}
	return k.Result, true
}

// save writes the result of a run whole, and gives it back as load would.
func (s store) save(in *inputs, r *scenarios.Result) (*scenarios.Result, error) {
	data, err := json.Marshal(keptRun{keptSchema, *in, r, r.Unsupported})
	if err != nil {
		return nil, fmt.Errorf("keep a run: %w", err)
	}
	if s.dir != "" {
		if err := s.write(s.name(in), data); err != nil {
			return nil, fmt.Errorf("keep a run: %w", err)
		}
	}
	k, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("keep a run: %w", err)
	}
	return k.Result, nil
}

func (s store) write(name string, data []byte) error {
	f := whole.File{Name: filepath.Join(s.dir, name), Data: append(data, '\n')}
	return whole.WriteAll([]whole.File{f})
}

func decode(data []byte) (*keptRun, error) {
	k := &keptRun{}
	if err := json.Unmarshal(data, k); err != nil {
		return nil, err
	}
	if k.Result == nil {
		return nil, fmt.Errorf("no result in it")
	}
	k.Result.Unsupported = k.Unsupported
	return k, nil
}
