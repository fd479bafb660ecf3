package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// costEntry is a cost of a profile as it is set.
type costEntry struct {
	Name       string   `json:"name"`
	LeastNs    sim.Time `json:"least_ns"`
	TypicalNs  sim.Time `json:"typical_ns"`
	GreatestNs sim.Time `json:"greatest_ns"`
	Source     string   `json:"source"`
	Assumed    bool     `json:"assumed"`
}

func newCostEntry(c *designs.Cost) costEntry {
	return costEntry{c.Name, c.Least, c.Typical, c.Greatest, c.Source, c.Assumed}
}

// designInCase finds a design in the era that the settings choose.
func designInCase(name string, f *listFlags) (*designs.Design, *scenarios.Case, error) {
	d, err := findListed(name)
	if err != nil {
		return nil, nil, err
	}
	c, err := defaultCase(f.set)
	if err == nil {
		err = c.Exist([]string{name}, []*designs.Design{d}, []string{name})
	}
	if err != nil {
		return nil, nil, err
	}
	return d.In(c.Era), c, nil
}

// listDesign prints a design's paths.
func listDesign(cmd *cobra.Command, name string, f *listFlags) error {
	d, c, err := designInCase(name, f)
	if err != nil {
		return err
	}
	p := c.Profile
	listings, err := scenarios.Listings(d.Sized(p), p)
	if err != nil {
		return err
	}
	costs, machine := splitCosts(listings, p)
	sizes := slices.DeleteFunc(c.Sizes(), func(s file.Parameter) bool { return !d.HasSize(s.Name) })
	if f.json {
		return printDocument(cmd.OutOrStdout(), struct {
			Schema string `json:"schema"`
			designEntry
			Assumed string              `json:"assumed"`
			Kernel  string              `json:"kernel"`
			Profile string              `json:"profile"`
			Paths   []scenarios.Listing `json:"paths"`
			Costs   []costEntry         `json:"costs"`
			Machine []costEntry         `json:"machine_costs"`
			Sizes   []parameterEntry    `json:"sizes"`
		}{"rtsim.design/1", designEntry{d.Name, d.Variant, d.Alias, d.About}, d.Assumed,
			c.Era.Kernel, p.Name, listings, costs, machine, newParameters(sizes)})
	}
	text := wrapped(d.Variant + ": " + d.About + ".")
	if d.Alias != "" {
		text += "Also named " + d.Alias + ".\n"
	}
	if d.Assumed != "" {
		text += wrapped("Assumed: " + d.Assumed + ".")
	}
	text += wrapped("These are the paths of kernel " + c.Era.Kernel + ": " + c.Era.About + ". " +
		"The column of times is the typical cost of a step in profile " + p.Name +
		"; to its right are the locks that are held when the step begins.")
	for i := range listings {
		text += "\n" + listingText(&listings[i])
	}
	if len(sizes) > 0 {
		text += "\nSizes of its structures, set by --set name=number\n" + parameterRows(sizes)
	}
	return printText(cmd.OutOrStdout(), text+"\nCosts on these paths\n"+costsText(costs)+
		"\nCosts of the machine, when a path waits, is woken or is interrupted\n"+
		costsText(machine))
}

// listingText is a numbered listing and what is to be said of it.
func listingText(l *scenarios.Listing) string {
	rows := [][]string{}
	for i := range l.Lines {
		rows = append(rows, listingRow(&l.Lines[i]))
	}
	text := l.Title() + "\n" + aligned(rows)
	text += wrapped("  May sleep: " + linesText(l, l.Sleeps, "nowhere"))
	text += wrapped("  Allocates: " + linesText(l, l.Allocates, "nothing"))
	text += "  Straight through, each loop once: " + rangeText(l.Once)
	for _, r := range l.Rounds {
		text += fmt.Sprintf("\n  A further round of [%d]: %s", r.Line, rangeText(r.CostRange))
	}
	return text + "\n"
}

// listingRow is one step.
func listingRow(l *scenarios.ListingLine) []string {
	text := strings.Repeat("  ", l.Depth)
	switch l.Kind {
	case "if", "while":
		text += l.Kind + " " + l.Text
	case "else":
		return []string{"      " + text + "else"}
	default:
		text += l.Text
	}
	cost := ""
	if l.Ns > 0 {
		cost = l.Ns.String()
	}
	return []string{fmt.Sprintf(" [%2d]  %s", l.Number, text), cost, strings.Join(l.Held, ", ")}
}

// linesText names lines of a listing.
func linesText(l *scenarios.Listing, numbers []int, none string) string {
	if len(numbers) == 0 {
		return none
	}
	var texts []string
	for _, n := range numbers {
		for i := range l.Lines {
			if l.Lines[i].Number == n {
				texts = append(texts, fmt.Sprintf("[%d] %s", n, l.Lines[i].Text))
			}
		}
	}
	return strings.Join(texts, ", ")
}

func rangeText(r scenarios.CostRange) string {
	return fmt.Sprintf("%s (%s to %s)", r.TypicalNs, r.LeastNs, r.GreatestNs)
}

// splitCosts gives the costs on a design's paths, and those of the machine that come on top when a
// path waits or is interrupted, in the order of the profile.
func splitCosts(listings []scenarios.Listing, p *designs.Profile) (paths, machine []costEntry) {
	used := map[string]bool{}
	for _, l := range listings {
		for i := range l.Lines {
			used[l.Lines[i].Cost] = true
		}
	}
	paths, machine = []costEntry{}, []costEntry{}
	for i := range p.Costs {
		switch {
		case used[p.Costs[i].Name]:
			paths = append(paths, newCostEntry(&p.Costs[i]))
		case model.CostID(i) < model.FirstDesignCost && model.CostID(i) != model.CostWake:
			machine = append(machine, newCostEntry(&p.Costs[i]))
		}
	}
	return paths, machine
}

// costsText is a table of costs.
func costsText(costs []costEntry) string {
	const columnsOfSource = 55
	rows := [][]string{{"  cost", "least", "typical", "greatest", "  source"}}
	for _, c := range costs {
		source := strings.Split(strings.TrimSuffix(wrap(c.Source, columnsOfSource), "\n"), "\n")
		rows = append(rows, []string{"  " + c.Name, c.LeastNs.String(), c.TypicalNs.String(),
			c.GreatestNs.String(), "  " + source[0]})
		for _, more := range source[1:] {
			rows = append(rows, []string{"", "", "", "", "  " + more})
		}
	}
	return aligned(rows)
}
