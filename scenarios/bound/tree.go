package bound

import "rtsim/model"

// A listing as the tree it was written as: model.When, Either, While and Try make jumps of it, and
// the jumps give the tree back.

type nodeKind uint8

const (
	leaf   nodeKind = iota // a step that is always passed
	branch                 // a test with two bodies, one of which may be empty
	loop                   // a test that is asked again after each round of its body
)

// node is one step with what depends on it.
type node struct {
	line    int // of the listing
	kind    nodeKind
	yes, no []node // of a branch; yes is a loop's body
}

// parse gives the tree of the lines from i to before j.
func parse(code model.Code, i, j int) (nodes []node) {
	for i < j {
		s := &code[i].Step
		tests := (s.Op == model.OpDo || s.Op == model.OpTry) && s.Target != 0
		if !tests {
			if s.Op != model.OpJump {
				nodes = append(nodes, node{line: i})
			}
			i++
			continue
		}
		end := i + int(s.Target)
		n := node{line: i, kind: branch}
		last := &code[end-1].Step
		switch back := end - 1 + int(last.Target); {
		case last.Op != model.OpJump || end-1 == i:
			n.yes, i = parse(code, i+1, end), end
		case last.Target < 0 && back == i:
			n.kind, n.yes, i = loop, parse(code, i+1, end-1), end
		case last.Target < 0: // the jump of a loop that ends the body
			n.yes, i = parse(code, i+1, end), end
		default:
			n.yes, n.no, i = parse(code, i+1, end-1), parse(code, end, back), back
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// has says whether a line is among the nodes or below them.
func has(nodes []node, line int) bool {
	for i := range nodes {
		n := &nodes[i]
		if n.line == line || has(n.yes, line) || has(n.no, line) {
			return true
		}
	}
	return false
}
