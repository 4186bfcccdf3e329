package index

import (
	"context"
	"math"
)

// manner is which pages a pass finds.
type manner bool

const (
	every manner = true  // those that have every word
	some  manner = false // those that have some, and not every
)

// pass goes once through all collections.
func (s *seeker) pass(ctx context.Context, how manner) error {
	opened, err := s.openAll(ctx, false)
	defer closeAll(opened)
	if err != nil {
		return err
	}
	for i, p := range s.places {
		if err := s.walk(ctx, p, opened[i], how); err != nil {
			return err
		}
	}
	return nil
}

// wants is all that a query wants of one collection.
type wants struct {
	terms, phrases []*wanted
	not            []*wanted
	all            []*wanted // terms and phrases
	pairs          []*pair   // of neighbouring terms, where they were asked for
	rarest         int
	whole          float64 // the idf of all terms
}

func (w *wants) close() {
	if w == nil {
		return
	}
	for _, list := range [][]*wanted{w.all, w.not} {
		for _, one := range list {
			one.close()
		}
	}
	for _, one := range w.pairs {
		one.close()
	}
}

// openAll opens what is wanted of every collection, and weighs it; what it answers is to be closed, also beside an error.
func (s *seeker) openAll(ctx context.Context, pairs bool) (all []*wants, err error) {
	for _, p := range s.places {
		w, err := s.open(ctx, p)
		all = append(all, w)
		if err != nil {
			return all, err
		}
	}
	s.weigh(all)
	for i, p := range s.places {
		if pairs {
			if err := s.pair(ctx, p, all[i]); err != nil {
				return all, err
			}
		}
	}
	return all, nil
}

func closeAll(all []*wants) {
	for _, w := range all {
		w.close()
	}
}

// open opens what is wanted in one collection, and finds the rarest of it, which leads the walk: the others are asked only where that is.
// What it has opened it answers beside an error, too, for the caller to close.
func (s *seeker) open(ctx context.Context, p *place) (*wants, error) {
	w := &wants{}
	for _, t := range s.terms {
		one, err := p.g.want(ctx, t)
		if err != nil {
			return w, err
		}
		w.terms, w.all = append(w.terms, one), append(w.all, one)
	}
	for _, t := range s.phrases {
		one, err := p.g.wantPhrase(ctx, t.word, t.inside)
		if err != nil {
			return w, err
		}
		w.phrases, w.all = append(w.phrases, one), append(w.all, one)
	}
	for _, t := range s.not {
		one, err := p.g.wantPhrase(ctx, t.word, t.inside)
		if err != nil {
			return w, err
		}
		w.not = append(w.not, one)
	}
	for i, one := range w.all {
		if one.df < w.all[w.rarest].df {
			w.rarest = i
		}
	}
	return w, nil
}

// weigh gives each word its idf over all collections together.
func (s *seeker) weigh(of []*wants) {
	for n := range of[0].all {
		df := 0.0
		for _, w := range of {
			df += float64(w.all[n].df)
		}
		idf := math.Log(1 + (max(s.pages, df)-df+0.5)/(df+0.5))
		for _, w := range of {
			w.all[n].idf = idf
			w.whole += idf
		}
	}
}

// often is after how many pages the time is looked at.
const often = 256

// walk goes through the pages of one collection.
func (s *seeker) walk(ctx context.Context, p *place, w *wants, how manner) error {
	itself, like := s.itself[p]
	for n, to := 0, uint64(0); ; n++ {
		if n%often == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		doc, err := s.next(p, w, how, to)
		if err != nil || doc == none {
			return err
		}
		to = doc + 1
		card := p.g.table.card(doc)
		if card < 0 || like && card == itself {
			continue
		}
		in := passes(p.pass, card)
		if !in && (how == some || !s.narrowed || !passes(p.wide, card)) {
			continue
		}
		if how == some && !like && w.every(doc) {
			continue // it was found before
		}
		if excluded, err := w.excludes(doc); err != nil || excluded {
			if err != nil {
				return err
			}
			continue
		}
		if !in {
			s.outside++
			continue
		}
		s.answer.Total++
		for f := range p.found {
			p.found[f][p.g.table.facet[f][card]]++
		}
		words, raised, err := s.score(p, w, card, doc, nil)
		if err != nil {
			return err
		}
		s.best.add(candidate{place: p, card: card, doc: doc, score: words * raised, when: s.best.when(&p.g.table.cards[card]), words: words, raised: raised, tier: p.tier(card, how)})
	}
}

// passes tells whether a filter lets a page pass; none lets all.
func passes(filter func(card int) bool, card int) bool { return filter == nil || filter(card) }

// tier is that of a page which a pass has found.
func (p *place) tier(card int, how manner) tier {
	switch {
	case p.named[card]:
		return byName
	case how == every:
		return byAll
	}
	return bySome
}

// next is the next document from a number on that has every word, or some; where no words are asked for, the next at all.
func (s *seeker) next(p *place, w *wants, how manner, to uint64) (uint64, error) {
	switch {
	case len(w.all) == 0:
		if to >= uint64(len(p.g.table.byDoc)) {
			return none, nil
		}
		return to, nil
	case how == every:
		return meet(to, w.rarest, w.all)
	}
	first := uint64(none)
	for _, t := range w.terms {
		doc, err := t.seek(to)
		if err != nil {
			return none, err
		}
		first = min(first, doc)
	}
	if first == none || len(w.phrases) == 0 {
		return first, nil
	}
	for { // phrases must be there all the same
		doc, err := meet(first, 0, w.phrases)
		if err != nil || doc == none {
			return none, err
		}
		first = none
		for _, t := range w.terms {
			at, err := t.seek(doc)
			if err != nil {
				return none, err
			}
			first = min(first, at)
		}
		if first == doc || first == none {
			return first, nil
		}
	}
}

// every tells whether a document to which all words were brought has them all.
func (w *wants) every(doc uint64) bool {
	for _, t := range w.terms {
		if t.now != doc {
			return false
		}
	}
	return true
}

// excludes tells whether a document has what it must not have.
func (w *wants) excludes(doc uint64) (bool, error) {
	for _, n := range w.not {
		there, err := n.seek(doc)
		if err != nil || there == doc && len(n.streams) > 0 {
			return true, err
		}
	}
	return false, nil
}
