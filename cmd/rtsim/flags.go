package main

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// seedsMost bounds what is kept in memory for the table and the figures.
const seedsMost = 10_000

// runFlags are the flags of every command that runs something.
type runFlags struct {
	designs    []string
	duration   timeFlag
	seed       uint64
	seeds      int
	jobs       int
	thresholds timesFlag
	set        settingsFlag
	answers    answersFlag
	json       bool
	out        string
	quiet      bool
}

// add declares the flags. duration says what is simulated unless that is asked for.
func (f *runFlags) add(cmd *cobra.Command, duration string) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.designs, "design", nil, "designs `a,b`; all: every variant")
	flags.Var(&f.duration, "duration", "how long to simulate (default "+duration+")")
	flags.Uint64Var(&f.seed, "seed", 1, "the first seed")
	flags.IntVar(&f.seeds, "seeds", 1, "how many seeds, one after the other")
	flags.IntVar(&f.jobs, "jobs", 0, "how many runs side by side; 0: all cores")
	flags.Var(&f.thresholds, "threshold", "count values above it, as above 100us; repeatable")
	flags.Var(&f.set, "set", "a parameter of the scenario, or a cost; repeatable")
	flags.BoolVar(&f.json, "json", false, "print one JSON document and nothing else")
	flags.StringVar(&f.out, "out", "", "write files into this `directory`")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print results only: no progress, no remarks")
	complete := func(names func() []string) cobra.CompletionFunc {
		return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return names(), cobra.ShellCompDirectiveNoFileComp
		}
	}
	for flag, names := range map[string]func() []string{
		"design": designs.Names, "set": settingNames,
	} {
		if err := cmd.RegisterFlagCompletionFunc(flag, complete(names)); err != nil {
			panic(err) // the flag was declared above
		}
	}
}

// addAnswers declares the flag of the commands that may repeat what a search found.
func (f *runFlags) addAnswers(cmd *cobra.Command) {
	cmd.Flags().Var(&f.answers, "answer", "replace what one question of the run draws, as a "+
		"search found it, or some in a row with #first-last; repeatable")
}

// remarkUnasked says on standard error which answers had no effect on any of some runs, unless
// remarks are not wanted.
func (f *runFlags) remarkUnasked(cmd *cobra.Command, runs ...scenarios.Asked) {
	if f.quiet {
		return
	}
	for _, text := range scenarios.Unasked(f.answers, runs...) {
		fmt.Fprintln(cmd.ErrOrStderr(), "rtsim:", text)
	}
}

// check says what is wrong with the flags, all of it.
func (f *runFlags) check() error {
	var wrong []error
	if f.seeds < 1 {
		wrong = append(wrong, fmt.Errorf("--seeds %d: write at least 1", f.seeds))
	}
	if f.seeds > seedsMost {
		wrong = append(wrong, fmt.Errorf("--seeds %d: write at most %d", f.seeds, seedsMost))
	}
	if f.jobs < 0 {
		wrong = append(wrong, fmt.Errorf("--jobs %d: write 0 for all cores, or at least 1",
			f.jobs))
	}
	if f.seeds > 1 && f.seed > math.MaxUint64-uint64(f.seeds)+1 {
		wrong = append(wrong, fmt.Errorf("--seed %d --seeds %d: the last is above %d", f.seed,
			f.seeds, uint64(math.MaxUint64)))
	}
	if f.duration.given && f.duration.t == 0 {
		wrong = append(wrong, errors.New("--duration 0s: nothing happens; write at least 1ns"))
	}
	if f.out != "" {
		wrong = append(wrong, checkOut(f.out))
	}
	return errors.Join(wrong...)
}

// defaultOut is where a command writes unless told otherwise.
const defaultOut = "out"

// checkDefaultOut is what check says about --out, for the folder that is written without it.
func (f *runFlags) checkDefaultOut() error {
	if dir := f.outDir(); f.out == "" && dir != "" {
		return checkOut(dir)
	}
	return nil
}

// outDir is where files go; "" if none are written.
func (f *runFlags) outDir() string {
	if f.out == "" && !f.json {
		return defaultOut
	}
	return f.out
}

// options are the flags as a scenario takes them.
func (f *runFlags) options() scenarios.Options {
	return scenarios.Options{Duration: f.duration.t, Thresholds: f.thresholds, Set: f.set,
		Answers: f.answers}
}

// parallel is how many runs go side by side.
func (f *runFlags) parallel() int {
	if f.jobs == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return f.jobs
}

// repeat gives the flags that make the same runs, but for designs and seeds.
func (f *runFlags) repeat() []string {
	var args []string
	if f.duration.given {
		args = append(args, "--duration", f.duration.String())
	}
	for _, t := range f.thresholds {
		args = append(args, "--threshold", t.String())
	}
	for _, s := range f.set {
		args = append(args, "--set", s.Name+"="+s.Value)
	}
	for _, text := range sim.AnswerTexts(f.answers) {
		args = append(args, "--answer", text)
	}
	return args
}

// settingNames are those of the default scenario, for completion.
func settingNames() []string {
	data, _ := scenarios.Builtin(defaultScenario)
	c, err := scenarios.Load(defaultScenario, data, scenarios.Options{})
	if err != nil {
		return nil
	}
	var names []string
	for _, p := range c.Scenario.Parameters {
		names = append(names, p.Name+"=")
	}
	for _, p := range c.Sizes() {
		names = append(names, p.Name+"=")
	}
	for _, cost := range c.Profile.Costs {
		names = append(names, cost.Name+"=")
	}
	return names
}

// timeFlag is a duration with a unit.
type timeFlag struct {
	t     sim.Time
	given bool
}

// String gives the duration, nothing if none was given.
func (f *timeFlag) String() string {
	if !f.given {
		return ""
	}
	return f.t.String()
}

// Set reads it.
func (f *timeFlag) Set(text string) (err error) {
	f.t, err = sim.ParseTime(text)
	f.given = err == nil
	return err
}

// Type names it in the help.
func (f *timeFlag) Type() string { return "duration" }

// timesFlag is durations, one each time.
type timesFlag []sim.Time

// String gives them as they are written.
func (f *timesFlag) String() string {
	texts := make([]string, len(*f))
	for i, t := range *f {
		texts[i] = t.String()
	}
	return strings.Join(texts, " ")
}

// Set reads one.
func (f *timesFlag) Set(text string) error {
	t, err := sim.ParseTime(text)
	if err == nil {
		*f = append(*f, t)
	}
	return err
}

// Type names one in the help.
func (f *timesFlag) Type() string { return "duration" }

// settingsFlag is settings, one each time.
type settingsFlag []file.Setting

// String gives them as they are written.
func (f *settingsFlag) String() string {
	texts := make([]string, len(*f))
	for i, s := range *f {
		texts[i] = s.Name + "=" + s.Value
	}
	return strings.Join(texts, " ")
}

// Set reads one.
func (f *settingsFlag) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" || value == "" {
		return errors.New("write name=value, as in rt_priority=60")
	}
	*f = append(*f, file.Setting{Name: name, Value: value})
	return nil
}

// Type names one in the help.
func (f *settingsFlag) Type() string { return "name=value" }

// answersFlag is answers, one each time.
type answersFlag []sim.Answer

// String gives them as they are written.
func (f *answersFlag) String() string {
	return strings.Join(sim.AnswerTexts(*f), " ")
}

// Set reads one, or those to questions in a row.
func (f *answersFlag) Set(text string) error {
	some, err := sim.ParseAnswers(text)
	*f = append(*f, some...)
	return err
}

// Type names one in the help.
func (f *answersFlag) Type() string { return "site#ordinal=value" }
