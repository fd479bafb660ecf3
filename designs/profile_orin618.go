package designs

import "strings"

// orin618 is the same machine with the 6.18 kernel. A cost is what a step takes on this machine;
// where 6.18 takes the same step (moves a slab on the partial list, enqueues a task, posts a CQE)
// the row of 7.4 is carried over, and if that was fitted, the fitted value with it. Nothing was
// published of the two measured rows with 6.18, so there is nothing to fit here: what runs with
// this profile is a prediction. The ranges were fixed before anything was run with them.
func orin618() *Profile {
	p := orin74()
	p.Name = "orin-6.18"
	p.About = "Jetson Orin class arm64, PREEMPT_RT 6.18: llist local work, CPU slabs"
	for i := range p.Costs {
		if c := &p.Costs[i]; strings.Contains(c.Source, "fitted") {
			c.Source += "; carried over from 7.4, the same step on the same machine"
		}
	}
	p.set(costClaim, 20, 40, 60, "assumed: two compares and the call, no exchange; with the read "+
		"of cq_wait_nr it is window W1, 30 to 100 ns without a registered eventfd")
	return p
}
