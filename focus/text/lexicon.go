package text

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// verdict says what becomes of a word.
type verdict uint8

const (
	keep verdict = iota
	stop         // a stop word
	drop         // digits alone, or a single letter
)

// entry is what is known of a word as it was written.
type entry struct {
	word    string // as it was written
	term    string
	verdict verdict
}

// lexicon remembers the terms of words, so that a word is folded, stemmed and looked up among the stop words once,
// and so that equal terms share one string that holds no page in memory. It is bounded: a full shard starts anew.
type lexicon struct {
	shards [lexiconShards]shard
	plain  bool // letters are compared without their accents
}

const (
	lexiconShards = 16
	shardWords    = 8192 // a full lexicon is about 131,000 words, 12 MB
	longestWord   = 64   // longer ones are not remembered: no language has them, hostile pages do
)

type shard struct {
	sync.RWMutex
	words map[string]entry
}

// word is the term of a word of a script that parts words by spaces.
func (x *lexicon) word(w string) entry { return x.look(w, x.read()) }

// read is how it reads a word.
func (x *lexicon) read() func(string) entry {
	if x.plain {
		return plainEntry
	}
	return wordEntry
}

// glossary is what one desk has asked of the lexicon of late: the commonest words of a page are looked up there, without
// waiting for anybody. A word has one place, and gives it up to the next that comes there.
type glossary [1 << 10]entry

// word is what the lexicon answers for a word of a script that parts words by spaces.
func (g *glossary) word(x *lexicon, w string) *entry { return g.look(x, w, x.read()) }

// chinese is what it answers for a word that was cut out of folded Chinese or dense text.
func (g *glossary) chinese(x *lexicon, w string) *entry { return g.look(x, w, chineseEntry) }

// look finds a word in the glossary, which is one goroutine's and needs no lock: a place for each hash, where the last word that came
// stays. Words that are too long to be worth a place are read each time.
func (g *glossary) look(x *lexicon, w string, read func(string) entry) *entry {
	if len(w) > longestWord {
		e := read(w)
		return &e
	}
	h := uint32(2166136261)
	for i := range len(w) {
		h = (h ^ uint32(w[i])) * 16777619
	}
	e := &g[(h^h>>15)%uint32(len(g))]
	if e.word != w {
		*e = x.look(w, read)
	}
	return e
}

// look answers what is known of a word, and reads it otherwise. Two goroutines may read the same word at once: both come to the same, and
// neither waits for the other. A shard that is full is emptied, which is cheaper than to know which of its words are in use.
func (x *lexicon) look(w string, read func(string) entry) entry {
	if len(w) > longestWord {
		return read(w)
	}
	s := &x.shards[(int(w[0])*7+int(w[len(w)-1])*3+len(w))%lexiconShards]
	s.RLock()
	e, ok := s.words[w]
	s.RUnlock()
	if ok {
		return e
	}
	w = strings.Clone(w)
	e = read(w)
	e.word = w
	s.Lock()
	if s.words == nil || len(s.words) >= shardWords {
		s.words = map[string]entry{}
	}
	s.words[w] = e
	s.Unlock()
	return e
}

func wordEntry(w string) entry { return entryOf(composed(w)) }

func plainEntry(w string) entry { return entryOf(plainly(composed(w))) }

func entryOf(folded string) entry {
	if isNumber(folded) || utf8.RuneCountInString(folded) == 1 {
		return entry{term: folded, verdict: drop}
	}
	if plain := strings.ReplaceAll(folded, ".", ""); isLetters(plain) && !stopWords[plain] {
		folded = plain // Ph.D. is PhD; but U.S. is not us, and v2.3 not v23
	}
	if stopWords[folded] {
		return entry{term: Stem(folded), verdict: stop}
	}
	return entry{term: Stem(folded)}
}

func chineseEntry(w string) entry {
	if stopWords[w] {
		return entry{term: w, verdict: stop}
	}
	return entry{term: w}
}

// isNumber says whether a folded word is digits alone.
func isNumber(w string) bool {
	for i := range len(w) {
		if b := w[i]; (b < '0' || b > '9') && b != '.' && b != ',' {
			return false
		}
	}
	return true
}

// Stem reduces a lower-case English word to its stem by Snowball's English rules. Words with digits, marks or
// letters beyond a to z are names or another language's, and stay as they are.
func Stem(w string) string {
	if len(w) > longestWord {
		return w
	}
	for i := range len(w) {
		if b := w[i]; (b < 'a' || b > 'z') && b != '\'' {
			return w
		}
	}
	env := snowballstem.NewEnv(w)
	english.Stem(env)
	return env.Current()
}
