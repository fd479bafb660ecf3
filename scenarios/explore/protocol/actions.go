package protocol

import (
	"fmt"

	"rtsim/model"
)

// What the operations mean, for one receiver. Source: kernel/futex/waitwake.c; io_uring/futex.c,
// msg_ring.c, tw.c, mpscq.h, wait.c (7.4); the llist and what can be polled are in polled.go.

// do performs an operation and returns its result.
func (s *state) do(t *thread, a model.Action, who int8) (bool, error) {
	switch a {
	case model.ActPublish:
		s.published++
		t.message = s.published
	case model.ActRead:
		s.seen = s.published
	case model.ActHandle:
		s.handled = s.seen
	case model.ActOpen:
		s.seen, s.handled = s.published, s.published
	case model.ActRefuse:
		t.refused = true
	case model.ActStateMatch:
		return s.threads[receiver].interruptible, nil
	case model.ActNextOpen, model.ActNodeNext:
		return t.walk(true), nil
	case model.ActPoll, model.ActNodeJoin:
	case model.ActMarkPending:
		was := s.pending
		s.pending = true
		return !was, nil
	case model.ActClearPending:
		s.pending = false
	case model.ActBell:
		was := s.bell
		s.bell = true
		return !was, nil
	case model.ActTakeBell:
		was := s.bell
		s.bell = false
		return was, nil
	case model.ActBellSilent:
		return !s.bell, nil
	case model.ActBellSet:
		return s.bell, nil
	default:
		return s.doHash(t, a, who)
	}
	return true, nil
}

// walk shows a walker R, if it is there, and then nobody.
func (t *thread) walk(there bool) bool {
	if t.walked || !there {
		t.walked = false
		return false
	}
	t.walked, t.item = true, ownItem
	return true
}

// doHash performs an operation on the futex hash bucket, or on a wake_q.
func (s *state) doHash(t *thread, a model.Action, who int8) (bool, error) {
	switch a {
	case model.ActHashWaiters:
		return s.hashWaiters > 0, nil
	case model.ActHashCount:
		s.hashWaiters++
	case model.ActHashQueue:
		if s.seen != s.published {
			s.hashWaiters--
			return false, nil
		}
		s.hashed = true
	case model.ActHashNext:
		return t.walk(s.hashed), nil
	case model.ActHashMatch:
	case model.ActHashUnqueue:
		s.hashed = false
		s.hashWaiters--
	case model.ActWakeQAdd:
		if s.inWakeQ {
			return false, nil
		}
		s.inWakeQ, t.wakeQ = true, true
	case model.ActWakeQNext:
		had := t.wakeQ
		if had {
			s.inWakeQ, t.wakeQ = false, false
		}
		return had, nil
	default:
		return s.doRing(t, a, who)
	}
	return true, nil
}

// doRing performs an operation on R's ring and its mpscq.
func (s *state) doRing(t *thread, a model.Action, who int8) (bool, error) {
	switch a {
	case model.ActWorkPush:
		return s.push(t, false, 0)
	case model.ActWorkAdd:
		return s.push(t, true, 0)
	case model.ActWorkLink:
		s.items[t.item].linked = true
		return t.first, nil
	case model.ActWorkPop:
		if s.work.n == 0 {
			return false, nil
		}
		t.item = s.work.popFront()
		s.items[t.item] = item{}
	case model.ActWork:
		return s.hasWork(), nil
	case model.ActNoWork:
		return !s.hasWork(), nil
	case model.ActArmed:
		return s.waitNr > 0, nil
	case model.ActClaim:
		was := s.waitNr
		s.waitNr = waitInit
		return was > 0, nil
	case model.ActClaimLazy:
		s.waitNr--
		return s.waitNr == 0, nil
	case model.ActClaimKept:
		s.waitNr = min(s.waitNr, 0)
		return s.waitNr == 0, nil
	case model.ActArm:
		s.waitNr = 1
	case model.ActDisarm:
		s.waitNr = waitInit
		s.threads[receiver].interruptible = false
	case model.ActNoCQE:
		return s.cqes == 0, nil
	case model.ActPosted:
		return s.cqes > 0, nil
	case model.ActPostCQE:
		s.cqes = min(s.cqes+1, countMost)
	case model.ActReap:
		s.cqes = 0
	case model.ActRequestFill:
		t.item = requestOf(t, who)
	default:
		return s.doPolled(t, a, who)
	}
	return true, nil
}

// requestOf is the request of a sender's present message.
func requestOf(t *thread, who int8) int8 {
	if who == sender {
		return 1
	}
	return 2 + (who-2)*sendsMost + t.sends - 1
}

// push publishes the thread's item: at the end of the mpscq, or newest first with its nr_tw.
func (s *state) push(t *thread, linked bool, nrTw int8) (bool, error) {
	if s.items[t.item].queued {
		return false, errQueued
	}
	s.items[t.item] = item{queued: true, linked: linked, nrTw: nrTw}
	t.first = s.work.n == 0
	if nrTw > 0 {
		s.work.pushFront(t.item)
	} else {
		s.work.pushBack(t.item)
	}
	return t.first, nil
}

// gives are operations on slabs, caches and pools that have what is asked of them; refuses are
// those whose yes would be the longer way.
var gives = []model.Action{model.ActMemory, model.ActSheafPop, model.ActSheafRoom,
	model.ActSheafPush, model.ActCPUPop, model.ActKfreeRCU, model.ActFreeSingle}

var refuses = []model.Action{model.ActFlushGroup, model.ActFreeLeft}

func errMeaningless(a model.Action) error {
	return fmt.Errorf("operation %d of a listing has no meaning here; add it to this package", a)
}
