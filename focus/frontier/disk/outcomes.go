package disk

import (
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/pack"
)

// What ends a transaction, and what stands in its place where the frames that led to it are left out, is written and read by one
// description each.

// stated is the body of kindState.
type stated struct {
	id  uint64
	now frontier.State
}

func (s *stated) code(k *pack.Coder) {
	k.Number(&s.id)
	if k.Byte((*byte)(&s.now)); s.id == 0 || s.now == frontier.Unknown || s.now > frontier.Shelved {
		k.Fail()
	}
}

// summed is the body of kindSums.
type summed struct {
	*sums
	lessons [][]byte
}

func (s *summed) code(k *pack.Coder) {
	codeTime(k, &s.at)
	codeSums(k, &s.counters)
	codeSums(k, &s.files)
	pack.ToEnd(k, &s.lessons, func(lesson *[]byte) { codeKept(k, lesson) })
}

// leased is the body of kindLease.
type leased struct {
	id     uint64
	at     time.Time
	served bool
}

func (l *leased) code(k *pack.Coder) {
	k.Number(&l.id)
	codeTime(k, &l.at)
	if k.Yes(&l.served); l.id == 0 {
		k.Fail()
	}
}

// ended is the body of kindDone, and without its last parts that of kindLapse.
type ended struct {
	id       uint64
	at, next time.Time
	again    bool
	failed   bool
	idle     bool
	shelved  bool
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
	endedShelved
)

// newEnded is an outcome as it is written down. A score that is NaN keeps the item's own, and is not written.
func newEnded(id uint64, at, next time.Time, o *frontier.Outcome) ended {
	rescored := o.Again && !o.Shelved && o.Score == o.Score
	e := ended{id: id, at: at, next: next, again: o.Again, failed: o.Failed, idle: o.Idle, shelved: o.Shelved, rescored: rescored, counters: o.Counters,
		files: o.Files, lesson: o.Lesson}
	if rescored {
		e.score = o.Score
	}
	return e
}

// code writes and reads with one description. Flags come first, since they say which of the other fields there are.
func (e *ended) code(k *pack.Coder) {
	k.Number(&e.id)
	told := e.lesson != nil
	var flags byte
	said := []struct {
		is  *bool
		bit byte
	}{{&e.again, endedAgain}, {&e.failed, endedFailed}, {&e.rescored, endedRescored}, {&told, endedLesson}, {&e.idle, endedIdle}, {&e.shelved, endedShelved}}
	for _, f := range said {
		if *f.is {
			flags |= f.bit
		}
	}
	k.Byte(&flags)
	for _, f := range said {
		*f.is = flags&f.bit != 0
	}
	codeTime(k, &e.at)
	codeTime(k, &e.next)
	if e.rescored {
		k.Float32(&e.score)
	}
	codeSums(k, &e.counters)
	codeSums(k, &e.files)
	if told {
		codeKept(k, &e.lesson)
	}
	if e.id == 0 || frontier.Check(e.score, 0) != nil {
		k.Fail()
	}
}

// committed is the body of kindCommit; it is empty where there is nothing to keep.
type committed struct {
	files  map[string]int64
	lesson []byte
}

// code reads an empty body as nothing to keep, which is what Frontier.commit writes.
func (c *committed) code(k *pack.Coder) {
	if k.Read && len(k.Bytes) == 0 {
		return
	}
	codeSums(k, &c.files)
	if k.Left(&c.lesson); k.Read {
		c.lesson = append([]byte(nil), c.lesson...)
	}
}

// hosted is the body of kindRest; kindPace has a duration in the place of the time.
type hosted struct {
	name  string
	until time.Time
	pace  time.Duration
}

func (h *hosted) rest(k *pack.Coder) { k.Text(&h.name); codeTime(k, &h.until) }
func (h *hosted) slow(k *pack.Coder) { k.Text(&h.name); k.Signed((*int64)(&h.pace)) }
