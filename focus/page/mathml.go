package page

import (
	"html"
	"strings"
)

// What MathML says without its source is written as TeX, too: browsers show it, and without it a sentence would have a hole where its
// formula stands.

// maxMath bounds the elements of a formula, maxMathDepth how deep they are nested.
const (
	maxMath      = 4000
	maxMathDepth = 60
)

// symbol is an element of a formula, or a letter, number or sign of it.
type symbol struct {
	name  string // as mi or mfrac
	attrs []attribute
	text  string
	inner []symbol
}

// mathReader reads the markup of a formula.
type mathReader struct {
	scanner
	left int // elements that may follow
}

// spelled is what MathML says as TeX, or nothing if it says nothing.
func spelled(markup []byte) string {
	m := mathReader{scanner: scanner{src: markup}, left: maxMath}
	var b strings.Builder
	for _, s := range m.read(0) {
		s.write(&b)
	}
	return strings.TrimSpace(b.String())
}

// read reads what stands in an element, up to its end.
func (m *mathReader) read(depth int) (list []symbol) {
	for m.left > 0 {
		switch m.next() {
		case eofToken:
			m.left = 0
		case textToken:
			if text := html.UnescapeString(string(m.text)); strings.TrimSpace(text) != "" {
				list = append(list, symbol{text: text})
			}
		case startToken:
			m.left--
			s := symbol{name: strings.ToLower(string(m.name)), attrs: append([]attribute(nil), m.attrs...)}
			if m.pos < 2 || m.src[m.pos-2] != '/' {
				if depth >= maxMathDepth {
					continue
				}
				s.inner = m.read(depth + 1)
			}
			list = append(list, s)
		case endToken:
			if depth > 0 {
				return list
			}
		}
	}
	return list
}

// given is what an attribute says, or the usual where it is not there.
func (s *symbol) given(name, usual string) string {
	for i := range s.attrs {
		if foldEqual(s.attrs[i].key, name) {
			return plainText(s.attrs[i].value)
		}
	}
	return usual
}

// part is one of the parts that an element is made of.
func (s *symbol) part(i int) *symbol {
	if i < len(s.inner) {
		return &s.inner[i]
	}
	return &symbol{}
}

// said is the text of an element, and inside is it with the blanks at its ends.
func (s *symbol) said() string { return strings.TrimSpace(s.inside()) }

func (s *symbol) inside() string {
	text := s.text
	for i := range s.inner {
		text += s.inner[i].inside()
	}
	return text
}

// write writes an element as TeX.
func (s *symbol) write(b *strings.Builder) {
	switch s.name {
	case "":
		b.WriteString(escapeTeX.Replace(strings.TrimSpace(s.text)))
	case "mi", "mn", "mo", "ms":
		s.writeSign(b)
	case "mtext":
		if text := s.inside(); text != "" {
			b.WriteString(`\text{` + escapeTeX.Replace(text) + "}")
		}
	case "mspace":
		b.WriteByte(' ')
	case "annotation", "annotation-xml", "mphantom", "none", "mprescripts":
	case "semantics", "maction":
		s.part(0).write(b)
	case "mfrac":
		b.WriteString(`\frac`)
		s.groups(b, 0, 1)
	case "msqrt":
		b.WriteString(`\sqrt{`)
		s.all(b)
		b.WriteByte('}')
	case "mroot":
		b.WriteString(`\sqrt[`)
		s.part(1).write(b)
		b.WriteByte(']')
		s.groups(b, 0)
	case "msup", "msub", "msubsup", "mover", "munder", "munderover":
		s.writeScripts(b)
	case "mmultiscripts":
		s.writeMany(b)
	case "mfenced":
		s.writeFenced(b)
	case "mtable":
		s.writeTable(b)
	default:
		s.all(b)
	}
}

func (s *symbol) all(b *strings.Builder) {
	for i := range s.inner {
		s.inner[i].write(b)
	}
}

// groups writes parts, each in braces.
func (s *symbol) groups(b *strings.Builder, parts ...int) {
	for _, i := range parts {
		b.WriteByte('{')
		s.part(i).write(b)
		b.WriteByte('}')
	}
}

// writeSign writes a letter, a name, a number or a sign. A name is one of TeX's functions, or set upright.
func (s *symbol) writeSign(b *strings.Builder) {
	text := s.said()
	switch {
	case text == "" || strings.Trim(text, "\u2061\u2062\u2063\u2064") == "":
	case s.name == "mi" && functions[text]:
		b.WriteString(`\` + text + " ")
	case s.name == "mi" && len(text) > 1 && isWord(text[0]) && isWord(text[1]):
		b.WriteString(`\mathrm{` + escapeTeX.Replace(text) + "}")
	default:
		b.WriteString(escapeTeX.Replace(text))
	}
}

// functions are those that TeX knows by name.
var functions = map[string]bool{
	"sin": true, "cos": true, "tan": true, "cot": true, "log": true, "ln": true, "exp": true, "lim": true, "max": true, "min": true, "sup": true,
	"inf": true, "det": true, "arg": true, "gcd": true, "dim": true, "ker": true, "sinh": true, "cosh": true, "tanh": true,
	"arcsin": true, "arccos": true, "arctan": true,
}

// escapeTeX makes of signs that mean something to TeX the signs themselves.
var escapeTeX = strings.NewReplacer(`\`, `\backslash `, "{", `\{`, "}", `\}`, "#", `\#`, "%", `\%`, "&", `\&`, "_", `\_`, "$", `\$`, "\u2212", "-", "\u00a0", " ")

// accents are what stands over or under one letter, or several, as TeX calls it.
var accents = map[string]string{
	"¯": "overline", "‾": "overline", "―": "overline", "^": "hat", "ˆ": "hat", "~": "tilde", "˜": "tilde", "→": "vec", "⃗": "vec", "˙": "dot", "¨": "ddot",
	"⏞": "overbrace",
}

// writeScripts writes what has something above it, below it, or both.
func (s *symbol) writeScripts(b *strings.Builder) {
	above := s.part(len(s.inner) - 1)
	if accent := accents[above.said()]; s.name == "mover" && accent != "" {
		b.WriteString(`\` + accent)
		s.groups(b, 0)
		return
	}
	s.part(0).writeBase(b)
	signs := map[string]string{"msup": "^", "mover": "^", "msub": "_", "munder": "_"}[s.name]
	if signs == "" {
		signs = "_^"
	}
	for i := range len(signs) {
		s.part(i+1).writeScript(b, signs[i])
	}
}

// writeBase writes what a script stands at. Of several signs it is one group.
func (s *symbol) writeBase(b *strings.Builder) {
	var base strings.Builder
	s.write(&base)
	text := base.String()
	if len(s.inner) > 1 && s.name != "mo" && s.name != "mi" && s.name != "mn" && !strings.HasPrefix(text, "(") {
		text = "{" + text + "}"
	}
	b.WriteString(strings.TrimSuffix(text, " "))
}

// writeScript writes what stands above or below, if anything does.
func (s *symbol) writeScript(b *strings.Builder, sign byte) {
	var script strings.Builder
	s.write(&script)
	if text := strings.TrimSpace(script.String()); text != "" {
		b.WriteString(string(sign) + "{" + text + "}")
	}
}

// writeMany writes what has several scripts, also before it.
func (s *symbol) writeMany(b *strings.Builder) {
	before := len(s.inner)
	for i := range s.inner {
		if s.inner[i].name == "mprescripts" {
			before = i
		}
	}
	for i := before + 1; i < len(s.inner); i += 2 {
		b.WriteString("{}")
		s.part(i).writeScript(b, '_')
		s.part(i+1).writeScript(b, '^')
	}
	s.part(0).writeBase(b)
	for i := 1; i+1 < before; i += 2 {
		s.part(i).writeScript(b, '_')
		s.part(i+1).writeScript(b, '^')
	}
}

// writeFenced writes a list in brackets. Those that are given as nothing are none, and of the signs between its parts the last holds for the rest.
func (s *symbol) writeFenced(b *strings.Builder) {
	between := []rune(strings.Join(strings.Fields(s.given("separators", ",")), ""))
	b.WriteString(escapeTeX.Replace(s.given("open", "(")))
	for i := range s.inner {
		if i > 0 && len(between) > 0 {
			b.WriteString(escapeTeX.Replace(string(between[min(i, len(between))-1])))
		}
		s.inner[i].write(b)
	}
	b.WriteString(escapeTeX.Replace(s.given("close", ")")))
}

// writeTable writes the rows of a matrix.
func (s *symbol) writeTable(b *strings.Builder) {
	b.WriteString(`\begin{matrix}`)
	for i := range s.inner {
		if i > 0 {
			b.WriteString(` \\`)
		}
		for k := range s.inner[i].inner {
			if k > 0 {
				b.WriteString(" &")
			}
			b.WriteByte(' ')
			s.inner[i].inner[k].all(b)
		}
	}
	b.WriteString(` \end{matrix}`)
}
