package model

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// llistRing is a machine with one ring, whose entries 1, 2, ... a sender adds.
func llistRing(entries int) (m *Machine, adder, owner *Task) {
	m = New(&Workload{CPUs: 1}, ZeroCosts(), 1)
	m.world.endpoints = []endpoint{{workFirst: none, waitNr: waitInit, run: llistRun{retry: none}}}
	for range entries + 1 {
		m.world.items = append(m.world.items, workItem{next: none})
	}
	adder, owner = &Task{}, &Task{}
	adder.regs.own, owner.regs.target = none, none
	return m, adder, owner
}

// add adds an entry and says whether its adder is to wake.
func add(m *Machine, adder *Task, item int32, beaten Action) bool {
	adder.regs.item = item
	m.operateLlist(adder, ActLlistRead)
	for m.operateLlist(adder, beaten) {
		m.operateLlist(adder, ActLlistRead)
	}
	return m.operateLlist(adder, ActEnoughFirst)
}

// runLocalWork runs what one run may, and returns the entries in their order.
func runLocalWork(m *Machine, owner *Task, begin Action) (ran []int32) {
	m.operateLlist(owner, begin)
	for m.operateLlist(owner, ActRunTurn) {
		for m.operateLlist(owner, ActRunNext) {
			ran = append(ran, owner.regs.item)
		}
	}
	return ran
}

func TestLlistOrderAndRetry(t *testing.T) {
	// Look at the entries: the newest is first on the list, and yet they run in the order in which
	// they came. A run takes the whole list and leaves what it may not run, which the next one runs
	// first; only when nothing of that is left does it take the list, and then runs one at least.
	m, adder, owner := llistRing(30)
	from := func(first, last int32) {
		for i := first; i <= last; i++ {
			add(m, adder, i, ActLlistBeatenLazy)
		}
	}
	from(1, 3)
	require.EqualValues(t, 3, m.world.endpoints[0].workFirst)
	require.Equal(t, []int32{1}, runLocalWork(m, owner, ActRunWoken))
	from(4, 5)
	require.Equal(t, []int32{2}, runLocalWork(m, owner, ActRunWoken))
	require.Equal(t, []int32{3, 4}, runLocalWork(m, owner, ActRunWoken))
	require.Equal(t, []int32{5}, runLocalWork(m, owner, ActRunWoken))
	require.Empty(t, runLocalWork(m, owner, ActRunEntry))
	from(6, 30)
	first := runLocalWork(m, owner, ActRunEntry)
	require.Len(t, first, 20)
	require.EqualValues(t, 6, first[0])
	require.Equal(t, []int32{26, 27, 28, 29, 30}, runLocalWork(m, owner, ActRunEntry))
}

func TestLlistCount(t *testing.T) {
	// Look at who wakes: the lazy entry that makes the count reach what is waited for, the first
	// that is not lazy, nobody after them, and nobody while nobody waits. A list that was taken
	// counts from the beginning, whatever retry_llist still has.
	m, adder, owner := llistRing(30)
	wakes := func(first, last int32, beaten Action) (woke []int32) {
		for i := first; i <= last; i++ {
			if add(m, adder, i, beaten) {
				woke = append(woke, i)
			}
		}
		return woke
	}
	require.Empty(t, wakes(1, 2, ActLlistBeaten), "nobody waits")
	runLocalWork(m, owner, ActRunEntry)
	m.world.endpoints[0].waitNr = 3
	require.Equal(t, []int32{5}, wakes(3, 7, ActLlistBeatenLazy))
	require.Empty(t, wakes(8, 8, ActLlistBeaten), "5 has woken")
	require.Len(t, runLocalWork(m, owner, ActRunWoken), 1)
	require.Empty(t, wakes(9, 9, ActLlistBeatenLazy))
	require.Equal(t, []int32{10}, wakes(10, 12, ActLlistBeaten))
}

func TestLlistIsBeaten(t *testing.T) {
	// Look at the second adder: between his look and his exchange another is added, so he looks
	// again and is the second; had the list been taken meanwhile, he would be the first.
	m, adder, owner := llistRing(3)
	other := &Task{}
	other.regs.own = none
	m.world.endpoints[0].waitNr = 1
	adder.regs.item = 1
	m.operateLlist(adder, ActLlistRead)
	require.True(t, add(m, other, 2, ActLlistBeaten))
	require.True(t, m.operateLlist(adder, ActLlistBeaten))
	m.operateLlist(adder, ActLlistRead)
	runLocalWork(m, owner, ActRunEntry)
	require.True(t, m.operateLlist(adder, ActLlistBeaten), "the list it has seen is gone")
	m.operateLlist(adder, ActLlistRead)
	require.False(t, m.operateLlist(adder, ActLlistBeaten))
	require.True(t, m.operateLlist(adder, ActEnoughFirst))
}
