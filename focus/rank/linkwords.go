package rank

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/porter"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/text"
)

// linkReader reads the words of a link as the layers of links are told by: those of its address and those of its anchor,
// without stop words, numbers and single letters, stemmed by Porter's rules. Chinese is cut into words. It may be used by
// many goroutines at once.
type linkReader struct {
	once   sync.Once
	cutter *text.Cutter

	mu    sync.Mutex
	stems map[string]string // of words that were read before: links say the same few again and again
}

// mostStems is how many stems are remembered, of words of at most so many bytes: longer ones hardly come again.
const (
	mostStems = 1 << 16
	longWord  = 32
)

// linkStops are words that tell no link from another, in addresses and in anchors.
var linkStops = wordSet(`a about all also am an and any are as at be been but by can could did do does for from had has have
	he her here his how i if in into is it its me more my no not of on or our out she so some such than that the their them then
	there these they this those to up us was we were what when where which who why will with you your
	http https www com cn org edu net gov html htm shtml php php3 jsp asp aspx cgi index default home`)

// Words are the words of an address and of an anchor, in order.
func (r *linkReader) Words(l *page.Link) (address, anchor []string) {
	return r.words(l.URL), r.words(l.Anchor)
}

// words are the words of a text.
func (r *linkReader) words(s string) []string {
	var words []string
	for i := 0; ; {
		p := nextPart(s, i)
		switch i = p.end; {
		case p.begin == p.end:
			return words
		case p.han:
			words = r.chinese(words, s[p.begin:p.end])
		default:
			if w := r.latin(s, p); w != "" {
				words = append(words, w)
			}
		}
	}
}

// part is a stretch of letters and digits of a text, all of them Chinese or none.
type part struct {
	begin, end int
	han        bool
	letters    bool // it is not digits alone
}

// counts tells of a part that is not Chinese whether it may be a word: no number, and no single letter.
func (p part) counts() bool { return p.letters && p.end-p.begin >= 2 }

// nextPart finds the first part of a text from i on. It is empty where there is none.
func nextPart(s string, i int) (p part) {
	for i < len(s) {
		kind, n := kinds[s[i]], 1
		if kind == wide {
			kind, n = wideKind(s[i:])
		}
		if kind != apart {
			p.han = kind == chinese
			break
		}
		i += n
	}
	var seen uint8
	for p.begin = i; i < len(s); {
		kind, n := kinds[s[i]], 1
		if kind == wide {
			kind, n = wideKind(s[i:])
		}
		if kind == apart || (kind == chinese) != p.han {
			break
		}
		seen |= kind
		i += n
	}
	p.end, p.letters = i, seen > digit
	return p
}

// The kinds of characters of links.
const (
	apart   uint8 = 0
	digit   uint8 = 1
	letter  uint8 = 2
	chinese uint8 = 4
	wide    uint8 = 8 // of a byte: the beginning of a character beyond ASCII
)

// kinds are those of bytes.
var kinds = func() (k [256]uint8) {
	for c := range k {
		if k[c] = wide; c < utf8.RuneSelf {
			k[c] = kindOf(rune(c))
		}
	}
	return k
}()

// wideKind is the kind of the character a text begins with, and how many bytes it has.
func wideKind(s string) (kind uint8, n int) {
	c, n := utf8.DecodeRuneInString(s)
	return kindOf(c), n
}

func kindOf(c rune) uint8 {
	switch {
	case unicode.IsDigit(c):
		return digit
	case !unicode.IsLetter(c):
		return apart
	case unicode.Is(unicode.Han, c):
		return chinese
	}
	return letter
}

// latin is the stem of a part that is not Chinese, empty for a word that does not count.
func (r *linkReader) latin(s string, p part) string {
	if !p.counts() {
		return ""
	}
	word := s[p.begin:p.end]
	if len(word) > longWord {
		return stem(word)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	known, ok := r.stems[word]
	if !ok {
		if r.stems == nil || len(r.stems) >= mostStems {
			r.stems = map[string]string{}
		}
		known = stem(word)
		r.stems[strings.Clone(word)] = known
	}
	return known
}

// stem is a word in lower case and half width without its ending, empty for a stop word and a single letter.
func stem(word string) string {
	word = text.Fold(word)
	if len(word) < 2 || linkStops[word] {
		return ""
	}
	if len(word) == 2 { // cs is no plural
		return word
	}
	env := snowballstem.NewEnv(word)
	porter.Stem(env)
	return env.Current()
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

func (r *linkReader) chinese(words []string, run string) []string {
	r.once.Do(func() { r.cutter, _ = text.NewCutter(text.Options{}) }) // without a user dictionary nothing can be wrong
	for _, t := range r.cutter.Cut(nil, run) {
		words = append(words, t.Term)
	}
	return words
}
