package compare

import (
	"errors"
	"fmt"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// Second is what a second look keeps of what was fetched, when all of the crawl is known, and what could be kept at the most.
type Second struct {
	Kept
	In        int     `json:"in"`                 // pages that the first look had dropped
	Out       int     `json:"out"`                // pages that it had kept
	Agreement float64 `json:"agreement"`          // of what was learned, on pages it was not learned from; 0 where nothing was learned
	Stood     int     `json:"stood"`              // crawls of which the first look stands, because the second one was not sure enough
	Labelled  *Kept   `json:"labelled,omitempty"` // the same with answers to what label asks, where some were to be given; their pages are in no sum
	Ceiling   float64 `json:"ceiling"`            // F1 of a judge that learned from the labels of four fifths of the pages, on the other fifth
}

// gather takes a page that was read to those that are looked at again.
func (t *tracker) gather(v *focus.Visit, near, counts bool) {
	p := winnow.Page{ID: v.Item.ID, URL: v.FinalURL, Keys: []uint64{sink.Key(v.Item.URL)}, Title: v.Page.Title, Text: v.Page.MainText(),
		Relevance: v.Judgement.Relevance, Near: near}
	if judged, ok := t.judged[v.Item.ID]; ok {
		p.Relevance = judged
	}
	for i := range v.Page.Links {
		l := &v.Page.Links[i]
		p.Links = append(p.Links, sink.Pointer{To: sink.Key(l.URL), Block: l.Block, Anchor: l.Anchor})
	}
	place := -1
	if counts {
		place = len(t.s.Relevant)
	}
	t.pages, t.place = append(t.pages, p), append(t.place, place)
}

// near tells of a page that its site has given much so far, as a crawl counts that, and counts it.
func (t *tracker) near(v *focus.Visit) bool {
	if t.hosts == nil {
		t.hosts = map[string]given{}
	}
	of := t.hosts[v.Item.Host]
	near := sink.GivesMuch(of.fetched, of.relevant)
	if of.fetched++; v.Page != nil && v.Judgement.Relevant && v.Refused.Finds() {
		of.relevant++
	}
	t.hosts[v.Item.Host] = of
	return near
}

// given is what a host gave.
type given struct{ fetched, relevant int }

// second looks again at all that was fetched, and once more with so many labels.
func (t *tracker) second(config *focus.Config, labels int) (*Second, error) {
	o := winnow.Options{Threshold: config.Topic.Threshold, UserDict: config.Text.UserDict, Limit: int(config.Text.Limit), Examples: config.Topic.Examples}
	if o.Threshold == 0 && config.Topic.Trained() {
		return nil, errors.New("the second look: which threshold the judge was trained to is not known here: give one (--set topic.threshold=0.5)")
	}
	var likely []winnow.Page // what a crawl keeps for it where nobody says otherwise
	var places []int
	for i := range t.pages {
		if p := &t.pages[i]; p.Relevance >= o.Threshold || p.Near || sink.Likely(p.Relevance, o.Threshold, p.URL) {
			likely, places = append(likely, *p), append(places, t.place[i])
		}
	}
	r, took, err := t.look(likely, places, o)
	if err != nil {
		return nil, err
	}
	s := &Second{Kept: kept(t.s, took), In: r.In, Out: r.Out}
	if r.Agreement == r.Agreement {
		s.Agreement = r.Agreement
	}
	if r.Refused != "" {
		s.Stood = 1
	}
	if labels > 0 {
		var asked []int
		if o.Labels, asked, err = t.answers(labels, o.Threshold); err != nil {
			return nil, err
		}
		if _, took, err = t.look(likely, places, o); err != nil {
			return nil, err
		}
		k := t.without(asked, took)
		s.Labelled, o.Labels = &k, nil
	}
	s.Ceiling, err = t.ceiling(o)
	return s, err
}

// look looks at pages again, and tells by place which are kept.
func (t *tracker) look(pages []winnow.Page, places []int, o winnow.Options) (r winnow.Result, took []bool, err error) {
	if r, err = winnow.Look(pages, o); err != nil {
		return r, nil, fmt.Errorf("the second look: %w", err)
	}
	took = make([]bool, len(t.s.Relevant))
	for i, place := range places {
		if place >= 0 {
			took[place] = r.Verdicts[i].Kept
		}
	}
	return r, took, nil
}

// ceiling is F1 at the best threshold of a judge that has learned from the labels of the other pages.
func (t *tracker) ceiling(o winnow.Options) (float64, error) {
	var pages []winnow.Page
	var truth []bool
	for i, place := range t.place {
		if place >= 0 {
			pages, truth = append(pages, t.pages[i]), append(truth, t.s.Relevant[place])
		}
	}
	return winnow.Most(pages, truth, 0, o)
}

// meanSecond is the mean over draws or topics that had a second look; nil where none had.
func meanSecond(cells []Cell) *Second {
	var looked, labelled []Cell
	m := &Second{}
	for _, c := range cells {
		s := c.Second
		if s == nil {
			continue
		}
		looked = append(looked, Cell{Kept: s.Kept, Second: s})
		m.In, m.Out, m.Stood = m.In+s.In, m.Out+s.Out, m.Stood+s.Stood
		if s.Labelled != nil {
			labelled = append(labelled, Cell{Kept: *s.Labelled})
		}
	}
	if len(looked) == 0 {
		return nil
	}
	m.Kept = meanKept(looked)
	m.Agreement = measure.Mean(across(looked, func(c *Cell) float64 { return c.Second.Agreement }))
	m.Ceiling = measure.Mean(across(looked, func(c *Cell) float64 { return c.Second.Ceiling }))
	if len(labelled) > 0 {
		k := meanKept(labelled)
		m.Labelled = &k
	}
	return m
}

// row is what a table tells of a second look, in the words of say: in place of the verdicts that differ, what it moved and what
// could be had.
func (s *Second) row(say func(string) string) []string {
	row := s.Kept.row()
	moved := fmt.Sprintf(say("+%d −%d, ceiling %.3f"), s.In, s.Out, s.Ceiling)
	if s.Stood > 0 {
		moved += fmt.Sprintf(say(", %d left as they were"), s.Stood)
	}
	row[len(row)-1] = moved
	return row
}

// labelledRow is what a table tells of a second look with labels. Nothing in it is set against a baseline.
func (s *Second) labelledRow() []string {
	row := s.Labelled.row()
	row[len(row)-1] = ""
	return row
}
