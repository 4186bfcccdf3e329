package text

import "slices"

// charNode is a place in what is found character by character: what may follow there, and what has ended.
type charNode struct {
	chars []rune // in order
	nodes []*charNode
	hit   *hit
}

// insert lays the paths of a phrase's parts, with and without a gap after each.
func (n *charNode) insert(parts []string, h *hit) {
	n = n.path(parts[0])
	if len(parts) > 1 {
		n.child(' ').insert(parts[1:], h)
		n.insert(parts[1:], h)
	} else if n.hit == nil {
		n.hit = h
	}
}

// path is the node that follows by all of s; it is made if there is none.
func (n *charNode) path(s string) *charNode {
	for _, r := range s {
		n = n.child(r)
	}
	return n
}

// child is the node that follows by r; it is made if there is none.
func (n *charNode) child(r rune) *charNode {
	at, ok := slices.BinarySearch(n.chars, r)
	if !ok {
		n.chars, n.nodes = slices.Insert(n.chars, at, r), slices.Insert(n.nodes, at, &charNode{})
	}
	return n.nodes[at]
}

// follow is the node that follows by r, or nil. Nearly every node but the first has a few children at most.
func (n *charNode) follow(r rune) *charNode {
	if len(n.chars) > 8 {
		if at, ok := slices.BinarySearch(n.chars, r); ok {
			return n.nodes[at]
		}
		return nil
	}
	for at, c := range n.chars {
		if c == r {
			return n.nodes[at]
		}
	}
	return nil
}
