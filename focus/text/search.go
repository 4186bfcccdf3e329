package text

import "unicode/utf8"

// Form says what a Word of a search is made of.
type Form uint8

// The forms of words. Spaced words and characters fill a text without gaps and never overlap: phrases are found by them.
// Compounds lie over characters.
const (
	Spaced    Form = iota // a word of a script that parts words by spaces, stemmed where it is English
	Character             // a single character of Chinese, or of another script without spaces
	Compound              // a word of several characters of such a script
	Accented              // a spaced word with its accents, where Options.Plain takes them off; it lies over the one without
)

// Word is a word as a search index wants it.
type Word struct {
	Term       string // folded, English stemmed; it may be a part of the text
	Start, End int    // bytes of the text
	Place      int    // among the spaced words and characters of the text, from 0; compounds and words with accents have none, -1
	Form       Form
}

// longestTerm is how many bytes of a spaced word an index is given: nobody writes longer ones, but data does that stands in a text, and
// whoever wants an index to take gigabytes for each page. Words that are the same so far are one.
const longestTerm = 255

// part is a word of a run, which may lie over others.
type part struct{ start, end int }

// Search appends the words of s to dst as a search index wants them: none is left out, neither stop words nor numbers
// nor single letters, because a phrase may hold any of them. Chinese gives every single character and, over these, the
// words of the dictionary's search cut, a long one with the shorter ones inside it: so whatever stands in a text is
// found by its characters, however it was cut, and 世界 is found in 世界杯 as a word. The topic's own terms and
// Options.Limit make no difference.
func (c *Cutter) Search(dst []Word, s string) []Word {
	desk := c.desks.Get().(*desk)
	defer c.desks.Put(desk)
	place := 0
	for i := 0; i < len(s); {
		r, n := at(s, i)
		switch class := classOf(r); class {
		case gap:
			i += n
		case word:
			end := scanWord(s, i)
			said := firstRunes(s[i:end], longestTerm)
			dst = append(dst, Word{desk.words.word(&c.lexicon, said).term, i, end, place, Spaced})
			if c.options.Plain && !isASCII(said) {
				if w := composed(said); w != plainly(w) {
					dst = append(dst, Word{w, i, end, -1, Accented})
				}
			}
			place++
			i = end
		default:
			dst, i, place = c.searchRun(dst, desk, s, i, class, place)
		}
	}
	return dst
}

// searchRun gives the words of a run of one script without spaces.
func (c *Cutter) searchRun(dst []Word, desk *desk, s string, from int, class class, place int) ([]Word, int, int) {
	end, folds := scanRun(s, from, class)
	run := s[from:end]
	if folds && class == han {
		run = Fold(run) // it moves no byte
	}
	for i, r := range run {
		n := utf8.RuneLen(r)
		term := run[i : i+n]
		if class != han {
			term = Fold(term)
		}
		dst = append(dst, Word{term, from + i, from + i + n, place, Character})
		place++
	}
	desk.parts = desk.parts[:0]
	if class == han {
		desk.parts = c.chinese.search(desk.parts, run)
	} else {
		desk.parts = pairsIn(desk.parts, run)
	}
	for _, p := range desk.parts {
		term := run[p.start:p.end]
		if class != han {
			term = Fold(term)
		}
		dst = append(dst, Word{term, from + p.start, from + p.end, -1, Compound})
	}
	return dst, end, place
}

// pairsIn gives each two neighbouring characters of a script that has no dictionary here.
func pairsIn(dst []part, run string) []part {
	last := -1
	for i, r := range run {
		if last >= 0 {
			dst = append(dst, part{last, i + utf8.RuneLen(r)})
		}
		last = i
	}
	return dst
}

// Surface is a spaced word as it is shown to a person who is typing one: folded, and not stemmed.
func (w Word) Surface(s string) string { return Typed(s[w.Start:w.End]) }

// Typed is what a person has typed of a word, in the form of Surface.
func Typed(s string) string { return composed(s) }
