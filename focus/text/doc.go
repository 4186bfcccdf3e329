// Package text answers one question: what are the words?
//
// A Cutter turns text, Chinese and English alike, into Tokens. A Doc is the words of one page with the places they
// stand in. Decode turns bytes of any charset into UTF-8. The package knows no topic and no page. It serves steps 3
// and 4 of the journey (see package focus).
package text

// Speech is a part of speech, as coarse as the weights that are put on it.
type Speech uint8

// The parts of speech. Words that were not tagged are Nouns: they carry full weight.
const (
	Noun Speech = iota
	Adjective
	Verb
	Adverb
	Function
)

// Position says where on a page words stand. The numbers are those of page.Position.
type Position uint8

// The positions of text, from the least telling to the most.
const (
	Body Position = iota
	Anchor
	Emphasis
	Meta
	Heading
	Top
	Title
)

// Token is one word as it is counted: lower case, Latin words stemmed, Chinese as cut.
type Token struct {
	Term     string
	Segment  int32 // index into Doc.Segments
	Position Position
	Speech   Speech
}

// Segment is a run of text before it is cut.
type Segment struct {
	Text     string
	Position Position
	Block    int32
}

// Doc is the text of one page: segments in the order of the page, and the tokens they were cut into. It is filled
// by focus, so that the topic needs no page.
type Doc struct {
	Language string // zh, en, or another BCP 47 primary tag
	Hub      bool   // the page is a hub by its anchor ratio
	Segments []Segment
	Main     []bool // by block: is it (in) the main text? nil if nobody looked
	tokens   []Token
	cutBy    *Cutter
	found    []Token
	foundBy  *Cutter
}

// size is the number of bytes of all segments.
func (d *Doc) size() int {
	n := 0
	for _, s := range d.Segments {
		n += len(s.Text)
	}
	return n
}
