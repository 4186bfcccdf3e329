package text

import "sync"

// segmenter cuts folded Chinese without gaps, valid UTF-8, into words. It may be used by many goroutines at once.
type segmenter interface {
	// cut appends the words of s.
	cut(dst []piece, s string, d depth) []piece
}

// searcher cuts for a search index, too.
type searcher interface {
	segmenter
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
//
// For a search the cutter in Go is asked in every build. It gives gojieba's words, as TestBackendsAgree holds, at three times the
// speed on runs as short as those of pages, where gojieba's answer has to come out of C++ word by word; and who only searches
// never loads gojieba's dictionaries.
type lazySegmenter struct {
	load     func() segmenter
	searcher func() *pureSegmenter
}

func (l *lazySegmenter) cut(dst []piece, s string, d depth) []piece {
	return l.load().cut(dst, s, d)
}

func (l *lazySegmenter) search(dst []part, s string) []part {
	if _, n := at(s, 0); n == len(s) {
		return dst // one character
	}
	return l.searcher().search(dst, s)
}

func newLazySegmenter(user userDict) *lazySegmenter {
	pure := sync.OnceValue(func() *pureSegmenter { return newPureSegmenter(user) })
	return &lazySegmenter{load: sync.OnceValue(func() segmenter { return loadSegmenter(user, pure) }), searcher: pure}
}

// segmenters are those of this process by the digest of their user dictionary: cutters share them, since each holds
// a dictionary in memory.
var segmenters struct {
	sync.Mutex
	by map[string]searcher
}

// segmenterFor is the shared segmenter with a user dictionary.
func segmenterFor(user userDict) searcher {
	key := digestOf(user.lines())
	segmenters.Lock()
	defer segmenters.Unlock()
	if segmenters.by == nil {
		segmenters.by = map[string]searcher{}
	}
	if segmenters.by[key] == nil {
		segmenters.by[key] = newLazySegmenter(user)
	}
	return segmenters.by[key]
}
