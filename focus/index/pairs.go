package index

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/thresher-crawler/thresher/focus/text"
)

// Words that stand side by side in a query and in a title or heading say more than both do (the sequential dependence of Metzler and
// Croft 2005). In texts they do not, for a link's words stand side by side in the page that links, too; but for those that were written
// together. Only the best pages by their words are looked at for that: it takes the places of words.

// looked is how many of the best pages are looked at again: always as many, so that the order is one, whatever part of it is
// asked for.
const looked = 200

// paired are the fields in which words side by side count: the last, the text, only of words that were written together.
var paired = [...]field{title, headings, body}

// pair is two neighbouring words of a query.
type pair struct {
	in   [len(paired)]*chain // nil where it does not count
	word string
	idf  float64
}

// joinedWeight is how much more two words count that were written together: 4S店 is no 4S and a 店 elsewhere.
const joinedWeight = 3

// together notes of the terms of one written word which stand side by side in it. A run of Chinese is no such word: nothing parts its
// words, whatever they are.
func together(terms []term) {
	for n := 1; n < len(terms); n++ {
		before, after := &terms[n-1], &terms[n]
		after.joined = after.place == before.place+1 && (before.form == text.Spaced || after.form == text.Spaced)
	}
}

// at is how often the pair stands in each field of a document.
func (p *pair) at(doc uint64) (times [fieldCount]float64, err error) {
	for i, c := range p.in {
		if c == nil {
			continue
		}
		n, err := c.at(doc)
		if err != nil {
			return times, err
		}
		times[paired[i]] = float64(n)
	}
	return times, nil
}

func (p *pair) close() error {
	var all []error
	for _, c := range p.in {
		if c != nil {
			all = append(all, c.close())
		}
	}
	return errors.Join(all...)
}

// characters are the words of a term as they follow each other in a page.
func (t *term) characters() []string {
	if len(t.inside) > 0 {
		return t.inside
	}
	return []string{t.word}
}

// pair opens the pairs of a query in one collection. The words have been weighed.
func (s *seeker) pair(ctx context.Context, p *place, w *wants) error {
	for n := 1; n < len(s.terms); n++ {
		before, after := s.terms[n-1], s.terms[n]
		if after.place != before.place+1 {
			continue // what stood between them is on no page, or was no word
		}
		one := &pair{word: before.word + " " + after.word, idf: (w.terms[n-1].idf + w.terms[n].idf) / 2}
		if after.joined {
			one.idf *= joinedWeight
		}
		w.pairs = append(w.pairs, one)
		for i, f := range paired {
			if f == body && !after.joined {
				continue
			}
			var err error
			if one.in[i], err = newChain(ctx, p.g.reader, fieldNames[f], slices.Concat(before.characters(), after.characters())); err != nil {
				return err
			}
		}
	}
	return nil
}

// again looks at the best candidates once more, for words that stand side by side.
func (s *seeker) again(ctx context.Context) error {
	all := s.best.sorted()
	if len(all) < 2 || s.best.by == Date || s.best.by == Found || len(s.terms) < 2 || s.q.Like != nil || s.ask.Weights.Order == 0 {
		return nil
	}
	top := all[:min(len(all), looked)]
	opened, err := s.openAll(ctx, true)
	defer closeAll(opened)
	if err != nil {
		return err
	}
	slices.SortFunc(top, func(a, b candidate) int { return cmp.Compare(a.doc, b.doc) })
	for i, p := range s.places {
		for n := range top {
			if top[n].place != p {
				continue
			}
			c := &top[n]
			words, err := s.beside(c.words, opened[i], &p.g.table.cards[c.card], c.doc, nil)
			if err != nil {
				return err
			}
			c.again, c.score = true, words*c.raised
		}
	}
	slices.SortFunc(top, s.best.order)
	return nil
}
