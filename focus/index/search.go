package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Ask says how a query is to be answered.
type Ask struct {
	Offset, Limit int
	Weights       Weights
	Why           bool          // take the score of each hit apart
	Time          time.Duration // after which what was found is the answer; 0 means two seconds
}

// Answer is what was found.
type Answer struct {
	Total   int // pages that match
	More    bool
	Hits    []*Hit
	Facets  [facetCount][]Count // in the order of FacetNames
	Notes   []Note
	Meant   string // the query with words that pages have in the place of those that none has; empty where there are none near enough
	Partial bool   // time was up
	Took    time.Duration
}

// Count is how many of the pages that match have a label.
type Count struct {
	Label string `json:"label"`
	Pages int    `json:"pages"`
}

// mostAsked bounds what is left out and what is shown: no collection has as many pages.
const mostAsked = 1 << 26

// few is how many pages that have every word of a query are enough: with fewer, pages with some of the words follow.
const few = 10

// Search answers a query from one collection, or from several as if they were one.
func Search(ctx context.Context, from []*Collection, q *Query, ask Ask) (*Answer, error) {
	answer, err := searchOnce(ctx, from, q, ask)
	if err != nil && slices.ContainsFunc(from, (*Collection).Rewritten) { // meanwhile: without it there is an answer
		answer, err = searchOnce(ctx, from, q, ask)
	}
	return answer, err
}

func searchOnce(ctx context.Context, from []*Collection, q *Query, ask Ask) (*Answer, error) {
	began := time.Now()
	ask.Time = cmp.Or(ask.Time, 2*time.Second)
	ask.Offset, ask.Limit = min(ask.Offset, mostAsked), min(ask.Limit, mostAsked)
	for _, c := range from[:min(1, len(from))] { // a dictionary that is read for the first query takes nothing of its time
		c.words.terms(strings.Join(slices.Concat(q.Words, q.Phrases), " "))
	}
	ctx, cancel := context.WithTimeout(ctx, ask.Time)
	defer cancel()
	s := &seeker{ask: &ask, q: q, quoted: slices.Clone(q.Phrases), answer: &Answer{Notes: slices.Clone(q.Notes)}}
	defer s.release()
	if err := s.hold(from); err != nil {
		return nil, err
	}
	s.said = s.answer.Notes
	err := s.deep(ctx, max(1000, ask.Offset+10*ask.Limit))
	if errors.Is(err, context.DeadlineExceeded) {
		s.answer.Partial, err = true, nil
		s.note("time was up after %v: this is what was found by then", ask.Time)
	}
	if err == nil {
		err = s.present()
	}
	if err == nil && !s.answer.Partial {
		s.answer.Meant, err = s.meant(ctx)
	}
	s.answer.Took = time.Since(began)
	return s.answer, err
}

// seeker answers one query.
type seeker struct {
	ask     *Ask
	q       *Query
	answer  *Answer
	words   []word   // wanted, as they were written
	quoted  []string // phrases, as they were written
	barred  []string // words and phrases that must not stand in a page, as they were written
	said    []Note   // before anything was looked for
	held    []*Collection
	places  []*place
	terms   []term   // every one of which a page should have
	phrases []term   // which it must have
	not     []term   // which it must not have
	texts   []string // for highlights, as they were written
	weights [fieldCount]float64
	mean    [fieldCount]float64 // words in each field
	pages   float64
	most    float64
	best    best
	shown   int            // pages that are left when the best are folded
	itself  map[*place]int // the card of the page that others are to be like; none where it is missing
	moved   int            // hits whose text is being indexed anew
	strange []string       // words of the query that no page has, as they were written
	outside int            // pages with every word that are left out only because the answer was narrowed down

	narrowed bool
}

// word is a word of a query as it was written, and its place.
type word struct {
	written string
	place   int
	address string // which it is; empty where it is none
}

// place is a collection as a query sees it.
type place struct {
	number int
	c      *Collection
	g      *generation
	pass   func(card int) bool
	wide   func(card int) bool // would pass, were nothing narrowed down
	named  map[int]bool        // cards that the query names by their address
	found  [facetCount][]int32 // pages found, by label
}

func (s *seeker) note(format string, args ...any) {
	s.answer.Notes = append(s.answer.Notes, Note{format, args})
}

func (s *seeker) unknown(what string) { s.note("no page has “%s”", what) }

// hold keeps the generations that are searched from being closed.
func (s *seeker) hold(from []*Collection) error {
	for _, c := range from {
		c.mu.RLock()
		s.held = append(s.held, c)
		if c.open == nil {
			return fmt.Errorf("%s has no index that is open", c.Dir)
		}
	}
	values := s.values()
	s.narrowed = slices.ContainsFunc(s.q.narrowed[:], func(to []string) bool { return len(to) > 0 })
	var total [fieldCount]float64
	for _, c := range from {
		if c.gone() { // what is found in it could not be read
			s.note("the folder of %s is gone: its pages are not searched until it is back", c.Name())
			continue
		}
		if c.rewritten() {
			s.note("the harvest of %s was written anew: its pages are not searched until they are indexed", c.Name())
			continue
		}
		t := c.open.table
		p := &place{number: len(s.places), c: c, g: c.open, pass: t.filter(s.q, values)}
		if s.narrowed {
			p.wide = t.filter(s.q.widened(), values)
		}
		p.named = s.named(p)
		for f := range p.found {
			p.found[f] = make([]int32, len(t.labels[f]))
		}
		s.places = append(s.places, p)
		s.pages += float64(len(t.cards))
		s.most = max(s.most, t.most)
		for f, n := range t.total {
			total[f] += n
		}
	}
	for f, n := range total {
		s.mean[f] = max(1, n/max(1, s.pages))
	}
	s.weights = s.ask.Weights.of()
	return nil
}

// values are those a query asks for. What looks like one, and no page has a value of the name, is words: where it stands.
func (s *seeker) values() (wanted []Wanted) {
	s.barred = slices.Clone(s.q.Not)
	for i, w := range s.q.Words {
		at := i
		if i < len(s.q.places) {
			at = s.q.places[i]
		}
		s.words = append(s.words, word{written: w, place: at})
	}
	for _, w := range s.q.Values {
		switch {
		case slices.ContainsFunc(s.held, func(c *Collection) bool { return c.open.table.values[w.Name] != "" }):
			if wanted = append(wanted, w); w.besideWords() && !s.wordy(w.Name) {
				s.note("%s asks for more or less than a word, and all values of %s are numbers", w.said(), w.Name)
			}
		case w.Not:
			s.barred = append(s.barred, w.Words+" "+w.Phrase)
		default:
			s.words = append(s.words, word{written: w.Words, place: w.place})
			if w.Phrase != "" {
				s.quoted = append(s.quoted, w.Phrase)
			}
		}
	}
	slices.SortStableFunc(s.words, func(a, b word) int { return cmp.Compare(a.place, b.place) })
	for i := range s.words {
		s.words[i].address = s.addressOf(s.words[i].written)
	}
	return wanted
}

// wordy tells of values of a name that one at least is no number.
func (s *seeker) wordy(name string) bool {
	word := func(v value) bool { return v.Name == name && v.Text != "" && !isNumber(v.Text) }
	return slices.ContainsFunc(s.held, func(c *Collection) bool {
		return slices.ContainsFunc(c.open.table.cards, func(c card) bool { return slices.ContainsFunc(c.Values, word) })
	})
}

func (s *seeker) release() {
	for _, c := range s.held {
		c.mu.RUnlock()
	}
}

// search finds the pages and counts them, and puts those in order that are best.
func (s *seeker) search(ctx context.Context, most int) (err error) {
	if len(s.places) == 0 || s.q.Empty() {
		return nil
	}
	s.terms, s.phrases, s.not, s.texts, s.strange = nil, nil, nil, nil, nil
	s.answer.Notes, s.answer.Total, s.outside = slices.Clone(s.said), 0, 0
	for _, p := range s.places {
		for f := range p.found {
			clear(p.found[f])
		}
	}
	s.strangers()
	s.best = best{most: most, by: s.q.Order}
	if s.q.Like != nil {
		if err = s.like(ctx); err == nil {
			err = s.pass(ctx, some)
		}
	} else if err = s.understand(ctx); err == nil {
		err = s.walks(ctx)
	}
	if err == nil {
		err = s.again(ctx)
	}
	s.fold()
	return err
}

// strangers notes the labels that a query asks for, or does not want, and that no page has.
func (s *seeker) strangers() {
	for f, wanted := range s.q.only() {
		for _, label := range slices.Concat(wanted, s.q.narrowed[f], s.q.without[f]) {
			if !slices.ContainsFunc(s.places, func(p *place) bool { return p.g.table.has(f, label) }) {
				s.unknown(FacetNames[f] + ":" + label)
			}
		}
	}
}

// walks looks for pages with all words, and where they are few for those with some. Who narrows down an answer of pages that have all
// gets no others by that.
func (s *seeker) walks(ctx context.Context) error {
	if len(s.terms)+len(s.phrases) == 0 && len(s.words)+len(s.quoted) > 0 {
		return nil // none of what was asked for stands anywhere
	}
	if err := s.pass(ctx, every); err != nil {
		return err
	}
	whole := s.answer.Total
	if whole >= few || whole > 0 && whole+s.outside >= few || len(s.terms) < 2 {
		return nil
	}
	err := s.pass(ctx, some)
	switch {
	case whole == 0:
		s.note("no page has all of the words: these have some")
	case s.answer.Total > whole:
		s.note("pages that have all of the words: %d; behind them stand those that have some", whole)
	}
	return err
}

// understand makes terms of the query's words. What no page has is looked for in its parts, or left out.
func (s *seeker) understand(ctx context.Context) error {
	v := s.places[0].c.words
	at := 0 // the place of the next term: one is left free where something else stands between two words
	for i, w := range s.words {
		if i > 0 && w.place > s.words[i-1].place+1 {
			at++
		}
		s.texts = append(s.texts, w.written)
		known, err := s.known(ctx, v.terms(w.inText()), &at)
		if err != nil {
			return err
		}
		if w.address == "" {
			together(known)
		}
		s.terms = append(s.terms, known...)
	}
	if len(s.terms) > mostWords {
		s.terms = s.terms[:mostWords]
		s.note("the first %d words count", mostWords)
	}
	for _, p := range s.quoted {
		if words := v.phrase(p); len(words) > 0 {
			s.phrases = append(s.phrases, term{word: p, inside: words})
		}
	}
	for _, n := range s.barred {
		if words := v.phrase(n); len(words) > 0 {
			s.not = append(s.not, term{word: n, inside: words})
		}
	}
	return nil
}

// known are the terms that some page has. Each that is asked for takes a place, at and those behind it, though no page has it.
func (s *seeker) known(ctx context.Context, terms []term, at *int) ([]term, error) {
	var all []term
	for _, t := range terms {
		df, err := s.frequency(ctx, t)
		if err != nil {
			return nil, err
		}
		switch {
		case df > 0:
			t.place = *at
			all = append(all, t)
			*at++
		case len(t.parts) > 0:
			parts, err := s.known(ctx, t.parts, at)
			if err != nil {
				return nil, err
			}
			all = append(all, parts...)
		default:
			s.unknown(cmp.Or(t.said, t.word))
			s.strange = append(s.strange, t.said)
			*at++
		}
	}
	return all, nil
}

// frequency is in about how many pages a term stands.
func (s *seeker) frequency(ctx context.Context, t term) (df uint64, err error) {
	for _, p := range s.places {
		w, err := p.g.want(ctx, t)
		if err != nil {
			return 0, err
		}
		if len(w.streams) > 0 {
			first, err := w.seek(0)
			if err != nil {
				return 0, errors.Join(err, w.close())
			}
			if first != none {
				df += max(1, w.df)
			}
		}
		if err := w.close(); err != nil {
			return 0, err
		}
	}
	return df, nil
}
