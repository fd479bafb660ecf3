package model

import "rtsim/sim"

type Ref uint8

const RefNone Ref = 0

type Action uint8

const ActExpire Action = 1

type registers struct{}
type network struct{}
type world struct{}

func (p *Program) loads() int                                            { return 0 }
func (w *world) copyFrom(src *world)                                     {}
func (m *Machine) addWorld(w *Workload)                                  {}
func (m *Machine) pollEnds(id TaskID) bool                               { return false }
func (m *Machine) pollDone(id TaskID)                                    {}
func (m *Machine) jittered(ns sim.Time, id CostID, task TaskID) sim.Time { return ns }
func (m *Machine) registerLock(r Ref, t *Task) LockID                    { return NoLock }
func (m *Machine) registerTask(r Ref, t *Task) TaskID                    { return NoTask }
func (m *Machine) loadCPU(i int) int32                                   { return 0 }
func (m *Machine) loadCost(i int) sim.Time                               { return 0 }
func (m *Machine) loadHandled(c int32, i int)                            {}
func (m *Machine) do(id TaskID, t *Task, s *Step) {
	switch s.Action {
	case ActExpire:
		m.expire(id)
	}
	m.stepDone(id)
}
