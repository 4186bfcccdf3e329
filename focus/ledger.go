package focus

import (
	"time"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus/admit"
)

// The ledger is what the crawl itself counts and remembers, beside topic, memory and selection. Whatever changes it is
// an event: it is written down as it is applied, and a crawl that is resumed applies it again.

// event is one change of the ledger. It is applied while the turn is held.
type event interface {
	kind() byte
	code(*coder)
	apply(*Steps)
}

// The kinds of events, as they are written down.
const (
	kindCounted byte = iota + 1
	kindFresh
	kindTurnedAway
	kindLooked
	kindFinished
	kindDismissed
	kindRetried
	kindSettled
	kindHeard
	kindRobots
	kindPopped
	kindEnded
	kindPutBack
	kindPlanted
	kindInjected
)

// newEvent is an event of a kind; nil for a kind that there is not.
func newEvent(kind byte) event {
	switch kind {
	case kindCounted:
		return &counted{}
	case kindFresh:
		return &fresh{}
	case kindTurnedAway:
		return &turnedAway{}
	case kindLooked:
		return &looked{}
	case kindFinished:
		return &finished{}
	case kindDismissed:
		return &dismissed{}
	case kindRetried:
		return &retried{}
	case kindSettled:
		return &settled{}
	case kindHeard:
		return &heard{}
	case kindRobots:
		return &robotsLearned{}
	case kindPopped:
		return &popped{}
	case kindEnded:
		return &ended{}
	case kindPutBack:
		return &wasPutBack{}
	case kindPlanted:
		return &planted{}
	case kindInjected:
		return &injected{}
	}
	return nil
}

// happen applies an event, and writes it down where somebody keeps the ledger.
func (st *Steps) happen(e event) {
	e.apply(st)
	if st.keeps {
		k := coder{b: append(st.told, e.kind())}
		e.code(&k)
		st.told = k.b
	}
}

// happenAgain applies the events that a lesson tells of.
func (st *Steps) happenAgain(told []byte) error {
	k := coder{b: told, read: true}
	for len(k.b) > 0 {
		e := newEvent(k.b[0])
		if e == nil {
			return errCoded
		}
		k.b = k.b[1:]
		if e.code(&k); k.bad {
			return errCoded
		}
		e.apply(st)
	}
	return nil
}

// counted: a visit cost a request.
type counted struct {
	id                                              uint64
	host                                            string
	page, relevant, kept, redirect, failed, refused bool
	relevance                                       float64
	links                                           int
	bytes                                           int64
	reason                                          admit.Refused
	url, title                                      string // of a page that was kept
}

func (*counted) kind() byte { return kindCounted }

func (e *counted) code(k *coder) {
	k.uint(&e.id)
	k.text(&e.host)
	for _, flag := range []*bool{&e.page, &e.relevant, &e.kept, &e.redirect, &e.failed, &e.refused} {
		k.yes(flag)
	}
	if e.page {
		k.float(&e.relevance)
		k.int(&e.links)
	}
	k.int64(&e.bytes)
	if e.refused {
		k.text((*string)(&e.reason))
	}
	if e.kept {
		k.text(&e.url)
		k.text(&e.title)
	}
}

// fresh: links entered the frontier for the first time.
type fresh struct{ links int }

func (*fresh) kind() byte { return kindFresh }

func (e *fresh) code(k *coder) { k.int(&e.links) }

func (e *fresh) apply(st *Steps) {
	st.counting.Lock()
	defer st.counting.Unlock()
	st.counts.Fresh += e.links
}

// turnedAway: an address was refused for the first time.
type turnedAway struct {
	address uint64 // its hash
	reason  admit.Refused
}

func (*turnedAway) kind() byte { return kindTurnedAway }

func (e *turnedAway) code(k *coder) {
	k.key(&e.address)
	k.text((*string)(&e.reason))
}

func (e *turnedAway) apply(st *Steps) {
	if len(st.refused) < rememberRefused {
		st.refused[e.address] = struct{}{}
	}
	st.counting.Lock()
	defer st.counting.Unlock()
	st.counts.Refused[e.reason]++
}

// looked: an address was looked at for traps.
type looked struct {
	address uint64 // its hash
	trap    bool
}

func (*looked) kind() byte { return kindLooked }

func (e *looked) code(k *coder) {
	k.key(&e.address)
	k.yes(&e.trap)
}

func (e *looked) apply(st *Steps) {
	if len(st.trapped) < rememberRefused {
		st.trapped[e.address] = e.trap
	}
}

// finished: a page need not be fetched any more.
type finished struct{ request uint64 }

func (*finished) kind() byte { return kindFinished }

func (e *finished) code(k *coder) { k.key(&e.request) }

func (e *finished) apply(st *Steps) { st.visited.add(e.request) }

// dismissed: a visit was turned away before it was fetched.
type dismissed struct{ reason admit.Refused }

func (*dismissed) kind() byte { return kindDismissed }

func (e *dismissed) code(k *coder) { k.text((*string)(&e.reason)) }

func (e *dismissed) apply(st *Steps) {
	st.counting.Lock()
	defer st.counting.Unlock()
	st.counts.Dropped[e.reason]++
}

// retried: a page is asked for again later.
type retried struct{ id uint64 }

func (*retried) kind() byte { return kindRetried }

func (e *retried) code(k *coder) { k.uint(&e.id) }

func (e *retried) apply(st *Steps) {
	st.crawl.tries[e.id]++
	st.counting.Lock()
	defer st.counting.Unlock()
	st.counts.Retries++
}

// settled: a page that was asked for again is not asked for any more.
type settled struct{ id uint64 }

func (*settled) kind() byte { return kindSettled }

func (e *settled) code(k *coder) { k.uint(&e.id) }

func (e *settled) apply(st *Steps) { delete(st.crawl.tries, e.id) }

// heard: a host failed, or answered after it had failed.
type heard struct {
	host   string
	failed bool
}

func (*heard) kind() byte { return kindHeard }

func (e *heard) code(k *coder) {
	k.text(&e.host)
	k.yes(&e.failed)
}

func (e *heard) apply(st *Steps) {
	st.counting.Lock()
	defer st.counting.Unlock()
	if e.failed {
		st.crawl.failures[e.host]++
	} else {
		delete(st.crawl.failures, e.host)
	}
}

// robotsLearned: a robots.txt was read, or could not be had.
type robotsLearned struct {
	origin string
	rules  *extensions.RobotsRules
	now    time.Time
}

func (*robotsLearned) kind() byte { return kindRobots }

func (e *robotsLearned) code(k *coder) {
	k.text(&e.origin)
	codeRules(k, &e.rules)
	k.time(&e.now)
}

func (e *robotsLearned) apply(st *Steps) {
	if r := st.crawl.robots; r != nil {
		wait, delay := r.take(e.origin, e.rules, e.now)
		r.landed(e.origin, wait, delay)
	}
}

// popped: an item is being visited.
type popped struct {
	id      uint64
	refused admit.Refused // why it is not fetched after all
	origin  string        // whose robots.txt is asked for first; empty if none is
	lane    int           // of the frontier
	flight  *robotsFlight
}

func (*popped) kind() byte { return kindPopped }

func (e *popped) code(k *coder) {
	k.uint(&e.id)
	k.text((*string)(&e.refused))
	k.text(&e.origin)
	k.int(&e.lane)
}

func (e *popped) apply(st *Steps) {
	c := st.crawl
	if c.stale, c.redo = 0, 0; e.origin != "" && c.robots != nil {
		e.flight = c.robots.flight(e.origin)
	}
	c.out[e.id] = e
}

// ended: a visit has ended.
type ended struct{ id uint64 }

func (*ended) kind() byte { return kindEnded }

func (e *ended) code(k *coder) { k.uint(&e.id) }

func (e *ended) apply(st *Steps) { delete(st.crawl.out, e.id) }

// wasPutBack: an item that promises less by now was popped and put back.
type wasPutBack struct{ id uint64 }

func (*wasPutBack) kind() byte { return kindPutBack }

func (e *wasPutBack) code(k *coder) { k.uint(&e.id) }

func (e *wasPutBack) apply(st *Steps) {
	st.crawl.stale++
	st.crawl.redo = e.id
}

// planted: the start pages wait.
type planted struct{ began time.Time }

func (*planted) kind() byte { return kindPlanted }

func (e *planted) code(k *coder) { k.time(&e.began) }

func (e *planted) apply(st *Steps) {
	st.crawl.planted = true
	st.counting.Lock()
	defer st.counting.Unlock()
	st.counts.Started = e.began
}

// injected: so many bytes of the list of injected addresses have been taken.
type injected struct{ upTo int64 }

func (*injected) kind() byte { return kindInjected }

func (e *injected) code(k *coder) { k.int64(&e.upTo) }

func (e *injected) apply(st *Steps) {
	if st.crawl.shared == nil { // otherwise it may be another machine's list
		st.crawl.injected = e.upTo
	}
}
