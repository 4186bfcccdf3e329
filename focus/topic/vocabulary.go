package topic

import (
	"math"
	"strings"
)

// maxVocabulary bounds the words whose document frequency is kept: about 25 MB. Words beyond it are rare ones, and a
// rare word that was forgotten weighs hardly more than before.
const maxVocabulary = 300_000

// readyPages is how many pages must have been judged before their document frequencies say anything.
const readyPages = 30

// vocabulary knows in how many pages each word occurs, the examples counted as pages. Word numbers below fixed are
// those of the topic's own words and never change.
type vocabulary struct {
	ids      map[string]int32
	list     []string
	df       []uint32
	fixed    int
	limit    int
	pages    int // judged so far
	examples int
}

func newVocabulary() *vocabulary {
	return &vocabulary{ids: make(map[string]int32), limit: maxVocabulary}
}

// ready tells whether document frequencies mean something.
func (v *vocabulary) ready() bool { return v.examples > 0 || v.pages >= readyPages }

// idf weighs a word by how rare it is: ln((N+1)/(df+.5)), at least .1, and 1 as long as nothing is known.
func (v *vocabulary) idf(df uint32) float64 {
	if !v.ready() {
		return 1
	}
	return max(.1, math.Log((float64(v.pages+v.examples)+1)/(float64(df)+.5)))
}

// add counts a page.
func (v *vocabulary) add(b *Bag) {
	v.pages++
	v.count(b.words)
}

func (v *vocabulary) count(words []string) {
	for _, w := range words {
		id, ok := v.ids[w]
		if !ok {
			id = v.insert(w)
		}
		v.df[id]++
	}
	for cut := uint32(1); len(v.list) > v.limit; cut *= 2 {
		v.forget(cut)
	}
}

// insert takes a new word. It is copied: a token may be part of a page's text, which must not be held in memory.
func (v *vocabulary) insert(word string) int32 {
	word = strings.Clone(word)
	id := int32(len(v.list))
	v.ids[word] = id
	v.list = append(v.list, word)
	v.df = append(v.df, 0)
	return id
}

// forget drops the words that occur in at most cut pages, the topic's own excepted.
func (v *vocabulary) forget(cut uint32) {
	n := v.fixed
	for i := v.fixed; i < len(v.list); i++ {
		if v.df[i] <= cut {
			delete(v.ids, v.list[i])
			continue
		}
		v.list[n], v.df[n] = v.list[i], v.df[i]
		v.ids[v.list[n]] = int32(n)
		n++
	}
	clear(v.list[n:])
	v.list, v.df = v.list[:n], v.df[:n]
	v.limit = max(v.limit, 2*v.fixed)
}

// protect gives words the first numbers, in their order, and keeps what is known of all.
func (v *vocabulary) protect(words []string) {
	n := int32(0)
	for _, w := range words {
		id, ok := v.ids[w]
		if !ok {
			id = v.insert(w)
		}
		if id < n {
			continue // it is there already
		}
		v.swap(id, n)
		n++
	}
	v.fixed = int(n)
}

func (v *vocabulary) swap(a, b int32) {
	v.list[a], v.list[b] = v.list[b], v.list[a]
	v.df[a], v.df[b] = v.df[b], v.df[a]
	v.ids[v.list[a]], v.ids[v.list[b]] = a, b
}
