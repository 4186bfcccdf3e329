package run

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// Fate is what became of an address.
type Fate string

// The fates an address can have.
const (
	FateKept    Fate = "kept"     // fetched and in the harvest
	FateDropped Fate = "dropped"  // fetched, or refused when its turn came, and not kept
	FateWaiting Fate = "waiting"  // in the frontier
	FateGivenUp Fate = "given up" // it entered, and its selection let go of it for good, or until it is found again
	FateRefused Fate = "refused"  // it never entered
	FateUnknown Fate = "unknown"  // nobody linked to it

	// FateElsewhere: a machine has visited it whose folder is not here.
	FateElsewhere Fate = "elsewhere"
)

// Why is all that a run can say of one address.
type Why struct {
	Address string
	Fate    Fate
	Reason  admit.Refused
	Trail   []Hop     // how we got there, the start page first, the address itself last
	Link    *Decision // how its link was decided; nil for an unknown address
	Visit   *Decision // how its visit ended; nil if it was not visited
	Onward  *Decision // how the address was decided that it leads on to by a redirect; nil where there is none
	Moved   string    // where rounds of --again have found the page since; empty where it stands at its address
	Chosen  string    // how its selection came to let it go, or how it stands with it while it waits; empty where its score alone says it
	Again   bool      // a round of --again found it, and not the crawl: its trail begins at the page of the run that the round set out from
}

// Hop is one page of a trail.
type Hop struct {
	URL       string
	Anchor    string  // the words of the link that led to it
	Score     float64 // what it promised
	Relevance float64 // what it was; NaN if it was not judged
}

// Why answers for an address: how we got there, why it ranked as it did, what became of it.
func (r *Run) Why(address string) (Why, error) {
	identity, err := page.Canonical(address)
	if err != nil {
		return Why{}, fmt.Errorf("%q is not an address: %w", address, err)
	}
	w := Why{Address: address, Fate: FateUnknown}
	via, onward := map[uint64]uint64{}, map[uint64]*Decision{}
	err = r.Log(func(d *Decision) bool {
		if d.ID != 0 && d.Decision != "onward" { // which changes nothing of how it was found
			via[d.ID] = d.Via
		}
		if d.Decision != "keep" && d.Decision != "drop" && strings.HasSuffix(d.Hops, string(HopRedirect)) && onward[d.Via] == nil {
			onward[d.Via] = d
		}
		if id, err := page.Canonical(d.URL); err == nil && id == identity {
			w.take(d)
		}
		return true
	})
	if err == nil {
		err = r.found(&w, identity)
	}
	if err != nil || w.Fate == FateUnknown || w.Again {
		return w, err
	}
	if w.Visit != nil && w.Reason.Kind() == admit.RefusedRedirect {
		w.Onward = onward[w.Visit.ID]
	}
	if w.Fate == FateWaiting {
		if err := r.ranked(&w); err != nil {
			return w, err
		}
	}
	w.Trail, err = r.trail(w.Last(), via)
	return w, err
}

// take hears one more decision about the address.
func (w *Why) take(d *Decision) {
	switch d.Decision {
	case "keep":
		w.Fate, w.Visit, w.Reason, w.Chosen = FateKept, d, "", d.Chosen
	case "drop":
		w.Fate, w.Visit, w.Reason, w.Chosen = FateDropped, d, d.Reason, d.Chosen
	case "push", "raise":
		w.Link = d
		if w.Visit == nil || w.Reason.Kind() == admit.RefusedTrap { // which it is not any more
			w.Fate, w.Reason, w.Visit, w.Chosen = FateWaiting, "", nil, ""
		}
	case "again":
		if w.Visit == nil {
			w.Reason = d.Reason
		}
	case "refuse":
		if w.Fate == FateUnknown {
			w.Fate, w.Link, w.Reason = FateRefused, d, d.Reason
		}
	}
}

// Last is the decision that says most about the way to the address.
func (w *Why) Last() *Decision {
	if w.Visit != nil {
		return w.Visit
	}
	return w.Link
}

// trail follows the ids back to the start page, and then reads what was decided of each.
func (r *Run) trail(last *Decision, via map[uint64]uint64) ([]Hop, error) {
	var ids []uint64
	for id := last.Via; id != 0 && len(ids) < 1000; id = via[id] {
		ids = append(ids, id)
	}
	slices.Reverse(ids)
	hops := make([]Hop, len(ids), len(ids)+1)
	err := r.Log(func(d *Decision) bool {
		if i := slices.Index(ids, d.ID); i >= 0 && (hops[i].URL == "" || d.Decision == "keep" || d.Decision == "drop") {
			hops[i] = Hop{URL: d.URL, Anchor: d.Anchor, Score: d.Score, Relevance: d.Relevance}
		}
		return true
	})
	return append(hops, Hop{URL: last.URL, Anchor: last.Anchor, Score: last.Score, Relevance: last.Relevance}), err
}

// found takes what rounds of --again have found at an address: where the page stands by now that the crawl has kept, or else what is kept of
// it, or, where the crawl had no page of it, how the last visit ended.
func (r *Run) found(w *Why, identity string) error {
	if len(r.Parts) > 0 || !sink.VisitedAgain(r.Dir) {
		return nil
	}
	is := func(address string) bool { id, err := page.Canonical(address); return err == nil && id == identity }
	crawl := w.Visit
	for rec, err := range sink.Kept(r.Dir) {
		if err != nil {
			return err
		}
		if crawl != nil && crawl.ID == rec.ID && !is(rec.URL) {
			w.Moved = rec.URL
		}
		if is(rec.URL) && (crawl == nil || crawl.ID != rec.ID) { // it was found by a round, or has moved there
			w.Link, w.Again, w.Trail = nil, true, trailOf(rec)
			w.take(decided(rec))
			return nil
		}
	}
	if crawl != nil && page.Arrived(crawl.Status) {
		return nil
	}
	return r.Asked(func(d *Decision) bool {
		if (d.Decision == "keep" || d.Decision == "drop") && is(d.URL) && (crawl == nil || d.Time.After(crawl.Time)) {
			w.Link, w.Again, w.Trail = nil, true, []Hop{{URL: d.URL, Score: math.NaN(), Relevance: d.Relevance}}
			w.take(d)
		}
		return true
	})
}

// trailOf is the way to the page of a record.
func trailOf(rec *sink.Record) []Hop {
	hops, anchor := make([]Hop, 0, len(rec.Trail)+1), ""
	for _, step := range rec.Trail {
		hops = append(hops, Hop{URL: step.URL, Anchor: anchor, Score: math.NaN(), Relevance: step.Relevance})
		anchor = step.Anchor
	}
	return append(hops, Hop{URL: rec.URL, Anchor: anchor, Score: rec.Score, Relevance: rec.Relevance})
}

// decided is the decision that a record comes from.
func decided(rec *sink.Record) *Decision {
	d := &Decision{Decision: "keep", Time: rec.Time, ID: rec.ID, Status: rec.Status, Bytes: rec.Bytes, Score: rec.Score, Relevance: rec.Relevance, URL: rec.URL, Title: rec.Title}
	for _, n := range rec.Why {
		d.Numbers = append(d.Numbers, float32(n.Value))
	}
	for _, t := range rec.Terms {
		d.Words = append(d.Words, t.Term)
	}
	return d
}
