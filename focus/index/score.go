package index

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"math"
	"slices"
)

// Reason is one number of a score, and how deep it stands in the tree: what is deeper was put together to it.
type Reason struct {
	Name  string  `json:"name"`
	Depth int     `json:"depth"`
	Value float64 `json:"value"`
}

// because notes a number that a score was made of. It is nil where nobody asks.
type because func(name string, depth int, value float64)

// score is what a page is worth to a query: its words, and what they are raised by. All words of the query have been brought to the
// document. Where reasons are asked for, they are the numbers themselves.
func (s *seeker) score(p *place, w *wants, card int, doc uint64, reasons *[]Reason) (words, raised float64, err error) {
	c := &p.g.table.cards[card]
	var why because
	if reasons != nil {
		why = func(name string, depth int, value float64) {
			*reasons = append(*reasons, Reason{name, depth, value})
		}
	}
	had := 0.0
	var times [fieldCount]float64
	for _, t := range w.all {
		if t.now != doc {
			continue
		}
		had += t.idf
		t.inFields(&times)
		words += s.saturated(&times, c, t.idf, t.word, why)
	}
	if words, err = s.beside(words, w, c, doc, why); err != nil {
		return 0, 0, err
	}
	share := 1.0
	switch {
	case len(w.all) == 0:
		words = 1
	case w.whole > 0 && s.q.Like == nil:
		share = had / w.whole
	}
	relevance := 1 + s.ask.Weights.Relevance*c.relevance()
	importance := 1.0
	if s.most > 0 {
		importance += s.ask.Weights.Importance * math.Log1p(float64(c.Importance)) / math.Log1p(s.most)
	}
	front := 1 + s.ask.Weights.Front*float64(p.g.table.front[card])
	raised = share * relevance * importance * front
	if why != nil {
		why("words", 1, words)
		why("share of the words", 1, share)
		why("relevance", 1, relevance)
		why("importance", 1, importance)
		why("near the front", 1, front)
		why("score", 0, words*raised)
		slices.Reverse(*reasons)
	}
	return words, raised, nil
}

// beside adds what neighbouring words of the query are worth to a page.
func (s *seeker) beside(words float64, w *wants, c *card, doc uint64, why because) (float64, error) {
	for _, o := range w.pairs {
		times, err := o.at(doc)
		if err != nil {
			return 0, err
		}
		if times != [fieldCount]float64{} {
			words += s.saturated(&times, c, s.ask.Weights.Order*o.idf, o.word, why)
		}
	}
	return words, nil
}

// saturated is what one word of a query, or two side by side, give a page: how often they stand in each field, weighted and
// held against the length of the field, saturated, times how rare they are.
func (s *seeker) saturated(times *[fieldCount]float64, c *card, idf float64, word string, why because) float64 {
	k, b := s.ask.Weights.Saturation, s.ask.Weights.Length
	sum := 0.0
	for f, n := range times {
		if n == 0 {
			continue
		}
		part := s.weights[f] * n / (1 - b + b*float64(c.Lengths[f])/s.mean[f])
		if why != nil {
			why(fieldNames[f], 3, part)
		}
		sum += part
	}
	value := 0.0
	if sum > 0 {
		value = idf * sum * (k + 1) / (k + sum)
	}
	if why != nil {
		why("“"+word+"”", 2, value)
	}
	return value
}

// reasons takes the score of a candidate apart, by working it out again.
func (s *seeker) reasons(ctx context.Context, c candidate) (reasons []Reason, err error) {
	opened, err := s.openAll(ctx, c.again)
	defer closeAll(opened)
	if err != nil {
		return nil, err
	}
	w := opened[slices.Index(s.places, c.place)]
	for _, t := range w.all {
		if _, err := t.seek(c.doc); err != nil {
			return nil, err
		}
	}
	_, _, err = s.score(c.place, w, c.card, c.doc, &reasons)
	return reasons, err
}

// candidate is a page that matches.
type candidate struct {
	place *place
	card  int
	doc   uint64
	score float64 // what its words are worth, raised
	when  int64   // by which it is put in order, where it is by a time
	again bool    // it was looked at again, for words side by side
	tier  tier

	words, raised float64
}

// tier is what comes before the order that was asked for.
type tier uint8

const (
	byName tier = iota // a page that the query names by its address
	byAll              // one that has every word
	bySome             // one that has some
)

// best holds the best candidates, the worst on top.
type best struct {
	all  []candidate
	most int
	by   Order
}

func (b *best) Len() int           { return len(b.all) }
func (b *best) Less(i, j int) bool { return b.order(b.all[i], b.all[j]) > 0 }
func (b *best) Swap(i, j int)      { b.all[i], b.all[j] = b.all[j], b.all[i] }
func (b *best) Push(x any)         { b.all = append(b.all, x.(candidate)) }
func (b *best) Pop() any {
	last := b.all[len(b.all)-1]
	b.all = b.all[:len(b.all)-1]
	return last
}

// order is below 0 where x comes before y.
func (b *best) order(x, y candidate) int {
	return cmp.Or(cmp.Compare(x.tier, y.tier), cmp.Compare(y.when, x.when), cmp.Compare(y.score, x.score), cmp.Compare(x.place.g.table.cards[x.card].ID, y.place.g.table.cards[y.card].ID),
		cmp.Compare(x.place.number, y.place.number))
}

// when is the time by which a page is put in order; 0 where it is by its score.
func (b *best) when(c *card) int64 {
	switch b.by {
	case Date:
		return int64(c.Date)
	case Found:
		return c.Found
	}
	return 0
}

func (b *best) add(c candidate) {
	if len(b.all) < b.most {
		heap.Push(b, c)
		return
	}
	if b.order(c, b.all[0]) < 0 {
		b.all[0] = c
		heap.Fix(b, 0)
	}
}

// sorted are the candidates, the best first.
func (b *best) sorted() []candidate {
	slices.SortFunc(b.all, b.order)
	return b.all
}

// like makes terms of the words that tell most of a page.
func (s *seeker) like(ctx context.Context) error {
	s.itself = map[*place]int{}
	for _, p := range s.places {
		i, ok := p.g.table.names.byID[s.q.Like.ID]
		if p.c.Name() != s.q.Like.Collection || !ok {
			continue
		}
		s.itself[p] = i
		return s.telling(ctx, p, &p.g.table.cards[i])
	}
	return fmt.Errorf("%w to be like", ErrNoPage)
}

// tellingWords is how many words say what a page is about.
const tellingWords = 12

// telling puts the words that tell a page from others in the place of a question: those that it uses often and few pages have. Words of
// equal weight are in the order of the alphabet, so that the same page always asks for the same.
func (s *seeker) telling(ctx context.Context, p *place, c *card) error {
	r, err := readRecord(p.c.Dir, c)
	if err != nil {
		return err
	}
	weights := map[string]float64{}
	terms := map[string]term{}
	for _, part := range []struct {
		text   string
		weight float64
	}{{r.Title, 3}, {clippedView(r.Text, 20<<10), 1}} {
		for _, t := range p.c.words.telling(part.text) {
			weights[t.word] += part.weight
			terms[t.word] = t
		}
	}
	all := make([]string, 0, len(weights))
	for word, n := range weights {
		df, err := s.frequency(ctx, terms[word])
		if err != nil {
			return err
		}
		weights[word] = n * math.Log(1+s.pages/(1+float64(df)))
		all = append(all, word)
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b)) })
	for _, word := range all[:min(len(all), tellingWords)] {
		s.terms = append(s.terms, terms[word])
		s.texts = append(s.texts, word)
	}
	return nil
}
