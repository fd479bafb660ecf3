package scenarios

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rtsim/designs"
	"rtsim/model"
	"rtsim/model/trace"
	"rtsim/scenarios/blame"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// chains flattens parts into stretches, each with its chain in the words of the second way.
func chains(parts []blame.Part, at sim.Time, above string, out []stretch) []stretch {
	for i := range parts {
		p := &parts[i]
		text := above + chainText(p)
		if len(p.Because) > 0 {
			out = chains(p.Because, at, text+" < ", out)
		} else {
			out = append(out, stretch{at, at + p.Ns, text})
		}
		at += p.Ns
	}
	return out
}

// chainText is one part in those words.
func chainText(p *blame.Part) string {
	text := p.Cause
	switch p.Cause {
	case blame.Blocked, blame.Handover, blame.Spins:
		text += " " + p.Object
		if p.Object != "word" {
			text += " " + p.Of
		}
	case blame.IdleExit, blame.IPI:
		return fmt.Sprintf("%s %d", text, *p.CPU)
	case blame.IRQ:
		return fmt.Sprintf("%s %d %s", text, *p.CPU, p.Object)
	case blame.Preempted:
		return fmt.Sprintf("%s %s %d %d %s", text, p.By, p.ByPriority, *p.CPU, p.Why)
	case blame.Runs:
		text += " " + p.Path + " " + p.Step
		if p.Why != "" {
			text += " " + p.Why
		}
	}
	if p.Holder != "" {
		text += "/" + p.Holder
		if p.Cause != blame.Handover {
			text += fmt.Sprintf(" %d", p.HolderPriority)
		}
		if p.Boosted {
			text += " boosted"
		}
	}
	return text
}

// merged joins neighbours with the same chain.
func merged(list []stretch) []stretch {
	var out []stretch
	for _, s := range list {
		if n := len(out) - 1; n >= 0 && out[n].chain == s.chain && out[n].to == s.from {
			out[n].to = s.to
		} else if s.from < s.to {
			out = append(out, s)
		}
	}
	return out
}

// hard are settings under which every cause is seen often.
var hard = [][]file.Setting{
	nil,
	{{Name: "burst_duty", Value: "0.6"}, {Name: "low_pubs", Value: "3"},
		{Name: "low_subs", Value: "2"}, {Name: "low_period", Value: "50us"},
		{Name: "start_stop_period", Value: "3ms"}, {Name: "start_stop_pause", Value: "100us"},
		{Name: "subscribers", Value: "2"}, {Name: "send_period", Value: "100us"}},
	{{Name: "low_policy", Value: "fifo-10"}, {Name: "rt_priority", Value: "60"},
		{Name: "low_period", Value: "20us"}, {Name: "send_period", Value: "50us"}},
}

// blameStretch is how much of each design is blamed twice; 200ms takes some minutes.
var blameStretch = flag.Duration("blame", 8*time.Millisecond, "simulated, to be blamed twice")

func TestBlameTwice(t *testing.T) {
	// Look at the stretches: of every message of every design and variant, both metrics, the parts
	// add up to the nanosecond, and a second way to blame, that shares no code, gives the same
	// chain for each of these nanoseconds.
	stretch := sim.Time(blameStretch.Nanoseconds())
	seen := map[string]int{}
	for i, set := range hard {
		c, err := Prepare("orin-queue", Options{Duration: stretch, Set: set})
		require.NoError(t, err)
		for _, d := range designs.All() {
			if d.Unsupported(c.Scenario.Kernel) == "" {
				blameTwice(t, c, d, uint64(i+1), seen)
			}
		}
	}
	for _, cause := range blame.Causes {
		require.NotZero(t, seen[cause], cause)
	}
	t.Log(seen)
}

// blameTwice runs a design and compares both ways; it counts the causes in seen.
func blameTwice(t *testing.T, c *Case, d *designs.Design, seed uint64, seen map[string]int) {
	w := c.Workload(d)
	m := model.New(w, c.Profile.Table(), seed)
	m.KeepAll()
	m.KeepNotes()
	meter := c.meter(w)
	var all []trace.Record
	sys := NamesOf(w, m.Program())
	found := [2]map[int32][]stretch{{}, {}}
	var followers [2]*blame.Follower
	for i := range followers {
		f := blame.NewFollower(sys, meter.sender, meter.receiver)
		f.Receives = i == 1
		f.Over = func(x *blame.Message) {
			parts := f.Parts(x)
			require.Equal(t, f.Total(x), blame.Sum(parts), "%s: message %d", d.Variant, x.Number)
			checkParts(t, parts, seen)
			found[i][x.Number] = chains(parts, x.Begin, "", nil)
		}
		followers[i] = f
	}
	see := func(records []trace.Record) error {
		all = append(all, records...)
		for _, f := range followers {
			f.TakeAll(records)
		}
		return nil
	}
	require.NoError(t, c.drive(t.Context(), d, seed, m, meter, nil, see))
	require.EqualValues(t, meter.sent, len(found[0]), d.Variant)
	require.Len(t, found[1], len(found[0])-len(meter.pending), d.Variant)
	agree := func(i int) func(int32, []stretch) {
		return func(n int32, list []stretch) {
			require.Equal(t, merged(list), merged(found[i][n]), "%s, seed %d: %s of message %d",
				d.Variant, seed, []string{MetricSend, MetricReceive}[i], n)
			delete(found[i], n)
		}
	}
	s := second{forward: newForward(sys, all), sender: meter.sender, receiver: meter.receiver,
		sent: agree(0), received: agree(1)}
	s.run()
	require.Empty(t, found[0])
	require.Empty(t, found[1])
}

// checkParts checks that parts below a part add up to it, and that a holder's are told.
func checkParts(t *testing.T, parts []blame.Part, seen map[string]int) {
	for i := range parts {
		p := &parts[i]
		seen[p.Cause]++
		waits := p.Cause == blame.Blocked || p.Cause == blame.Claimed || p.Cause == blame.Handover
		below := len(p.Because) > 0
		if p.Ns <= 0 || below && p.Ns != blame.Sum(p.Because) || waits && !below {
			require.Fail(t, "these do not add up", "%+v", p)
		}
		checkParts(t, p.Because, seen)
	}
}
