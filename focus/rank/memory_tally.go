package rank

import "math"

// Tally is how the links of one kind turned out that were fetched so far.
type Tally struct {
	Fetched  int
	Relevant int     // how many of them were
	Sum      float64 // of their relevance
}

// Mean is the mean relevance; NaN while nothing was fetched.
func (t Tally) Mean() float64 {
	if t.Fetched == 0 {
		return none
	}
	return t.Sum / float64(t.Fetched)
}

// Share is the share that was relevant; NaN while nothing was fetched.
func (t Tally) Share() float64 {
	if t.Fetched == 0 {
		return none
	}
	return float64(t.Relevant) / float64(t.Fetched)
}

// Toward is the mean drawn toward what a wider kind says, as if weight more links had turned out like that.
func (t Tally) Toward(wider, weight float64) float64 {
	return (t.Sum + weight*wider) / (float64(t.Fetched) + weight)
}

func (t *Tally) add(relevance float64, relevant bool) {
	t.Fetched++
	t.Sum += relevance
	if relevant {
		t.Relevant++
	}
}

// group is a Tally with the waiting addresses it speaks for.
type group struct {
	Tally
	reach   reach
	seed    bool // a host or directory of a start page
	key     uint64
	changed uint64   // when it last changed
	refs    uint32   // how many addresses count in it
	members []uint32 // the serials of those that waited when they joined, in that order
	gone    uint32   // how many of the members wait no more
	next    uint32   // the member that is told next: each gets its turn
	owed    uint32   // how many of them have not heard of it since it moved,
	heard   moved    // which was from here
}

// moved is what a group comes to, drawn toward all that was fetched as if one more link had turned out like that: what a group is
// beside the others decides the order.
type moved struct{ mean, share float32 }

// worthTelling is how far a group must move until its members hear of it where all that wait are scored again now and then: less
// moves hardly any of them past another.
const worthTelling = 0.003

// owe has all members hear of the group: every time, or where it says something for the first time or has moved since they last
// did.
func (g *group) owe(all Tally, moves bool) {
	is := moved{
		float32(g.Toward(all.Mean(), 1)),
		float32(Tally{Fetched: g.Fetched, Sum: float64(g.Relevant)}.Toward(all.Share(), 1)),
	}
	if moves && g.Fetched > 1 && max(math.Abs(float64(is.mean-g.heard.mean)), math.Abs(float64(is.share-g.heard.share))) < worthTelling {
		return
	}
	g.heard, g.owed = is, uint32(len(g.members))
}

// freed is a group that nobody uses.
var freed = group{reach: reaches}

// compact drops the members that wait no more when they are the most.
func (g *group) compact(waits func(uint32) bool) {
	if int(g.gone)*2 <= len(g.members) {
		return
	}
	kept, next := g.members[:0], uint32(0)
	for i, serial := range g.members {
		if waits(serial) {
			if uint32(i) < g.next {
				next++
			}
			kept = append(kept, serial)
		}
	}
	g.members, g.gone, g.next = kept, 0, next
	g.owed = min(g.owed, uint32(len(kept)))
}
