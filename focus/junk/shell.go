package junk

import (
	"bytes"
	entities "html"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/thresher-crawler/thresher/focus/page"
)

// What a shell has at most. A page that says more can be judged by it.
const (
	shellWords = 12
	shellLinks = 2
)

// longestNotice is how many words the longest sentence has that is looked at as a notice.
const longestNotice = 40

// Shell tells of a page that only a script fills: it has one, and hardly a word, link or picture of its own. It says nothing at all,
// or has an empty place for what the script makes, or tells its readers to wait or to let scripts run; such notices are no words of
// the page. Its title may name the topic; what it says, nobody knows who does not run it. A page that says a little and counts its
// visitors by a script is none, nor one that leads on by a refresh: where it leads is all that it says. Nor is one that says to search
// engines what its script will show.
func Shell(body []byte) bool {
	s := shell{rest: body}
	for s.next() {
		if s.full() {
			return false
		}
	}
	s.endSentence()
	s.leavePlace()
	return s.scripts && !s.full() && (s.place || s.tells || s.words == 0 && !s.silent) && !hasArticle(body)
}

// hasArticle tells whether the text of an article stands in what a page says to search engines, or in the data of its scripts, from where
// it is read.
func hasArticle(body []byte) bool {
	said := bytes.Contains(body, []byte(`"articleBody"`)) || page.TextInScript(body) != ""
	return said && !fewerWords([]byte(page.Parse(body, "", page.Options{}).MainText()), shellWords)
}

// shell is a page that is looked through.
type shell struct {
	rest     []byte
	sentence []byte // that is being said, without its markup
	words    int    // of sentences that are no notices
	links    int
	scripts  bool
	pictures bool
	silent   bool // it has a picture that nothing is said of
	leads    bool // it says by itself where to go on
	tells    bool // it says that it waits for its script
	place    bool // it has an empty place for what a script makes

	within  string // the name of the element that is such a place, while it is open
	depth   int    // of elements of that name in it
	wordsAt int    // that had been said where it began
	filled  bool   // it has a picture that is no logo
}

// full tells whether a page can be judged by what it says itself.
func (s *shell) full() bool {
	return s.words > shellWords || s.links > shellLinks || s.pictures || s.leads
}

// next takes the text up to a tag, and the tag.
func (s *shell) next() bool {
	at := bytes.IndexByte(s.rest, '<')
	if at < 0 {
		s.text(s.rest)
		return false
	}
	s.text(s.rest[:at])
	s.rest = s.rest[at+1:]
	s.tag()
	return true
}

// text takes what is said, a sentence at a time.
func (s *shell) text(said []byte) {
	if !fewerWords(said, longestNotice) {
		s.words += longestNotice
		return
	}
	if bytes.IndexByte(said, '&') >= 0 {
		said = []byte(entities.UnescapeString(string(said)))
	}
	for {
		at := bytes.IndexAny(said, endMarks)
		if at < 0 {
			s.sentence = append(s.sentence, said...)
			return
		}
		for at < len(said) {
			r, size := utf8.DecodeRune(said[at:])
			if !strings.ContainsRune(endMarks, r) {
				break
			}
			at += size
		}
		s.sentence = append(s.sentence, said[:at]...)
		said = said[at:]
		s.endSentence()
	}
}

// endMarks end a sentence.
const endMarks = ".!?…。！？"

// endSentence counts the words of a sentence, unless it is a notice.
func (s *shell) endSentence() {
	words := 0
	units(s.sentence, func(uint64) bool { words++; return words <= longestNotice })
	if words > 0 {
		switch noticeOf(string(s.sentence), words) {
		case noNotice:
			s.words += words
		case waits:
			s.tells = true
		}
	}
	s.sentence = s.sentence[:0]
}

// inline are elements in the midst of sentences.
var inline = []string{"a", "b", "i", "u", "em", "strong", "code", "font", "wbr"}

// tag takes a tag, and of an element that shows nothing what stands in it.
func (s *shell) tag() {
	if bytes.HasPrefix(s.rest, []byte("!--")) {
		s.skip([]byte("-->"))
		return
	}
	end := bytes.IndexByte(s.rest, '>')
	if end < 0 {
		s.rest = nil
		return
	}
	tag := s.rest[:end]
	s.rest = s.rest[end+1:]
	name := nameOf(tag)
	if slices.Contains(inline, strings.TrimPrefix(name, "/")) {
		s.sentence = append(s.sentence, ' ')
	} else {
		s.endSentence()
	}
	switch name {
	case "script":
		s.scripts = true
		s.until(name)
	case "noscript":
		inside := strings.ToLower(string(withoutTags(s.until(name))))
		s.tells = s.tells || strings.Contains(inside, "script")
	case "title", "style", "template", "svg":
		s.until(name)
	case "a":
		s.links++
	case "meta":
		said := bytes.ToLower(tag)
		s.leads = bytes.Contains(said, []byte("http-equiv")) && bytes.Contains(said, []byte("refresh"))
	case "img", "video", "audio", "canvas", "frame", "iframe", "object", "embed", "input", "select", "textarea":
		s.picture(name, tag)
	default:
		s.element(name, tag)
	}
}

// element goes into a place for what a script makes, and out of it.
func (s *shell) element(name string, tag []byte) {
	switch {
	case s.within == "":
		if isPlace(name, tag) {
			s.within, s.depth, s.wordsAt, s.filled = name, 1, s.words, false
		}
	case name == s.within:
		s.depth++
	case name == "/"+s.within:
		if s.depth--; s.depth == 0 {
			s.leavePlace()
		}
	}
}

// leavePlace goes out of a place for what a script makes, which is empty if nothing was said or shown in it.
func (s *shell) leavePlace() {
	s.place = s.place || s.within != "" && s.words == s.wordsAt && !s.filled
	s.within = ""
}

// Scripts know the place for what they make by its id, or by an element that has a name of its own.
var (
	placeIDs   = []string{"__next", "__nuxt", "___gatsby", "application", "approot", "reactroot", "main", "mount", "content", "main-content", "container", "page", "view", "wrapper"}
	placeParts = []string{"app", "root", "main", "page", "view", "router", "shell"}
)

// isPlace tells an element into which scripts put a page. Other elements that stand empty may be there for their looks, or wait for a
// map, the weather or an advertisement.
func isPlace(name string, tag []byte) bool {
	id := attribute(tag, "id")
	last := id[strings.LastIndexAny(id, "-_")+1:]
	switch {
	case name == "main", (last == "app" || last == "root") && id != "fb-root", slices.Contains(placeIDs, id):
		return true
	}
	if parts := strings.Split(name, "-"); len(parts) > 1 && slices.ContainsFunc(parts, func(p string) bool { return slices.Contains(placeParts, p) }) {
		return true
	}
	return slices.ContainsFunc(strings.Fields(attribute(tag, "class")), func(c string) bool { return c == "app" || c == "root" })
}

// skip goes on behind a mark, or to the end.
func (s *shell) skip(mark []byte) {
	if at := bytes.Index(s.rest, mark); at >= 0 {
		s.rest = s.rest[at+len(mark):]
		return
	}
	s.rest = nil
}

// until goes on behind the end of an element, and answers what stood in it.
func (s *shell) until(name string) []byte {
	for at := 0; at < len(s.rest); {
		i := bytes.Index(s.rest[at:], []byte("</"))
		if i < 0 {
			break
		}
		if at += i; at+2+len(name) <= len(s.rest) && bytes.EqualFold(s.rest[at+2:at+2+len(name)], []byte(name)) {
			inside := s.rest[:at]
			s.rest = s.rest[at:]
			s.skip([]byte(">"))
			return inside
		}
		at += 2
	}
	inside := s.rest
	s.rest = nil
	return inside
}

// nameOf is the name of a tag in lower case, with the slash of one that ends an element.
func nameOf(tag []byte) string { return strings.ToLower(string(tag[:nameLength(tag)])) }

func nameLength(tag []byte) (n int) {
	for n < len(tag) && tag[n] > ' ' && (tag[n] != '/' || n == 0) && n < 40 {
		n++
	}
	return n
}
