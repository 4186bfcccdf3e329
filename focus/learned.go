package focus

import (
	"fmt"

	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/run"
)

// learner is what experience changes. State and Restore are for snapshots; Lesson tells what was learned since it was
// last asked, and Relearn is told that again: a learner that takes back an older state and is told all lessons since is
// exactly the one that learned.
type learner interface {
	State() []byte
	Restore([]byte) error
	Lesson() []byte
	Relearn([]byte) error
}

// pupil is a learner under a name for messages; nil where this crawl has none.
type pupil struct {
	name string
	learner
}

// pupils are all that learn in this crawl, always in the same order.
func (c *Crawler) pupils() []pupil {
	st := c.steps
	all := []pupil{{"the topic", st.topic}, {"the strategy's memory", st.memory}, {"the selection", nil}, {"the watch for traps", nil}, {"the pages seen", nil}}
	if s := st.selector; s != nil {
		all[run.SelectionPlace].learner = s
	}
	if st.traps != nil {
		all[3].learner = st.traps
	}
	if st.repeats != nil {
		all[4].learner = st.repeats
	}
	return all
}

// record lets all that learn write down from now on what they learn; where other machines hear it, so that they understand it
// whatever they have learned themselves.
func (c *Crawler) record() {
	for _, p := range c.pupils() {
		if all, ok := p.learner.(interface{ RecordForAll() }); ok && c.shared != nil {
			all.RecordForAll()
		} else if r, ok := p.learner.(interface{ Record() }); ok {
			r.Record()
		}
	}
	c.ledger.Keeps = true
}

// lesson is all that was learned since it was last asked.
func (c *Crawler) lesson() []byte { return c.ledger.Told(c.gather(learner.Lesson)) }

// state is all that was learned.
func (c *Crawler) state() []byte { return c.ledger.State(c.gather(learner.State)) }

// gather puts the parts of all that learn one behind the other. The ledger's comes last, up to the end.
func (c *Crawler) gather(part func(learner) []byte) []byte {
	w := pack.Writer{run.LearnedVersion}
	for _, p := range c.pupils() {
		var b []byte
		if p.learner != nil {
			b = part(p.learner)
		}
		w.Bytes(b)
	}
	return w
}

// restore takes back a state.
func (c *Crawler) restore(state []byte) error {
	own, err := c.parts(state, learner.Restore)
	if err != nil {
		return err
	}
	return c.ledger.Restore(own)
}

// relearn is told a lesson again.
func (c *Crawler) relearn(lesson []byte) error {
	own, err := c.parts(lesson, learner.Relearn)
	if err != nil {
		return err
	}
	return c.ledger.Again(own)
}

// parts gives each pupil its part, and answers what is left: the ledger's.
func (c *Crawler) parts(b []byte, give func(learner, []byte) error) ([]byte, error) {
	if len(b) == 0 {
		return nil, ledger.ErrDamaged
	}
	if err := pack.Version(int(b[0]), run.LearnedVersion); err != nil {
		return nil, err
	}
	r := pack.Reader{Left: b[1:]}
	for _, p := range c.pupils() {
		part := r.Bytes()
		if r.Bad {
			return nil, ledger.ErrDamaged
		}
		if p.learner == nil || len(part) == 0 {
			continue
		}
		if err := give(p.learner, part); err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return r.Left, nil
}
