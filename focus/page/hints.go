package page

import "bytes"

// hint is what an author's markup says about the purpose of a part of a page.
type hint uint16

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
	hintSurely  // author or date stand right here: an itemprop, a rel or a datetime says so, not a class
	hintName    // in what is called the author: the name, beside which there may be a picture, a rank, a word about them

	hintsOfBlocks = hintHidden<<1 - 1
)

var hintNames = map[string]hint{
	"navigation": hintNavigation, "advertisement": hintAdvertisement, "footer": hintFooter, "main": hintMain,
	"related": hintRelated, "comments": hintComment, "extra": hintExtra, "byline": hintByline, "caption": hintCaption,
	"author": hintAuthor, "date": hintDate, "changed": hintChanged,
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
	if i := bytes.Index(style, []byte("display")); i >= 0 {
		rest := bytes.TrimLeft(style[i+len("display"):], ": \t\n")
		if bytes.HasPrefix(rest, []byte("none")) {
			return hintHidden
		}
	}
	return 0
}

// wordHints looks up the words of a class or an id.
func (l *Lists) wordHints(names []byte) (h hint) {
	var word [32]byte
	n := 0
	for i := 0; i <= len(names); i++ {
		var c byte
		if i < len(names) {
			c = names[i]
		}
		capital := 'A' <= c && c <= 'Z'
		if !isLetter(c) && c < 0x80 || capital && i > 0 && 'a' <= names[i-1] && names[i-1] <= 'z' {
			if n > 0 {
				h |= l.class[string(word[:n])]
			}
			n = 0
		}
		if (isLetter(c) || c >= 0x80) && n < len(word) {
			if capital {
				c |= 0x20
			}
			word[n] = c
			n++
		}
	}
	return h
}
