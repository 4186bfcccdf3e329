package index

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/text"
)

// A snippet is as wide as two lines of a page of results; a Chinese character takes two columns.
const (
	snippetWidth  = 220
	snippetBefore = 40       // of it before the first word that was asked for
	snippetText   = 64 << 10 // how much of a page is looked through
)

// finder finds what was asked for in a text.
type finder struct {
	terms   *text.Cutter
	words   *inverter
	phrases []term
}

// find are the places, in order. A phrase is where the index has it: its words one behind the other, whatever stands between them.
func (f *finder) find(s string) []text.Match {
	found := f.terms.Find(nil, s)
	if len(f.phrases) == 0 {
		return found
	}
	simple := f.words.simple(s)
	for n, p := range f.phrases {
		for i := range simple {
			if end := i + len(p.inside); end <= len(simple) && slices.EqualFunc(simple[i:end], p.inside, func(w text.Word, term string) bool { return w.Term == term }) {
				found = append(found, text.Match{Term: -1 - n, Start: simple[i].Start, End: simple[end-1].End})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b text.Match) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End)) })
	return found
}

// snippet is the piece of a page that has most of what was asked for.
func snippet(f *finder, r *sink.Record) []Piece {
	from := clippedView(r.Text, snippetText)
	found := f.find(from)
	if len(found) == 0 {
		if r.Description != "" {
			from = r.Description
			found = f.find(from)
		}
		if len(found) == 0 {
			return []Piece{{Text: page.OneLine(from[:within(from, 0, snippetWidth)])}}
		}
	}
	begin := before(from, found[densest(found)].Start, snippetBefore)
	end := within(from, begin, snippetWidth)
	var pieces []Piece
	add := func(s string, hit bool) {
		if s != "" {
			pieces = append(pieces, Piece{flat(s), hit})
		}
	}
	if begin > 0 {
		add("… ", false)
	}
	at := begin
	for _, m := range found {
		if m.Start < at || m.End > end {
			continue
		}
		add(from[at:m.Start], false)
		add(from[m.Start:m.End], true)
		at = m.End
	}
	add(from[at:end], false)
	if end < len(from) {
		add(" …", false)
	}
	return pieces
}

// flat is text in one line. Spaces at its ends stay: the pieces of a snippet are put together again.
func flat(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}

// densest is the match from which on most different terms stand within a snippet, and of such the one with most matches.
func densest(found []text.Match) int {
	best, most := 0, 0
	for i := range found {
		end := found[i].Start + snippetWidth // bytes: a fair measure of both scripts
		terms, all := map[int]bool{}, 0
		for _, m := range found[i:] {
			if m.End > end {
				break
			}
			terms[m.Term] = true
			all++
		}
		if worth := 1000*len(terms) + min(all, 999); worth > most {
			best, most = i, worth
		}
	}
	return best
}

func width(r rune) int {
	if r >= 0x1100 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || 0x3000 <= r && r <= 0x303F || 0xFF00 <= r && r <= 0xFF60) {
		return 2
	}
	return 1
}

// within is where the columns end that begin at a byte, at the end of a word where there is one near.
func within(s string, begin, columns int) int {
	last := begin
	for i := begin; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if columns -= width(r); columns < 0 {
			if last > begin && i-last < 40 {
				return last
			}
			return i
		}
		i += n
		if unicode.IsSpace(r) || width(r) == 2 {
			last = i
		}
	}
	return len(s)
}

// before is where a snippet begins that shows some columns before a byte: at the beginning of a line or word where there is
// one.
func before(s string, at, columns int) int {
	begin := at
	for begin > 0 && columns > 0 {
		r, n := utf8.DecodeLastRuneInString(s[:begin])
		if r == '\n' {
			return begin
		}
		columns -= width(r)
		begin -= n
	}
	for i, r := range s[begin:at] {
		if begin == 0 || width(r) == 2 {
			return begin + i
		}
		if unicode.IsSpace(r) {
			return begin + i + 1
		}
	}
	return begin
}
