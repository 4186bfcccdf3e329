package page

import (
	"bytes"
	"cmp"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What stands here is done where hidden markup is read (Options.Hidden): many portals write their links where a browser does not show
// them until a script has taken them from there. A link counts where its address is written out, and not where a script puts it together.

// hiddenIn reads what a script says of links.
func (r *reading) hiddenIn(script []byte) {
	switch {
	case r.inert > 0 || r.foreign > 0 || r.inFrameset():
	case r.island && bytes.Contains(script, []byte("href")):
		r.shown(script)
	case bytes.Contains(script, []byte("createPageHTML(")):
		r.pages(script)
	default:
		r.goes(script)
	}
}

// shown reads the markup in a script of the type text/xml, in which Hanweb keeps whole lists, as if it stood in the script's place: a
// script puts it there. What it leaves open ends with it, and it closes nothing of what stands around.
func (r *reading) shown(markup []byte) {
	r.needBody()
	r.framesetOK = false
	depth, around := len(r.stack), r.scanner
	if !r.push(tagObject, false) {
		return
	}
	r.mark()
	own := r.top()
	own.mode = inBody
	serial := own.serial
	for _, sign := range []string{"<![CDATA[", "]]>"} {
		markup = bytes.ReplaceAll(markup, []byte(sign), nil)
	}
	r.scanner = scanner{src: markup} // in which nothing is hidden once more
	r.run()
	r.scanner = around
	if len(r.stack) > depth && r.stack[depth].serial == serial {
		r.popTo(depth)
		r.unmark()
	}
}

// body notes the text of an article, and that there is one: what is called a page may be one around it.
func (s *said) body(article map[string]any) {
	body, _ := article["articleBody"].(string)
	called := words(article["headline"])
	if kind := words(article["@type"]); body == "" && (called == "" || strings.HasSuffix(kind, "Page")) {
		return
	}
	if len(s.articles) < 2 && !slices.Contains(s.articles, called) {
		s.articles = append(s.articles, called)
	}
	if body != "" && len(s.bodies) < 2 {
		s.bodies = append(s.bodies, body)
	}
}

// unshown reads the text of an article that stands in JSON-LD alone, as if it stood at the end of the page, which says hardly anything
// itself: a script would show it. Of several articles the page is none.
func (r *reading) unshown() {
	if len(r.said.bodies) == 0 {
		r.inScript()
	}
	if len(r.said.bodies) != 1 || len(r.said.articles) != 1 || r.wasFrames || len(r.prose.buf) >= fewBytes || 4*len(r.prose.buf) > len(r.said.bodies[0]) {
		return
	}
	r.show(r.said.bodies[0])
}

// show reads the text of an article as if it stood at the end of the page.
func (r *reading) show(text string) {
	r.needBody()
	r.popTo(2) // what was left open
	body := asMarkup(text)
	r.unseen = r.unseen || hasUnseen([]byte(body))
	r.shown([]byte("<article>" + body))
}

// asMarkup is the text of an article, be it text, markup, or markup that was written as text.
func asMarkup(text string) string {
	if strings.HasPrefix(strings.TrimSpace(text), "&lt;") {
		if inner := html.UnescapeString(text); blocks.MatchString(inner) {
			text = inner
		}
	}
	switch {
	case blocks.MatchString(text):
		return text
	case !ends.MatchString(text):
		text = strings.ReplaceAll(text, "<", "&lt;")
	}
	return strings.ReplaceAll(text, "\n", "<p>")
}

// blocks and ends are what tells markup from a text that has signs of it: a tag that parts lines, and one that closes another.
var (
	blocks = regexp.MustCompile(`(?i)<(?:p|br|div|h[1-6]|ul|ol|table|section|article|figure|blockquote)\b[^<>]*>`)
	ends   = regexp.MustCompile(`</[A-Za-z][A-Za-z0-9]*\s*>`)
)

// pagesCall is how a list of a TRS says on each of its pages how many there are, which one this is, and what they are called.
var pagesCall = regexp.MustCompile(`createPageHTML\(\s*(\d{1,4})\s*,\s*(\d{1,4})\s*,\s*["']([\w./-]+)["']\s*,\s*["'](\w{1,6})["']`)

// nearPages is how many pages of a list, to each side of the one that is read, are its links: its script shows no more at a time.
const nearPages = 10

// pages notes the other pages of a list whose script writes the links to them: index.html is followed by index_1.html.
func (r *reading) pages(script []byte) {
	said := pagesCall.FindSubmatch(script)
	if said == nil {
		return
	}
	all, _ := strconv.Atoi(string(said[1])) // the expression takes digits alone
	this, _ := strconv.Atoi(string(said[2]))
	for i := max(0, this-nearPages); i < min(all, this+nearPages+1); i++ {
		name := string(said[3])
		if i > 0 {
			name += "_" + strconv.Itoa(i)
		}
		if i != this {
			r.linkHere(name+"."+string(said[4]), A, strconv.Itoa(i+1))
		}
	}
}

// sends is a script that does nothing but go to an address that it has written out.
var sends = regexp.MustCompile(`^\s*(?i:javascript:)?\s*(?:(?:window|self|top|parent|document)\.)*` +
	`(?:location(?:\.href)?\s*=|location\.(?:assign|replace)\s*\(|open\s*\()\s*(?:"([^"'\s{}<>\\]+)"|'([^"'\s{}<>\\]+)')\s*(?:[;,)]|$)`)

// clicked is where the link whose tag was read sends those who click on it: where its href is no address, a script may say so.
func (r *reading) clicked(href []byte) []byte {
	if len(href) > 0 && href[0] != '#' && !isScript(href) {
		return href
	}
	onclick, _ := r.attribute("onclick")
	for _, does := range [][]byte{href, onclick} {
		if to := sentTo(does); to != "" {
			return []byte(to)
		}
	}
	return href
}

// sentTo is the address that a script goes to, if it does nothing else.
func sentTo(does []byte) string {
	if len(does) < len("open('/')") || len(does) > maxHref {
		return ""
	}
	to := sends.FindStringSubmatch(attributeValue(does))
	if to == nil {
		return ""
	}
	return to[1] + to[2]
}

// clickStart notes the link of an element that is none and sends those who click on it: a row, an item, a button. What goes off
// wherever one clicks is an advertisement.
func (r *reading) clickStart(t tag) {
	if t == tagA || t == tagArea || t == tagBody || t == tagHtml || r.top().link != nothing {
		return
	}
	does, _ := r.attribute("onclick")
	to := sentTo(does)
	if to == "" {
		return
	}
	r.needBody()
	r.linkHere(to, A, cmp.Or(r.within(), r.value("value"), r.value("alt"), r.value("title")))
}

// within is the text of the element whose tag was read, without the tags in it, up to the next tag of its name that ends it.
func (r *reading) within() string {
	var text []byte
	rest := r.src[r.pos:min(len(r.src), r.pos+maxWithin)]
	for facts[r.tag]&isVoid == 0 {
		said, behind, more := bytes.Cut(rest, []byte("<"))
		text = append(text, said...)
		does, after, closed := bytes.Cut(behind, []byte(">"))
		does, ends := bytes.CutPrefix(does, []byte("/"))
		name := does
		if end := bytes.IndexAny(does, " \t\r\n\f/"); end >= 0 {
			name = does[:end]
		}
		if !more || !closed || bytes.EqualFold(name, r.name) && (ends || len(bytes.TrimSpace(text)) > 0) {
			break
		}
		what := facts[lookup(name)]
		if what&isSpecial != 0 {
			text = append(text, ' ')
		}
		if what&isRaw != 0 && !ends { // what a script says is no text
			script, _, _ := bytes.Cut(after, []byte("</"))
			after = after[len(script):]
		}
		rest = after
	}
	return Cut(plainText(text), maxAnchor)
}

// maxWithin is how far an element is looked through for its text.
const maxWithin = 4096

func isScript(href []byte) bool {
	const scheme = "javascript:"
	return len(href) > len(scheme) && foldEqual(href[:len(scheme)], scheme)
}

// A jump is what a select does with the option that one chooses.
type jump uint8

const (
	staysHere jump = iota
	mayJump        // a script hears of it: an address that is written out with its host is one to go to
	jumps          // and it goes to the option's value, whatever the form of its address
)

// jumpOf tells it by the select whose tag was read.
func (r *reading) jumpOf() jump {
	does, _ := r.attribute("onchange")
	does = bytes.ToLower(does)
	switch {
	case len(does) == 0:
		return staysHere
	case bytes.IndexByte(does, '+') >= 0: // it puts the address together
		return mayJump
	}
	for _, word := range []string{"location", "open(", "jump"} {
		if bytes.Contains(does, []byte(word)) {
			return jumps
		}
	}
	return mayJump
}

// optionStart notes the link of an option. Another query of the page itself is another order of what it shows.
func (r *reading) optionStart() {
	if r.jump == staysHere || r.inScope(defaultScope, tagSelect) == nothing {
		return
	}
	to := r.value("value")
	path, _, asks := strings.Cut(to, "?")
	own, _, _ := strings.Cut(r.address, "?")
	switch {
	case len(to) < 2 || len(to) > maxHref || strings.ContainsAny(to, " \t\n{}<>'\"\\") || asks && strings.HasSuffix(own, path):
	case strings.HasPrefix(to, "http://"), strings.HasPrefix(to, "https://"), r.jump == jumps && strings.ContainsAny(to, "/."):
		r.linkHere(to, A, r.following())
	}
}

// following is the text behind the tag that was read, up to the next tag.
func (r *reading) following() string {
	text := Cut(r.src[r.pos:], maxAnchor)
	if end := bytes.IndexByte(text, '<'); end >= 0 {
		text = text[:end]
	}
	return plainText(text)
}
