package designs

import "rtsim/model"

// Sizes are how many of something a proposal's structures have. They are no costs and belong to no
// kernel, but are set in the same way, and a profile carries them so that one value has all that a
// run takes from outside. An alternative was a variant for each number; a range could not be swept.

// SizeID is a size of every profile.
type SizeID int

// The sizes.
const (
	sizePool SizeID = iota // requests of a target's pool, msg-ring-cache/pool
	sizeCredits
	nSizes
)

// Size is one of them, in whole numbers.
type Size struct {
	Name, Meaning            string
	Least, Typical, Greatest int64
	Source                   string
	Value                    int64 // that is used; Typical unless it is set
}

// typicalSizes are those of all profiles.
func typicalSizes() [nSizes]Size {
	const source = "assumed: nobody has proposed a number"
	all := [nSizes]Size{
		sizePool: {"pool_requests", "requests of a target's pool, msg-ring-cache/pool",
			1, 64, 1024, source, 0},
		sizeCredits: {"credits", "requests of each sender for each target, msg-ring-cache/credits",
			1, 8, 64, source, 0},
	}
	for i := range all {
		all[i].Value = all[i].Typical
	}
	return all
}

// FindSize returns a size of the profile by its name, to be read or changed.
func (p *Profile) FindSize(name string) (*Size, bool) {
	for i := range p.Sizes {
		if p.Sizes[i].Name == name {
			return &p.Sizes[i], true
		}
	}
	return nil, false
}

// Sized are the design's paths with structures of the profile's sizes.
func (d *Design) Sized(p *Profile) model.Paths {
	paths := d.Paths
	if id, ok := d.sizeOf(); ok {
		paths.Pool.Requests = int32(p.Sizes[id].Value)
	}
	return paths
}

// HasSize says whether a size of this name is one of the design's structures.
func (d *Design) HasSize(name string) bool {
	id, ok := d.sizeOf()
	return ok && typicalSizes()[id].Name == name
}

// sizeOf is the size that the design has, if it has one.
func (d *Design) sizeOf() (SizeID, bool) {
	switch pool := d.Paths.Pool; {
	case pool.Requests == 0:
		return 0, false
	case pool.PerSender:
		return sizeCredits, true
	}
	return sizePool, true
}
