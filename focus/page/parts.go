package page

import "bytes"

// part is an element of the page as the search for main text, author and date sees it: one that stands on lines of its own,
// or one inside a line whose name says what it is for. Part 0 is the body; a part stands behind the one around it.
type part struct {
	parent int32
	region int32
	tag    tag
	hints  hint
	class  []byte
	value  string // what an attribute says in the place of the text
}

// maxParts bounds the parts of a page.
const maxParts = 20000

// inLine says whether an element that stands in lines of text may be a part.
func inLine(t tag) bool {
	switch t {
	case tagA, tagTime, tagSmall, tagCite, tagEm, tagI, tagB, tagStrong, tagLabel, tagButton, tagNoscript, tagSelect, tagAbbr, tagSup:
		return true
	}
	return false
}

// hintsHere are the hints of the element whose tag was read, and what an attribute says in the place of its text. Names in its class
// are guesses, microdata are none: what these say is the text has no other purpose. A tab that is not shown is one that is shown later.
// In text that is laid out the names are those of its colours: a comment there is one of the code.
func (r *reading) hintsHere(t tag) (h hint, value string) {
	if h = tagHints[t]; r.isSource(t) {
		h = 0
	}
	var named hint
	text, tab := false, false
	coloured := t == tagSpan && r.top().pre
	for i := range r.attrs {
		a := &r.attrs[i]
		switch len(a.key) {
		case len("id"):
			if foldEqual(a.key, "id") {
				if named |= r.lists.wordHints(a.value); named&unwanted != 0 && bytes.ContainsAny(a.value, "-_") {
					h |= hintSlug
				}
			}
		case len("rel"):
			if t == tagA && foldEqual(a.key, "rel") && foldEqual(bytes.TrimSpace(a.value), "author") {
				h |= hintAuthor | hintSurely
			}
		case len("role"):
			if foldEqual(a.key, "role") {
				h |= roleHints(a.value)
				tab = foldEqual(a.value, "tabpanel")
				if inText(t) && isCell(a.value) {
					r.prose.gap = max(r.prose.gap, spaced)
				}
			}
		case len("class"):
			if foldEqual(a.key, "class") {
				named |= r.lists.wordHints(a.value)
			} else if foldEqual(a.key, "style") {
				h |= concealed(a.value)
				if coloured && bytes.Contains(a.value, []byte("user-select:none")) {
					h |= hintNumbers
				}
			} else if hasYear(a.value) && foldEqual(a.key, "title") && r.isLongAgo() {
				h, value = h|hintDate, r.value("title")
			}
		case len("hidden"):
			if foldEqual(a.key, "hidden") && !foldEqual(a.value, "until-found") { // which a search in the page unfolds
				h |= hintHidden
			}
		case len("popover"):
			if foldEqual(a.key, "popover") && isPopover(a.value) {
				h |= hintHidden
			}
		case len("aria-hidden"):
			if !inText(t) && !inLine(t) && foldEqual(a.key, "aria-hidden") && !foldEqual(a.value, "false") {
				h |= hintNumbers
			}
		case len("itemprop"):
			if foldEqual(a.key, "itemprop") {
				if about := propertyHints(a.value); about != 0 {
					h, value = h|about, r.value("content")
				}
				text = foldEqual(a.value, "text") || propertyHints(a.value)&hintMain != 0
			} else if foldEqual(a.key, "property") {
				if about := propertyHints(a.value); about&hintSurely != 0 {
					h, value = h|about, r.value("content")
				}
			} else if t == tagTime && foldEqual(a.key, "datetime") {
				if h, value = h|hintSurely, r.value("datetime"); r.behind(justChanged) {
					h |= hintLater
				}
			}
		}
	}
	if h&hintName != 0 && r.authorAround() == nothing {
		h &^= hintName
	}
	if text {
		named &^= hintsOfBlocks | hintExtra
	}
	if tab {
		h &^= hintHidden
	}
	if t == tagAside && named&hintNote != 0 {
		h = 0
	}
	if (h|named)&hintNumbers != 0 && r.numbersLines(t) {
		r.top().silent = true
	}
	switch {
	case coloured, r.isSource(t), named&unwanted != 0 && r.beginsCode():
		named = 0
	case r.isComponent(t): // in its classes programs keep things of their own
		named = r.lists.wordHints(r.name)
	case named&hintExtra != 0 && r.bearsTip(t):
		named &^= hintExtra
	case t == tagH1: // it names the page, whoever sees it
		named &^= hintHidden
	}
	return (h | named) &^ hintNumbers, value
}

// isComponent says of the element whose tag was read that its name is the author's, and that it begins a line: its name says what it is for,
// as a class does.
func (r *reading) isComponent(t tag) bool {
	return t == none && bytes.IndexByte(r.name, '-') > 0 && (r.prose.gap == lined || len(r.prose.buf) == 0)
}

// isPopover tells of the value of an attribute "popover" that the element is not shown until somebody asks for it. That of a program is
// what it shows itself.
func isPopover(kind []byte) bool {
	return len(kind) == 0 || foldEqual(kind, "auto") || foldEqual(kind, "manual") || foldEqual(kind, "hint")
}

// propertyHints are what microdata says, or RDFa, which has the vocabulary before a name.
func propertyHints(names []byte) (h hint) {
	for word := range bytes.FieldsSeq(names) {
		vocabulary, name, ok := bytes.Cut(word, []byte(":"))
		if ok {
			word = name
		}
		switch {
		case ok && (foldEqual(vocabulary, "dc") || foldEqual(vocabulary, "dcterms")) && (foldEqual(word, "created") || foldEqual(word, "issued")):
			h |= hintDate | hintSurely
		case foldEqual(word, "author"), foldEqual(word, "creator"):
			h |= hintAuthor | hintSurely | hintByline
		case foldEqual(word, "datepublished"), foldEqual(word, "datecreated"):
			h |= hintDate | hintSurely
		case foldEqual(word, "datemodified"):
			h |= hintChanged
		case foldEqual(word, "articlebody"):
			h |= hintMain
		case foldEqual(word, "name"):
			h |= hintName
		}
	}
	return h
}

// openPart begins a part at the innermost element, if it is one: an element in a line is one only by its name.
func (r *reading) openPart(t tag, h hint, value string, lines bool) {
	if h == 0 && (!lines || t == tagTr || t == tagTbody || t == tagOption) || len(r.parts) >= maxParts {
		return
	}
	e := r.top()
	r.parts = append(r.parts, part{parent: e.part, region: e.region, tag: t, hints: h, class: e.class, value: value})
	e.part = int32(len(r.parts) - 1)
}

// authorAround is the part around the innermost element that is called the author, or nothing.
func (r *reading) authorAround() int32 {
	for i := r.top().part; i > 0; i = r.parts[i].parent {
		if r.parts[i].hints&hintAuthor != 0 {
			return i
		}
	}
	return nothing
}

// nameOfAuthor notes the name that a meta element gives the author in whose microdata it stands.
func (r *reading) nameOfAuthor(property []byte, name string) {
	if !foldEqual(property, "name") {
		return
	}
	if i := r.authorAround(); i != nothing && r.parts[i].hints&hintSurely != 0 && r.parts[i].value == "" {
		r.parts[i].value = name
	}
}
