package main

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"rtsim/scenarios"
	"rtsim/scenarios/file"
)

// parameterEntry is a parameter of a scenario, its values as in the file.
type parameterEntry struct {
	Name     string   `json:"name"`
	Value    string   `json:"value"`
	Default  string   `json:"default"`
	Least    string   `json:"least,omitempty"`
	Greatest string   `json:"greatest,omitempty"`
	OneOf    []string `json:"one_of,omitempty"`
	Unit     string   `json:"unit"`
	Meaning  string   `json:"meaning"`
	Source   string   `json:"source"`
}

// listParameters prints what can be set in a scenario: its parameters and the costs.
func listParameters(cmd *cobra.Command, scenario string, f *listFlags) error {
	data, err := readScenario(cmd, scenario)
	if err != nil {
		return err
	}
	c, err := scenarios.Load(scenario, data, scenarios.Options{Set: f.set})
	if err != nil {
		return err
	}
	costs := []costEntry{}
	for i := range c.Profile.Costs {
		costs = append(costs, newCostEntry(&c.Profile.Costs[i]))
	}
	if f.json {
		return printDocument(cmd.OutOrStdout(), struct {
			Schema     string           `json:"schema"`
			Scenario   string           `json:"scenario"`
			Kernel     string           `json:"kernel"`
			Parameters []parameterEntry `json:"parameters"`
			Profile    string           `json:"profile"`
			About      string           `json:"about"`
			Jitter     int32            `json:"cost_jitter_percent"`
			Costs      []costEntry      `json:"costs"`
			Sizes      []parameterEntry `json:"sizes"`
		}{"rtsim.parameters/1", scenario, c.Era.Kernel, newParameters(c.Scenario.Parameters),
			c.Profile.Name, c.Profile.About, c.Profile.JitterPercent, costs,
			newParameters(c.Sizes())})
	}
	return printText(cmd.OutOrStdout(), parametersText(scenario, c, costs))
}

func newParameters(all []file.Parameter) []parameterEntry {
	entries := []parameterEntry{}
	for _, p := range all {
		entries = append(entries, parameterEntry(p))
	}
	return entries
}

// parametersText shows the parameters, then the sizes and the costs.
func parametersText(scenario string, c *scenarios.Case, costs []costEntry) string {
	text := "Parameters of " + scenario + ", set by --set name=value\n"
	if len(c.Scenario.Parameters) == 0 {
		text += "  none\n"
	} else {
		text += parameterRows(c.Scenario.Parameters)
	}
	about := c.Profile.About + "."
	if c.Profile.JitterPercent > 0 {
		about += " Each varies evenly within " + strconv.Itoa(int(c.Profile.JitterPercent)) +
			" % of its value, which is assumed; --set cost_jitter_percent=0 to 50 changes that."
	}
	return text + "\nSizes of the designs' structures, set by --set name=number\n" +
		parameterRows(c.Sizes()) + "\nCosts of profile " + c.Profile.Name +
		", set by --set name=duration\n" + wrapped(about) + costsText(costs)
}

// parameterRows is a table of parameters, each with its meaning and source below.
func parameterRows(all []file.Parameter) string {
	rows := [][]string{{"  parameter", "value", "  range", "unit"}}
	for i := range all {
		p := &all[i]
		rows = append(rows, []string{"  " + p.Name, p.Value, "  " + valuesText(p), p.Unit},
			[]string{strings.TrimSuffix(wrapped("      "+p.Meaning+" ["+p.Source+"]"), "\n")})
	}
	return aligned(rows)
}

// valuesText says what values a parameter may have.
func valuesText(p *file.Parameter) string {
	switch {
	case len(p.OneOf) > 0:
		return strings.Join(p.OneOf, " ")
	case p.Least != "":
		return p.Least + " to " + p.Greatest
	}
	return "any"
}
