package bound_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rtsim/scenarios"
	"rtsim/scenarios/bound"
	"rtsim/scenarios/bound/cert"
	"rtsim/scenarios/file"
	"rtsim/sim"
)

// measuredFrom is the experiment with another instant from which on messages are measured.
func measuredFrom(t *testing.T, from string) string {
	data, ok := scenarios.Builtin("orin-queue")
	require.True(t, ok)
	require.Equal(t, 1, strings.Count(string(data), "from: 1ms"))
	name := filepath.Join(t.TempDir(), "early.yaml")
	text := strings.Replace(string(data), "from: 1ms", "from: "+from, 1)
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

// Look at the terms: a doorbell's or a polled message takes less than 100 us. The experiment's
// sender sends at once, so its first message may be there before the receiver has opened its end,
// and is found with the second, 500 us later. So it is if the first one is measured, or if it may
// begin in the 6 us in which the receiver may not have its end open; from 1 ms on it is not, and
// the certificate does not do for the other two.
func TestReceivesThatNobodyHoldsBack(t *testing.T) {
	for _, design := range []string{"doorbell", "doorbell/fix-f2", "doorbell/fix-f3",
		"ideal-spin"} {
		late := system(t, "orin-queue", design)
		b := compute(t, late, "receive")
		assert.Empty(t, b.Unbounded, design)
		assert.NoError(t, check(late, b), design)
		assert.Less(t, b.Value, 100*sim.Microsecond, design)
		for _, from := range []string{"0us", "4us"} {
			s := system(t, measuredFrom(t, from), design)
			early := compute(t, s, "receive")
			last := early.Terms[len(early.Terms)-1]
			assert.NoError(t, check(s, early), design)
			assert.Equal(t, "before it opens", last.Name)
			assert.Greater(t, last.Ns, 500*sim.Microsecond, design)
			assert.Equal(t, b.Value, early.Value-last.Ns, design)
			assert.ErrorContains(t, check(s, b), "the receiver needs", design)
		}
	}
}

// sameInstant is a sender and a receiver who arrive together, the sender first, where nothing takes
// time.
const sameInstant = `cpus: 2
costs: zero
queues: [Q]
tasks:
  - {name: sender, priority: 40, cpus: [0], program: "every 500us; send Q; goto 0"}
  - {name: receiver, priority: 40, cpus: [1], program: "open Q; receive Q; goto 1"}
measure: {sender: sender, receiver: receiver}
`

// Look at the first message: it is sent at 0, in the instant in which the receiver opens its end
// after that, and is handled with the second one, at 500 us, and no bound is below that.
func TestReceiveOfAMessageSentAsTheReceiverComes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "same.yaml")
	require.NoError(t, os.WriteFile(name, []byte(sameInstant), 0o600))
	r, err := scenarios.Run("doorbell", name, 1, scenarios.Options{Duration: sim.Millisecond})
	require.NoError(t, err)
	require.Equal(t, 500*sim.Microsecond, r.Receive.MaxNs)
	s := system(t, name, "doorbell")
	b := compute(t, s, "receive")
	assert.GreaterOrEqual(t, b.Value, r.Receive.MaxNs)
	assert.NoError(t, check(s, b))
	b.Certificate.Value, b.Certificate.Terms = 0, nil
	assert.Error(t, check(s, b))
}

// Look at the sentences: a fair task that may be preempted with a wake-up of the receiver's in its
// hands has no bound, and it is said who, and from where on. Under a lock or with preemption off it
// is not so, but then too a receive is only bounded where no work is queued.
func TestReceivesThatSomebodyMayHoldBack(t *testing.T) {
	for design, why := range map[string]string{
		"msg-ring": `not bounded: low-pub-0, SCHED_OTHER, owes the receiver a wake-up from ` +
			`"io_req_local_work_add: mpscq_push: exchange the tail" on; preempted there it keeps ` +
			`the push`,
		"futex-persistent/rcu-walk":  "keeps the mark, on which others rely, and nothing boosts it",
		"doorbell/first-wake":        "keeps the first bits",
		"doorbell/no-wake-fix":       "keeps the claim",
		"doorbell/first-wake+fix-f3": "no bound is derived: a receive depends on the claim",
		"futex-persistent/fix-f3":    "no bound is derived: a receive depends on the claim",
		"futex-persistent": `no bound is derived: from "io_req_local_work_add: mpscq_push: ` +
			`exchange the tail" of each sender to his next step the receiver spins`,
		"futex-persistent/rcu-walk+fix-f4": "keeps the mark, on which others rely",
		"futex-oneshot":                    "no bound is derived: a receive depends on the claim",
	} {
		b := compute(t, system(t, "orin-queue", design), "receive")
		assert.Contains(t, b.Unbounded, why, design)
	}
}

// Look at the items: a node's waiter has one on its list at most, but the loop runs what others add
// while it runs, and no more than they can. So at the defaults there is a bound of less than
// 100 us, 18 items of it; there is none if they have nothing to do between two sends; nor if the
// sender has the next message on its way before this one is handled.
func TestReceivesWithQueuedWork(t *testing.T) {
	const design = "futex-persistent/fix-f4"
	s := system(t, "orin-queue", design)
	b := compute(t, s, "receive")
	assert.Empty(t, b.Unbounded)
	assert.NoError(t, check(s, b))
	assert.Less(t, b.Value, 100*sim.Microsecond)
	for i := range b.Terms {
		spoilt := compute(t, s, "receive").Certificate
		if spoilt.Terms[i].Ns == 0 {
			continue
		}
		spoilt.Terms[i].Ns--
		spoilt.Value--
		assert.Error(t, cert.Check(spoilt, s.Scenario, s.Design, s.Profile, s.Fixed),
			spoilt.Terms[i].Name)
	}
	for name, why := range map[string]string{
		"low_work=0us":     "others may add work as fast as receiver runs it",
		"send_period=60us": "the next message of sender may be sent before this one is handled",
	} {
		key, value, _ := strings.Cut(name, "=")
		other := system(t, "orin-queue", design, file.Setting{Name: key, Value: value})
		assert.Contains(t, compute(t, other, "receive").Unbounded, why)
		assert.Error(t, check(other, b))
	}
	bare := system(t, "orin-queue", "futex-persistent")
	b.Certificate.Call = compute(t, bare, "send").Certificate
	assert.ErrorContains(t, check(bare, b), "others rely")
}

// Look at the claim's term: with F3 who finds the wake-up claimed leaves it to one who has
// preemption off; 1 ns less than the longest such section, interrupts included, is refused.
func TestReceivesWithClaims(t *testing.T) {
	s := system(t, "orin-queue", "doorbell/fix-f3")
	b := compute(t, s, "receive")
	assert.Less(t, b.Value, 100*sim.Microsecond)
	i := slices.IndexFunc(b.Terms, func(t bound.Term) bool { return t.Name == "the claim" })
	assert.Greater(t, b.Terms[i].Ns, 10*sim.Microsecond)
	b.Certificate.Terms[i].Ns--
	b.Certificate.Value--
	assert.ErrorContains(t, check(s, b), "the receiver needs")
}

// Look at the spoilt ones: a receive's certificate is refused if it is 1 ns too low, if the call's
// is missing or wrong, or if it is of a design in which others rely on a sender.
func TestWrongCertificatesOfReceives(t *testing.T) {
	s := system(t, "orin-queue", "doorbell")
	for why, spoil := range map[string]func(c *cert.Certificate){
		"the receiver needs":    func(c *cert.Certificate) { c.Terms[1].Ns--; c.Value-- },
		"it has no certificate": func(c *cert.Certificate) { c.Call = nil },
		"the call takes up to": func(c *cert.Certificate) {
			c.Call.Terms[0].Ns--
			c.Call.Value--
		},
		"add up": func(c *cert.Certificate) { c.Terms = c.Terms[:3] },
	} {
		b := compute(t, s, "receive")
		assert.NoError(t, check(s, b))
		spoil(b.Certificate)
		assert.ErrorContains(t, check(s, b), why)
	}
	for _, design := range []string{"doorbell/first-wake", "doorbell/no-wake-fix"} {
		b, other := compute(t, s, "receive"), system(t, "orin-queue", design)
		b.Certificate.Call = compute(t, other, "send").Certificate
		assert.ErrorContains(t, check(other, b), "others rely")
	}
}
