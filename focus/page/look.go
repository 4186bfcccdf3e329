package page

import (
	"bytes"
	"slices"
)

// look is the visual style of the element whose tag was read, its class aside, in one number, and whether the style sets
// the element apart from what surrounds it. There is no renderer: style is what attributes say.
func (r *reading) look(t tag) (look uint64, apart bool) {
	look = mix(1469598103934665603, []byte{byte(t)})
	for i := range r.attrs {
		a := &r.attrs[i]
		switch {
		case foldEqual(a.key, "bgcolor"), foldEqual(a.key, "background"):
			look, apart = mix(look, a.value), true
		case foldEqual(a.key, "width"), foldEqual(a.key, "align"):
			look = mix(look, a.value)
		case t == tagFont && (foldEqual(a.key, "color") || foldEqual(a.key, "face") || foldEqual(a.key, "size")):
			look, apart = mix(look, a.value), true
		case foldEqual(a.key, "style"):
			s, framed, inked := shows(a.value)
			look, apart = mix(look, s[:]), apart || framed || inked && inText(t)
		}
	}
	return look, apart
}

// inText says whether an element stands in lines of text, where a colour or a font is a change of style.
func inText(t tag) bool { return t == tagFont || t == tagSpan }

// mix is one step of FNV-1a over b.
func mix(h uint64, b []byte) uint64 {
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h * 1099511628211
}

// What an inline style sets a part apart by: a frame or a background of its own, or else ink, a colour or a font.
var (
	frames = [][]byte{[]byte("background"), []byte("border"), []byte("float")}
	inks   = [][]byte{[]byte("color"), []byte("font")}
)

// shows is what of an inline style can be seen beside sizes and places, in whatever order it is written.
func shows(style []byte) (seen [8]byte, framed, inked bool) {
	sum := uint64(0)
	for len(style) > 0 {
		declaration := style
		if i := bytes.IndexByte(style, ';'); i >= 0 {
			declaration, style = style[:i], style[i+1:]
		} else {
			style = nil
		}
		name, value, ok := bytes.Cut(declaration, []byte(":"))
		if name = bytes.TrimSpace(name); !ok {
			continue
		}
		frame, ink := begins(name, frames), begins(name, inks)
		if framed, inked = framed || frame, inked || ink; frame || ink {
			sum += fold(fold(1469598103934665603, name), value)
		}
	}
	for i := range seen {
		seen[i] = byte(sum >> (8 * i))
	}
	return seen, framed, inked
}

// begins says whether a name begins as one of a list does.
func begins(name []byte, with [][]byte) bool {
	for _, w := range with {
		if len(name) >= len(w) && foldEqual(name[:len(w)], string(w)) {
			return true
		}
	}
	return false
}

// fold is one step of FNV-1a over b without its spaces and capitals.
func fold(h uint64, b []byte) uint64 {
	for _, c := range b {
		if isSpace(c) {
			continue
		}
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h * 1099511628211
}

// sameLook says whether two regions look the same: their inline styles, and their classes.
func (g *region) sameLook(h *region) bool {
	return g.style == h.style && g.hints == h.hints && (bytes.Equal(g.class, h.class) || g.kindred(h))
}

// kindred says whether two classes are of one kind: more than half of their words are common to both, where a number at the
// end of a word is not looked at, nor what says only where an element stands among others or in which state it is. But parts
// with links that authors only number are not one: they number boxes, too.
func (g *region) kindred(h *region) bool {
	var a, b [maxClass]uint64
	n, numbered := classWords(g.class, &a)
	m, also := classWords(h.class, &b)
	if (numbered || also) && g.links > 1 && h.links > 1 {
		return false
	}
	both := 0
	for _, x := range a[:n] {
		if slices.Contains(b[:m], x) {
			both++
		}
	}
	return both == n && both == m || 2*both > n+m-both
}

// maxClass bounds the words of a class that are compared.
const maxClass = 12

// classWords are the words of a class, hashed, each once, and whether one of them ends in a number.
func classWords(class []byte, words *[maxClass]uint64) (n int, numbered bool) {
	for word := range bytes.FieldsSeq(class) {
		stem := bytes.TrimRight(word, "0123456789")
		if len(stem) == 0 {
			stem = word[:1]
		}
		if states[string(stem)] {
			continue
		}
		numbered = numbered || len(stem) < len(word)
		h, seen := fold(0, stem), false
		for _, have := range words[:n] {
			seen = seen || have == h
		}
		if !seen && n < maxClass {
			words[n] = h
			n++
		}
	}
	return n, numbered
}

// states are the words of classes that tell items of one list from each other.
var states = map[string]bool{
	"first": true, "last": true, "odd": true, "even": true, "alt": true, "active": true, "current": true, "cur": true, "on": true,
	"selected": true, "hover": true, "clear": true, "clearfix": true, "cf": true, "fix": true,
}
