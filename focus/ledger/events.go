package ledger

import (
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/pack"
	"github.com/thresher-crawler/thresher/focus/robots"
)

// Event is one change of a ledger. There are those of this package, and no others: what is written down must be read by
// every version that goes on with the crawl. What an event changes follows from itself and the ledger alone. It asks no clock and draws no
// lots, or whoever applies it again would come to another ledger.
type Event interface {
	kind() byte
	code(*pack.Coder)
	apply(*Ledger)
}

// The kinds of events, as they are written down: a number means the same for good, and a new kind comes last.
const (
	kindCounted byte = iota + 1
	kindFresh
	kindRefused
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
	kindRobotsKnown
	kindSpared
)

// newEvent is an event of a kind; nil for a kind that there is not.
func newEvent(kind byte) Event {
	switch kind {
	case kindCounted:
		return &Counted{}
	case kindFresh:
		return &Fresh{}
	case kindRefused:
		return &Refused{}
	case kindLooked:
		return &Looked{}
	case kindFinished:
		return &Finished{}
	case kindDismissed:
		return &Dismissed{}
	case kindRetried:
		return &Retried{}
	case kindSettled:
		return &Settled{}
	case kindHeard:
		return &HostHeard{}
	case kindRobots:
		return &RobotsRead{}
	case kindRobotsKnown:
		return &RobotsKnown{}
	case kindPopped:
		return &Popped{}
	case kindEnded:
		return &Ended{}
	case kindPutBack:
		return &PutBack{}
	case kindPlanted:
		return &Planted{}
	case kindInjected:
		return &Injected{}
	case kindSpared:
		return &Spared{}
	}
	return nil
}

// Counted: a visit cost a request.
type Counted struct {
	ID                                              uint64
	Host                                            string
	Page, Relevant, Kept, Redirect, Failed, Refused bool
	Relevance                                       float64
	Links                                           int
	Bytes                                           int64
	Reason                                          admit.Refused
	URL, Title                                      string // of a page that was kept
}

func (*Counted) kind() byte { return kindCounted }

func (e *Counted) code(k *pack.Coder) {
	k.Number(&e.ID)
	k.Text(&e.Host)
	for _, flag := range []*bool{&e.Page, &e.Relevant, &e.Kept, &e.Redirect, &e.Failed, &e.Refused} {
		k.Yes(flag)
	}
	if e.Page {
		k.Float64(&e.Relevance)
		k.Int(&e.Links)
	}
	k.Signed(&e.Bytes)
	if e.Refused {
		k.Text((*string)(&e.Reason))
	}
	if e.Kept {
		k.Text(&e.URL)
		k.Text(&e.Title)
	}
}

// Fresh: links entered the frontier for the first time.
type Fresh struct{ Links int }

func (*Fresh) kind() byte { return kindFresh }

func (e *Fresh) code(k *pack.Coder) { k.Int(&e.Links) }

func (e *Fresh) apply(l *Ledger) {
	l.counts.Fresh += e.Links
}

// Refused: an address was refused for the first time.
type Refused struct {
	Address uint64 // its hash
	Reason  admit.Refused
}

func (*Refused) kind() byte { return kindRefused }

func (e *Refused) code(k *pack.Coder) {
	k.Fixed64(&e.Address)
	k.Text((*string)(&e.Reason))
}

func (e *Refused) apply(l *Ledger) {
	if len(l.refused) < rememberRefused {
		l.refused[e.Address] = struct{}{}
	}
	l.counts.Refused.Count(e.Reason)
}

// Looked: an address was looked at for traps.
type Looked struct {
	Address uint64 // its hash
	Trap    bool
}

func (*Looked) kind() byte { return kindLooked }

func (e *Looked) code(k *pack.Coder) {
	k.Fixed64(&e.Address)
	k.Yes(&e.Trap)
}

func (e *Looked) apply(l *Ledger) {
	if len(l.looked) < rememberRefused {
		l.looked[e.Address] = e.Trap
	}
}

// Finished: a page need not be fetched any more.
type Finished struct{ Request uint64 }

func (*Finished) kind() byte { return kindFinished }

func (e *Finished) code(k *pack.Coder) { k.Fixed64(&e.Request) }

func (e *Finished) apply(l *Ledger) { l.finished[e.Request] = struct{}{} }

// Dismissed: a visit was refused before it was fetched.
type Dismissed struct{ Reason admit.Refused }

func (*Dismissed) kind() byte { return kindDismissed }

func (e *Dismissed) code(k *pack.Coder) { k.Text((*string)(&e.Reason)) }

func (e *Dismissed) apply(l *Ledger) {
	l.counts.Dropped.Count(e.Reason)
}

// Retried: a page is asked for again later.
type Retried struct{ ID uint64 }

func (*Retried) kind() byte { return kindRetried }

func (e *Retried) code(k *pack.Coder) { k.Number(&e.ID) }

func (e *Retried) apply(l *Ledger) {
	l.tries[e.ID]++
	l.counts.Retries++
}

// Spared: a page had not changed since an earlier crawl, and its body was not sent.
type Spared struct{ Bytes int64 }

func (*Spared) kind() byte { return kindSpared }

func (e *Spared) code(k *pack.Coder) { k.Signed(&e.Bytes) }

func (e *Spared) apply(l *Ledger) {
	l.counts.Spared++
	l.counts.SparedBytes += e.Bytes
}

// Settled: a page that was asked for again is not asked for any more.
type Settled struct{ ID uint64 }

func (*Settled) kind() byte { return kindSettled }

func (e *Settled) code(k *pack.Coder) { k.Number(&e.ID) }

func (e *Settled) apply(l *Ledger) { delete(l.tries, e.ID) }

// HostHeard: a host failed, or answered after it had failed.
type HostHeard struct {
	Host   string
	Failed bool
}

func (*HostHeard) kind() byte { return kindHeard }

func (e *HostHeard) code(k *pack.Coder) {
	k.Text(&e.Host)
	k.Yes(&e.Failed)
}

func (e *HostHeard) apply(l *Ledger) {
	if e.Failed {
		l.failures[e.Host]++
	} else {
		delete(l.failures, e.Host)
	}
}

// RobotsRead: a robots.txt was read, or could not be had.
type RobotsRead struct {
	Origin string
	Rules  *robots.Rules
	Now    time.Time
}

func (*RobotsRead) kind() byte { return kindRobots }

func (e *RobotsRead) code(k *pack.Coder) {
	k.Text(&e.Origin)
	codeRules(k, &e.Rules)
	k.Time(&e.Now)
}

func (e *RobotsRead) apply(l *Ledger) {
	if r := l.Robots; r != nil {
		r.Take(e.Origin, e.Rules, e.Now)
	}
}

// RobotsKnown: a robots.txt was read that says to us what another host's says, which is kept. Whoever keeps it no longer
// knows nothing of this host, and asks it.
type RobotsKnown struct {
	Origin string
	Digest []byte
	Now    time.Time
}

func (*RobotsKnown) kind() byte { return kindRobotsKnown }

func (e *RobotsKnown) code(k *pack.Coder) {
	k.Text(&e.Origin)
	k.Blob(&e.Digest)
	k.Time(&e.Now)
}

func (e *RobotsKnown) apply(l *Ledger) {
	if r := l.Robots; r != nil {
		if rules := r.ByDigest(e.Digest); rules != nil {
			r.Take(e.Origin, rules, e.Now)
		}
	}
}

// RobotsTold is the event of a robots.txt that was read. Its rules are written down once, however many hosts have them: a farm
// of hosts would fill the journal with what is kept once. Machines that share a crawl tell each other all of it, because one may
// keep what the other does not.
func (l *Ledger) RobotsTold(origin string, rules *robots.Rules, now time.Time) Event {
	if r := l.Robots; r != nil && !l.Shared {
		if digest := rules.Digest(); r.ByDigest(digest) != nil {
			return &RobotsKnown{Origin: origin, Digest: digest, Now: now}
		}
	}
	return &RobotsRead{Origin: origin, Rules: rules, Now: now}
}

// Popped: an item is being visited.
type Popped struct {
	ID      uint64
	Refused admit.Refused  // why it is not fetched after all
	Origin  string         // whose robots.txt is asked for first; empty if none is
	Lane    int            // of the frontier
	Asks    *robots.Flight // that robots.txt, once the event has been applied
}

func (*Popped) kind() byte { return kindPopped }

func (e *Popped) code(k *pack.Coder) {
	k.Number(&e.ID)
	k.Text((*string)(&e.Refused))
	k.Text(&e.Origin)
	k.Int(&e.Lane)
}

func (e *Popped) apply(l *Ledger) {
	if l.stale, l.putBack = 0, 0; e.Origin != "" && l.Robots != nil {
		e.Asks = l.Robots.Flight(e.Origin)
	}
	l.out[e.ID] = e
}

// Ended: a visit has ended.
type Ended struct{ ID uint64 }

func (*Ended) kind() byte { return kindEnded }

func (e *Ended) code(k *pack.Coder) { k.Number(&e.ID) }

func (e *Ended) apply(l *Ledger) { delete(l.out, e.ID) }

// PutBack: an item that promises less by now was popped and put back.
type PutBack struct{ ID uint64 }

func (*PutBack) kind() byte { return kindPutBack }

func (e *PutBack) code(k *pack.Coder) { k.Number(&e.ID) }

func (e *PutBack) apply(l *Ledger) {
	l.stale++
	l.putBack = e.ID
}

// Planted: the start pages wait.
type Planted struct{ Began time.Time }

func (*Planted) kind() byte { return kindPlanted }

func (e *Planted) code(k *pack.Coder) { k.Time(&e.Began) }

func (e *Planted) apply(l *Ledger) {
	l.planted = true
	l.counts.Started = e.Began
}

// Injected: so many bytes of the list of injected addresses have been taken.
type Injected struct{ UpTo int64 }

func (*Injected) kind() byte { return kindInjected }

func (e *Injected) code(k *pack.Coder) { k.Signed(&e.UpTo) }

func (e *Injected) apply(l *Ledger) {
	l.injected = e.UpTo
}
