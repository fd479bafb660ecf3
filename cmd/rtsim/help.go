package main

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// topics are the texts that rtsim help prints beside those of the commands.
//
//go:embed topics/*.txt
var topics embed.FS

// topicNames are the topics with their subjects, in the order of the help.
var topicNames = []struct{ name, subject string }{
	{"workload", "the files that rtsim schedule, draw and lint read"},
	{"scenario", "what a scenario file adds to a workload file"},
	{"sweep", "ranges, figures, and how a sweep goes on"},
	{"trace", "traces for Perfetto and others, and traces of a machine"},
	{"export", "distributions for HdrHistogram, fio, cyclictest, benchstat"},
	{"units", "times, priorities and other numbers"},
	{"exit", "the exit status"},
}

// topicsUsage lists the topics below the usage of the root command.
var topicsUsage = func() string {
	var b strings.Builder
	b.WriteString("{{if not .HasParent}}\nTopics of rtsim help:\n")
	for _, t := range topicNames {
		fmt.Fprintf(&b, "  %-11s %s\n", t.name, t.subject)
	}
	b.WriteString("{{end}}")
	return b.String()
}()

// topicText gives the text of a topic.
func topicText(name string) (string, bool) {
	for _, t := range topicNames {
		if t.name == name {
			text, err := topics.ReadFile("topics/" + name + ".txt")
			if err != nil {
				panic("a topic without a text: " + err.Error())
			}
			return string(text), true
		}
	}
	return "", false
}

// newHelpCommand prints the help of a command or of a topic.
func newHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "help [TOPIC]",
		Short:   "Help about a command or a topic",
		Example: "  rtsim help workload",
		RunE:    func(cmd *cobra.Command, args []string) error { return help(cmd.Root(), args) },
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) (
			[]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return helpNames(cmd.Root()), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// help prints the text of a topic or of a command.
func help(root *cobra.Command, args []string) error {
	if len(args) == 1 {
		if text, ok := topicText(args[0]); ok {
			if _, err := io.WriteString(root.OutOrStdout(), text); err != nil {
				return fmt.Errorf("printing: %w", err)
			}
			return nil
		}
	}
	cmd, rest, err := root.Find(args)
	if err == nil && len(rest) == 0 {
		cmd.InitDefaultHelpFlag() // else only a command that is run has them
		cmd.InitDefaultVersionFlag()
		return cmd.Help()
	}
	if len(args) > 1 {
		return errors.New("help has one topic at a time; write rtsim help " + args[0])
	}
	names := &cobra.Command{}
	for _, name := range helpNames(root) {
		names.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	return fmt.Errorf("no help about %q%s", args[0],
		didYouMean(suggestions(names, args[0]), "rtsim help lists the commands and topics"))
}

// helpNames gives what there is help about.
func helpNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	for _, t := range topicNames {
		names = append(names, t.name)
	}
	return names
}
