package page

import (
	"bytes"
	"slices"
	"strings"
)

// occurrence is one mention of an address on the page, before addresses are resolved.
type occurrence struct {
	href    string // as written, references resolved
	path    string
	alt     string // what its image says, or its title
	at      int32  // length of the page's text where it begins
	text    span   // its anchor; empty where it has no text
	more    []span // further parts of its anchor, where other text stands between
	chars   int32
	width   int32 // of the anchor in bytes
	heading int32
	region  int32
	source  Source
	rel     Rel
	head    bool // it stands in the head, not in the text
}

// maxHref bounds the length of an address.
const maxHref = 8192

// anchorStart opens an a element, which ends one that is still open.
func (r *reading) anchorStart() {
	if at := r.lastFormat(tagA); at != nothing {
		serial := r.formats[at].serial
		r.adopt(tagA)
		if i := r.open(serial); i != nothing {
			r.take(i)
		}
		if i := r.listed(serial); i != nothing {
			r.unlist(i)
		}
	}
	r.reopen()
	pushed := r.push(tagA, false)
	link := r.addLink(A)
	if !pushed {
		return
	}
	if r.pointsHere() {
		r.top().silent = true
	}
	if link != nothing && r.inert == 0 {
		r.top().own = link
		r.inheritFrom(len(r.stack) - 1)
		r.prose.mark(markLink, link)
	}
	r.remember()
}

// signsOfPlace stand for the address of a heading, which a link beside it offers: no author says them.
var signsOfPlace = []string{"¶", "&para;", "&#182;", "&#xb6;", "#", "§", "🔗"}

// pointsHere says of the link whose tag was read that it is such a sign and leads to a place, be it by an address of that place alone.
func (r *reading) pointsHere() bool {
	href, _ := r.attribute("href")
	if bytes.IndexByte(href, '#') < 0 {
		return false
	}
	says, _, ends := strings.Cut(strings.ToLower(string(r.src[r.pos:min(len(r.src), r.pos+32)])), "</a>")
	return ends && slices.Contains(signsOfPlace, strings.TrimSpace(says))
}

// addLink notes the link of the element whose tag was read, and answers its place, or nothing if it is none.
func (r *reading) addLink(s Source) int32 {
	name := "href"
	if s == Frame || s == Iframe {
		name = "src"
	}
	raw, ok := r.attribute(name)
	if !ok && r.foreign > 0 {
		raw, ok = r.attribute("xlink:href")
	}
	if r.hidden && s == A {
		raw = r.clicked(raw)
		ok = ok || len(raw) > 0
	}
	switch {
	case !ok, r.inert > 0 && (!r.hidden || bytes.IndexByte(raw, '{') >= 0): // a template leaves places to fill in
		return nothing
	case len(raw) > maxHref:
		r.bound("attributes")
		return nothing
	}
	says := ""
	if r.inert > 0 {
		says = r.following()
	}
	href := attributeValue(raw)
	if s == A && (r.ownSource(href) || news(strings.ToLower(r.value("type"))) && r.feedOfComments(headLink{href: href, title: r.value("title")})) {
		href = "#" // its words stay those of a link
	}
	return r.linkHere(href, s, says)
}

// linkHere notes a link where the element stands whose tag was read. says is its anchor, where that is no text of the page.
func (r *reading) linkHere(href string, s Source, says string) int32 {
	i := r.linkTo(href, s, says)
	if i == nothing {
		return nothing
	}
	l := &r.links[i]
	e := r.top()
	l.region = r.current(e.region)
	l.head = false
	l.heading = r.headingOf(l.region)
	l.rel = rel(&r.scanner)
	l.path = r.paths.path(r.stack, r.tag, r.name, &r.scanner)
	switch {
	case says != "":
	case s == A:
		l.alt = r.value("title")
	case s == Area:
		if l.alt = r.value("alt"); l.alt == "" {
			l.alt = r.value("title")
		}
	default:
		if l.alt = r.value("title"); l.alt == "" {
			l.alt = r.value("name")
		}
	}
	g := &r.regions[l.region]
	g.links++
	if e.level == 0 {
		g.begun = true
	}
	return i
}

// linkTo notes a link, wherever it was found.
func (r *reading) linkTo(href string, s Source, title string) int32 {
	if len(r.links) >= r.o.MaxLinks {
		r.bound("links")
		return nothing
	}
	r.links = append(r.links, occurrence{
		href: href, source: s, alt: title, at: int32(len(r.prose.buf)), heading: nothing, head: true,
	})
	return int32(len(r.links) - 1)
}

// said notes that text from from on, of so many characters, belongs to the anchor.
func (l *occurrence) said(r *reading, from int, chars int32) {
	buf := r.prose.buf
	for from < len(buf) && isSpace(buf[from]) {
		from++
	}
	s := span{int32(from), int32(len(buf))}
	l.chars += chars
	l.width += s.to - s.from
	last := &l.text
	if n := len(l.more); n > 0 {
		last = &l.more[n-1]
	}
	switch {
	case l.text.to == 0:
		l.text = s
	case s.from-last.to <= 1:
		last.to = s.to
	default:
		l.more = append(l.more, s)
	}
}

// picture notes what an image in the link says.
func (l *occurrence) picture(s *scanner) {
	if l.text.to > 0 {
		return
	}
	says := s.value("alt")
	if says == "" {
		says = s.value("title")
	}
	if says != "" {
		l.alt = says
	}
}

// rel reads the marks of a link that mean something to a crawler.
func rel(s *scanner) (marks Rel) {
	v, ok := s.attribute("rel")
	if !ok {
		return 0
	}
	for _, word := range bytes.Fields(v) {
		switch {
		case foldEqual(word, "nofollow"):
			marks |= NoFollow
		case foldEqual(word, "ugc"):
			marks |= UGC
		case foldEqual(word, "sponsored"):
			marks |= Sponsored
		}
	}
	return marks
}

// paths keeps one string per tag path.
type paths struct {
	buf  []byte
	seen map[string]string
}

// maxPath bounds the length of a tag path; what is nested deeper is left out.
const maxPath = 400

// path is the tag path of the element whose tag was read, below the open elements.
func (p *paths) path(stack []element, t tag, name []byte, s *scanner) string {
	p.buf = p.buf[:0]
	for i := 1; i < len(stack); i++ {
		p.step(stack[i].tag, stack[i].name, stack[i].class)
	}
	class, _ := s.attribute("class")
	p.last(t, name, class)
	return p.keep()
}

// keep is the path in the buffer as a string.
func (p *paths) keep() string {
	if known, ok := p.seen[string(p.buf)]; ok {
		return known
	}
	made := string(p.buf)
	if p.seen == nil {
		p.seen = make(map[string]string, 32)
	}
	p.seen[made] = made
	return made
}

// step adds an element to the path. Formatting elements, forms and the parts of tables that authors leave out are no
// steps: paths of like links should be alike.
func (p *paths) step(t tag, name, class []byte) {
	if facts[t]&isFormatting != 0 || t == tagForm || t == tagTbody {
		return
	}
	p.last(t, name, class)
}

func (p *paths) last(t tag, name, class []byte) {
	if len(p.buf) > maxPath {
		return
	}
	if len(p.buf) > 0 {
		p.buf = append(p.buf, '/')
	}
	if t != none {
		p.buf = append(p.buf, tagNames[t]...)
	} else {
		p.buf = append(p.buf, bytes.ToLower(name)...)
	}
	p.buf = appendClasses(p.buf, class)
}

// maxClasses bounds the classes of an element that a path names.
const maxClasses = 2

// appendClasses appends ".one.two".
func appendClasses(buf, class []byte) []byte {
	for n, i := 0, 0; n < maxClasses; n++ {
		i = skipSpace(class, i)
		from := i
		for i < len(class) && !isSpace(class[i]) {
			i++
		}
		if from == i || i-from > 60 {
			return buf
		}
		buf = append(append(buf, '.'), class[from:i]...)
	}
	return buf
}
