package page

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Lists are what the reader knows about the habits of authors: words in classes, words on anchors, hosts of
// advertisers, and the rules for related blocks. They are data, in words.go.
type Lists struct {
	words Words

	class       map[string]wordSays
	said        *phrases // what anchors say: stop words, and special ones
	special     *phrases
	readers     *phrases
	elsewhere   *phrases
	ambiguous   *phrases
	attached    *phrases
	lines       *phrases
	advertisers map[string]bool
	endings     map[string]bool
	track       names
	sessionIDs  names
	maybe       names
}

// Words are such lists, in Chinese and English, in lower case.
type Words struct {
	Hints       map[string][]string // words in class, id and role, by what they hint at
	Special     []string            // announce links to more of the same
	Stop        []string            // never in the anchor of a related link
	Advertisers []string            // hosts
	Readers     []string            // begin a heading under which readers speak
	Attached    []string            // begin what is attached to a text
	Elsewhere   []string            // begin a heading under which a site speaks of other things
	Lines       []string            // begin a line that is not the text's: who wrote it, when, where to share it
	Ambiguous   []string            // of the last ones and of readers, what the text itself may begin with
	Notices     []string            // how a line of rights begins, or one that says what the author does not answer for
	Rules       Rules
	Tracking    []string // parameters that are no part of an address; "utm_*" means all that begin so
	Sessions    []string // likewise
	Random      []string // likewise, where the value looks drawn by lot
	Binary      []string // endings of files that hold no page
}

// Rules say when a block of links is related to the page it stands on. A rule that is 0 keeps its default.
type Rules struct {
	Width      int     `yaml:"width" doc:"columns the words of a link take at least; a Chinese character takes two" check:"1..200"`
	Similarity float64 `yaml:"similarity" doc:"how like the page's title they are, where no special word announces the links" check:"(0..1"`
	Share      float64 `yaml:"share" doc:"the share of a block's links that have to be good" check:"(0..1"`
	Tidy       float64 `yaml:"tidy" doc:"the share of its addresses that have one shape" check:"(0..1"`
	InSite     float64 `yaml:"in_site" doc:"the share of its links that stay on the page's own site; 0 does not ask" check:"0..1"`
}

// StandardRules are the rules that come with the package.
func StandardRules() Rules { return standard().words.Rules }

// standard are the lists that come with the package.
var standard = sync.OnceValue(func() *Lists { return index(standardWords) })

// NewLists are the package's own lists with more added to them. Tracking, sessions, random and binary decide about
// addresses everywhere, so that nothing can be added to them for one crawl.
func NewLists(more Words) (*Lists, error) {
	if len(more.Tracking)+len(more.Sessions)+len(more.Random)+len(more.Binary) > 0 {
		return nil, errors.New("lists: tracking, sessions, random and binary cannot be added to: an address has one identity everywhere")
	}
	w := standard().words
	merged := Words{
		Hints:       map[string][]string{},
		Special:     slices.Concat(w.Special, more.Special),
		Stop:        slices.Concat(w.Stop, more.Stop),
		Advertisers: slices.Concat(w.Advertisers, more.Advertisers),
		Readers:     w.Readers, Attached: w.Attached, Elsewhere: w.Elsewhere, Ambiguous: w.Ambiguous, Lines: w.Lines,
		Notices:  w.Notices,
		Rules:    w.Rules,
		Tracking: w.Tracking, Sessions: w.Sessions, Random: w.Random, Binary: w.Binary,
	}
	maps.Copy(merged.Hints, w.Hints)
	for name, words := range more.Hints {
		if _, ok := hintNames[name]; !ok {
			return nil, fmt.Errorf("lists: hints %q: want navigation, advertisement, footer, main, related, comments, extra, asking, sidebar, byline, caption, author, date, changed, signature or numbers", name)
		}
		merged.Hints[name] = slices.Concat(merged.Hints[name], words)
	}
	if err := merged.Rules.set(more.Rules); err != nil {
		return nil, err
	}
	return index(merged), nil
}

func (r *Rules) set(more Rules) error {
	if more.Width != 0 {
		if more.Width < 1 || more.Width > 200 {
			return fmt.Errorf("lists: rules.width is %d, want 1 to 200", more.Width)
		}
		r.Width = more.Width
	}
	for _, f := range []struct {
		name string
		to   *float64
		is   float64
	}{{"similarity", &r.Similarity, more.Similarity}, {"share", &r.Share, more.Share}, {"tidy", &r.Tidy, more.Tidy}, {"in_site", &r.InSite, more.InSite}} {
		if f.is == 0 {
			continue
		}
		if !(0 < f.is && f.is <= 1) {
			return fmt.Errorf("lists: rules.%s is %v, want more than 0 and at most 1", f.name, f.is)
		}
		*f.to = f.is
	}
	return nil
}

func index(w Words) *Lists {
	l := &Lists{words: w, class: map[string]wordSays{}, advertisers: setOf(w.Advertisers), endings: setOf(w.Binary)}
	for name, words := range w.Hints {
		for _, word := range words {
			word = strings.ToLower(word)
			l.class[word] = wordSays{hint: l.class[word].hint | hintNames[name]}
		}
	}
	for _, word := range []string{"name", "username", "nickname", "fn"} {
		l.class[word] = wordSays{hint: l.class[word].hint | hintName}
	}
	for word, lead := range leads {
		l.class[word] = wordSays{l.class[word].hint, lead}
	}
	l.said, l.special = newPhrases(w.Stop, w.Special), newPhrases(w.Special)
	l.readers, l.elsewhere, l.lines = newPhrases(w.Readers), newPhrases(w.Elsewhere), newPhrases(w.Lines)
	l.attached, l.ambiguous = newPhrases(w.Attached), newPhrases(w.Ambiguous)
	l.track, l.sessionIDs, l.maybe = newNames(w.Tracking), newNames(w.Sessions), newNames(w.Random)
	return l
}

func setOf(words []string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[strings.ToLower(w)] = true
	}
	return m
}

// names is a set of names and beginnings of names.
type names struct {
	whole  map[string]bool
	starts []string
}

func newNames(words []string) names {
	n := names{whole: map[string]bool{}}
	for _, w := range words {
		if start, ok := strings.CutSuffix(strings.ToLower(w), "*"); ok {
			n.starts = append(n.starts, start)
			continue
		}
		n.whole[strings.ToLower(w)] = true
	}
	return n
}

func (n *names) has(name string) bool {
	name = strings.ToLower(name)
	if n.whole[name] {
		return true
	}
	for _, s := range n.starts {
		if strings.HasPrefix(name, s) {
			return true
		}
	}
	return false
}

// aside says whether a parameter, "name=value", is no part of what an address asks for.
func (l *Lists) aside(parameter string) bool {
	name, value, _ := strings.Cut(parameter, "=")
	return l.track.has(name) || l.sessionIDs.has(name) || len(value) >= randomLength && l.maybe.has(name) && drawn(value)
}

// randomLength is the length from which a value may be a session's: 16 letters and digits hold 64 bits and more.
const randomLength = 16

// drawn says whether a value looks drawn by lot: letters and digits, and both of them.
func drawn(value string) bool {
	letters, digits := 0, 0
	for i := range len(value) {
		switch c := value[i]; {
		case isLetter(c):
			letters++
		case '0' <= c && c <= '9':
			digits++
		case c != '-' && c != '_':
			return false
		}
	}
	return letters > 0 && digits > 0
}

// mostBefore bounds the Chinese characters that stand before the words of a notice: who gives it.
const mostBefore = 4

// notice says whether a text begins as a notice does.
func (l *Lists) notice(text string) bool {
	_, is := l.noticed(text)
	return is
}

// noticed is what follows the words by which a text is a notice, and whether it is one.
func (l *Lists) noticed(text string) (rest string, is bool) {
	before := 0
	for i, c := range text {
		for _, n := range l.words.Notices {
			if len(text)-i >= len(n) && strings.EqualFold(text[i:i+len(n)], n) && endsThere(n, text[i+len(n):]) {
				return text[i+len(n):], true
			}
		}
		if c >= 0x2E80 {
			before++
		}
		if before > mostBefore || c < 0x80 && isWord(byte(c)) {
			break
		}
	}
	return "", false
}

// disclaims says of a line that it says below a text who answers for it: a notice with a colon behind its words, or that the text is its
// author's alone.
func (l *Lists) disclaims(line string) bool {
	rest, is := l.noticed(line)
	if !is {
		return false
	}
	words := strings.TrimSuffix(line, rest)
	return strings.HasSuffix(words, "：") || strings.HasSuffix(words, ":") || strings.Contains(words, "仅代表") ||
		strings.HasPrefix(strings.TrimLeft(rest, " 】]〕)）"), "：") || strings.HasPrefix(strings.TrimLeft(rest, " 】]〕)）"), ":")
}

// endsThere says whether a word ends before the rest of a text: in "copyrighted" copyright does not, nor in 版权声明制度 the notice.
func endsThere(word, rest string) bool {
	last, _ := utf8.DecodeLastRuneInString(word)
	next, _ := utf8.DecodeRuneInString(rest)
	return !unicode.IsLetter(last) || !unicode.IsLetter(next)
}

// binary says whether a path ends like a file that holds no page.
func (l *Lists) binary(path string) bool {
	file := path[strings.LastIndexByte(path, '/')+1:]
	i := strings.LastIndexByte(file, '.')
	return i >= 0 && l.endings[strings.ToLower(file[i+1:])]
}

// advertiser says whether a host serves advertisements.
func (l *Lists) advertiser(host string) bool {
	for host = Portless(host); ; {
		if l.advertisers[host] {
			return true
		}
		i := strings.IndexByte(host, '.')
		if i < 0 {
			return false
		}
		host = host[i+1:]
	}
}
