package rank

import (
	"runtime"
	"sync"
)

// links are the links of a graph sorted by one of their ends: those of one node stand together, in the order in which the
// pages were read, and each says its other end. What is passed on along them is gathered node by node: that is the same sum
// whoever gathers it, so that all processors can.
type links struct {
	start []uint32 // by node, and one more
	other []uint32
}

// sorted sorts the links by the node they lead to, or by the page they stand on.
func (g *graph) sorted(byTarget bool) links {
	l := links{make([]uint32, len(g.nodes)+1), make([]uint32, len(g.out))}
	each := func(visit func(node, other uint32)) {
		g.pages(func(from uint32, to []uint32) {
			for _, n := range to {
				if byTarget {
					visit(n, from)
				} else {
					visit(from, n)
				}
			}
		})
	}
	each(func(node, _ uint32) { l.start[node+1]++ })
	for n := range g.nodes {
		l.start[n+1] += l.start[n]
	}
	at := append([]uint32(nil), l.start...)
	each(func(node, other uint32) {
		l.other[at[node]] = other
		at[node]++
	})
	return l
}

// of are the other ends of a node's links.
func (l links) of(node int) []uint32 { return l.other[l.start[node]:l.start[node+1]] }

// gathered is how many nodes a processor is given at least: fewer are done sooner than handed over.
const gathered = 1 << 14

// gather does something for all nodes, in as many parts as there are processors.
func gather(nodes int, do func(from, to int)) {
	parts := min(runtime.GOMAXPROCS(0), nodes/gathered)
	if parts < 2 {
		do(0, nodes)
		return
	}
	var all sync.WaitGroup
	for p := range parts {
		all.Go(func() { do(nodes*p/parts, nodes*(p+1)/parts) })
	}
	all.Wait()
}
