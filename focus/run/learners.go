package run

import (
	"fmt"

	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/pack"
)

// Learner is what experience changes. State and Restore are for snapshots; Lesson tells what was learned since it was
// last asked, and Relearn is told that again: a learner that takes back an older state and is told all lessons since is
// exactly the one that learned.
type Learner interface {
	State() []byte
	Restore([]byte) error
	Lesson() []byte
	Relearn([]byte) error
}

// The parts of what a crawl has learned, in the order in which they are written down, and the version of all that.
const (
	placeTopic = iota
	placeMemory
	placeSelection
	placeTraps
	placePages
	places

	learnedVersion = 3
)

// Learners are all that learn in a crawl beside its ledger; nil what this crawl has not.
type Learners [places]Learner

// names are those of the learners in messages.
var names = [places]string{"the topic", "the strategy's memory", "the selection", "the watch for traps", "the pages seen"}

// LearnersOf are those of a crawl that has at least a topic and a memory.
func LearnersOf(topic, memory, selection, traps, pages Learner) Learners {
	return Learners{placeTopic: topic, placeMemory: memory, placeSelection: selection, placeTraps: traps, placePages: pages}
}

// appender is a Learner of which there may be much: it is written to where it is to stand.
type appender interface {
	AppendState([]byte) []byte
	AppendLesson([]byte) []byte
}

// Lesson is all that was learned since it was last asked. It is good until the next is asked for.
func (l *Learners) Lesson(counted *ledger.Ledger) []byte {
	return counted.Told(l.gather(counted.Room(), Learner.Lesson, appender.AppendLesson))
}

// State is all that was learned. before is how long it was when it was last asked, and since how many bytes of lessons there were
// after that, which a state has some two thirds of: so little of it is copied while it grows.
func (l *Learners) State(counted *ledger.Ledger, before, since int64) []byte {
	return counted.State(l.gather(make([]byte, 0, before+before/32+since*3/4+1<<10), Learner.State, appender.AppendState))
}

// gather puts the parts of all that learn one behind the other, into some room. The ledger's comes last, up to the end.
func (l *Learners) gather(room []byte, part func(Learner) []byte, large func(appender, []byte) []byte) pack.Writer {
	w := append(pack.Writer(room), learnedVersion)
	for _, p := range l {
		switch a, ok := p.(appender); {
		case ok:
			w.Appended(func(b []byte) []byte { return large(a, b) })
		case p != nil:
			w.Bytes(part(p))
		default:
			w.Count(0)
		}
	}
	return w
}

// Restore takes back a state.
func (l *Learners) Restore(counted *ledger.Ledger, state []byte) error {
	own, err := l.parts(state, Learner.Restore)
	if err != nil {
		return err
	}
	return counted.Restore(own)
}

// Relearn is told a lesson again.
func (l *Learners) Relearn(counted *ledger.Ledger, lesson []byte) error {
	own, err := l.parts(lesson, Learner.Relearn)
	if err != nil {
		return err
	}
	return counted.Again(own)
}

// parts gives each learner its part, and answers what is left: the ledger's.
func (l *Learners) parts(b []byte, give func(Learner, []byte) error) ([]byte, error) {
	if len(b) == 0 {
		return nil, ledger.ErrDamaged
	}
	if err := pack.Version(int(b[0]), learnedVersion); err != nil {
		return nil, err
	}
	k := pack.Coder{Bytes: b[1:], Read: true}
	for i, p := range l {
		var part []byte
		if k.Blob(&part); k.Bad {
			return nil, ledger.ErrDamaged
		}
		if p == nil || len(part) == 0 {
			continue
		}
		if err := give(p, part); err != nil {
			return nil, fmt.Errorf("%s: %w", names[i], err)
		}
	}
	return k.Bytes, nil
}
