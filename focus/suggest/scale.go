package suggest

import (
	"slices"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// post is how much a term has to say on one page.
type post struct {
	page int32 // by its place in the scale
	part float32
}

// scale knows what each term of a topic has to say on pages, and so what another weight would make of every verdict. What
// the judge found in the crawl is where it begins: of a page kept for a second look there is only the text.
type scale struct {
	topic *topic.Topic
	voice topic.Voice
	terms [][]post  // of each term of the topic
	told  []float64 // by page: what the terms add up to by its text
	sum   float64   // of the weights that are not negative
	num   []float64 // by page: what they add up to as the judge counted it
	rest  []float64 // by page: what examples add to the judge's number
	slack []float64 // by page, see topic.Hear
	old   []float64 // weights of the terms; of those that are fresh none
}

// newScale is one for so many pages, none of which it has heard. Of the terms of the topic those that are fresh are heard, and in no sum.
func newScale(t *topic.Topic, o *Options, fresh map[string]bool, n int) *scale {
	s := &scale{topic: t, voice: t.Voice(o.Examples), told: make([]float64, n), num: make([]float64, n), rest: make([]float64, n), slack: make([]float64, n)}
	s.old = slices.Clone(s.voice.Weights)
	for i, term := range t.Terms() {
		if fresh[term.Term] {
			s.old[i] = 0
		}
		s.sum += max(s.old[i], 0)
	}
	s.terms = make([][]post, len(s.old))
	return s
}

// hear hears some pages.
func (s *scale) hear(pages []Page, list []int) {
	heard := make([][]topic.Heard, len(list))
	learn.Each(len(list), func(k int) { heard[k], s.slack[list[k]] = s.topic.Hear(nil, pages[list[k]].doc()) })
	for k, i := range list {
		for _, h := range heard[k] {
			s.terms[h.Term] = append(s.terms[h.Term], post{int32(i), float32(h.Part)})
			s.told[i] += s.old[h.Term] * h.Part
		}
		switch raw := pages[i].Raw; {
		case s.sum == 0:
			s.rest[i] = raw * s.voice.Rest
		case s.voice.Share < 1:
			s.num[i] = s.told[i]
			s.rest[i] = max(raw-s.voice.Share*s.told[i]/s.sum, 0)
		default: // what the text alone does not show, such as headings, is the terms' too
			s.num[i] = raw * s.sum
		}
	}
}

// raw is the judge's number of a page whose terms add up to num, of sum.
func (s *scale) raw(n int, num, sum float64) float64 {
	raw := s.rest[n]
	if sum > 0 {
		raw += s.voice.Share * num / sum
	}
	return min(max(raw, 0), 1)
}

// relevance is what the judge would say of it.
func (s *scale) relevance(n int, num, sum float64) float64 {
	return s.topic.Relevance(s.raw(n, num, sum))
}

// kept tells whether a page is kept as the terms are.
func (s *scale) kept(n int) bool {
	return s.relevance(n, s.num[n], s.sum) >= s.topic.Threshold()
}

// judging is the topic by whose judge everything is reckoned: the usual one, which tells what each term adds.
func (o *Options) judging(terms ...topic.Term) (*topic.Topic, map[string]bool, error) {
	spec, fresh := o.Spec, map[string]bool{}
	spec.Examples, spec.Relevant, spec.Other = nil, nil, nil
	if spec.Judge != topic.DefaultJudge {
		spec.Judge, spec.With, spec.Positions = topic.DefaultJudge, strict.Node{}, nil
	}
	for _, t := range terms {
		fresh[t.Term] = true
	}
	spec.Terms = slices.Concat(spec.Terms, terms)
	if len(spec.Terms) == 0 && spec.About == "" { // the examples alone say what it is
		spec.Terms, fresh[standIn] = []topic.Term{{Term: standIn, Weight: 1}}, true
	}
	t, err := topic.New(spec)
	return t, fresh, err
}

// standIn is the term of a topic that has none.
const standIn = "thresher"

// Retold are the pages of a crawl as they would be judged by other terms, without a fetch. again reads those whose texts are not held;
// nil where all are.
func Retold(pages []winnow.Page, again Again, was, now Options) ([]winnow.Page, error) {
	before, fresh, err := was.judging()
	if err != nil {
		return nil, err
	}
	after, _, err := now.judging()
	if err != nil {
		return nil, err
	}
	plain := make([]Page, len(pages))
	for i := range pages {
		plain[i] = Page{Title: pages[i].Title, Text: pages[i].Text, Raw: pages[i].Raw}
	}
	old, told := newScale(before, &was, fresh, len(pages)), newScale(after, &now, nil, len(pages))
	err = inTurn(plain, again, func(list []int) {
		old.hear(plain, list)
		told.hear(plain, list)
	})
	if err != nil {
		return nil, err
	}
	retold := slices.Clone(pages)
	stays := old.staysIn(told)
	for i := range retold {
		told.rest[i] = old.rest[i]
		num := told.told[i]
		if old.voice.Share == 1 {
			num += stays * (old.num[i] - old.told[i])
		}
		retold[i].Raw = told.raw(i, max(num, 0), told.sum)
		retold[i].Relevance = after.Relevance(retold[i].Raw)
	}
	return retold, nil
}

// staysIn is how much of what the terms have to say is said by such as another scale has, too, from 0 to 1: so much of what the text
// alone does not show stays. It is not known which of them said that.
func (s *scale) staysIn(other *scale) float64 {
	has := map[string]bool{}
	for i := range other.terms {
		has[other.topic.KeyOf(i)] = true
	}
	stays, all := 0.0, 0.0
	for i, w := range s.voice.Weights {
		if all += max(w, 0); has[s.topic.KeyOf(i)] {
			stays += max(w, 0)
		}
	}
	if all == 0 {
		return 1
	}
	return stays / all
}
