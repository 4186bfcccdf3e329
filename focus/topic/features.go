package topic

import (
	"math"
	"slices"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/text"
)

// feature is the number under which a model knows a word: a 32-bit FNV-1a hash, so that a model holds no words.
func feature(word string) uint32 {
	h := uint32(2166136261)
	for i := range len(word) {
		h = (h ^ uint32(word[i])) * 16777619
	}
	return h
}

// corpus is a set of labelled pages as a model learns from it.
type corpus struct {
	words []string         // by row; row 0 is the constant
	rows  map[string]int32 // of the words that are kept
	df    []float64        // by row
	pages []sparse
	truth []bool
}

// sparse is a page by row: how often each word weighs in.
type sparse struct {
	row []uint32
	tf  []float64
}

// fewPages is the number of pages below which every word is kept; above it, a word that only one page has says
// nothing about others.
const fewPages = 50

// collect cuts labelled pages and keeps the words that can say something.
func (w *weigher) collect(cutter *text.Cutter, relevant, other []*text.Doc) *corpus {
	c := newCorpus()
	b := newBag()
	for n, d := range slices.Concat(relevant, other) {
		w.page(b, d, cutter.Tokens(d), nil)
		c.add(b, n < len(relevant))
	}
	c.thin()
	return c
}

func newCorpus() *corpus {
	return &corpus{words: []string{""}, rows: map[string]int32{}, df: []float64{0}}
}

// add takes a page.
func (c *corpus) add(b *Bag, relevant bool) {
	page := sparse{tf: slices.Clone(b.tf)}
	for _, word := range b.words {
		r := c.row(word)
		page.row = append(page.row, uint32(r))
		c.df[r]++
	}
	c.pages = append(c.pages, page)
	c.truth = append(c.truth, relevant)
}

// thin leaves out the words of one page alone, when all pages are there.
func (c *corpus) thin() {
	if len(c.pages) >= fewPages {
		c.drop(2)
	}
}

func (c *corpus) row(word string) int32 {
	r, ok := c.rows[word]
	if !ok {
		r = int32(len(c.words))
		c.rows[word] = r
		c.words = append(c.words, word)
		c.df = append(c.df, 0)
	}
	return r
}

// drop leaves out the words of fewer pages than least.
func (c *corpus) drop(least float64) {
	now := make([]uint32, len(c.words))
	words, df := c.words[:1], c.df[:1]
	for r := 1; r < len(c.words); r++ {
		if c.df[r] >= least {
			now[r] = uint32(len(words))
			words, df = append(words, c.words[r]), append(df, c.df[r])
		}
	}
	c.words, c.df = words, df
	for i := range c.pages {
		p, kept := &c.pages[i], sparse{}
		for k, r := range p.row {
			if now[r] > 0 {
				kept.row, kept.tf = append(kept.row, now[r]), append(kept.tf, p.tf[k])
			}
		}
		*p = kept
	}
	c.rows = nil
}

// idf is ln(N/df) by row; a word of every page keeps a little.
func (c *corpus) idf() []float64 {
	idf := make([]float64, len(c.df))
	for r := 1; r < len(idf); r++ {
		idf[r] = max(learn.IDF(float64(len(c.pages)), c.df[r]), .01)
	}
	return idf
}

// damped are the pages as the linear models see them: log(1+tf) times idf, made one long, and a constant.
func (c *corpus) damped() learn.Labelled {
	idf := c.idf()
	set := learn.Labelled{Y: c.truth}
	for _, p := range c.pages {
		x := learn.Vector{Index: append([]uint32{0}, p.row...), Value: make([]float32, 1+len(p.row))}
		norm := 0.0
		for k, r := range p.row {
			norm += square(damp(p.tf[k]) * idf[r])
		}
		norm = math.Sqrt(norm)
		x.Value[0] = 1
		for k, r := range p.row {
			x.Value[k+1] = float32(damp(p.tf[k]) * idf[r] / norm)
		}
		set.X = append(set.X, x)
	}
	return set
}

// plain are the pages as the source of the trained vector sees them: tf times idf.
func (c *corpus) plain() learn.Labelled {
	idf := c.idf()
	set := learn.Labelled{Y: c.truth}
	for _, p := range c.pages {
		x := learn.Vector{Index: p.row, Value: make([]float32, len(p.row))}
		for k, r := range p.row {
			x.Value[k] = float32(p.tf[k] * idf[r])
		}
		set.X = append(set.X, x)
	}
	return set
}
