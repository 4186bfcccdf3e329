package topic

import (
	"math"
	"math/bits"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/text"
)

// bm25 is the judge that a topic of terms or examples has by default: how much of the topic a page speaks of, and how
// much of the page that is. What a word counts rises with its occurrences towards a bound, the slower the longer the page
// is, so that no single word carries a page far and none that is named in passing carries it at all:
//
//	C      = occurrences in the page's own text, in the title 4, in a heading 2, in a link of the running text ½
//	K      = 3 · (.1 + .9 · length), where a page of 1500 Chinese characters or of 700 words is 1 long
//	w      = the weight that was given a term, times how rare the word is in its language
//	number = Σ w · C/(C+K) over the topic, by the sum of those w that are not negative; at least 0
//
// A term that stands on every other page of any subject (system, people, 市场) says less than one that hardly ever does
// (syllabus, 双子座), though whoever listed them gave both the same weight. How rare a word is, the table says that comes
// with the program (see background).
//
// This is the ranking function of search engines (Robertson and Zaragoza, 2009) without what it takes from a collection:
// how long its pages are on average, and in how many each word stands. A crawl has no such collection: of one that goes
// well most pages have the topic's words, which would become worthless by that. So the number is a function of the topic and the page,
// and of nothing else, and a page gets the same one in any order, on any machine.
type bm25 struct {
	BM25
	power   float64 // what the number is raised to, for its relevance
	words   *vocabulary
	profile *profile
	terms   voices
	sample  voices // the words that weigh most in the examples
}

// voices are words, by number, with what each weighs; all is what the positive ones weigh together.
type voices struct {
	weight []float64
	all    float64
}

// What bm25 does not let anybody choose. With its parameters, these were fitted on recorded webs in both languages; between half and twice their values hardly
// make a difference. calibration makes .3 of the number that parts the pages of a topic from the rest best.
const (
	usualChinese  = 1500
	usualWords    = 700
	calibration   = .53
	wordsOfSample = bestOfExamples
	sampleCounts  = 4. / 3
	shareBeside   = .3
)

// BM25 are the parameters of judge bm25.
type BM25 struct {
	Saturation float64 `yaml:"saturation" doc:"a word that occurs so often on a page of usual length counts half of what it can" check:"(0..1000"`
	Length     float64 `yaml:"length" doc:"how much of that depends on the length of the page" check:"0..1"`
}

func init() {
	Register("bm25", "how much of the topic a page speaks of, and how much of the page that is: a function of topic and page, and of nothing the crawl has seen",
		Traits{Terms: true, Text: true, Against: true, Weights: map[string]float64{"title": 4, "top": 2, "heading": 2, "anchor": .5}},
		BM25{Saturation: 3, Length: .9},
		func(p BM25, m *Material) Judge { return newBM25(p, m) })
}

// newBM25 makes the judge of what the topic was told: its terms, weighed by how rare they are, and the best words of its examples.
func newBM25(p BM25, of *Material) *bm25 {
	t := of.topic
	m := &bm25{BM25: p, power: 1, words: t.words, profile: &t.profile}
	if of.Calibrate {
		m.power = calibration
	}
	told := make([]float64, len(t.profile.weight))
	for id, weight := range t.profile.weight {
		if weight != 0 { // the table is read only where somebody stated a term
			told[id] = weight * t.worth(int32(id))
		}
	}
	m.terms = newVoices(told)
	sample := make([]float64, len(t.profile.weight))
	best, _ := t.profile.best(t.worth, -1, wordsOfSample)
	for _, b := range best {
		sample[b.id] = b.weight
	}
	m.sample = newVoices(sample)
	return m
}

func newVoices(weight []float64) voices {
	v := voices{weight: weight}
	for _, w := range weight {
		v.all += max(w, 0)
	}
	return v
}

// Relevance is the number, so stretched that .3 parts the pages of most topics from the rest.
func (m *bm25) Relevance(raw float64) float64 { return math.Pow(raw, m.power) }

// Score sums up what the topic's words add. Words that the topic got to know after the judge was made have no weight in it: it is made
// anew when the examples change.
func (m *bm25) Score(b *Bag, why []Evidence) (float64, []Evidence) {
	slack := m.slack(b)
	terms, sample := m.shares()
	raw := 0.0
	for i, word := range b.words {
		id, ok := m.words.ids[word]
		if !ok || int(id) >= len(m.terms.weight) {
			continue
		}
		weight := m.terms.weight[id]*terms + m.sample.weight[id]*sample
		if weight == 0 {
			continue
		}
		added := weight * b.tf[i] / (b.tf[i] + slack)
		raw += added
		why = append(why, Evidence{m.profile.surface[id], int(b.count[i]), added})
	}
	return min(max(raw, 0), 1), why
}

// slack is how often a word must occur on a page to count half of what it can.
func (m *bm25) slack(b *Bag) float64 { return m.Saturation * (1 - m.Length + m.Length*b.length) }

// Wants tells whether a word counts.
func (m *bm25) Wants(word string) bool {
	id, ok := m.words.ids[word]
	return ok && int(id) < len(m.terms.weight) && (m.terms.weight[id] != 0 || m.sample.weight[id] != 0)
}

// shares are what a unit of a term's weight, and of an example's word, counts: where both are given, seven tenths of the
// judge's number are the terms', which somebody chose. Of halves pages of the topic that do not resemble the examples are missed. A page has fewer of the words that other pages happen to have than of those that somebody listed, so where
// there are no terms they count more: with that, one threshold serves both. Beside terms they do not: these say where the
// topic ends, and a page that has common words of the examples and none of the terms would pass the threshold by that.
func (m *bm25) shares() (terms, sample float64) {
	switch {
	case m.terms.all > 0 && m.sample.all > 0:
		return (1 - shareBeside) / m.terms.all, shareBeside / m.sample.all
	case m.terms.all > 0:
		return 1 / m.terms.all, 0
	case m.sample.all > 0:
		return 0, sampleCounts / m.sample.all
	}
	return 0, 0
}

// lengthOf is how long a page's own text is, against the usual: body text as far as words are looked for in it.
func (w *weigher) lengthOf(d *text.Doc, of part) float64 {
	length, left := 0.0, w.limit
	for _, main := range []bool{true, false} {
		for i := range d.Segments {
			s := &d.Segments[i]
			if inMain(d, s.Block) != main || !of.has(s) || s.Position == title || s.Position == meta {
				continue
			}
			said := s.Text
			if s.Position == body || s.Position == emphasis {
				if w.limit > 0 {
					said = said[:max(min(len(said), left), 0)]
				}
				left -= len(said)
			}
			length += lengthOf(said) * min(w.weights[s.Position][text.Noun], 1)
		}
	}
	return length
}

// lengthOf is how long a text is: how much of a usual page its characters and words are. It goes over the bytes: every page
// is measured, and most of a text is ASCII, eight of which are seen at a time, or characters of three bytes that all count alike.
func lengthOf(s string) float64 {
	dense, words := 0, 0
	within := false
	for i := 0; i < len(s); {
		if b := s[i]; b < utf8.RuneSelf {
			if letters, ok := asciiLetters(s[i:]); ok {
				begin := letters &^ (letters << 8)
				if within {
					begin &^= 0x80
				}
				words += bits.OnesCount64(begin)
				within = letters>>63 != 0
				i += 8
				continue
			}
			letter := asciiLetter[b]
			if letter && !within {
				words++
			}
			within = letter
			i++
			continue
		}
		for i+2 < len(s) && s[i]-0xE4 <= 0xE9-0xE4 && (s[i+1]^0x80)|(s[i+2]^0x80) < 0x40 { // U+4000 to U+9FFF
			dense++
			within = false
			i += 3
		}
		if i == len(s) || s[i] < utf8.RuneSelf {
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		letter := 0xC0 <= r && r < 0x2E80
		switch {
		case r >= 0x3005 && r < 0xFF00:
			dense++
		case letter && !within:
			words++
		}
		within = letter
		i += size
	}
	return float64(dense)/usualChinese + float64(words)/usualWords
}

// asciiLetters tells which of the next eight bytes words are made of, each by its highest bit; ok is false unless there are
// eight and all are ASCII.
func asciiLetters(s string) (letters uint64, ok bool) {
	if len(s) < 8 {
		return 0, false
	}
	const each = 0x0101010101010101
	w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	if w&(each*0x80) != 0 {
		return 0, false
	}
	lower := w | each*0x20
	// A byte from which the first of a range is reached, and the one behind its last is not, is of the range.
	letter := (lower + each*(0x80-'a')) &^ (lower + each*(0x7F-'z'))
	digit := (w + each*(0x80-'0')) &^ (w + each*(0x7F-'9'))
	return (letter | digit) & (each * 0x80), true
}

// asciiLetter tells which ASCII bytes words are made of.
var asciiLetter = func() (is [utf8.RuneSelf]bool) {
	for b := range is {
		is[b] = 'a' <= b|0x20 && b|0x20 <= 'z' || '0' <= b && b <= '9'
	}
	return is
}()
