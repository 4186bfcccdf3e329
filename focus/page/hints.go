package page

import "bytes"

// hint is what an author's markup says about the purpose of a part of a page.
type hint uint32

// The hints. Those up to hintHidden tell blocks apart; the others are asked for main text, author and date alone.
const (
	hintNavigation hint = 1 << iota
	hintAdvertisement
	hintFooter
	hintMain
	hintRelated
	hintAside   // an element that is never the content: nav, footer, and the roles of these
	hintHidden  // not shown until a script shows it
	hintComment // what readers wrote, or may write
	hintExtra   // what a site puts around texts: notes on cookies, buttons, tables of contents, who the author is
	hintByline  // a line that says who wrote the text, when, and under which heading it is filed
	hintCaption
	hintAuthor
	hintDate
	hintChanged // when the page was changed last
	hintNote    // set off from the text, and part of it
	hintSurely  // author or date stand right here: an itemprop, a rel or a datetime says so, not a class
	hintSigned  // what a writer puts below all that he writes; but a declaration in code has a signature, too
	hintAsking  // a site asks there for something, or shows it beside all its pages, whatever else stands in that
	hintName    // in what is called the author: the name, beside which there may be a picture, a rank, a word about them
	hintSlug    // its id is made of several words, as of those of a heading
	hintNumbers // the numbers of lines beside code
	hintLater   // the words before it say that the page was changed then
	hintAnswer  // somebody answers there what is asked on the page

	hintsOfBlocks = hintHidden<<1 - 1
)

var hintNames = map[string]hint{
	"navigation": hintNavigation, "advertisement": hintAdvertisement, "footer": hintFooter, "main": hintMain,
	"related": hintRelated, "comments": hintComment, "extra": hintExtra, "asking": hintExtra | hintAsking, "sidebar": hintNavigation | hintAsking, "byline": hintByline, "caption": hintCaption,
	"author": hintAuthor, "date": hintDate, "changed": hintChanged, "signature": hintSigned, "numbers": hintNumbers, "answers": hintAnswer,
}

// tagHints are the hints of elements.
var tagHints = [tagCount]hint{
	tagNav: hintNavigation | hintAside, tagFooter: hintFooter | hintAside, tagMenu: hintNavigation | hintAside,
	tagHeader: hintNavigation, tagAside: hintNavigation,
	tagMain: hintMain, tagArticle: hintMain,
	tagNoscript: hintExtra, tagDialog: hintExtra, tagSelect: hintExtra, tagFigcaption: hintCaption, tagTime: hintDate,
}

// roleHints are what an element's role says.
func roleHints(role []byte) hint {
	switch {
	case foldEqual(role, "navigation"), foldEqual(role, "banner"), foldEqual(role, "complementary"), foldEqual(role, "search"):
		return hintNavigation | hintAside
	case foldEqual(role, "contentinfo"):
		return hintFooter | hintAside
	case foldEqual(role, "main"), foldEqual(role, "article"):
		return hintMain
	}
	return 0
}

// concealed says whether an inline style keeps an element from being shown.
func concealed(style []byte) hint {
	if declares(style, "display", "none") || declares(style, "visibility", "hidden") {
		return hintHidden
	}
	return 0
}

// declares says whether an inline style has a property and a value for it: backface-visibility is another property than visibility.
func declares(style []byte, property, value string) bool {
	for len(style) > 0 {
		var one []byte
		one, style, _ = bytes.Cut(style, []byte(";"))
		name, says, _ := bytes.Cut(one, []byte(":"))
		if foldEqual(bytes.TrimSpace(name), property) && bytes.HasPrefix(bytes.TrimSpace(says), []byte(value)) {
			return true
		}
	}
	return false
}

// wordHints are what the names of a class or an id say. A name is cut into words at everything that is no letter and where a capital
// follows a small letter.
func (l *Lists) wordHints(names []byte) hint {
	n := naming{lists: l}
	n.read(names)
	return n.says()
}

// read reads the names of a class or an id. A byte that is written as %AD is that byte, and no word.
func (n *naming) read(names []byte) {
	for i := 0; i < len(names); i++ {
		c := names[i]
		if c == '%' && i+2 < len(names) && isHex(names[i+1]) && isHex(names[i+2]) {
			c = unhex(names[i+1])<<4 | unhex(names[i+2])
			i += 2
		}
		capital := 'A' <= c && c <= 'Z'
		if !isLetter(c) && c < 0x80 || capital && i > 0 && 'a' <= names[i-1] && names[i-1] <= 'z' {
			n.endWord()
			if isSpace(c) {
				n.endName()
			}
		}
		if (isLetter(c) || c >= 0x80) && n.letters < len(n.word) {
			if capital {
				c |= 0x20
			}
			n.word[n.letters] = c
			n.letters++
		}
	}
	n.endWord()
	n.endName()
}

// naming is the reading of the names of a class: of the word that is open, of the name that is, and of all.
type naming struct {
	lists   *Lists
	word    [32]byte
	letters int
	earlier earlier                   // what the words before it in its name make of it
	tell    func(word string, h hint) // is told of each word that says something, if it is there

	words  int
	leads  lead // its first word, or one that counts wherever it stands
	hinted hint
	last   hint // what its last word says
	hides  bool // it says that this is hidden, so far

	plain, joined, slugs hint // what names of one word say, those of several, and those after what the page is filed under
	text                 bool // one of them says that this is the text
	note                 bool // one of them has a word that says that this is a note in it
	unseen               bool // one of them says that nobody sees this
	hidden               bool // one of them says that this is hidden: "hidden", "d-none"
	wide                 bool // one of them says what is so on a wide screen, or on one that is not: "md:block"
}

// wordSays is what a word in a name says.
type wordSays struct {
	hint hint
	lead lead
}

// lead is what the first word of a name makes of the others.
type lead uint8

const (
	aloof   lead = iota + 1 // the name speaks of something that is there or not: "has-sidebar"
	ofText                  // alone it names the text itself; what other names say of that is said of something in it or about it
	filedAt                 // of a text it says under which heading that is filed: "tag-social"
	ofNote                  // wherever it stands: documentation has notes of several kinds, "alert alert-info"
	aimedAt                 // wherever it stands: the name says how a reader gets there, and past what: "anchor-target-sticky-navbar"
)

var leads = map[string]lead{
	"has": aloof, "no": aloof, "is": aloof, "with": aloof,
	"post": ofText, "entry": ofText, "article": ofText, "hentry": ofText,
	"category": filedAt, "tag": filedAt,
	"target": aimedAt, "offset": aimedAt,
	"admonition": ofNote, "alert": ofNote, "callout": ofNote, "note": ofNote, "tip": ofNote, "warning": ofNote, "caution": ofNote,
}

// endWord adds a word to its name.
func (n *naming) endWord() {
	if n.letters == 0 {
		return
	}
	word := string(n.word[:n.letters])
	says := n.lists.class[word]
	if word == "editor" && n.earlier == textWord { // in which it was written, and nobody who wrote it
		says = wordSays{}
	}
	n.last = says.hint
	n.hinted |= says.hint
	if word == "layout" { // what has a sidebar in it is not one
		n.hinted &^= n.lists.class["sidebar"].hint
	}
	if n.earlier == lineWord && countsLines[word] {
		n.hinted |= hintNumbers
	}
	n.unseen = n.unseen || isUnseen(word, n.earlier)
	n.hides = n.words == 0 && word == "hidden" || n.words == 1 && word == "none" && n.earlier == displayWord
	n.earlier = before(word, n.earlier)
	n.wide = n.wide || n.earlier == notWord
	if n.tell != nil && says.hint != 0 {
		n.tell(word, says.hint)
	}
	if n.words == 0 || says.lead == aimedAt {
		n.leads = says.lead
	}
	n.note = n.note || says.lead == ofNote
	n.words++
	n.letters = 0
}

// endName adds what a name says to what was said before.
func (n *naming) endName() {
	switch {
	case n.words == 1:
		n.plain |= n.hinted
		n.text = n.text || n.leads == ofText
	case n.leads == aloof, n.leads == aimedAt:
	case n.leads == filedAt:
		n.slugs |= n.hinted
	case n.leads == ofText && n.last&(hintNavigation|hintAdvertisement) != 0: // "post-sidebar" is none of the post
		n.joined |= n.hinted &^ hintMain
	default:
		n.joined |= n.hinted
	}
	n.hidden = n.hidden || n.hides
	n.words, n.leads, n.hinted, n.earlier, n.hides = 0, 0, 0, noWord, false
}

// says is what all names say together. What is called a post may have a profile beside it and be filed under advertisements; it is
// a post all the same, if it is not called anything else in one word. And a note may be one for information.
func (n *naming) says() hint {
	h := n.plain | n.joined | n.slugs
	if n.text {
		h = n.plain | n.joined&^(hintExtra|hintFooter|hintNavigation|hintAdvertisement)
	}
	if n.note {
		h = h&^hintByline | hintNote
	}
	if n.unseen || n.hidden && !n.wide {
		h |= hintHidden
	}
	return h
}
