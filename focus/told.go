package focus

import (
	"math"

	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
)

// writeDown writes down how a visit ended and what became of its links. A plain Colly program has neither log nor meter.
func (st *Steps) writeDown(v *Visit) {
	if st.log == nil {
		return
	}
	d := decisionOf(v)
	st.fail(st.log.Write(&d))
	for i := range v.Found {
		if d, said := st.decisionOn(v, &v.Found[i]); said {
			st.fail(st.log.Write(&d))
		}
	}
}

// decisionOf is how a visit ended.
func decisionOf(v *Visit) run.Decision {
	d := run.Decision{Time: v.Time, Decision: "drop", Reason: v.Refused, ID: v.Item.ID, Via: v.Item.Via, Hops: v.note.Hops,
		Status: v.Status, Bytes: int64(len(v.Body)), Score: math.NaN(), Relevance: math.NaN(), URL: v.Item.URL,
		Numbers: v.Item.Numbers, Anchor: v.note.Anchor, Chosen: v.Chosen}
	if v.raw != nil && v.raw.body != nil {
		d.Bytes = int64(len(v.raw.body))
	}
	if len(v.Item.Numbers) > 0 {
		d.Score = float64(v.Item.Numbers[0])
	}
	if v.Kept {
		d.Decision, d.Reason = "keep", ""
	}
	if v.Page != nil {
		d.Relevance, d.Title = v.Judgement.Relevance, page.Cut(v.Page.Title, 200)
		for _, term := range v.Judgement.Terms {
			d.Words = append(d.Words, term.Term)
		}
	}
	return d
}

// decisionOn is what became of one link. A link that was known already and is not promised more has no line.
func (st *Steps) decisionOn(v *Visit, f *Candidate) (d run.Decision, said bool) {
	d = run.Decision{Time: v.Time, ID: f.ID, Via: v.Item.ID, Hops: v.note.Step(f.hop), Score: math.NaN(),
		Relevance: math.NaN(), URL: f.Link.URL, Anchor: page.Cut(f.Link.Anchor, run.MaxAnchor)}
	switch {
	case f.Refused != "":
		if !f.Fresh {
			return d, false
		}
		d.Decision, d.Reason = "refuse", f.Refused
	case f.Fresh:
		d.Decision = "push"
	case f.Raised:
		d.Decision = "raise"
	default:
		return d, false
	}
	if len(f.Numbers) > 0 {
		d.Score, d.Numbers = float64(f.Numbers[0]), f.Numbers
		d.Words = st.topic.Matches(f.Link.Before + " " + f.Link.Anchor + " " + f.Link.After)
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
	st.fail(st.gauge.Write(r))
}
