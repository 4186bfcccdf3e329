package index

import (
	"context"
	"errors"
	"math"
	"slices"

	bleveindex "github.com/blevesearch/bleve_index_api"

	"github.com/thresher-crawler/thresher/focus/text"
)

// none is behind the last document.
const none = math.MaxUint64

// seekable tells the documents in which something stands, in order.
type seekable interface {
	// seek is the first document from a number on; none where there is no more. It never goes back.
	seek(to uint64) (doc uint64, err error)
}

// stream tells how often, too.
type stream interface {
	seekable
	// often is how often it stands in the document that seek answered.
	often() float64
	count() uint64
	close() error
}

// postings is the stream of one word in one field.
type postings struct {
	reader bleveindex.TermFieldReader
	now    uint64
	begun  bool
	at     bleveindex.TermFieldDoc
	id     bleveindex.IndexInternalID
	places []uint64
}

func newPostings(ctx context.Context, r bleveindex.IndexReader, field, word string, places bool) (*postings, error) {
	reader, err := r.TermFieldReader(ctx, []byte(word), field, true, false, places)
	if err != nil {
		return nil, err
	}
	return &postings{reader: reader}, nil
}

// seek goes on to a document, or the next that has the word. To the one right behind, Next is the cheaper way than Advance.
func (p *postings) seek(to uint64) (uint64, error) {
	if p.begun && p.now >= to {
		return p.now, nil
	}
	var found *bleveindex.TermFieldDoc
	var err error
	p.at.Reset()
	if p.begun && to == p.now+1 || !p.begun && to == 0 {
		found, err = p.reader.Next(&p.at)
	} else {
		p.id = bleveindex.NewIndexInternalID(p.id, to)
		found, err = p.reader.Advance(p.id, &p.at)
	}
	if err != nil {
		return none, err
	}
	p.begun, p.now = true, none
	if found != nil {
		p.now = found.ID.Value()
	}
	return p.now, nil
}

// stands fills in the places of the word in the document that seek answered, as inverted.place told them.
func (p *postings) stands() {
	p.places = p.places[:0]
	for _, v := range p.at.Vectors {
		at := v.Pos
		p.places = append(p.places, at)
		for _, further := range v.ArrayPositions {
			at += further
			p.places = append(p.places, at)
		}
	}
}

func (p *postings) often() float64 { return float64(p.at.Freq) }
func (p *postings) count() uint64  { return p.reader.Count() }
func (p *postings) close() error   { return p.reader.Close() }

// chain is the stream of a phrase in one field: words in neighbouring places.
type chain struct {
	words  []*postings
	begins int // the rarest word
	now    uint64
	times  int
	begun  bool
}

func newChain(ctx context.Context, r bleveindex.IndexReader, field string, words []string) (*chain, error) {
	c := &chain{}
	for _, w := range words {
		p, err := newPostings(ctx, r, field, w, true)
		if err != nil {
			return nil, errors.Join(err, c.close())
		}
		c.words = append(c.words, p)
		if p.count() < c.words[c.begins].count() {
			c.begins = len(c.words) - 1
		}
	}
	return c, nil
}

func (c *chain) seek(to uint64) (uint64, error) {
	if c.begun && c.now >= to {
		return c.now, nil
	}
	for c.begun = true; ; to = c.now + 1 {
		doc, err := meet(to, c.begins, c.words)
		if c.now = doc; err != nil || doc == none {
			return none, err
		}
		if c.times = c.chained(); c.times > 0 {
			return doc, nil
		}
	}
}

// at is how often the phrase stands in one document. Documents are asked for in order.
func (c *chain) at(doc uint64) (times int, err error) {
	for _, w := range c.words {
		if there, err := w.seek(doc); err != nil || there != doc {
			return 0, err
		}
	}
	return c.chained(), nil
}

// meet is the first document from a number on in which all streams meet; first is the one to begin with.
func meet[S seekable](to uint64, first int, streams []S) (uint64, error) {
	for {
		doc, err := streams[first].seek(to)
		if err != nil || doc == none {
			return none, err
		}
		to = doc
		for _, s := range streams {
			there, err := s.seek(doc)
			if err != nil || there == none {
				return none, err
			}
			if there > doc {
				to = there
				break
			}
		}
		if to == doc {
			return doc, nil
		}
	}
}

// chained is how often the words follow each other in the document at which all stand.
func (c *chain) chained() int {
	for _, w := range c.words {
		w.stands()
	}
	times := 0
	for _, begins := range c.words[0].places {
		follows := true
		for n, w := range c.words[1:] {
			if _, follows = slices.BinarySearch(w.places, begins+uint64(n)+1); !follows {
				break
			}
		}
		if follows {
			times++
		}
	}
	return times
}

func (c *chain) often() float64 { return float64(c.times) }

// count is at most how many documents there are.
func (c *chain) count() uint64 { return c.words[c.begins].count() }

func (c *chain) close() error {
	var all []error
	for _, w := range c.words {
		all = append(all, w.close())
	}
	return errors.Join(all...)
}

// wanted is one thing a query wants, in all fields.
type wanted struct {
	word    string
	streams []stream
	of      []field // of each stream
	worth   []float64
	at      []uint64
	now     uint64
	begun   bool
	idf     float64
	df      uint64
}

func (w *wanted) add(f field, s stream, worth float64) {
	w.streams, w.of, w.at, w.worth = append(w.streams, s), append(w.of, f), append(w.at, 0), append(w.worth, worth)
}

func (w *wanted) seek(to uint64) (uint64, error) {
	if w.begun && w.now >= to {
		return w.now, nil
	}
	w.begun, w.now = true, none
	for i, s := range w.streams {
		doc, err := s.seek(to)
		if err != nil {
			return none, err
		}
		w.at[i] = doc
		w.now = min(w.now, doc)
	}
	return w.now, nil
}

// inFields fills in how often the thing stands in each field of the document that seek answered.
func (w *wanted) inFields(times *[fieldCount]float64) {
	*times = [fieldCount]float64{}
	for i, s := range w.streams {
		if w.at[i] == w.now {
			times[w.of[i]] = max(times[w.of[i]], w.worth[i]*s.often())
		}
	}
}

func (w *wanted) close() error {
	var all []error
	for _, s := range w.streams {
		all = append(all, s.close())
	}
	return errors.Join(all...)
}

// rare is how many pages a word of several characters may stand in, to be looked for as a chain of its characters, too.
const rare = 64

// chance is what such a chain is worth beside the word: some are two words that happen to meet, as 和服 in 产品和服务.
const chance = 0.3

// want is the stream of a word in all fields. Of a word that few pages hold, the places where it was cut otherwise count.
func (g *generation) want(ctx context.Context, t term) (*wanted, error) {
	w := &wanted{word: t.word}
	for f := range fieldCount {
		name := fieldNames[f]
		if t.form == text.Compound {
			name = f.compounds()
		}
		p, err := newPostings(ctx, g.reader, name, t.word, false)
		if err != nil {
			return nil, errors.Join(err, w.close())
		}
		if p.count() == 0 {
			p.close()
			continue
		}
		w.add(f, p, 1)
		w.df = max(w.df, p.count())
	}
	if t.exact != "" {
		return w, g.wantExact(ctx, w, t.exact)
	}
	if t.form == text.Compound && w.df <= rare {
		return w, g.wantChain(ctx, w, t.inside, chance)
	}
	return w, nil
}

// exactly is how much more a word counts where it has the accents of the query.
const exactly = 2

// wantExact adds the places in which a word has its accents.
func (g *generation) wantExact(ctx context.Context, w *wanted, word string) error {
	for f := range fieldCount {
		p, err := newPostings(ctx, g.reader, f.compounds(), word, false)
		if err != nil {
			return errors.Join(err, w.close())
		}
		w.add(f, p, exactly)
	}
	return nil
}

// wantChain adds the places in which words follow each other.
func (g *generation) wantChain(ctx context.Context, w *wanted, words []string, worth float64) error {
	for _, f := range placed {
		c, err := newChain(ctx, g.reader, fieldNames[f], words)
		if err != nil {
			return errors.Join(err, w.close())
		}
		if c.count() == 0 {
			c.close()
			continue
		}
		w.add(f, c, worth)
		w.df = max(w.df, min(c.count(), rare))
	}
	return nil
}

// wantPhrase is the stream of a phrase.
func (g *generation) wantPhrase(ctx context.Context, phrase string, words []string) (*wanted, error) {
	w := &wanted{word: phrase}
	return w, g.wantChain(ctx, w, words, 1)
}
