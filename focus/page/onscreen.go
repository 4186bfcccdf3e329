package page

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a browser shows that is not in the text of the markup, and what it does not show though it is.

// unseenNames are the names of what is said to those who listen and shown to nobody, as the word that ends each and the one before it.
var unseenNames = map[string]earlier{"only": srWord, "hidden": visuallyWord, "text": readerWord, "invisible": elementWord}

// earlier is what a word in a name makes of the word behind it.
type earlier uint8

const (
	noWord earlier = iota
	lineWord
	srWord       // sr-only
	visuallyWord // visually-hidden
	screenWord
	readerWord  // screen-reader-text
	elementWord // element-invisible
	displayWord // d-none
	textWord    // text-editor
	notWord     // not-sr-only, md:sr-only: somewhere it is shown
)

// before says what a word makes of the next one, by what it was made of itself.
func before(word string, was earlier) earlier {
	switch {
	case was == notWord:
		return notWord
	case word == "line":
		return lineWord
	case word == "sr":
		return srWord
	case word == "visually":
		return visuallyWord
	case word == "screen":
		return screenWord
	case word == "screenreader", word == "reader" && was == screenWord:
		return readerWord
	case word == "element":
		return elementWord
	case word == "d":
		return displayWord
	case word == "text", word == "rich", word == "html", word == "content", word == "block":
		return textWord
	case word == "not", word == "undo", word == "sm", word == "md", word == "lg", word == "xl":
		return notWord
	}
	return noWord
}

// isUnseen tells of a word in a name, and what came before it, that what is called so is shown to nobody.
func isUnseen(word string, was earlier) bool {
	return was != noWord && (unseenNames[word] == was || word == "only" && was == readerWord) || (word == "visuallyhidden" || word == "offscreen") && was != notWord
}

// numbersHeading says whether a part is the number that a heading begins with, whatever it is called.
func (r *reading) numbersHeading(c []candidate, i int32) bool {
	up := r.parts[i].parent
	return r.parts[i].hints&hintDate == 0 && facts[r.parts[up].tag]&isHeading != 0 && c[up].opens == c[i].opens && c[i].all <= maxNumber && counted.MatchString(r.beginning(&c[i]))
}

const maxNumber = 12

var counted = regexp.MustCompile(`^(?:§ ?|[A-Za-z]+ )?[(（]?(?:[0-9]{1,3}(?:[.-][0-9]{1,3})*|[A-Z]|[IVXLC]+)[)）.:、]?$`)

// face is what a picture says that stands for a sign of the text: a face, a flag.
func (r *reading) face() []byte {
	class, _ := r.attribute("class")
	if !bytes.Contains(class, []byte("emoji")) {
		return nil
	}
	alt, _ := r.attribute("alt")
	if first, _ := utf8.DecodeRune(alt); first < '\u203c' || first == utf8.RuneError || len(alt) > maxFace || unicode.IsLetter(first) {
		return nil
	}
	return alt
}

const maxFace = 40 // bytes of the longest sign that is made of several

// bearsTip tells of an element in a line that it is called a tooltip because it bears one: its words are those of the line.
func (r *reading) bearsTip(t tag) bool {
	called, bears := false, false
	for i := range r.attrs {
		a := &r.attrs[i]
		switch {
		case foldEqual(a.key, "class"):
			for word := range bytes.FieldsSeq(a.value) {
				called = called || foldEqual(word, "tooltip")
			}
		case foldEqual(a.key, "role") && foldEqual(a.value, "tooltip"):
			return false
		case foldEqual(a.key, "title"), foldEqual(a.key, "href"), bytes.HasPrefix(a.key, []byte("data-")):
			bears = true
		}
	}
	if !called || !inLine(t) && !inText(t) {
		return false
	}
	inside, _, _ := bytes.Cut(r.src[r.pos:min(len(r.src), r.pos+maxWithin)], []byte("</"))
	return bears || bytes.Contains(inside, []byte("tooltip"))
}

// isCell tells of the role of what is a cell of a table that is made of other elements.
func isCell(role []byte) bool {
	return foldEqual(role, "cell") || foldEqual(role, "gridcell") || foldEqual(role, "columnheader") || foldEqual(role, "rowheader")
}

// isSource tells of the element whose tag was read that it says whose words the quotation is that it stands in.
func (r *reading) isSource(t tag) bool {
	return t == tagFooter && len(r.stack) > 1 && r.stack[len(r.stack)-2].tag == tagBlockquote
}

// inShadow tells of a template that a browser shows what stands in it, in the place of its tags.
func (r *reading) inShadow() bool {
	mode, ok := r.attribute("shadowrootmode")
	return ok && r.inert == 0 && (foldEqual(mode, "open") || foldEqual(mode, "closed"))
}

// breaksUp tells of an element whether it stands on lines of its own. The choices of a list that is not read break none.
func breaksUp(e *element) bool {
	return facts[e.tag]&breaksLine != 0 && !(e.tag == tagOption && e.silent)
}

// The marks around what is said by somebody, and around what that one says another has said.
var quotes = [2][2]string{{"“", "”"}, {"‘", "’"}}

// quote writes the mark that a browser shows before or behind the words of the innermost element, a q.
func (r *reading) quote(side int) {
	e := r.top()
	if side == 0 {
		e.bare = quoted(r.src[r.pos:])
	}
	if e.silent || e.bare || r.foreign > 0 {
		return
	}
	depth := -1
	for i := range r.stack {
		if r.stack[i].tag == tagQ {
			depth++
		}
	}
	whole := r.text
	r.text = []byte(quotes[depth%2][side])
	r.write(e, r.current(e.region))
	r.text = whole
}

// quoted tells of a text that it begins with a mark of a quotation.
func quoted(text []byte) bool {
	first, _ := utf8.DecodeRune(bytes.TrimLeft(text[:min(len(text), 64)], " \n\t\r"))
	return strings.ContainsRune("\"'“‘”„«»「『&", first)
}

// labels tells of an element that ends that it is a label right before what it labels, as a style sets them apart.
func (r *reading) labels(e *element) bool {
	if e.tag != tagSpan || e.pre || r.prose.gap != closed || r.pos+1 >= len(r.src) || r.src[r.pos] != '<' || !isLetter(r.src[r.pos+1]) {
		return false
	}
	for word := range bytes.FieldsSeq(e.class) {
		if bytes.HasSuffix(word, []byte("label")) {
			return true
		}
	}
	return false
}

// unspaced tells of two pieces of a text that a line break of the source between them is no blank: Chinese stands on both sides of it, or
// on one side, and on the other a mark that Chinese has with other scripts.
func unspaced(text, next []byte) bool {
	n := len(text)
	if n < 3 {
		return false
	}
	before, after := han(text[n-3]), han(next[0])
	switch {
	case before && after:
		return true
	case before:
		return markSize(next) > 0
	case after:
		return markSize(text[n-3:]) > 0
	}
	return afterHan(text) && beforeHan(next)
}

// markSize is the length of such a mark that a text begins with: a quotation mark, an ellipsis, a dash.
func markSize(text []byte) int {
	if len(text) < 3 || text[0] != 0xE2 || text[1] != 0x80 {
		return 0
	}
	switch text[2] {
	case 0x94, 0x95, 0x98, 0x99, 0x9C, 0x9D, 0xA6:
		return 3
	}
	return 0
}

// afterHan tells of a text that it ends in such marks behind Chinese, and beforeHan that it begins with some before it.
func afterHan(text []byte) bool {
	marks := 0
	for len(text) >= 3 && markSize(text[len(text)-3:]) > 0 {
		text, marks = text[:len(text)-3], marks+1
	}
	return marks > 0 && len(text) >= 3 && han(text[len(text)-3]) && utf8.RuneStart(text[len(text)-3])
}

func beforeHan(text []byte) bool {
	marks := 0
	for markSize(text) > 0 {
		text, marks = text[3:], marks+1
	}
	return marks > 0 && len(text) > 0 && han(text[0])
}

// joins tells of words that are left out of a line that no blank is wanted in their place: the sentence ends there, or it is Chinese.
func (p *Page) joins(from, to int32) bool {
	if to <= from+1 || from < 1 || int(to) >= len(p.prose) || p.prose[to-1] == ' ' || strings.IndexByte(p.prose[from:to], '\n') >= 0 {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(p.prose[:from])
	next, _ := utf8.DecodeRuneInString(p.prose[to:])
	return strings.ContainsRune(".,;:!?)]}’”", next) || unbroken(last) && unbroken(next)
}
