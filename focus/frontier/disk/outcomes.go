package disk

import (
	"maps"
	"slices"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// appendState is the body of kindState.
func appendState(b []byte, id uint64, st frontier.State) []byte {
	return append(appendUint(b, id), byte(st))
}

func cutState(body []byte) (id uint64, st frontier.State, err error) {
	c := cut(body)
	id, st = c.Number(), frontier.State(c.Byte())
	if st == frontier.Unknown || st > frontier.Dropped {
		return id, st, errFrame
	}
	return id, st, checked(c, id, 0, 0)
}

// appendAllSums is the body of kindSums.
func appendAllSums(b []byte, s *sums, lessons [][]byte) []byte {
	b = appendSums(appendSums(appendTime(b, s.at), s.counters), s.files)
	for _, l := range lessons {
		b = appendString(b, l)
	}
	return b
}

func cutAllSums(body []byte, s *sums) (lessons [][]byte, err error) {
	c := cut(body)
	s.at = c.time()
	s.counters, s.files = c.sums(), c.sums()
	for len(c.Left) > 0 {
		lessons = append(lessons, append([]byte{}, c.bytes()...))
	}
	return lessons, c.done()
}

// leased is the body of kindLease.
type leased struct {
	id     uint64
	at     time.Time
	served bool
}

func (l leased) append(b []byte) []byte {
	b = appendTime(appendUint(b, l.id), l.at)
	if l.served {
		return append(b, 1)
	}
	return append(b, 0)
}

func cutLease(body []byte) (l leased, err error) {
	c := cut(body)
	l = leased{c.Number(), c.time(), c.Byte() == 1}
	return l, checked(c, l.id, 0, 0)
}

// ended is the body of kindDone, and without its last parts that of kindLapse.
type ended struct {
	id       uint64
	at, next time.Time
	again    bool
	failed   bool
	idle     bool
	rescored bool
	score    float32
	counters map[string]int64
	files    map[string]int64
	lesson   []byte
}

const (
	endedAgain = 1 << iota
	endedFailed
	endedRescored
	endedLesson // with a lesson, even an empty one
	endedIdle
)

func newEnded(id uint64, at, next time.Time, o *frontier.Outcome) ended {
	rescored := o.Again && o.Score == o.Score
	e := ended{id: id, at: at, next: next, again: o.Again, failed: o.Failed, idle: o.Idle, rescored: rescored, counters: o.Counters,
		files: o.Files, lesson: o.Lesson}
	if rescored {
		e.score = o.Score
	}
	return e
}

func (e ended) append(b []byte) []byte {
	var flags byte
	if e.again {
		flags |= endedAgain
	}
	if e.failed {
		flags |= endedFailed
	}
	if e.idle {
		flags |= endedIdle
	}
	if e.rescored {
		flags |= endedRescored
	}
	if e.lesson != nil {
		flags |= endedLesson
	}
	b = append(appendUint(b, e.id), flags)
	b = appendTime(appendTime(b, e.at), e.next)
	if e.rescored {
		b = appendFloat(b, e.score)
	}
	b = appendSums(appendSums(b, e.counters), e.files)
	if e.lesson != nil {
		b = appendString(b, e.lesson)
	}
	return b
}

func cutEnded(body []byte) (e ended, err error) {
	c := cut(body)
	e.id = c.Number()
	flags := c.Byte()
	e.again, e.failed, e.rescored = flags&endedAgain != 0, flags&endedFailed != 0, flags&endedRescored != 0
	e.idle = flags&endedIdle != 0
	e.at, e.next = c.time(), c.time()
	if e.rescored {
		e.score = c.Float32()
	}
	e.counters, e.files = c.sums(), c.sums()
	if flags&endedLesson != 0 {
		e.lesson = append([]byte{}, c.bytes()...)
	}
	return e, checked(c, e.id, e.score, 0)
}

// appendSums writes names in order, so that the same visit is always the same bytes.
func appendSums(b []byte, sums map[string]int64) []byte {
	b = appendUint(b, uint64(len(sums)))
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		b = appendInt(appendString(b, name), sums[name])
	}
	return b
}

// committed is the body of kindCommit; it is empty where there is nothing to keep.
type committed struct {
	files  map[string]int64
	lesson []byte
}

func (c committed) append(b []byte) []byte { return append(appendSums(b, c.files), c.lesson...) }

func cutCommitted(body []byte) (committed, error) {
	if len(body) == 0 {
		return committed{}, nil
	}
	c := cut(body)
	out := committed{files: c.sums()}
	out.lesson = append(out.lesson, c.Take(len(c.Left))...)
	return out, c.done()
}
