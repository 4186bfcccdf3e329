package page

import "bytes"

// hint is what an author's markup says about the purpose of a part of a page.
type hint uint8

// The hints.
const (
	hintNavigation hint = 1 << iota
	hintAdvertisement
	hintFooter
	hintMain
	hintRelated
	hintAside  // an element that is never the content: nav, footer, and the roles of these
	hintHidden // not shown until a script shows it
)

var hintNames = map[string]hint{
	"navigation": hintNavigation, "advertisement": hintAdvertisement, "footer": hintFooter, "main": hintMain,
	"related": hintRelated,
}

// tagHints are the hints of elements.
var tagHints = [tagCount]hint{
	tagNav: hintNavigation | hintAside, tagFooter: hintFooter | hintAside, tagMenu: hintNavigation | hintAside,
	tagHeader: hintNavigation, tagAside: hintNavigation,
	tagMain: hintMain, tagArticle: hintMain,
}

// hints are what an element's name, class, id and role say.
func (l *Lists) hints(t tag, class, id, role []byte) hint {
	h := tagHints[t]
	h |= l.wordHints(class)
	h |= l.wordHints(id)
	switch {
	case len(role) == 0:
	case foldEqual(role, "navigation"), foldEqual(role, "banner"), foldEqual(role, "complementary"), foldEqual(role, "search"):
		h |= hintNavigation | hintAside
	case foldEqual(role, "contentinfo"):
		h |= hintFooter | hintAside
	case foldEqual(role, "main"), foldEqual(role, "article"):
		h |= hintMain
	}
	return h
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
