package designs

import k "rtsim/model"

// ideal-spin: every receiver polls the queue's word in user space and never sleeps. No kernel path
// at all: the floor that no wake-up can go below, at the price of a CPU for each receiver.

// IdealSpin is the floor.
var IdealSpin = register(Design{
	Name: "ideal-spin", Variant: "ideal-spin",
	About: "the receiver polls: the floor",
	Paths: k.Paths{
		Send: k.Do(k.ActPublish, costPublish, "store the new sequence number"),
		Receive: k.Seq(
			k.Do(k.ActPoll, costPoll, "poll the sequence number"),
			readQueue),
		Open: plainOpen, Close: plainClose},
})
