package disk

import (
	"maps"
	"time"
)

// sums are what outcomes add up to, and what the log holds.
type sums struct {
	at       time.Time // of the last outcome
	counters map[string]int64
	files    map[string]int64
	live     live
}

// live counts the frames that hold a part of an item, and not of what it was before.
type live struct {
	items, bodies, nums int64
}

// add takes an outcome in. Counters add up; of a file's length the latest counts.
func (s *sums) add(e *ended) {
	s.at = e.at
	if len(e.counters) > 0 && s.counters == nil {
		s.counters = map[string]int64{}
	}
	for name, n := range e.counters {
		s.counters[name] += n
	}
	if len(e.files) > 0 && s.files == nil {
		s.files = map[string]int64{}
	}
	maps.Copy(s.files, e.files)
}

func (s sums) clone() sums {
	s.counters, s.files = maps.Clone(s.counters), maps.Clone(s.files)
	return s
}

// replace counts a raise (body) or new numbers of an item that stands at l so far.
func (v *live) replace(l *link, body bool) {
	switch {
	case !body && l.nums == 0:
		v.nums++
	case body && l.nums != 0:
		v.nums--
	}
	if body && l.body == 0 {
		v.bodies++
	}
}

// move counts an item that stands elsewhere now.
func (v *live) move(from, to *link) {
	if from.body != 0 && to.body == 0 {
		v.bodies--
	}
	if from.nums != 0 && to.nums == 0 {
		v.nums--
	}
}

// tally is how many frames of each kind the files hold, and their bytes.
type tally [kinds]struct{ frames, bytes int64 }

func (t *tally) add(k kind, bytes int) {
	t[k].frames++
	t[k].bytes += int64(bytes)
}

// waste estimates how much of the files would be left out by compaction: all but the frames that still say something of an item, which
// are supposed to be as long as the mean of their kind.
func (t *tally) waste(v live) (total, waste int64) {
	for _, k := range t {
		total += k.bytes
	}
	waste = total
	for k, n := range map[kind]int64{kindItem: v.items, kindRaise: v.bodies, kindScore: v.nums} {
		if t[k].frames > 0 {
			waste -= int64(float64(t[k].bytes) * min(1, float64(n)/float64(t[k].frames)))
		}
	}
	return total, waste
}
