package text

import (
	"slices"
	"unicode/utf8"
)

// walk is one way through a text.
type walk struct {
	*Cutter
	*desk
	text    string
	like    Token // what every token has in common
	all     bool  // tokens of every word are wanted, else only matches
	tokens  []Token
	matches []Match
}

func (w *walk) run() {
	start := 0 // up to where each word is looked at
	for i := 0; i < len(w.text); {
		if !w.all && i >= start {
			i, start = w.terms.next(w.text, i)
		}
		if b := w.text[i]; b < utf8.RuneSelf {
			if lowered[b] == 0 {
				i++
			} else {
				i = w.word(i)
			}
			continue
		}
		r, n := at(w.text, i)
		switch c := classOf(r); c {
		case gap:
			i += n
		case word:
			i = w.word(i)
		default:
			i = w.unspaced(i, c)
		}
	}
}

// word takes the term or the word at i and answers where it ends.
func (w *walk) word(i int) int {
	if !w.terms.passes(w.text, i) {
		if h, end := w.terms.atWord(w.text, i, &w.words); h != nil {
			start := i
			if h.key[0] == '.' { // which stands before the word, and is the term's own
				_, n := utf8.DecodeLastRuneInString(w.text[:i])
				start -= n
			}
			w.match(span{start, end, h}, Noun)
			return end
		}
	}
	end := scanWord(w.text, i)
	if w.all {
		w.token(w.words.word(&w.lexicon, w.text[i:end]), Noun)
	}
	return end
}

// unspaced takes the run of one script without spaces at i and answers where it, or a term that goes beyond it, ends.
func (w *walk) unspaced(i int, c class) int {
	end, folds := scanRun(w.text, i, c)
	r := run{start: i, end: end, text: w.text[i:end], class: c}
	if folds {
		r.text = Fold(r.text)
	}
	w.pieces, w.plain, w.spans = w.pieces[:0], w.plain[:0], w.spans[:0]
	last := w.spot(r)
	switch {
	case !w.all:
		for _, s := range w.spans {
			w.match(s, w.speechOf(r, s))
		}
	case c == dense, w.options.Pairs:
		w.pairs(r)
	default:
		w.cutRun(r)
		w.weave(r)
	}
	return max(last, end)
}

// run is a stretch of text of one class.
type run struct {
	start, end int    // where it stands in the text
	text       string // folded
	class      class
}

// spot finds the terms that begin in a run, and answers where the last one ends.
func (w *walk) spot(r run) (last int) {
	for k := r.start; k < r.end; {
		if c, ok := hanAt(w.text, k); ok && !w.terms.begin(c) {
			k += 3
			continue
		}
		c, n := at(w.text, k)
		if !w.terms.begin(fold(c)) {
			k += n
			continue
		}
		h, end, short := w.terms.atChar(w.text, k)
		if h != nil && h.loose && !w.isWord(r, span{k, end, h}, last) {
			h, end = short, k+n
			if h != nil && !w.isWord(r, span{k, end, h}, last) {
				h = nil
			}
		}
		if h == nil {
			k += n
			continue
		}
		w.spans = append(w.spans, span{k, end, h})
		k, last = end, end
	}
	return last
}

// isWord says whether a loose term stands on its own, and not where two words happen to meet: 和服 does not stand in
// 产品|和|服务, nor 学生 in 大学|生活. Only words of the dictionary tell: what the model joins is a guess. One character
// counts only if it is a word. Two count if they begin or end a word, or are two words of one character; the end of
// another term, at last, begins a word too.
func (w *walk) isWord(r run, s span, last int) bool {
	if len(w.plain) == 0 {
		w.plain = w.chinese.cut(w.plain, r.text, plain)
	}
	at, begin := pieceAt(w.plain, r, s.start)
	begins := s.start == begin || s.start == last
	end := r.start + w.plain[at].end
	switch {
	case s.hit.chars == 1:
		return s.start == begin && s.end == end
	case s.end > end:
		return begins && (at+1 == len(w.plain) || r.start+w.plain[at+1].end == s.end)
	case begins, s.end == end:
		return true
	}
	return w.isWhole(r.text[begin-r.start:s.end-r.start], s.start-begin) && w.isWhole(r.text[s.start-r.start:end-r.start], 0)
}

// isWhole says whether a cut of half a word leaves the two characters at k together. It is asked of both halves of a
// long word, up to the end of the term and from its beginning: 证券 stands in 上海证券交易所, since it does in 上海|证券
// and in 证券交易所, but 中国 not in 发展中国家, for 中|国家.
func (w *walk) isWhole(half string, k int) bool {
	_, n := at(half, k)
	w.halves = w.chinese.cut(w.halves[:0], half, plain)
	return !slices.ContainsFunc(w.halves, func(p piece) bool { return p.end == k+n })
}

// pieceAt is the piece of a run in which the byte at k of the text stands, and where that piece begins.
func pieceAt(pieces []piece, r run, k int) (index, begin int) {
	index, _ = slices.BinarySearchFunc(pieces, k-r.start, func(p piece, at int) int {
		if p.end <= at {
			return -1
		}
		return 1
	})
	if index == 0 {
		return 0, r.start
	}
	return index, r.start + pieces[index-1].end
}

// cutRun cuts a run of Chinese into pieces, once.
func (w *walk) cutRun(r run) {
	if len(w.pieces) > 0 {
		return
	}
	d := joined
	if w.options.Tags {
		d = tagged
	}
	w.pieces = w.chinese.cut(w.pieces, r.text, d)
}

// speechOf is the part of speech of a term: that of the word it is, and Noun where it is none.
func (w *walk) speechOf(r run, s span) Speech {
	if !w.options.Tags || w.options.Pairs || r.class != han || s.end > r.end {
		return Noun
	}
	w.cutRun(r)
	at, begin := pieceAt(w.pieces, r, s.start)
	if s.start == begin && s.end == r.start+w.pieces[at].end {
		return w.pieces[at].speech
	}
	return Noun
}

// weave gives the pieces of a run, and in their place the terms where they stand. What a term leaves of a piece is a
// word if it is longer than one character: of 足球队 with the term 足球 nothing else is left.
func (w *walk) weave(r run) {
	begin, next := r.start, 0
	for _, p := range w.pieces {
		end := r.start + p.end
		from := begin
		for next < len(w.spans) && w.spans[next].start < end {
			s := w.spans[next]
			w.rest(r, from, s.start)
			if s.start >= begin {
				w.match(s, w.speechOf(r, s))
			}
			if from = s.end; s.end > end {
				break
			}
			next++
		}
		if from == begin {
			w.token(w.words.chinese(&w.lexicon, r.text[begin-r.start:end-r.start]), p.speech)
		} else {
			w.rest(r, from, end)
		}
		begin = end
	}
}

// rest gives what a term left of a piece.
func (w *walk) rest(r run, from, end int) {
	if from < end && utf8.RuneCountInString(r.text[from-r.start:end-r.start]) > 1 {
		w.token(w.words.chinese(&w.lexicon, r.text[from-r.start:end-r.start]), Noun)
	}
}

// pairs gives each two neighbouring characters of what stands between the terms of a dense run.
func (w *walk) pairs(r run) {
	from := r.start
	for _, s := range w.spans {
		w.pairsOf(r.text[from-r.start : s.start-r.start])
		w.match(s, Noun)
		from = min(s.end, r.end)
	}
	w.pairsOf(r.text[from-r.start:])
}

func (w *walk) pairsOf(s string) {
	last := -1
	for i, c := range s {
		if last >= 0 {
			w.token(w.words.chinese(&w.lexicon, s[last:i+utf8.RuneLen(c)]), Noun)
		}
		last = i
	}
}

// match gives an occurrence of a term: as a token where every word is wanted, else as a match.
func (w *walk) match(s span, speech Speech) {
	if w.all {
		t := w.like
		t.Term, t.Speech = s.hit.key, speech
		w.tokens = append(w.tokens, t)
		return
	}
	if s.hit.term != noTerm {
		w.matches = append(w.matches, Match{s.hit.term, s.hit.key, s.start, s.end, speech})
	}
}

// token gives a word, if it is one that is kept.
func (w *walk) token(e *entry, speech Speech) {
	if e.verdict == drop || e.verdict == stop && !w.options.KeepStops {
		return
	}
	t := w.like
	t.Term, t.Speech = e.term, speech
	w.tokens = append(w.tokens, t)
}
