package suggest

import (
	"hash/maphash"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// word is a word that was met.
type word struct {
	key     string // as a cutter has it
	written []spelling
	counts  bool // it can tell a topic
}

// spelling is a way to write a word.
type spelling struct {
	as    string
	times int
}

// lexicon numbers words. Number 0 is what parts them: a mark, a stop word, a number.
type lexicon struct {
	number map[string]uint32
	words  []word
}

// met is a word of a text under way to its number.
type met struct {
	key, written string
	speech       text.Speech
	breaks       bool // something stands before it that no phrase goes over
}

// reading is a page in words.
type reading struct {
	title, body, called []uint32
}

// readAll reads pages, in their order. Lines that stand on many of them say nothing of any: they are what a site puts around
// what it has to say.
func readAll(cutter *text.Cutter, pages []Page, list []int, limit int) (*lexicon, []reading) {
	x := &lexicon{number: map[string]uint32{}, words: make([]word, 1)}
	again := repeated(pages, list)
	all := make([]reading, len(list))
	const atOnce = 256
	titles, bodies, links := make([][]met, atOnce), make([][]met, atOnce), make([][]met, atOnce)
	for from := 0; from < len(list); from += atOnce {
		some := list[from:min(from+atOnce, len(list))]
		learn.Each(len(some), func(i int) {
			p := &pages[some[i]]
			titles[i] = wordsOf(cutter, titles[i][:0], p.Title)
			bodies[i] = wordsOf(cutter, bodies[i][:0], within(again.without(p.Text), limit))
			links[i] = wordsOf(cutter, links[i][:0], p.Called)
		})
		for i := range some {
			all[from+i] = reading{x.take(titles[i]), x.take(bodies[i]), x.take(links[i])}
		}
	}
	return x, all
}

// within is the beginning of a text, as many bytes as are cut; less than 0 is all of it.
func within(s string, limit int) string {
	if limit < 0 || len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "")
}

// lines are those that stand on more than a few pages, by their digest.
type lines struct {
	seed  maphash.Seed
	times map[uint64]int
	most  int
}

// repeated finds the lines that pages repeat.
func repeated(pages []Page, list []int) *lines {
	l := &lines{maphash.MakeSeed(), map[uint64]int{}, max(3, len(list)/200)}
	for _, i := range list {
		seen := map[uint64]bool{}
		for line := range strings.Lines(pages[i].Text) {
			if k := maphash.String(l.seed, strings.TrimSpace(line)); !seen[k] {
				seen[k] = true
				l.times[k]++
			}
		}
	}
	return l
}

// without is a text without them.
func (l *lines) without(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		if l.times[maphash.String(l.seed, strings.TrimSpace(line))] <= l.most {
			b.WriteString(line)
		}
	}
	return b.String()
}

// wordsOf appends the words of a text, each as it is cut and as it is written.
func wordsOf(cutter *text.Cutter, dst []met, s string) []met {
	var cut [64]text.Token
	breaks := true
	for piece, hard := range pieces(s) {
		breaks = breaks || hard
		tokens := cutter.Cut(cut[:0], piece)
		if len(tokens) == 0 {
			breaks = true
		}
		for _, k := range tokens {
			if text.IsStop(k.Term) || len(tokens) == 1 && text.IsStop(piece) {
				breaks = true
				continue
			}
			m := met{k.Term, k.Term, k.Speech, breaks}
			if len(tokens) == 1 && !text.HasChinese(piece) {
				m.written = text.Fold(piece)
			}
			dst, breaks = append(dst, m), false
		}
	}
	return dst
}

// pieces are the runs of letters of a text, and whether something stands before each that parts what is said: a mark that is
// no space and no hyphen.
func pieces(s string) func(yield func(string, bool) bool) {
	return func(yield func(string, bool) bool) {
		start, hard := -1, true
		for i, r := range s {
			if inWord(r) || start >= 0 && strings.ContainsRune("'’&.", r) && begins(s[i+utf8.RuneLen(r):]) {
				if start < 0 {
					start = i
				}
				continue
			}
			if start >= 0 {
				if !yield(s[start:i], hard) {
					return
				}
				start, hard = -1, false
			}
			if !unicode.IsSpace(r) && !strings.ContainsRune("-‐‑_/·・", r) || r == '\n' {
				hard = true
			}
		}
		if start >= 0 {
			yield(s[start:], hard)
		}
	}
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// begins tells whether a text begins with a letter or a digit.
func begins(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return inWord(r)
}

// take numbers the words of a text.
func (x *lexicon) take(all []met) []uint32 {
	numbers := make([]uint32, 0, len(all)+len(all)/8)
	for i := range all {
		m := &all[i]
		n, ok := x.number[m.key]
		if !ok {
			n = uint32(len(x.words))
			key := strings.Clone(m.key)
			x.number[key] = n
			x.words = append(x.words, word{key: key, counts: telling(m)})
		}
		x.words[n].spell(m.written)
		if m.breaks && len(numbers) > 0 {
			numbers = append(numbers, 0)
		}
		numbers = append(numbers, n)
	}
	return numbers
}

// mostSpellings is how many ways to write a word are counted: the first ones met are the common ones.
const mostSpellings = 6

func (w *word) spell(as string) {
	for i := range w.written {
		if w.written[i].as == as {
			w.written[i].times++
			return
		}
	}
	if len(w.written) < mostSpellings {
		w.written = append(w.written, spelling{strings.Clone(as), 1})
	}
}

// usual is how a word is written most often.
func (w *word) usual() string {
	best := spelling{w.key, 0}
	for _, s := range w.written {
		if s.times > best.times || s.times == best.times && s.as < best.as {
			best = s
		}
	}
	return best.as
}

// telling says whether a word can tell a topic at all: it has letters, more than one, and is no word of grammar.
func telling(m *met) bool {
	n := utf8.RuneCountInString(m.written)
	return n >= 2 && n <= 30 && strings.ContainsFunc(m.written, unicode.IsLetter) && m.speech != text.Adverb && m.speech != text.Function && !topic.Common(m.written)
}
