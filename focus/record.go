package focus

import (
	"cmp"
	"errors"
	"math"

	"github.com/thresher-crawler/thresher/focus/ahead"
	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// record is what the sinks are given of a kept page.
func (st *Steps) record(v *Visit) *sink.Record {
	r := v.work.Record(v.Time)
	if r == nil {
		r = st.recordOf(v, v.Judgement)
	}
	r.Trail, r.Data = st.trails.To(v.Item.Via, v.note.Anchor, st.ledger.Relevance), v.own()
	return r
}

// recordOf is what is known of it by the page alone.
func (p *preparer) recordOf(v *Visit, j topic.Judgement) *sink.Record {
	r := &sink.Record{
		ID: v.Item.ID, URL: v.Item.URL, FinalURL: v.FinalURL, Host: v.Item.Host,
		Time: v.Time, Status: v.Status, Type: v.Type, Charset: v.Charset,
		Language: v.Doc.Language, Title: v.Page.Title,
		Imprint:   sink.Imprint{Description: v.Page.Facts.Description, Author: v.Page.Facts.Author, Date: v.Page.Facts.Date, Canonical: v.Page.Facts.Canonical},
		Relevance: j.Relevance, Raw: j.Raw,
		Way:   sink.Way{Score: run.Promised(v.Item), Why: run.NumbersOf(p.strategy, v.Item.Numbers), Depth: int(v.Item.Depth)},
		Links: len(v.Page.Links), OptOuts: v.Reserved.Words(),
		Exchange: sink.Exchange{Header: v.Header, Body: v.Body, Rendered: wire.Rendered(v.Header, v.Body)},
	}
	for _, t := range j.Terms {
		r.Terms = append(r.Terms, sink.Term{Term: t.Term, Weight: t.Added})
	}
	if v.raw.request != nil {
		r.Request, r.Header, r.Body, r.Proto = v.raw.request, v.raw.header, v.bytes(), v.raw.proto
		r.Cut, r.Took = v.raw.cut, v.Took
	}
	r.Cut = cmp.Or(v.Header.Get(wire.CutHeader), r.Cut) // decoding may have found more than the wire showed
	ahead.Tell(r, v.Page)
	return r
}

// writeDown writes down how a visit ended and what became of its links. A plain Colly program has neither log nor meter.
func (st *Steps) writeDown(v *Visit) {
	if st.results.Log == nil {
		return
	}
	d := decisionOf(v)
	st.fail(st.results.Log.Write(&d))
	for i := range v.Found {
		if d, said := st.decisionOn(v, &v.Found[i]); said {
			st.fail(st.results.Log.Write(&d))
		}
	}
}

// maxRefused is how many bytes the log has of an address that was refused. One that may wait is within scope.max_address.
const maxRefused = 4096

// decisionOf is how a visit ended.
func decisionOf(v *Visit) run.Decision {
	d := run.Decision{Time: v.Time, Decision: "drop", Reason: v.Refused, ID: v.Item.ID, Via: v.Item.Via, Hops: v.note.Hops,
		Status: v.Status, Bytes: int64(len(v.bytes())), Score: run.Promised(v.Item), Relevance: math.NaN(), URL: v.Item.URL,
		Numbers: v.Item.Numbers, Anchor: v.note.Anchor, Chosen: v.Chosen}
	if v.Kept {
		d.Decision, d.Reason = "keep", ""
	}
	if v.Page != nil {
		d.Relevance, d.Title = v.Judgement.Relevance, page.Cut(v.Page.Title, run.MaxTitle)
		for _, term := range v.Judgement.Terms {
			d.Words = append(d.Words, term.Term)
		}
	}
	return d
}

// decisionOn is what became of one link. A link that was known already and is not promised more has no line, unless a redirect
// leads there.
func (st *Steps) decisionOn(v *Visit, f *Candidate) (d run.Decision, said bool) {
	d = run.Decision{Time: v.Time, ID: f.ID, Via: v.Item.ID, Hops: st.step(v, f.hop), Score: math.NaN(),
		Relevance: math.NaN(), URL: f.Link.URL, Anchor: page.Cut(f.Link.Anchor, run.MaxAnchor)}
	switch {
	case f.Refused != "" && f.Fresh:
		d.Decision, d.Reason, d.URL = "refuse", f.Refused, page.Cut(f.Link.URL, maxRefused)
	case f.Fresh:
		d.Decision = "push"
	case f.Raised:
		d.Decision = "raise"
	case f.hop == run.HopRedirect: // nothing else tells where it leads
		d.Decision, d.Reason, d.URL = "onward", f.Refused, page.Cut(f.Link.URL, maxRefused)
		return d, true
	default:
		return d, false
	}
	if len(f.Numbers) > 0 {
		d.Score, d.Numbers = float64(f.Numbers[0]), f.Numbers
		d.Words = st.topic.Matches(f.Link.Before, f.Link.Anchor, f.Link.After)
	}
	return d, true
}

// measure takes down how the crawl stands after a page.
func (st *Steps) measure(v *Visit) {
	c := st.ledger.Standing()
	r := measure.Reading{Page: c.Pages, Relevant: c.Relevant, Kept: c.Kept, Waiting: st.frontier.Len(), Harvest: c.Harvest(), Recent: c.Recent(),
		Relevance: math.NaN(), Host: v.Item.Host}
	if v.Page != nil {
		r.Relevance = v.Judgement.Relevance
	}
	st.fail(st.results.Meter.Write(r))
}

// watchFigures tells the figures what only the steps know.
func (c *Crawler) watchFigures() error {
	c.steps.OnDone(func(v *Visit) {
		if v.finds() {
			c.figures.Relevant()
		}
		if v.Refused != "" {
			c.figures.Refused("page", string(v.Refused))
		}
		for i := range v.Found {
			if f := &v.Found[i]; f.Fresh && f.Refused != "" {
				c.figures.Refused("link", string(f.Refused))
			}
		}
	})
	return errors.Join(c.figures.Watch(c.frontier), c.figures.Hosts(func() map[string]int { return c.ledger.HostStates(c.down) }))
}
