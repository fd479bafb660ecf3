package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"rtsim/scenarios"
)

// checkExport says what is wrong with --export.
func (f *compareFlags) checkExport() error {
	var wrong []error
	for _, format := range f.export {
		if !slices.Contains(scenarios.ExportFormats, format) {
			wrong = append(wrong, fmt.Errorf("--export %s: write some of %s", format,
				strings.Join(scenarios.ExportFormats, ",")))
		}
	}
	switch {
	case len(f.export) == 0:
	case f.outDir() == "":
		wrong = append(wrong, errors.New("--export writes files, and --json does only with --out"))
	case f.calibrations:
		wrong = append(wrong, errors.New("--export has one comparison at a time; name a "+
			"--calibration instead of --calibrations"))
	}
	return errors.Join(wrong...)
}

// exports are the files for other tools.
func (f *compareFlags) exports(c *scenarios.Comparison) ([]output, error) {
	var files []output
	for _, format := range f.export {
		all, err := c.Export(format)
		if err != nil {
			return nil, err
		}
		for _, file := range all {
			files = append(files, output{file.Name, file.Data})
		}
	}
	return files, nil
}
