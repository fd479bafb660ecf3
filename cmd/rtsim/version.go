package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is the version that a build states: go build -ldflags "-X main.release=v1.2.3".
var release string

// version gives the version of this binary: the stated one, or else the module's, or else the
// revision it was built from.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	revision, modified := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = "+modified"
		}
	}
	if revision == "" {
		return "devel"
	}
	return "devel-" + revision[:min(len(revision), 12)] + modified
}

// newVersionCommand says what this binary is.
func newVersionCommand() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  rtsim version --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return printVersion(cmd, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// printVersion prints the version for people or as rtsim.version/1.
func printVersion(cmd *cobra.Command, asJSON bool) error {
	out := cmd.OutOrStdout()
	var err error
	if asJSON {
		err = json.NewEncoder(out).Encode(struct {
			Schema  string `json:"schema"`
			Version string `json:"version"`
			Go      string `json:"go"`
			OS      string `json:"os"`
			Arch    string `json:"arch"`
		}{"rtsim.version/1", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH})
	} else {
		_, err = fmt.Fprintf(out, "rtsim %s %s %s/%s\n",
			version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	}
	if err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	return nil
}

// noArguments refuses arguments of a command that has none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return errors.New(cmd.Name() + " has no arguments; leave " + args[0] + " out")
	}
	return nil
}
