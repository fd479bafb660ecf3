package designs

import "rtsim/model"

// Sizes are how many of something a proposal's structures have. They are no costs and belong to no
// kernel, but are set in the same way, and a profile carries them so that one value has all that a
// run takes from outside. An alternative was a variant for each number; a range could not be swept.
//
// Two are switches, 0 or 1. hash_lock_pins=0 asks how much of the damage is that who holds hb->lock
// can't leave his CPU: the lock is taken as a mutex is, which inherits priority and does not turn
// migration off. raw_list_lock=1 asks what a raw list_lock of the slab would change, in
// every design that allocates. It is the same listing with another lock (mm/slub.c has a
// spinlock_t); that raw_spin_lock_irqsave turns interrupts off, too, is not in it. With CPU slabs
// it is refused: put_cpu_partial takes cpu_slab->lock, which sleeps, under list_lock.

// SizeID is a size of every profile.
type SizeID int

// The sizes.
const (
	sizePool SizeID = iota // requests of a target's pool, msg-ring-cache/pool
	sizeCredits
	sizeRawList
	sizeHashPins
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
		sizeRawList: {"raw_list_lock", "1: the slab's list_lock is a raw_spinlock_t", 0, 0, 1,
			"mm/slub.c: it is a spinlock_t, which sleeps", 0},
		sizeHashPins: {"hash_lock_pins", "0: who holds hb->lock may be migrated", 0, 1, 1,
			"kernel/locking/spinlock_rt.c: rt_spin_lock turns migration off", 0},
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

// Sized is the design with structures of the profile's sizes.
func (d *Design) Sized(p *Profile) *Design {
	sized := *d
	paths := &sized.Paths
	switch {
	case d.has(sizePool):
		paths.Pool.Requests = int32(p.Sizes[sizePool].Value)
	case d.has(sizeCredits):
		paths.Pool.Requests = int32(p.Sizes[sizeCredits].Value)
	}
	for _, code := range []*model.Code{&paths.Send, &paths.Receive, &paths.Open, &paths.Close,
		&paths.Reclaim} {
		if p.Sizes[sizeRawList].Value == 1 && d.has(sizeRawList) {
			*code = code.Replacing(model.RefList, model.RefListRaw)
		}
		if p.Sizes[sizeHashPins].Value == 0 && d.has(sizeHashPins) {
			*code = code.Replacing(model.RefHash, model.RefHashFree)
		}
	}
	return &sized
}

// HasSize says whether a size of this name is one of the design's structures.
func (d *Design) HasSize(name string) bool {
	for id, s := range typicalSizes() {
		if s.Name == name {
			return d.has(SizeID(id))
		}
	}
	return false
}

// has says whether the design has what a size is of.
func (d *Design) has(id SizeID) bool {
	pool, lock := d.Paths.Pool, model.RefList
	switch id {
	case sizePool:
		return pool.Requests > 0 && !pool.PerSender
	case sizeCredits:
		return pool.Requests > 0 && pool.PerSender
	case sizeHashPins:
		lock = model.RefHash
	}
	for i := range d.Paths.Send { // who frees has allocated
		if d.Paths.Send[i].Ref == lock {
			return true
		}
	}
	return false
}
