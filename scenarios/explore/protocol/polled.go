package protocol

import (
	"slices"

	"rtsim/model"
)

// What can be polled, the llist of older kernels, and where requests are kept. Source:
// fs/eventfd.c, fs/signalfd.c, io_uring/poll.c (7.4); io_uring/io_uring.c (6.18); io_uring/
// msg_ring.c (6.11 to 6.16).

// doPolled performs an operation on R's eventfd or signalfd and their poll.
func (s *state) doPolled(t *thread, a model.Action, who int8) (bool, error) {
	switch a {
	case model.ActPushedFirst:
		return t.first, nil
	case model.ActCountAdd:
		s.count = min(s.count+1, countMost)
	case model.ActCountTake:
		was := s.count
		s.count = 0
		return was > 0, nil
	case model.ActCountSeen:
		return s.count > 0, nil
	case model.ActPollQueued:
		return s.polled, nil
	case model.ActPollGet:
		s.refs++
		return s.refs == 1, nil
	case model.ActPollUnqueue, model.ActPollRemove:
		s.polled = false
	case model.ActPollArm:
		s.refs, s.polled = 0, true
	case model.ActPollGetOwn:
		s.refs++
		t.item = ownItem
		return s.refs == 1, nil
	case model.ActPollPut:
		s.refs = 0
	case model.ActSignalThere:
	case model.ActSignalQueue:
		s.signals++
	case model.ActSignalSeen:
		return s.signals > 0, nil
	case model.ActSignalTake:
		had := s.signals > 0
		if had {
			s.signals--
		}
		return had, nil
	default:
		return s.doLlist(t, a, who)
	}
	return true, nil
}

// doLlist performs an operation on R's llist.
func (s *state) doLlist(t *thread, a model.Action, who int8) (bool, error) {
	switch a {
	case model.ActLlistRead:
		t.head, t.before = nobody, 0
		if s.work.n > 0 {
			t.head = s.work.at[0]
			t.before = s.items[t.head].nrTw
		}
	case model.ActLlistBeaten:
		return s.addLlist(t, workForce)
	case model.ActLlistBeatenLazy:
		return s.addLlist(t, t.before+1)
	case model.ActEnough:
		return s.waitNr > 0 && t.nrTw >= s.waitNr, nil
	case model.ActEnoughFirst:
		return s.waitNr > 0 && t.nrTw >= s.waitNr && t.before < s.waitNr, nil
	case model.ActRunEntry:
		s.left, s.turn = runMost, 0
	case model.ActRunWoken:
		s.left, s.turn = 1, 0
	case model.ActRunTurn:
		return s.runTurn(), nil
	case model.ActRunNext:
		return s.runNext(t), nil
	default:
		return s.doCache(t, a, who)
	}
	return true, nil
}

// addLlist adds the item unless the head is not what was read; then it says so.
func (s *state) addLlist(t *thread, nrTw int8) (beaten bool, err error) {
	head := nobody
	if s.work.n > 0 {
		head = s.work.at[0]
	}
	if head != t.head {
		return true, nil
	}
	t.nrTw = nrTw
	_, err = s.push(t, true, nrTw)
	return false, err
}

// runTurn turns to what was left of the last run, then to the list, which it takes whole and
// reverses; it says whether there is something to run.
func (s *state) runTurn() bool {
	if s.turn == 0 {
		s.turn = 1
		if s.retry.n > 0 {
			s.fresh = true
			return true
		}
	}
	if s.turn == 2 || s.retry.n > 0 {
		return false
	}
	for s.turn = 2; s.work.n > 0; {
		s.retry.pushFront(s.work.popFront())
	}
	s.fresh = true
	return s.retry.n > 0
}

// runNext takes the oldest entry if the run may still take one.
func (s *state) runNext(t *thread) bool {
	if s.retry.n == 0 || s.left <= 0 && !s.fresh {
		return false
	}
	t.item = s.retry.popFront()
	s.items[t.item] = item{}
	s.left = max(s.left-1, 0)
	s.fresh = false
	return true
}

// doCache performs an operation on what keeps requests: it always has one, and room for one.
func (s *state) doCache(t *thread, a model.Action, who int8) (bool, error) {
	switch a {
	case model.ActCachePop, model.ActCacheLook, model.ActPoolLook, model.ActCachePush:
		t.popped = true
	case model.ActCacheLost:
		return false, nil
	case model.ActPoolLost:
		t.item = requestOf(t, who)
		return false, nil
	case model.ActPoolTake:
		t.popped, t.item = true, requestOf(t, who)
	case model.ActCacheBusy:
		t.popped = false
	case model.ActCacheGot, model.ActPoolGot:
		return t.popped, nil
	case model.ActPoolReturn:
	default:
		if slices.Contains(gives, a) {
			return true, nil
		}
		if slices.Contains(refuses, a) {
			return false, nil
		}
		return false, errMeaningless(a)
	}
	return true, nil
}
