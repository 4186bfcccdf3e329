package suggest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/topic"
)

// shownPages is how many titles a suggestion has.
const shownPages = 3

// tell says of every suggestion which verdicts it would move alone, on all pages, and shows pages that it is about.
func (r *Result) tell(pages []Page, o *Options) error {
	var added []topic.Term
	for _, s := range r.Suggestions {
		if s.Was == 0 {
			added = append(added, topic.Term{Term: s.Term, Weight: s.Weight})
		}
	}
	t, fresh, err := o.judging(added...)
	if err != nil {
		return err
	}
	s := newScale(t, o, fresh, len(pages))
	if err := inTurn(pages, o.Again, func(list []int) { s.hear(pages, list) }); err != nil {
		return err
	}
	for i := range r.Suggestions {
		s.tell(&r.Suggestions[i], pages)
	}
	return nil
}

// tell says it of one.
func (s *scale) tell(one *Suggestion, pages []Page) {
	at := slices.IndexFunc(s.topic.Terms(), func(t topic.Term) bool { return t.Term == one.Term })
	if at < 0 {
		return // it is the same word as another one, written otherwise
	}
	rarity := topic.Rarity(s.topic.KeyOf(at))
	sum := s.sum + (max(one.Weight, 0)-max(one.Was, 0))*rarity
	num, part := slices.Clone(s.num), make([]float32, len(s.num))
	for _, p := range s.terms[at] {
		num[p.page] += (one.Weight - one.Was) * rarity * float64(p.part)
		part[p.page] = p.part
	}
	type shown struct {
		moved int
		part  float32
		title string
	}
	var show []shown
	for n := range num {
		moved := 0
		switch before, after := s.kept(n), s.relevance(n, num[n], sum) >= s.topic.Threshold(); {
		case after && !before:
			one.In++
			moved = 1
		case before && !after:
			one.Out++
			moved = 1
		}
		if title := strings.TrimSpace(pages[n].Title); part[n] > 0 && title != "" {
			show = append(show, shown{moved, part[n], title})
		}
	}
	slices.SortStableFunc(show, func(a, b shown) int { return cmp.Or(cmp.Compare(b.moved, a.moved), cmp.Compare(b.part, a.part)) })
	for _, p := range show {
		if len(one.Titles) < shownPages && !slices.Contains(one.Titles, p.title) {
			one.Titles = append(one.Titles, p.title)
		}
	}
}
