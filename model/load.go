package model

import (
	"rtsim/model/trace"
	"rtsim/sim"
)

// Interrupt load. A burst source wakes its interrupt thread for a drawn time. Its arrivals are
// nominal instants, fixed by the draws alone, so that two designs see the same ones; a burst that
// ran late delays the next only as far as the least gap after its real end asks.

// loadState is what changes of one source.
type loadState struct {
	nominal sim.Time // when the next is due, by the draws
	length  sim.Time // of the burst that is due or runs

	// What is known of the next one before it comes, for whoever draws it anew (redraw.go).
	gapFrom  sim.Time // where the gap before it begins; while a burst lasts, where that began
	gapFloor sim.Time // before which it does not come
	lasts    bool     // a burst's interrupt has been handled, and the burst is not over
}

// addStreams registers the random streams.
func (m *Machine) addStreams(w *Workload) {
	n := &m.prog.net
	n.loadStream = sim.StreamID(m.tape.Len())
	for i := range w.Loads {
		m.tape.Stream("load-length/" + w.Loads[i].Name)
		m.tape.Stream("load-gap/" + w.Loads[i].Name)
	}
	n.jitterStream = sim.StreamID(m.tape.Len())
	for i, id := range n.jitters {
		m.tape.Stream("arrivals/" + m.prog.names[id] + "/" + itoa(i))
	}
	costs := &m.prog.costs
	n.costStream, n.nCosts = sim.StreamID(m.tape.Len()), int32(len(costs.Names))
	if costs.JitterPercent == 0 {
		return
	}
	for _, task := range m.prog.names {
		for _, cost := range costs.Names {
			m.tape.Stream("cost/" + cost + "/" + task)
		}
	}
}

// addLoads sets the first arrivals.
func (m *Machine) addLoads(w *Workload) {
	for i := range w.Loads {
		m.world.loads = append(m.world.loads, loadState{nominal: m.sampleGap(i)})
		m.queue.Set(m.prog.loadSlot+i, m.world.loads[i].nominal)
	}
}

func (m *Machine) sampleGap(i int) sim.Time {
	return m.tape.Sample(m.prog.net.loadStream+sim.StreamID(2*i+1), &m.prog.net.loads[i].Gap)
}

func (m *Machine) sampleLength(i int) sim.Time {
	return m.tape.Sample(m.prog.net.loadStream+sim.StreamID(2*i), &m.prog.net.loads[i].Length)
}

func (m *Machine) loadCPU(i int) int32 { return m.prog.net.loads[i].CPU }

// loadCost is how long a source's handler runs.
func (m *Machine) loadCost(i int) sim.Time {
	switch m.prog.net.loads[i].Kind {
	case LoadDevice:
		return m.sampleLength(i)
	case LoadTick:
		return m.cost(CostTick, NoTask)
	}
	return m.cost(CostIRQHandler, NoTask)
}

// loadHandled is the effect of a source's handler.
func (m *Machine) loadHandled(c int32, i int) {
	d, s := &m.prog.net.loads[i], &m.world.loads[i]
	if d.Kind != LoadBurst {
		s.gapFrom, s.gapFloor = s.nominal, m.now+1
		s.nominal += m.sampleGap(i)
		m.queue.Set(m.prog.loadSlot+i, max(s.nominal, s.gapFloor))
		return
	}
	s.length = m.sampleLength(i)
	s.gapFrom, s.lasts = s.nominal, true
	s.nominal += s.length + m.sampleGap(i)
	m.record(trace.BurstDue, c, TaskID(d.Task), int32(i), 0)
	m.wakeWord(TaskID(d.Task), NoTask, c)
}

// burstEnds makes the next burst due.
func (m *Machine) burstEnds(i int) {
	s := &m.world.loads[i]
	s.gapFrom, s.gapFloor, s.lasts = s.gapFrom+s.length, m.now+m.prog.net.loads[i].Floor, false
	m.queue.Set(m.prog.loadSlot+i, max(s.nominal, s.gapFloor))
}
