package scenarios

import (
	"fmt"
	"strings"

	"rtsim/scenarios/export"
)

// ExportFormats are the formats that Export knows.
var ExportFormats = []string{"hgrm", "fio", "cyclictest", "benchstat", "csv"}

// ExportFile is a file for another tool.
type ExportFile struct {
	Name string
	Data []byte
}

// Export gives a comparison's distributions in a format of ExportFormats.
func (c *Comparison) Export(format string) ([]ExportFile, error) {
	all := c.series()
	one := func(name string, each func(s *export.Series) string) []ExportFile {
		text := ""
		for i := range all {
			text += each(&all[i])
		}
		return []ExportFile{{name, []byte(text)}}
	}
	var files []ExportFile
	switch format {
	case "hgrm":
		for i := range all {
			name := all[i].Metric + "-" + fileName(all[i].Design) + ".hgrm"
			files = append(files, ExportFile{name, []byte(export.HGRM(&all[i]))})
		}
	case "fio":
		files = one("fio.txt", export.Fio)
	case "cyclictest":
		for _, metric := range exportedMetrics {
			var own []export.Series
			for i := range all {
				if all[i].Metric == metric {
					own = append(own, all[i])
				}
			}
			files = append(files, ExportFile{"cyclictest-" + metric + ".txt",
				[]byte(export.Cyclictest(own))})
		}
	case "benchstat":
		text := ""
		for _, r := range c.Results {
			for _, metric := range exportedMetrics {
				if d := r.Distribution(metric); d != nil {
					s := seriesOf(r.Variant, metric, d.Histogram())
					text += export.Benchstat(&s)
				}
			}
		}
		files = []ExportFile{{"benchstat.txt", []byte(text)}}
	case "csv":
		files = []ExportFile{{"distributions.csv", []byte(export.CSV(all))}}
	default:
		return nil, fmt.Errorf("unknown format %q; write some of %s", format,
			strings.Join(ExportFormats, ", "))
	}
	return files, nil
}

// exportedMetrics are those that other tools are given, by their names in results.csv.
var exportedMetrics = []string{"send", "receive", "response", "irq_start"}

// fileName is a variant's name without what a path has a meaning for.
func fileName(variant string) string { return strings.ReplaceAll(variant, "/", "-") }

// series are all distributions, each over its seeds.
func (c *Comparison) series() []export.Series {
	var all []export.Series
	for i := range c.Summary {
		s := &c.Summary[i]
		for _, metric := range exportedMetrics {
			if s.Unsupported == "" {
				all = append(all, seriesOf(s.Variant, metric, c.Histogram(s, metric)))
			}
		}
	}
	return all
}

func seriesOf(design, metric string, h *Histogram) export.Series {
	s := export.Series{Design: design, Metric: metric, Max: max(h.Max(), 0)}
	for _, b := range h.Bins() {
		s.Bins = append(s.Bins, export.Bin{At: b.AtNs, Count: b.Count})
	}
	return s
}
