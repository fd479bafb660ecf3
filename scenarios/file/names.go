package file

import (
	"regexp"

	"go.yaml.in/yaml/v4"
)

// nameKind is what a name stands for.
type nameKind uint8

// What names stand for; the reader of another kind of file may have more.
const (
	nameLock nameKind = iota
	nameSemaphore
	nameTask
	nameQueue
	nameLoad
)

// nameKinds are the words of messages about each kind.
var nameKinds = [...]struct{ one, all, declare, use string }{
	nameLock: {"lock", "the locks are", "declare it under locks", "lock and unlock"},
	nameSemaphore: {"semaphore", "the semaphores are", "declare it under semaphores",
		"take and post"},
	nameTask: {"task", "the tasks are", "name a task of the file", "wake and set_priority"},
	nameQueue: {"queue", "the queues are", "declare it under queues",
		"send, receive, open and close"},
	nameLoad: {"load", "the loads are", "declare it under load", "no word"},
}

// declared is what a name stands for and where it says so.
type declared struct {
	kind  nameKind
	index int32
	line  int
}

// isName is what the name of a task, lock or semaphore looks like.
var isName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// declare gives a name its meaning and reports a name that is none, or that has a meaning already.
// The node is where it stands.
func (r *reader) declare(n *yaml.Node, name string, kind nameKind, index int32) {
	if !isName.MatchString(name) {
		r.node(n, "a %s is named %s; a name has letters A to Z and a to z, digits, _ and -",
			nameKinds[kind].one, quote(name))
		return
	}
	if d, ok := r.names[name]; ok {
		r.node(n, "a %s is named %s, as is the %s on line %d; give each its own name",
			nameKinds[kind].one, quote(name), nameKinds[d.kind].one, d.line)
		return
	}
	r.names[name] = declared{kind, index, n.Line}
}

// named gives the names of a kind, in the order of the file.
func (r *reader) named(kind nameKind) []string {
	var all []string
	switch kind {
	case nameLock:
		for _, l := range r.out.Locks {
			all = append(all, l.Name)
		}
	case nameSemaphore:
		for _, s := range r.out.Semaphores {
			all = append(all, s.Name)
		}
	case nameTask:
		for _, t := range r.out.Tasks {
			all = append(all, t.Name)
		}
	case nameQueue:
		all = r.out.Queues
	}
	var names []string
	for i, name := range all { // a name that is taken or is none is not declared
		if d, ok := r.names[name]; ok && d.kind == kind && d.index == int32(i) {
			names = append(names, name)
		}
	}
	return names
}

// unknown says what to do about a name that stands for nothing.
func (r *reader) unknown(name string, kind nameKind) string {
	var known []string
	if len(r.found) < maxSuggested {
		known = r.named(kind)
	}
	return r.suggestion(name, known, nameKinds[kind].all, nameKinds[kind].declare)
}
