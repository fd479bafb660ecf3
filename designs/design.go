package designs

import (
	"slices"

	"rtsim/model"
)

// Design is one wake-up design: its listings and how it is called.
type Design struct {
	// Name is the bare name, Variant the full one: the same for a design without variants or in
	// its bare form, else name/variant.
	Name, Variant string
	Alias         string // another full name of a bare form; "" if it has none
	About         string // one line
	Assumed       string // what the proposal leaves open and this file assumed; "" if nothing
	Paths         model.Paths
	Choices       []Choice  // of a bare form: the words of its variants' names
	Refused       []Refusal // of a bare form: words that name no variant of it, and why
	Absent        []Absence // the kernels in which it does not exist: it has no paths there
	eras          []*Design // it in each era, itself among them; nil: the same in all
}

// In is the design in an era.
func (d *Design) In(e *Era) *Design {
	if d.eras == nil {
		return d
	}
	return d.eras[e.number]
}

// Absence says why a design does not exist in an era.
type Absence struct{ Kernel, Why string }

// Unsupported says why the design does not exist in a kernel's era; "" if it does.
func (d *Design) Unsupported(kernel string) string {
	for _, a := range d.Absent {
		if a.Kernel == kernel {
			return a.Why
		}
	}
	return ""
}

// all is every design and variant in the default era, in the order of files, bare form first.
var all []*Design

// register adds a design that is the same in all eras, its bare form before its variants; the
// files' package variables do it.
func register(forms ...Design) *Design {
	for i := range forms {
		all = append(all, &forms[i])
	}
	return &forms[0]
}

// registerIn adds a design that is a function of the era.
func registerIn(formsIn func(e *Era) []Design) *Design {
	var forms [len(eras)][]Design
	for i, e := range eras {
		forms[i] = formsIn(e)
	}
	for i := range forms[0] {
		var same []*Design
		var absent []Absence
		for _, in := range forms {
			if in[i].Variant != forms[0][i].Variant {
				panic("designs: in an era " + in[i].Variant + " is " + forms[0][i].Variant)
			}
			same = append(same, &in[i])
			absent = append(absent, in[i].Absent...)
		}
		for _, d := range same {
			d.eras, d.Absent = same, absent
		}
	}
	return register(forms[0]...)
}

// order is that of the review: what is in use today, then the proposals, then the floor. A design
// that is not named here comes last.
var order = []string{"futex-plain", "futex-oneshot", "msg-ring", "eventfd", "signalfd",
	"futex-persistent", "doorbell", "msg-ring-cache", "ideal-spin"}

// All returns every design and variant in that order, bare forms before their variants.
func All() []*Design {
	var sorted []*Design
	for _, name := range order {
		for _, d := range all {
			if d.Name == name {
				sorted = append(sorted, d)
			}
		}
	}
	for _, d := range all {
		if !slices.Contains(order, d.Name) {
			sorted = append(sorted, d)
		}
	}
	return sorted
}

// Bare returns the designs in their bare form: what `compare` runs by default.
func Bare() []*Design {
	var bare []*Design
	for _, d := range All() {
		if d.Name == d.Variant {
			bare = append(bare, d)
		}
	}
	return bare
}

// Find returns a design by any name that Parse understands.
func Find(name string) (*Design, bool) {
	d, err := Parse(name)
	return d, err == nil
}

// Names returns every design's and variant's own name, and the names of bare forms.
func Names() []string {
	var names []string
	for _, d := range All() {
		names = append(names, d.Variant)
		if d.Alias != "" {
			names = append(names, d.Alias)
		}
	}
	return names
}
