package index

import (
	"slices"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/document"
	bleve "github.com/blevesearch/bleve_index_api"

	"github.com/thresher-crawler/thresher/focus/text"
)

// inverter turns pages into what bleve indexes.
type inverter struct {
	cutter *text.Cutter
	// Kept from page to page.
	words   []text.Word
	inOrder []*bleve.TokenFreq // of one field
}

func newInverter() (*inverter, error) {
	c, err := text.NewCutter(text.Options{Plain: true})
	return &inverter{cutter: c}, err
}

const plainly = bleve.IndexField

// document is a page as bleve indexes it, and how many words each of its fields has. It has every field, so that all segments
// have the same ones: bleve then copies when it merges them.
func (v *inverter) document(key string, w writing) (*document.Document, [fieldCount]int32) {
	doc := document.NewDocument(key)
	var lengths [fieldCount]int32
	typed := newInverted(surfaces, plainly|bleve.SkipFreqNorm, mostSpare/4)
	for f := range fieldCount {
		v.words = v.cutter.Search(v.words[:0], w[f])
		options := plainly
		if slices.Contains(placed, f) {
			options |= bleve.IncludeTermVectors
		}
		simple, over := newInverted(fieldNames[f], options, len(v.words)), newInverted(f.compounds(), plainly, len(v.words))
		v.inOrder = v.inOrder[:0]
		for i := range v.words {
			word := &v.words[i]
			if word.Place < 0 {
				over.add(word.Term)
			} else {
				v.inOrder = append(v.inOrder, simple.add(word.Term))
			}
			if f == title || f == inlinks {
				if shown, ok := surface(word, w[f]); ok {
					typed.add(shown)
				}
			}
		}
		lengths[f] = int32(len(v.inOrder))
		if options.IncludeTermVectors() {
			simple.place(v.inOrder)
		}
		doc.AddField(simple).AddField(over)
	}
	return doc.AddField(typed), lengths
}

// surface is a word as a person would type it, if anybody would.
func surface(w *text.Word, in string) (string, bool) {
	if w.Form == text.Character || w.Form == text.Accented {
		return "", false
	}
	shown := w.Term
	if w.Form == text.Spaced {
		shown = w.Surface(in)
	}
	n := utf8.RuneCountInString(shown)
	return shown, 2 <= n && n <= 30
}

// telling are the words of a text that may say what it is about: no stop words, no numbers, no single characters.
func (v *inverter) telling(s string) []term {
	var all []term
	for _, t := range v.cutter.Cut(nil, s) {
		for _, w := range v.terms(t.Term) {
			if w.form != text.Character && utf8.RuneCountInString(w.word) > 1 {
				all = append(all, w)
			}
		}
	}
	return all
}

// inverted is a field of a page whose words are counted already: bleve has nothing to analyze. It is told no length, which
// the card knows, and which it would write beside every word; and no offsets: snippets are made from the record.
type inverted struct {
	name    string
	options bleve.FieldIndexingOptions
	found   bleve.TokenFrequencies
	spare   []bleve.TokenFreq
	words   int // that may still come
}

// mostSpare is how many words room is made for at once. Most fields are short, and have no compounds.
const mostSpare = 64

func newInverted(name string, options bleve.FieldIndexingOptions, words int) *inverted {
	return &inverted{name: name, options: options, found: make(bleve.TokenFrequencies, words/4), words: words}
}

// add counts a word.
func (f *inverted) add(term string) *bleve.TokenFreq {
	t := f.found[term]
	if t == nil {
		if len(f.spare) == 0 {
			f.spare = make([]bleve.TokenFreq, min(max(f.words, 1), mostSpare))
		}
		t, f.spare = &f.spare[0], f.spare[1:]
		f.found[term] = t
	}
	f.words--
	if !f.options.SkipFreqNorm() {
		t.SetFrequency(t.Frequency() + 1)
	}
	return t
}

// place tells where the words stand, which are those of the field in order. A word has one location, however often it stands
// in the page: the first, and as bleve's array positions how far it is from each to the next. That is a third of what a
// location for each would be. See postings.stands.
func (f *inverted) place(words []*bleve.TokenFreq) {
	first, by := make([]bleve.TokenLocation, len(f.found)), make([]*bleve.TokenLocation, len(f.found))
	further := make([]uint64, len(words)-len(f.found))
	last, met := make([]int, len(f.found)), 0
	for i, w := range words {
		if w.Locations == nil {
			n := w.Frequency() - 1
			first[met] = bleve.TokenLocation{Position: i + 1, Start: met, ArrayPositions: further[:0:n]}
			by[met], last[met] = &first[met], i
			w.Locations, further = by[met:met+1:met+1], further[n:]
			met++
			continue
		}
		at := w.Locations[0]
		at.ArrayPositions = append(at.ArrayPositions, uint64(i-last[at.Start]))
		last[at.Start] = i
	}
	for i := range first {
		first[i].Start = 0
	}
}

// Name and the methods below implement document.Field.
func (f *inverted) Name() string { return f.name }

// ArrayPositions is nil: no field is an element of a list.
func (f *inverted) ArrayPositions() []uint64 { return nil }

// Options are how bleve keeps the field.
func (f *inverted) Options() bleve.FieldIndexingOptions { return f.options }

// EncodedFieldType says that it is text.
func (f *inverted) EncodedFieldType() byte { return 't' }

// Analyze does nothing.
func (f *inverted) Analyze() {}

// Value is nil: no text is stored.
func (f *inverted) Value() []byte { return nil }

// Size is about how much memory it takes.
func (f *inverted) Size() int { return f.found.Size() }

// AnalyzedLength is 1, whatever it is: the card knows it, and bleve loses words of which it is 0.
func (f *inverted) AnalyzedLength() int { return 1 }

// AnalyzedTokenFrequencies are the words.
func (f *inverted) AnalyzedTokenFrequencies() bleve.TokenFrequencies { return f.found }

// NumPlainTextBytes is 0: nobody asks bleve for its rate.
func (f *inverted) NumPlainTextBytes() uint64 { return 0 }
