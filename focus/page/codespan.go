package page

import (
	"bytes"
	"strings"
)

// codes is code within a line of Markdown, between back quotes. What is linked or strong in it has its signs around a piece of the code.
type codes struct {
	code   bool // what comes is
	opened int  // where the last piece was written, its quotes with it
	shuts  int  // where it ends
	quotes int  // how many it has on either side
	padded bool // there are blanks inside of them
}

// maxMended bounds the code that is written anew when more of it comes that has back quotes.
const maxMended = 1000

// writeCode writes a piece of code; it goes on with the one before where nothing stands between them.
func (w *markdown) writeCode(s string) {
	s = strings.ReplaceAll(s, "\n", " ")
	bare := strings.TrimSpace(s)
	if bare == "" {
		w.put(s)
		return
	}
	lead, trail, _ := strings.Cut(s, bare)
	goesOn := lead == "" && w.shuts > 0 && w.shuts == w.out.Len()
	if w.inCell() {
		bare = strings.ReplaceAll(bare, "|", `\|`)
	}
	switch plain := strings.IndexByte(bare, '`') < 0; {
	case goesOn && plain && w.quotes == 1:
		w.out.Truncate(w.shuts - 1)
		w.put(bare + "`")
	case goesOn && w.shuts-w.opened > maxMended:
		w.putByte(' ')
		w.quote(bare)
	case goesOn:
		held := w.out.Bytes()[w.opened+w.quotes : w.shuts-w.quotes]
		if w.padded {
			held = held[1 : len(held)-1]
		}
		bare = string(held) + bare
		w.out.Truncate(w.opened)
		w.quote(bare)
	default:
		w.put(lead)
		w.quote(bare)
	}
	w.shuts = w.out.Len()
	w.put(trail)
}

// quote writes code with as many back quotes around it as it needs.
func (w *markdown) quote(code string) {
	w.quotes, w.padded = longestRow(code)+1, code[0] == '`' || code[len(code)-1] == '`'
	quotes := strings.Repeat("`", w.quotes)
	w.opened = w.out.Len()
	if w.padded {
		code = " " + code + " "
	}
	w.put(quotes + code + quotes)
}

// longestRow is how many back quotes stand in a row in a text at most.
func longestRow[Text string | []byte](s Text) (longest int) {
	row := 0
	for i := range len(s) {
		if row++; s[i] != '`' {
			row = 0
		}
		longest = max(longest, row)
	}
	return longest
}

// codeStart notes the beginning of code, and in what is laid out the language that it is in.
func (r *reading) codeStart() {
	if !r.top().pre {
		r.prose.mark(markCode, 0)
		return
	}
	if n := len(r.prose.marks) - 1; n >= 0 && r.prose.marks[n] == (mark{at: int32(len(r.prose.buf)), kind: markPre}) {
		r.prose.marks[n].arg = r.language(tagCode)
	}
}

// maxLanguages bounds the languages of code that are told of one page, maxLanguage the length of the name of one.
const (
	maxLanguages = 100
	maxLanguage  = 20

	languageAround = 5 // elements around code that may say its language: a figure has a table with a row and a cell
)

// language is the number of the language that the element whose tag was read says code is in, or one around it; 0 where they
// do not say.
func (r *reading) language(t tag) int32 {
	data, _ := r.attribute("data-lang")
	if len(data) == 0 {
		data, _ = r.attribute("data-language")
	}
	name := languageName(data)
	if name == "" {
		class, _ := r.attribute("class")
		name = languageOf(class, t)
	}
	for i := len(r.stack) - 2; name == "" && i > max(0, len(r.stack)-2-languageAround); i-- {
		name = languageOf(r.stack[i].class, r.stack[i].tag)
	}
	if name == "" || len(r.page.languages) == maxLanguages {
		return 0
	}
	r.page.languages = append(r.page.languages, name)
	return int32(len(r.page.languages))
}

// leadsToLanguage are the beginnings of the words that name it: on code alone or around it, too, and where another word stands beside.
var leadsToLanguage = []struct {
	word, beside string
	around       bool
}{
	{word: "language-", around: true}, {word: "lang-"}, {word: "brush:"}, {word: "highlight-source-", around: true},
	{word: "highlight-", beside: "notranslate", around: true},
}

// languageOf is the language that a class names: in "language-go", or behind a word that says that it is coloured, "highlight go".
func languageOf(class []byte, t tag) string {
	itself, coloured := t == tagPre || t == tagCode, false
	for word := range bytes.FieldsSeq(class) {
		for _, lead := range leadsToLanguage {
			if len(word) > len(lead.word) && string(word[:len(lead.word)]) == lead.word && (itself || lead.around) && bytes.Contains(class, []byte(lead.beside)) {
				return languageName(word[len(lead.word):])
			}
		}
		if coloured {
			return languageName(word)
		}
		coloured = t == tagFigure && string(word) == "highlight" || itself && (string(word) == "sourceCode" || string(word) == "brush:")
	}
	return ""
}

// languageName is the name of a language as it stands behind the fence of a block of code, or nothing if it is none.
func languageName(name []byte) string {
	name = bytes.ToLower(bytes.TrimSuffix(name, []byte(";")))
	for _, c := range name {
		if !isWord(c) && c != '+' && c != '#' && c != '-' && c != '.' {
			return ""
		}
	}
	switch s := string(name); {
	case len(s) > maxLanguage, s == "none", s == "undefined", s == "plaintext", s == "text", s == "default", s == "auto", s == "wrap", s == "numbers":
		return ""
	default:
		return s
	}
}
