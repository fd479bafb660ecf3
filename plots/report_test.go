package plots

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// reported is a short comparison of two designs with two seeds and its report.
func reported(t *testing.T, edit func(*Report)) (*Report, string) {
	c, err := scenarios.Prepare("orin-queue", scenarios.Options{Duration: 20 * sim.Millisecond,
		Set: []file.Setting{{Name: "switch", Value: "1us"}}})
	require.NoError(t, err)
	asked, chosen, err := scenarios.FindDesigns([]string{"futex-oneshot", "doorbell/first-wake"})
	require.NoError(t, err)
	p := &scenarios.Plan{Case: c, Asked: asked, Designs: chosen, Seeds: []uint64{1, 2}, Jobs: 1}
	results, err := p.Execute(t.Context())
	require.NoError(t, err)
	r := &Report{Comparison: p.Compare("v1", results), Case: c, Designs: chosen,
		Repeat: "rtsim compare", Remarks: []string{"a remark"}}
	answers, err := p.Questions(results, 60).Explain(t.Context())
	require.NoError(t, err)
	for _, e := range answers {
		r.Answers = append(r.Answers, Answer{e, "rtsim explain again"})
	}
	if edit != nil {
		edit(r)
	}
	r.Figures, err = Latencies(r.Comparison)
	require.NoError(t, err)
	page, err := r.HTML()
	require.NoError(t, err)
	return r, string(page)
}

// element is one element of a page with all text in it.
type element struct {
	name, text string
	attributes map[string]string
}

// elementsOf reads a page, which must be well-formed.
func elementsOf(t *testing.T, page string) []*element {
	var all, open []*element
	for d := xml.NewDecoder(strings.NewReader(page)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			require.Empty(t, open)
			return all
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attributes: map[string]string{}}
			for _, a := range token.Attr {
				e.attributes[a.Name.Local] = a.Value
			}
			all, open = append(all, e), append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, e := range open {
				e.text += string(token)
			}
		}
	}
}

// Look at what a browser would load: nothing. Each link leads to a place in the page itself.
func TestReportLoadsNothing(t *testing.T) {
	_, page := reported(t, nil)
	ids := map[string]int{}
	all := elementsOf(t, page)
	for _, e := range all {
		ids[e.attributes["id"]]++
	}
	links := 0
	for _, e := range all {
		assert.NotContains(t, []string{"link", "img", "iframe", "object", "image", "use"}, e.name)
		assert.NotContains(t, e.attributes, "src")
		if to, ok := e.attributes["href"]; ok {
			links++
			assert.Equal(t, 1, ids[strings.TrimPrefix(to, "#")], "one place is named %s", to)
		}
	}
	assert.GreaterOrEqual(t, links, 6)
	for _, loads := range []string{"http:", "https:", "@import", "url(", "fetch(", "ZgotmplZ"} {
		assert.NotContains(t, page, loads)
	}
}

// Look at the two tables: each design is one row of the results, each run one of the digests.
func TestReportHasEveryDesignAndDigest(t *testing.T) {
	r, page := reported(t, nil)
	_, table, _ := strings.Cut(page, `<table id="results"`)
	table, _, _ = strings.Cut(table, "</table>")
	for i := range r.Comparison.Summary {
		s := &r.Comparison.Summary[i]
		assert.Equal(t, 1, strings.Count(table, ">"+s.Variant+"<"), s.Variant)
		assert.Contains(t, page, `">`+s.Design+"</h3>")
	}
	assert.Equal(t, 2+1, strings.Count(table, "<tr"))
	for _, result := range r.Comparison.Results {
		assert.Equal(t, 1, strings.Count(page, "<code>"+result.Digest+"</code>"))
	}
	assert.Contains(t, page, "rtsim v1: <code>rtsim compare</code>")
}

// Look at what is said of a design: the sentence, tree and picture of its longest send, each line
// of its paths, each assumed cost.
func TestReportExplainsAndLists(t *testing.T) {
	r, page := reported(t, nil)
	text := ""
	for _, e := range elementsOf(t, page) {
		if e.name == "body" {
			text = strings.Join(strings.Fields(e.text), " ")
		}
	}
	require.Len(t, r.Answers, 2)
	for i := range r.Answers {
		worst := r.Answers[i].Worst[0]
		require.NotEmpty(t, worst.Picture)
		for _, said := range append(worst.Picture, worst.Sentence) {
			assert.Contains(t, text, strings.Join(strings.Fields(said), " "))
		}
		d := r.Designs[i].In(r.Case.Era)
		listings, err := scenarios.Listings(d, r.Case.Profile)
		require.NoError(t, err)
		for _, l := range listings {
			assert.Contains(t, text, l.Title())
			for _, line := range l.Lines {
				assert.Contains(t, text, strings.Join(strings.Fields(line.Text), " "))
			}
		}
		for _, name := range r.Comparison.Of(&r.Comparison.Summary[i])[0].Assumed {
			cost, ok := r.Case.Profile.Find(name)
			require.True(t, ok)
			assert.Contains(t, text, name)
			assert.Contains(t, text, strings.Join(strings.Fields(cost.Source), " "))
		}
	}
}

// Look at the names: what a scenario's file or a remark says is text and never an element.
func TestReportEscapesNames(t *testing.T) {
	_, page := reported(t, func(r *Report) {
		r.Comparison.Scenario = `<b>&"q".yaml`
		r.Comparison.Version = "</style><script>alert(1)</script>"
		r.Remarks = []string{"<i>x</i>"}
	})
	scripts := 0
	for _, e := range elementsOf(t, page) {
		assert.NotEqual(t, "i", e.name+e.text)
		if e.name == "script" {
			scripts++
		}
		if e.name == "title" && strings.HasPrefix(e.text, "rtsim: ") {
			assert.Equal(t, `rtsim: <b>&"q".yaml`, e.text)
		}
	}
	assert.Equal(t, 1, scripts)
	assert.NotContains(t, page, "<i>x")
	assert.Contains(t, page, "&lt;i&gt;x&lt;/i&gt;")
}

// Look at the classes of the figures: the name of each design in the legend has the class by which
// the page hides it, and so have its line and its markers; the caption has none.
func TestReportFiguresNameTheirSeries(t *testing.T) {
	r, page := reported(t, nil)
	svgs := regexp.MustCompile(`(?s)<figure data-names="([^"]*)">(.*?)</figure>`).
		FindAllStringSubmatch(page, -1)
	require.Len(t, svgs, 3)
	for _, svg := range svgs {
		assert.Equal(t, "futex-oneshot doorbell/first-wake", svg[1])
		paths, names := map[string]int{}, map[string]string{}
		for _, e := range elementsOf(t, svg[2]) {
			class := e.attributes["class"]
			switch {
			case e.name == "path":
				paths[class]++
			case e.name == "text" && strings.HasPrefix(e.text, "20 messages") ||
				strings.HasPrefix(e.text, "40 messages"):
				assert.Empty(t, class)
				names["caption"] = e.text
			case e.name == "text" && r.Comparison.Summary[0].Design == e.text,
				e.name == "text" && r.Comparison.Summary[1].Design == e.text:
				names[class] = e.text
			}
		}
		assert.Equal(t, "futex-oneshot", names["s0"])
		assert.Equal(t, "doorbell/first-wake", names["s1"])
		assert.NotEmpty(t, names["caption"])
		assert.GreaterOrEqual(t, paths["s0"], 4) // line, its sample, two markers
		assert.GreaterOrEqual(t, paths["s1"], 4)
		assert.Greater(t, paths[""], 10)
		assert.NotContains(t, paths, "s2")
	}
}

// Look at the keys: cells that look different sort by what they mean.
func TestSortKey(t *testing.T) {
	for text, key := range map[string]string{"44 ns": "44", "7.5 us": "7500", "1.005 ms": "1005000",
		"+558": "558", "-472": "-472", "12 (3..20)": "12", "-": "-", "n/a": "n/a",
		"doorbell": "doorbell", "120000": "120000", "": ""} {
		assert.Equal(t, key, sortKey(text), text)
	}
}
