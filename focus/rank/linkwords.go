package rank

import (
	"strings"
	"sync"
	"unicode"

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
	for _, run := range strings.FieldsFunc(s, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		for run != "" {
			han, rest := sameScript(run)
			part := run[:len(run)-len(rest)]
			if han {
				words = r.chinese(words, part)
			} else if w := r.latin(part); w != "" {
				words = append(words, w)
			}
			run = rest
		}
	}
	return words
}

// sameScript parts what stands at the beginning of a run in one script from the rest, and tells whether it is Chinese.
func sameScript(run string) (han bool, rest string) {
	for i, c := range run {
		is := unicode.Is(unicode.Han, c)
		if i == 0 {
			han = is
		} else if is != han {
			return han, run[i:]
		}
	}
	return han, ""
}

// latin is a word stemmed, empty for one that does not count.
func (r *linkReader) latin(word string) string {
	if len(word) < 2 || strings.IndexFunc(word, func(c rune) bool { return !unicode.IsDigit(c) }) < 0 {
		return ""
	}
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

// stem is a word in lower case without its ending, empty for a stop word.
func stem(word string) string {
	word = strings.ToLower(word)
	if linkStops[word] {
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
