package designs

import "rtsim/model"

// Design is one wake-up design: its listings and how it is called.
type Design struct {
	// Name is the bare name, Variant the full one: the same for a design without variants or in
	// its bare form, else name/variant.
	Name, Variant string
	Alias         string // another full name of a bare form; "" if it has none
	About         string // one line
	Assumed       string // what the proposal leaves open and this file assumed; "" if nothing
	Paths         model.Paths
}

// all is every design and variant, in the order of files, bare form first.
var all []*Design

// register adds a design; the files' package variables do it.
func register(d Design) *Design {
	all = append(all, &d)
	return &d
}

// All returns every design and variant, bare forms before their variants.
func All() []*Design { return append([]*Design(nil), all...) }

// Bare returns the designs in their bare form: what `compare` runs by default.
func Bare() []*Design {
	var bare []*Design
	for _, d := range all {
		if d.Name == d.Variant {
			bare = append(bare, d)
		}
	}
	return bare
}

// Find returns a design by its bare or full name.
func Find(name string) (*Design, bool) {
	for _, d := range all {
		if d.Variant == name || d.Alias == name && name != "" {
			return d, true
		}
	}
	return nil, false
}

// Names returns every name that Find knows.
func Names() []string {
	var names []string
	for _, d := range all {
		names = append(names, d.Variant)
		if d.Alias != "" {
			names = append(names, d.Alias)
		}
	}
	return names
}
