package page

import (
	"bytes"
	"cmp"
	"html"
	"net/url"
	"strings"
)

// maxFormula bounds the bytes that are looked through for the source of a formula.
const maxFormula = 64 << 10

// formula writes a formula into the text as TeX between two dollars, as its authors and its readers have it. Where it is shown as a picture or in MathML,
// it would leave a hole in its sentence otherwise.
func (r *reading) formula(tex []byte) {
	tex = bytes.TrimSpace(tex)
	if inner, ok := bytes.CutPrefix(tex, []byte("% <![CDATA[")); ok { // which hides it from those who read it as XML
		tex = bytes.TrimSpace(bytes.TrimSuffix(inner, []byte("%]]>")))
	}
	if inner, ok := bytes.CutPrefix(tex, []byte(`{\displaystyle`)); ok {
		tex = bytes.TrimSpace(bytes.TrimSuffix(inner, []byte("}")))
	}
	if len(tex) > 0 {
		r.insert(append(append([]byte("$"), tex...), '$'))
	}
}

// insert writes what stands in no text of the markup, but is read where it stands.
func (r *reading) insert(text []byte) {
	if len(text) == 0 || r.foreign > 0 || r.inFrameset() {
		return
	}
	whole := r.text
	r.text = text
	r.say()
	r.text = whole
}

// tex is the source of the formula in MathML whose start tag was read: what it says in words is TeX by custom, and an annotation of it is.
// One without a source is spelled.
func (r *reading) tex() (source []byte, annotated bool) {
	for _, name := range []string{"alttext", "data-latex"} {
		if source, _ = r.attribute(name); len(source) > 0 {
			return source, false
		}
	}
	if r.sought > len(r.src) { // formulas do not stand in one another, so that no page needs more
		return nil, false
	}
	inside := r.src[r.pos:min(len(r.src), r.pos+maxFormula)]
	end := bytes.Index(inside, []byte("</math"))
	if end < 0 {
		r.sought += len(inside)
		return nil, false
	}
	r.sought += end
	_, behind, found := bytes.Cut(inside[:end], []byte(`encoding="application/x-tex"`))
	if !found {
		return []byte(html.EscapeString(spelled(inside[:end]))), false
	}
	if _, source, found = bytes.Cut(behind, []byte(">")); found {
		source, _, annotated = bytes.Cut(source, []byte("</annotation"))
	}
	return source, annotated
}

// texPicture is what a picture says that is drawn of TeX, as its class tells.
func (r *reading) texPicture() []byte {
	class, _ := r.attribute("class")
	for word := range bytes.FieldsSeq(class) {
		switch string(word) {
		case "latex", "tex", "math", "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display":
			source, _ := r.attribute("alt")
			return source
		}
	}
	return r.asked()
}

// asked is the TeX that a picture's address asks for.
func (r *reading) asked() []byte {
	src := r.value("src")
	path, query, asks := strings.Cut(src, "?")
	if !asks || !strings.Contains(src, "tex") {
		return nil
	}
	if strings.HasSuffix(path, ".latex") {
		tex, _ := url.PathUnescape(query)
		return []byte(html.EscapeString(tex))
	}
	says, _ := url.ParseQuery(query)
	return []byte(html.EscapeString(cmp.Or(says.Get("tex"), says.Get("latex"))))
}

// setForTheEye tells of a part that it is the formula again, set letter by letter: KaTeX does so behind its source, which was written, and
// MathJax before it, in a script.
func (r *reading) setForTheEye() bool {
	class, _ := r.attribute("class")
	if bytes.Equal(class, []byte("katex-html")) {
		annotated := r.annotated
		r.annotated = false
		return annotated
	}
	for word := range bytes.FieldsSeq(class) {
		switch string(word) {
		case "MathJax", "MathJax_Preview", "MathJax_Display", "MathJax_SVG", "MathJax_SVG_Display", "MathJax_CHTML", "mjx-chtml", "MJXc-display":
			return r.sourceFollows()
		}
	}
	return false
}

// sourceFollows tells whether the source of a formula stands in a script further on.
func (r *reading) sourceFollows() bool {
	if r.source < r.pos {
		r.source = len(r.src)
		if at := bytes.Index(r.src[r.pos:], []byte("math/tex")); at >= 0 {
			r.source = r.pos + at
		}
	}
	return r.source < len(r.src)
}
