package page

import "bytes"

// maxFormula bounds the bytes that are looked through for the source of a formula.
const maxFormula = 64 << 10

// formula writes a formula into the text as TeX between two dollars, as its authors and its readers have it. Where it is shown as a picture or in MathML,
// it would leave a hole in its sentence otherwise.
func (r *reading) formula(tex []byte) {
	tex = bytes.TrimSpace(tex)
	if inner, ok := bytes.CutPrefix(tex, []byte(`{\displaystyle`)); ok {
		tex = bytes.TrimSpace(bytes.TrimSuffix(inner, []byte("}")))
	}
	if len(tex) == 0 || r.foreign > 0 || r.inFrameset() {
		return
	}
	whole := r.text
	r.text = append(append([]byte("$"), tex...), '$')
	r.say()
	r.text = whole
}

// tex is the source of the formula in MathML whose start tag was read: what it says in words is TeX by custom, and an annotation of it is.
func (r *reading) tex() (source []byte, annotated bool) {
	if source, _ = r.attribute("alttext"); len(source) > 0 {
		return source, false
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
		return nil, false
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
	return nil
}

// setForTheEye tells of a part that it is the formula again, whose source was written: KaTeX sets it letter by letter.
func (r *reading) setForTheEye() bool {
	class, _ := r.attribute("class")
	return bytes.Equal(class, []byte("katex-html"))
}
