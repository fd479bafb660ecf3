package scenarios

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// World is a workload with its costs, to be run and looked at record by record.
type World struct {
	Design   string // as asked for; "" if the workload sends and receives nothing
	Workload *model.Workload
	Profile  *designs.Profile

	Sender, Receiver int32    // the measured ones; -1: none
	From             sim.Time // a message is measured if its call begins no sooner

	Asked Asked // by its runs, whatever they were for
}

// recordsMax bounds what is kept of a run, 24 bytes each and about 100 as JSON.
const recordsMax = 2_000_000

// Worlds reads a workload file, or a scenario with the designs asked for, one world each. The run
// ends after the duration; if that is 0, where the file says so, a scenario after fallback.
func Worlds(name string, data []byte, asked []string, o Options, fallback sim.Time) (
	[]World, error) {
	read := func() (*file.File, error) { return file.Read(name, data) }
	if o.Duration > 0 {
		read = func() (*file.File, error) { return file.ReadUntil(name, data, o.Duration) }
	}
	f, err := read()
	if err == nil {
		return workloadWorld(name, data, f, asked, o)
	}
	options := []file.Option{file.Designs(WrongDesign)}
	if o.Duration > 0 || fallback > 0 {
		options = append(options, file.Ended())
	}
	_, anyErr := file.ReadAny(name, data, options...)
	if anyErr == nil {
		return scenarioWorlds(name, data, asked, o, fallback)
	}
	if _, plainErr := file.Read(name, data); plainErr.Error() == anyErr.Error() {
		return nil, err // it is a workload file
	}
	return nil, anyErr
}

func workloadWorld(name string, data []byte, f *file.File, asked []string, o Options) (
	[]World, error) {
	if len(asked) > 0 {
		return nil, fmt.Errorf("%s sends and receives nothing, so no design matters; leave "+
			"--design out", name)
	}
	var costs []file.Setting
	for _, s := range o.Set {
		if s.Name != "costs" {
			costs = append(costs, s)
			continue
		}
		if _, ok := designs.FindProfile(s.Value); !ok {
			return nil, file.Errors{settingError(s, "%s", unknownProfile(s.Value))}
		}
		f.Costs = s.Value
	}
	p, err := FindProfile(name, data, f.Costs)
	if err != nil {
		return nil, err
	}
	if err := SetCosts(p, costs, []file.Parameter{{Name: "costs"}}); err != nil {
		return nil, err
	}
	if len(o.Answers) > 0 {
		if err := answeredOnce(o.Answers); err != nil {
			return nil, err
		}
		if err := unknownSites(o.Answers, sitesOf(&f.Workload, p)); err != nil {
			return nil, err
		}
	}
	f.Workload.Answers = o.Answers
	return []World{{Workload: &f.Workload, Profile: p, Sender: -1, Receiver: -1}}, nil
}

func scenarioWorlds(name string, data []byte, asked []string, o Options, fallback sim.Time) (
	[]World, error) {
	end := o.Duration
	o.Duration = max(o.Duration, DefaultDuration) // so that the sender does not stop before
	c, err := Load(name, data, o)
	if err != nil {
		return nil, err
	}
	if end == 0 {
		end = c.Scenario.Until
	}
	if end == sim.Never {
		end = fallback
	}
	if end == 0 {
		err = fmt.Errorf("%s goes on for ever; say how long to run, as in --duration 2ms", name)
	}
	asked, chosen, unknown := designsOf(c, name, asked)
	if err := errors.Join(unknown, err); err != nil {
		return nil, err
	}
	var worlds []World
	for i, d := range chosen {
		w := c.Workload(d)
		w.Until = end
		worlds = append(worlds, World{Design: asked[i], Workload: w, Profile: c.Profile,
			Sender: taskOf(w, c.Scenario.Sender), Receiver: taskOf(w, c.Scenario.Receiver),
			From: c.Scenario.From})
	}
	return worlds, nil
}

// designsOf finds the designs that a scenario is to be run with: none that does anything if it
// sends and receives nothing.
func designsOf(c *Case, name string, names []string) ([]string, []*designs.Design, error) {
	switch hasQueues := len(c.Scenario.Queues) > 0; {
	case !hasQueues && len(names) > 0:
		return nil, nil, fmt.Errorf("%s sends and receives nothing, so no design matters; leave "+
			"--design out", name)
	case !hasQueues:
		return []string{""}, []*designs.Design{{}}, nil
	case len(names) == 0:
		return nil, nil, fmt.Errorf("%s sends and receives, and how depends on the design; add "+
			"--design, as in --design %s", name, designs.Bare()[0].Name)
	}
	asked, found, err := FindDesigns(names)
	if err != nil {
		return nil, nil, err
	}
	asked, found = c.existing(asked, found, names)
	return asked, found, c.Exist(asked, found, names)
}

// existing leaves out what does not exist in the era and was not named: it has no schedule.
func (c *Case) existing(asked []string, found []*designs.Design, named []string) (
	[]string, []*designs.Design) {
	var names []string
	var all []*designs.Design
	for i, d := range found {
		if d.Unsupported(c.Scenario.Kernel) == "" || slices.Contains(named, asked[i]) {
			names, all = append(names, asked[i]), append(all, d)
		}
	}
	return names, all
}

// Run runs a world and keeps every record. The machine is returned too if the workload ends early,
// in a fault (model.ErrDeadlock, ErrInstant, ErrSemaphore).
func (w *World) Run(ctx context.Context, seed uint64) (*model.Machine, error) {
	m := model.New(w.Workload, w.Profile.Table(), seed)
	defer func() { w.Asked.take(w.Workload.Answers, m.Tape()) }()
	m.KeepAll()
	m.Trace = slices.Grow(m.Trace, 1<<10)
	until := w.Workload.Until
	for at := m.Next(); at <= until && at != sim.Never; at = m.Next() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if at > sim.Longest { // times beyond may overflow
			return nil, fmt.Errorf("the run goes on past 1000h%s; set until, or --duration",
				lastWord(m))
		}
		if err := m.Run(at); err != nil { // one instant, so that the check below bounds memory
			return m, err
		}
		if err := refused(m.Tape()); err != nil {
			return nil, err
		}
		if len(m.Trace) > recordsMax {
			return nil, fmt.Errorf("more than %d records by %s, too many to keep%s; set an "+
				"earlier until, or --duration", recordsMax, at, lastWord(m))
		}
	}
	if until != sim.Never {
		return m, m.Run(until)
	}
	return m, nil
}

// lastWord says which word was the last to end, for the error of a run that is too long.
func lastWord(m *model.Machine) string {
	for i := len(m.Trace) - 1; i >= 0; i-- {
		if r := &m.Trace[i]; r.Kind == trace.Word {
			return fmt.Sprintf(": word %d of %s ended last, at %s", r.A,
				m.Program().TaskName(r.Task), r.At)
		}
	}
	return ""
}
