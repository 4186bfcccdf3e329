package text

import (
	"strings"
	"unicode/utf8"
)

// isPhrase says whether a tag is that of an idiom or of a set phrase. The dictionary gives it to what carries a subject
// (操作系统) as to what carries none (是不是): the tag alone does not tell which part of speech it is.
func isPhrase(tag string) bool { return tag != "" && (tag[0] == 'i' || tag[0] == 'l') }

// tellPhrases gives the phrases of the dictionary, words of these numbers, their parts of speech. A phrase is what its last
// word is, the longest one of the dictionary that it ends in: a noun where that is one (操作系统, a kind of 系统), a verb where
// that is one and nothing is denied (对外开放). All others hardly speak of a subject: 好不好, 没想到, 不可避免. Nor do idioms
// that are no nouns, whatever they end in: they say how.
func (l *wordList) tellPhrases(phrases []phrase) {
	last := map[string]Speech{} // what phrases may end in
	for _, p := range phrases {
		for end := range endings(l.words[p.word].word) {
			last[end] = unknown
		}
	}
	next := 0
	for i, w := range l.words {
		if next < len(phrases) && phrases[next].word == i {
			next++ // what it is, is what is asked
		} else if _, asked := last[w.word]; asked {
			last[w.word] = w.speech
		}
	}
	for _, p := range phrases {
		w := &l.words[p.word]
		w.speech = Adverb
		for end := range endings(w.word) {
			s := last[end]
			if s == unknown {
				continue
			}
			if s == Noun || s == Verb && !p.idiom && !strings.ContainsAny(w.word, "不没") {
				w.speech = s
			}
			break
		}
	}
}

// phrase is the number of a word that is tagged as one.
type phrase struct {
	word  int
	idiom bool
}

// unknown is no part of speech.
const unknown Speech = 255

// endings are the ends of a phrase, the longest first.
func endings(w string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for len(w) > 0 {
			_, size := utf8.DecodeRuneInString(w)
			if w = w[size:]; w != "" && !yield(w) {
				return
			}
		}
	}
}
