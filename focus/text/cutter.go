package text

import "sync"

// Options tune a Cutter.
type Options struct {
	Terms     []string // the topic's own terms: kept whole, found as phrases
	UserDict  string   // path of a user dictionary for Chinese; empty means none
	KeepStops bool     // do not drop stop words
	Tags      bool     // find parts of speech
	Pairs     bool     // cut Chinese into pairs of characters, as other scripts without spaces: no dictionary is loaded
	Plain     bool     // compare letters without their accents: zurich is Zürich
	Limit     int      // bytes of body text that are cut in a page; 0 means 20 KB, -1 no limit
}

// DefaultLimit is how many bytes of body text are cut where nobody said how many: it holds the main text of nearly every page; what is beyond it says little that is new.
const DefaultLimit = 20 << 10

// Cutter cuts text into words. It may be used by many goroutines at once.
type Cutter struct {
	options Options
	lexicon lexicon
	terms   *terms
	chinese searcher
	key     string
	desks   sync.Pool
}

// desk is the working space of one call.
type desk struct {
	pieces []piece // of a run, as its tokens are
	plain  []piece // of a run, by the dictionary alone
	halves []piece
	spans  []span
	parts  []part
	words  glossary
}

// span is a term that was found in a run.
type span struct {
	start, end int
	hit        *hit
}

// NewCutter makes a Cutter, or says which line of the user dictionary is wrong.
func NewCutter(o Options) (*Cutter, error) {
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	dict, names, err := readUserDict(o.UserDict)
	if err != nil {
		return nil, err
	}
	c := &Cutter{options: o, chinese: segmenterFor(dict), key: keyOf(o, dict, names)}
	c.lexicon.plain = o.Plain
	c.terms = newTerms(&c.lexicon, seenAll(o.Terms), append(names, mixedNames...), o.KeepStops)
	c.desks.New = func() any { return new(desk) }
	return c, nil
}

// seenAll are terms without signs that nobody sees.
func seenAll(terms []string) []string {
	seen := make([]string, len(terms))
	for i, t := range terms {
		seen[i] = Seen(t)
	}
	return seen
}

// Keys are, for each of Options.Terms, the Term that its tokens carry: folded, stemmed, the words of a phrase joined
// by a space. A key is empty where nothing can be found: a stop word alone, or a term without letters. Terms that
// differ only in what folding and stemming take away share a key.
func (c *Cutter) Keys() []string { return c.terms.keys }

// Match is one occurrence of one of the topic's terms.
type Match struct {
	Term       int // index into Options.Terms; of terms with one key, the first
	Key        string
	Start, End int // bytes of the text
	Speech     Speech
}

// Cut appends the words of s to dst, stop words dropped. An occurrence of a term of the topic is one token, whatever
// it is made of; its Term is the term's key.
func (c *Cutter) Cut(dst []Token, s string) []Token {
	w := walk{Cutter: c, desk: c.desks.Get().(*desk), text: s, tokens: dst, all: true}
	w.run()
	c.desks.Put(w.desk)
	return w.tokens
}

// Find appends the occurrences of the topic's terms in s to dst, in order. They are exactly those that Cut gives,
// but nothing else is cut: Chinese only where a term of one or two characters may be a chance meeting of two words.
func (c *Cutter) Find(dst []Match, s string) []Match {
	w := walk{Cutter: c, desk: c.desks.Get().(*desk), text: s, matches: dst}
	w.run()
	c.desks.Put(w.desk)
	return w.matches
}

// Tokens are the words of a page, cut once and kept with it. Of body text only the first Options.Limit bytes are cut,
// main text first; titles, headings, descriptions and anchors always are. A Doc may be asked by one goroutine at a
// time.
func (c *Cutter) Tokens(d *Doc) []Token {
	if d.cutBy == c {
		return d.tokens
	}
	d.tokens, d.cutBy = make([]Token, 0, d.size()/8), c
	w := walk{Cutter: c, desk: c.desks.Get().(*desk), all: true, tokens: d.tokens}
	for i, s := range c.within(d) {
		w.text, w.like = s, Token{Segment: int32(i), Position: d.Segments[i].Position}
		w.run()
	}
	c.desks.Put(w.desk)
	d.tokens = w.tokens
	return d.tokens
}

// Found are the occurrences of the topic's terms in a page, found once and kept with it: what Tokens gives of them, at a fraction
// of its cost.
func (c *Cutter) Found(d *Doc) []Token {
	if d.foundBy == c {
		return d.found
	}
	d.found, d.foundBy = nil, c
	w := walk{Cutter: c, desk: c.desks.Get().(*desk)}
	var parts []string // of segments that are too long together
	if most := c.options.Limit; most >= 0 && d.size() > most {
		parts = c.within(d)
	}
	for i, s := range d.Segments {
		w.text, w.matches = s.Text, w.matches[:0]
		if parts != nil {
			w.text = parts[i]
		}
		w.run()
		for _, m := range w.matches {
			d.found = append(d.found, Token{m.Key, int32(i), s.Position, m.Speech})
		}
	}
	c.desks.Put(w.desk)
	return d.found
}
