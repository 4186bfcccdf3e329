package page

import "sync"

// scratch is the room in which pages are read one after the other: nothing in it outlives the reading of a page.
type scratch struct {
	attrs   []attribute
	stack   []element
	formats []reopened
	regions []region
	links   []occurrence
	parts   []part
	text    []byte
	runs    []run
	marks   []mark
	weighed []candidate
	seen    map[string]int32
	words   []uint32
}

// rooms are those nobody reads in.
var rooms = sync.Pool{New: func() any {
	return &scratch{
		attrs: make([]attribute, 0, 16), stack: make([]element, 0, 48), formats: make([]reopened, 0, 8), regions: make([]region, 0, 64),
		links: make([]occurrence, 0, 128), parts: make([]part, 0, 256), text: make([]byte, 0, 16<<10), runs: make([]run, 0, 256), marks: make([]mark, 0, 512),
		weighed: make([]candidate, 0, 256), seen: make(map[string]int32, 128),
	}
}}

// largestText and mostLinks are of a page whose room is kept for the next: a page beyond them is rare, and its room is given up.
const (
	largestText = 256 << 10
	mostLinks   = 1000
)

// leave gives the room back, emptied, so that it holds on to nothing of the page.
func (s *scratch) leave(r *reading) {
	if cap(r.prose.buf) > largestText || len(r.seen) > mostLinks {
		return
	}
	*s = scratch{
		attrs: emptied(r.attrs[:cap(r.attrs)]), stack: emptied(r.stack[:cap(r.stack)]), formats: emptied(r.formats[:cap(r.formats)]),
		regions: emptied(r.regions), links: emptied(r.links), parts: emptied(r.parts), text: r.prose.buf[:0], runs: r.prose.runs[:0], marks: r.prose.marks[:0],
		weighed: r.weighed[:0], seen: r.seen, words: r.shingles[:0],
	}
	clear(s.seen)
	rooms.Put(s)
}

// emptied is a list without what stood in it. Of those that shrink while a page is read more than what stands in them has to go.
func emptied[E any](list []E) []E {
	clear(list)
	return list[:0]
}
