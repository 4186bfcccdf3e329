package text

import (
	"slices"
	"strings"
	"sync"
)

// segmenter cuts folded Chinese without gaps, valid UTF-8, into words. It may be used by many goroutines at once.
type segmenter interface {
	// cut appends the words of s.
	cut(dst []piece, s string, d depth) []piece
	// search appends the words of two characters and more, and those of two and three that the dictionary holds inside
	// longer ones.
	search(dst []part, s string) []part
}

// depth is how much is done to a text.
type depth uint8

const (
	plain  depth = iota // the words of the dictionary; what it does not hold is single characters
	joined              // single characters that make a word, by the model, are joined: names, new words
	tagged              // and each word has its part of speech
)

// piece is a word of a run: it begins where the one before it ends.
type piece struct {
	end    int
	speech Speech
}

// lazySegmenter is made when the first Chinese comes: what it needs takes a tenth of a second to a half, and a crawl
// of English pages never does.
type lazySegmenter struct {
	load func() segmenter

	mu    sync.Mutex
	known map[string][]part // what search answered of short runs
}

func (l *lazySegmenter) cut(dst []piece, s string, d depth) []piece {
	return l.load().cut(dst, s, d)
}

// Runs of Chinese up to eight characters are nearly two of three, and half of them stood in a text before: names, places, dates, the
// words of links. To cut one anew costs a call of C++.
const (
	shortRun = 8 * 3
	mostRuns = 1 << 16 // some ten megabytes
)

func (l *lazySegmenter) search(dst []part, s string) []part {
	if _, n := at(s, 0); n == len(s) {
		return dst // one character
	}
	if len(s) > shortRun {
		return l.load().search(dst, s)
	}
	l.mu.Lock()
	parts, known := l.known[s]
	l.mu.Unlock()
	if known {
		return append(dst, parts...)
	}
	from := len(dst)
	dst = l.load().search(dst, s)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known == nil || len(l.known) >= mostRuns {
		l.known = map[string][]part{}
	}
	l.known[strings.Clone(s)] = slices.Clone(dst[from:])
	return dst
}

// segmenters are those of this process by the digest of their user dictionary: cutters share them, since each holds
// a dictionary in memory.
var segmenters struct {
	sync.Mutex
	by map[string]segmenter
}

// segmenterFor is the shared segmenter with a user dictionary.
func segmenterFor(user userDict) segmenter {
	key := digestOf(user.lines())
	segmenters.Lock()
	defer segmenters.Unlock()
	if segmenters.by == nil {
		segmenters.by = map[string]segmenter{}
	}
	if segmenters.by[key] == nil {
		segmenters.by[key] = &lazySegmenter{load: sync.OnceValue(func() segmenter { return loadSegmenter(user) })}
	}
	return segmenters.by[key]
}
