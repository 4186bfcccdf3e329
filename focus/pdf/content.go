package pdf

import (
	"bytes"
	"math"
	"slices"
)

// matrix is a transformation of the plane: x' = ax + cy + e, y' = bx + dy + f.
type matrix [6]float64

var unmoved = matrix{1, 0, 0, 1, 0, 0}

// then is this transformation followed by another.
func (m matrix) then(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

func (m matrix) at(x, y float64) (float64, float64) {
	return m[0]*x + m[2]*y + m[4], m[1]*x + m[3]*y + m[5]
}

// letter is one sign as it stands on a page. Along and up are its place as who reads it sees that: how far along the line, and how
// high the line stands.
type letter struct {
	text           string
	x, y           float64 // on the page
	dx, dy         float64 // the direction of the line
	along, end, up float64
	size           float64
	bold           bool
}

// look is what of the graphics state counts for text.
type look struct {
	place                     matrix
	font                      *font
	size, leading, rise       float64
	letters, words, condensed float64 // spacing, and the scale of widths
}

// marked is a part of a page that says of itself what it is.
type marked struct {
	artifact bool   // no part of the text: a line at the head of the page, a number
	actual   string // what it says in other words
	said     bool   // and that was written
}

// painter runs the contents of a page.
type painter struct {
	file      *file
	look      look
	stack     []look
	text      matrix // of the line's next sign
	line      matrix // of the line's first one
	resources dict
	marks     []marked
	letters   []letter
	inside    []*stream // the forms that are under way
}

const (
	mostSaved   = 256 // states of graphics
	deepestForm = 12
	mostLetters = 1 << 18 // of a page
	mostMarks   = 1 << 10
)

// run runs contents with the resources they name things of.
func (p *painter) run(b []byte) {
	l := &lexer{b: b}
	var operands []object
	for p.file.left.Operators > 0 && len(p.letters) < mostLetters {
		o, ok := l.next(false, 0)
		if !ok {
			return
		}
		word, isOperator := o.(operator)
		if !isOperator {
			if operands = append(operands, o); len(operands) > 512 {
				operands = operands[256:]
			}
			continue
		}
		p.file.left.Operators--
		if word == "BI" {
			skipPicture(l)
		} else {
			p.do(word, operands)
		}
		operands = operands[:0]
	}
}

// skipPicture skips a picture that stands in the contents.
func skipPicture(l *lexer) {
	for {
		o, ok := l.next(false, 0)
		if !ok {
			return
		}
		if o == operator("ID") {
			break
		}
	}
	for at := l.at; ; {
		i := bytes.Index(l.b[min(at, len(l.b)):], []byte("EI"))
		if i < 0 {
			l.at = len(l.b)
			return
		}
		at += i + 2
		if isSpace(l.b[at-3]) && (at >= len(l.b) || isSpace(l.b[at])) {
			l.at = at
			return
		}
	}
}

// numbers are the last n operands; nil where there are fewer.
func numbers(operands []object, n int) []float64 {
	if len(operands) < n {
		return nil
	}
	out := make([]float64, n)
	for i, o := range operands[len(operands)-n:] {
		x, _ := o.(float64)
		if math.IsNaN(x) || math.Abs(x) > 1e9 {
			return nil
		}
		out[i] = x
	}
	return out
}

// do carries out one operator; those that paint no text and move nothing are passed over.
func (p *painter) do(word operator, operands []object) {
	last := object(nil)
	if len(operands) > 0 {
		last = operands[len(operands)-1]
	}
	switch word {
	case "q":
		if len(p.stack) < mostSaved {
			p.stack = append(p.stack, p.look)
		}
	case "Q":
		if n := len(p.stack); n > 0 {
			p.look, p.stack = p.stack[n-1], p.stack[:n-1]
		}
	case "cm":
		if n := numbers(operands, 6); n != nil {
			p.look.place = matrix(n).then(p.look.place)
		}
	case "BT":
		p.text, p.line = unmoved, unmoved
	case "Tf":
		if n := numbers(operands, 2); n != nil {
			p.look.size = n[1]
			used, _ := operands[len(operands)-2].(name)
			p.look.font = p.file.fontOf(p.file.dict(p.resources["Font"])[used])
		}
	case "Tc", "Tw", "Tz", "TL", "Ts":
		if n := numbers(operands, 1); n != nil {
			p.set(word, n[0])
		}
	case "Td", "TD", "Tm", "T*":
		p.move(word, operands)
	case "Tj":
		p.show(last)
	case "TJ":
		all, _ := last.(array)
		for _, o := range all {
			p.show(o)
		}
	case "'", "\"":
		if n := numbers(operands, 3); word == "\"" && n != nil {
			p.look.words, p.look.letters = n[0], n[1]
		}
		p.move("T*", nil)
		p.show(last)
	case "Do":
		used, _ := last.(name)
		if s, ok := p.file.resolve(p.file.dict(p.resources["XObject"])[used]).(*stream); ok {
			p.form(s)
		}
	case "BMC", "BDC":
		p.mark(word, operands)
	case "EMC":
		if n := len(p.marks); n > 0 {
			p.marks = p.marks[:n-1]
		}
	}
}

func (p *painter) set(word operator, n float64) {
	switch word {
	case "Tc":
		p.look.letters = n
	case "Tw":
		p.look.words = n
	case "Tz":
		p.look.condensed = n / 100
	case "TL":
		p.look.leading = n
	case "Ts":
		p.look.rise = n
	}
}

// move moves to another line.
func (p *painter) move(word operator, operands []object) {
	by := []float64{0, -p.look.leading}
	switch word {
	case "Tm":
		if n := numbers(operands, 6); n != nil {
			p.line = matrix(n)
			p.text = p.line
		}
		return
	case "Td", "TD":
		if by = numbers(operands, 2); by == nil {
			return
		}
		if word == "TD" {
			p.look.leading = -by[1]
		}
	}
	p.line = matrix{1, 0, 0, 1, by[0], by[1]}.then(p.line)
	p.text = p.line
}

// show writes a string, or moves by a number.
func (p *painter) show(o object) {
	look := &p.look
	switch o := o.(type) {
	case float64:
		if by := -o / 1000 * look.size; look.font != nil && look.font.vertical {
			p.advance(0, by)
		} else {
			p.advance(by*look.condensed, 0)
		}
	case str:
		if look.font == nil {
			return
		}
		look.font.each(o, func(g sign) {
			from := p.text
			spacing := look.letters
			if g.blank {
				spacing += look.words
			}
			if look.font.vertical {
				p.advance(0, spacing-look.size)
			} else {
				p.advance((g.wide*look.size+spacing)*look.condensed, 0)
			}
			p.put(g, from)
		})
	}
}

func (p *painter) advance(x, y float64) { p.text = matrix{1, 0, 0, 1, x, y}.then(p.text) }

// put notes a sign at its place.
func (p *painter) put(g sign, from matrix) {
	text := g.text
	for i := range p.marks {
		m := &p.marks[i]
		if m.artifact {
			return
		}
		if m.actual != "" {
			if text = ""; !m.said {
				text, m.said = m.actual, true
			}
		}
	}
	if text == "" || len(p.letters) >= mostLetters {
		return
	}
	look := &p.look
	m := from.then(look.place)
	l := letter{text: text, bold: look.font.bold}
	l.x, l.y = m.at(0, look.rise)
	along, across := matrix{m[0], m[1]}, matrix{m[2], m[3]} // where the axes of the text lead
	wide := g.wide * look.size * look.condensed
	if look.font.vertical {
		along, across, wide = matrix{-m[2], -m[3]}, matrix{m[0], m[1]}, look.size
	}
	long, high := math.Hypot(along[0], along[1]), math.Hypot(across[0], across[1])
	if l.size = math.Abs(look.size) * high; look.font.vertical {
		l.size = math.Abs(look.size) * long
	}
	if long == 0 || l.size == 0 || math.IsNaN(l.size) || math.IsInf(l.size, 0) {
		return
	}
	if look.size < 0 { // written backwards twice
		along[0], along[1], wide = -along[0], -along[1], -wide
	}
	l.dx, l.dy = along[0]/long, along[1]/long
	l.along, l.up = l.x*l.dx+l.y*l.dy, l.y*l.dx-l.x*l.dy
	l.end = l.along + math.Abs(wide)*long
	p.letters = append(p.letters, l)
}

// form runs contents that stand for themselves. None may lead to itself: what does is not run again.
func (p *painter) form(s *stream) {
	if p.file.name(s.dict["Subtype"]) != "Form" || len(p.inside) >= deepestForm || slices.Contains(p.inside, s) {
		return
	}
	look, stack, text, line, resources, marks := p.look, p.stack, p.text, p.line, p.resources, len(p.marks)
	p.stack = nil
	p.inside = append(p.inside, s)
	if n := numbers(p.file.array(s.dict["Matrix"]), 6); n != nil {
		p.look.place = matrix(n).then(p.look.place)
	}
	if own := p.file.dict(s.dict["Resources"]); own != nil {
		p.resources = own
	}
	p.run(p.file.decode(s))
	p.inside = p.inside[:len(p.inside)-1]
	p.look, p.stack, p.text, p.line, p.resources, p.marks = look, stack, text, line, resources, p.marks[:min(marks, len(p.marks))]
}

// mark begins a part that says of itself what it is.
func (p *painter) mark(word operator, operands []object) {
	if len(p.marks) >= mostMarks {
		return
	}
	m := marked{}
	if len(operands) > 0 {
		m.artifact = operands[0] == name("Artifact")
	}
	if len(operands) > 1 && word == "BDC" {
		d := p.file.dict(operands[1])
		if used, ok := operands[1].(name); ok {
			d = p.file.dict(p.file.dict(p.resources["Properties"])[used])
		}
		actual, _ := p.file.resolve(d["ActualText"]).(str)
		m.actual = phrase(actual)
	}
	p.marks = append(p.marks, m)
}
