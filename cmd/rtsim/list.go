package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"rtsim/designs"
	"rtsim/scenarios"
	"rtsim/scenarios/file"
)

// listFlags are the flags of list.
type listFlags struct {
	scenario   string
	parameters bool
	windows    bool
	json       bool
	set        settingsFlag
}

// newListCommand shows what there is to run, and what it is made of.
func newListCommand() *cobra.Command {
	f := &listFlags{}
	cmd := &cobra.Command{
		Use:   "list [DESIGN]",
		Short: "List designs and scenarios, a design's paths, a scenario's parameters",
		Long: `Lists the designs and the scenarios. With a design: its paths step by step, with the
locks that are held, where it can sleep, what it allocates, and what it costs.`,
		Example: "  rtsim list futex-oneshot\n" +
			"  rtsim list msg-ring --set kernel=6.18\n" +
			"  rtsim list doorbell/first-wake --windows\n" +
			"  rtsim list --scenario orin-queue > mine.yaml\n" +
			"  rtsim list --parameters orin-queue\n" +
			"  rtsim list doorbell --set costs=x86",
		ValidArgsFunction: completeListed(f),
		RunE: func(cmd *cobra.Command, args []string) error {
			return list(cmd, args, f)
		},
	}
	cmd.Flags().StringVar(&f.scenario, "scenario", "", "print a scenario's `file`, ready to edit")
	cmd.Flags().BoolVar(&f.parameters, "parameters", false,
		"list the parameters and costs of a scenario")
	cmd.Flags().BoolVar(&f.windows, "windows", false, "of a design: at which steps a preempted "+
		"low-priority sender holds back others' messages, by trying all orders of steps")
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON document")
	cmd.Flags().Var(&f.set, "set", "a parameter of the scenario, or a cost; repeatable")
	return cmd
}

// list prints one of the four lists.
func list(cmd *cobra.Command, args []string, f *listFlags) error {
	if len(f.set) > 0 && !f.parameters && len(args) == 0 {
		return errors.New("list --set changes nothing here; add a DESIGN or --parameters, " +
			"or leave it out")
	}
	switch {
	case f.scenario != "" && (f.parameters || len(args) > 0):
		return errors.New("list --scenario prints one scenario and nothing else; " +
			"leave the rest out")
	case f.windows && (f.parameters || f.scenario != "" || len(args) == 0):
		return errors.New("list --windows is about one design; write rtsim list DESIGN --windows")
	case f.scenario != "":
		return listScenario(cmd, f)
	case f.parameters:
		scenario, err := oneScenario(cmd, args)
		if err != nil {
			return err
		}
		return listParameters(cmd, scenario, f)
	case len(args) > 1:
		return fmt.Errorf("list has one design at a time; write rtsim list %s", args[0])
	case f.windows:
		return listWindows(cmd, args[0], f)
	case len(args) == 1:
		return listDesign(cmd, args[0], f)
	}
	return listAll(cmd, f)
}

// designEntry is a design in the list of all.
type designEntry struct {
	Name    string `json:"name"`
	Variant string `json:"variant"`
	Alias   string `json:"alias,omitempty"`
	About   string `json:"about"`
}

// scenarioEntry is a scenario in the list of all.
type scenarioEntry struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

// listAll lists designs with their variants, and scenarios.
func listAll(cmd *cobra.Command, f *listFlags) error {
	document := struct {
		Schema    string          `json:"schema"`
		Designs   []designEntry   `json:"designs"`
		Scenarios []scenarioEntry `json:"scenarios"`
	}{"rtsim.list/1", []designEntry{}, []scenarioEntry{}}
	rows := [][]string{}
	for _, d := range designs.All() {
		document.Designs = append(document.Designs,
			designEntry{d.Name, d.Variant, d.Alias, d.About})
		name := d.Variant
		if d.Variant != d.Name {
			name = "  " + name
		}
		rows = append(rows, []string{"  " + name, d.About})
		if d.Alias != "" {
			rows = append(rows, []string{"    " + d.Alias, "the same"})
		}
	}
	rows = append(rows, nil, []string{"Scenarios:"})
	for _, name := range scenarios.BuiltinNames() {
		about := scenarios.BuiltinAbout(name)
		document.Scenarios = append(document.Scenarios, scenarioEntry{name, about})
		rows = append(rows, []string{"  " + name, about})
	}
	if f.json {
		return printDocument(cmd.OutOrStdout(), document)
	}
	return printText(cmd.OutOrStdout(), "Designs and variants:\n"+aligned(rows)+`
rtsim list DESIGN             its paths step by step, with locks and costs
rtsim list --scenario NAME    a scenario's file, ready to edit
rtsim list --parameters NAME  what can be set in it, costs included, with ranges and sources
`)
}

// listScenario prints the file of a scenario that is built in.
func listScenario(cmd *cobra.Command, f *listFlags) error {
	text, ok := scenarios.Builtin(f.scenario)
	if !ok {
		return fmt.Errorf("no scenario %q is built in%s", f.scenario,
			didYouMean(scenarios.Near(f.scenario, scenarios.BuiltinNames()),
				"rtsim list lists the scenarios"))
	}
	if f.json {
		return printDocument(cmd.OutOrStdout(), struct {
			Schema string `json:"schema"`
			Name   string `json:"name"`
			About  string `json:"about"`
			File   string `json:"file"`
		}{"rtsim.scenario/1", f.scenario, scenarios.BuiltinAbout(f.scenario), string(text)})
	}
	return printText(cmd.OutOrStdout(), string(text))
}

// defaultCase is the default scenario with settings: an era and a cost profile.
func defaultCase(set []file.Setting) (*scenarios.Case, error) {
	data, _ := scenarios.Builtin(defaultScenario)
	return scenarios.Load(defaultScenario, data, scenarios.Options{Set: set})
}

// findListed finds the design that is to be listed. A scenario's name is a likely mistake.
func findListed(name string) (*designs.Design, error) {
	d, err := scenarios.FindDesign(name)
	if err != nil && slices.Contains(scenarios.BuiltinNames(), name) {
		return nil, fmt.Errorf("%s is a scenario, not a design; write rtsim list --scenario %s",
			name, name)
	}
	return d, err
}

// completeListed completes a design, or a scenario after --parameters.
func completeListed(f *listFlags) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, text string) (
		[]string, cobra.ShellCompDirective) {
		if f.parameters {
			return completeScenario(cmd, args, text)
		}
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return designs.Names(), cobra.ShellCompDirectiveNoFileComp
	}
}
