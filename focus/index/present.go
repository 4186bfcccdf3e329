package index

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/text"
)

// Hit is one page of an answer.
type Hit struct {
	Collection string
	ID         uint64
	URL        string
	Host       string
	Title      string
	Snippet    []Piece
	Language   string
	Kind       string
	Date       time.Time // as the page states it; zero where it states none
	Found      time.Time // when it was fetched
	Relevance  float64   // NaN where nobody judged it
	Importance float64
	Inlinks    int
	Data       map[string]json.RawMessage // what a program has set
	Score      float64
	Same       []Other  // near duplicates, folded under this one
	OfSite     int      // further pages of its site that are folded away behind this one
	Why        []Reason // where it was asked for

	card candidate
}

// Piece is a piece of a snippet; Hit tells of one that was asked for.
type Piece struct {
	Text string `json:"text"`
	Hit  bool   `json:"hit,omitempty"`
}

// Other is a page that another one stands for.
type Other struct {
	Collection string `json:"collection"`
	ID         uint64 `json:"id"`
	URL        string `json:"url"`
}

// present makes hits of the best candidates.
func (s *seeker) present() error {
	s.count()
	if len(s.answer.Hits) == 0 {
		return nil
	}
	words := append([]string(nil), s.texts...)
	for _, t := range s.terms {
		words = append(words, cmp.Or(t.said, t.word))
	}
	terms, err := text.NewCutter(text.Options{Terms: words, Plain: true})
	if err == nil && len(s.phrases) == 0 && !slices.ContainsFunc(terms.Keys(), func(key string) bool { return key != "" }) {
		terms, err = text.NewCutter(text.Options{Terms: words, Plain: true, KeepStops: true}) // nothing else was asked for
	}
	if err != nil {
		return err
	}
	finder := &finder{terms, s.places[0].c.words, s.phrases}
	for _, h := range s.answer.Hits {
		if err := s.fill(h, finder); err != nil {
			return err
		}
	}
	if s.moved > 0 {
		s.note("%d results are being indexed anew after a second look: they have no text for a moment", s.moved)
	}
	return nil
}

// fold takes the hits that were asked for from the candidates: near duplicates go under the best of them, and a site shows
// only so many, unless there is but one. How many more it has is counted among all that match, of which the best are a part.
func (s *seeker) fold() {
	perSite := s.perSite()
	var shown []*Hit
	bySite, more := map[string][]*Hit{}, s.found(facetSite)
	twins := newTwins(s.ask.Weights.Duplicates)
	for _, c := range s.best.sorted() {
		card := &c.place.g.table.cards[c.card]
		if twin := twins.of(card); twin >= 0 {
			twin := shown[twin]
			twin.Same = append(twin.Same, Other{c.place.c.Name(), card.ID, card.URL})
			more[card.Host]--
			continue
		}
		ofSite := bySite[card.Host]
		if perSite > 0 && len(ofSite) >= perSite {
			continue
		}
		if len(shown) > s.ask.Offset+s.ask.Limit {
			continue // one more than is shown tells that there are more
		}
		h := &Hit{card: c, Score: c.score}
		twins.add(len(shown), card)
		shown = append(shown, h)
		bySite[card.Host] = append(ofSite, h)
		more[card.Host]--
	}
	for site, hits := range bySite {
		if len(hits) == perSite {
			hits[perSite-1].OfSite = more[site]
		}
	}
	end := min(len(shown), s.ask.Offset+s.ask.Limit)
	s.shown, s.answer.More = len(shown), len(shown) > end
	s.answer.Hits = shown[min(s.ask.Offset, end):end]
}

// fill fills in what is shown of a hit.
func (s *seeker) fill(h *Hit, finder *finder) error {
	c := &h.card.place.g.table.cards[h.card.card]
	r, err := readContents(h.card.place.c.Dir, c)
	if errors.Is(err, ErrMoved) {
		h.of(h.card.place.c, c, &sink.Record{}) // what the card knows
		s.moved++
		return nil
	}
	if err != nil {
		return err
	}
	h.of(h.card.place.c, c, r)
	h.Snippet = snippet(finder, r)
	if s.ask.Why {
		h.Why, err = s.reasons(context.Background(), h.card)
	}
	return err
}

// of takes what a card and its record say.
func (h *Hit) of(from *Collection, c *card, r *sink.Record) {
	h.Collection, h.ID, h.URL, h.Host = from.Name(), c.ID, c.URL, c.Host
	h.Title, h.Language, h.Kind, h.Data = r.Title, c.Language, c.Kind, r.Data
	h.Title = cmp.Or(h.Title, c.URL)
	if c.Date != 0 {
		h.Date = day(c.Date)
	}
	h.Found = time.Unix(c.Found, 0).UTC()
	h.Relevance, h.Importance, h.Inlinks = math.NaN(), float64(c.Importance), int(c.Inlinks)
	if c.Relevance == c.Relevance {
		h.Relevance = float64(c.Relevance)
	}
}
