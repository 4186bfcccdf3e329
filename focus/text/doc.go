// Package text answers one question: what are the words?
//
// A Cutter turns text, Chinese and English alike, into Tokens. A Doc is the words of one page with the places they
// stand in. Decode turns bytes of any charset into UTF-8, Detect tells a language. The package knows no topic and no
// page. It serves steps 3 and 4 of the journey (see package focus).
//
// One scanner reads all text. It takes words and names of scripts with spaces (5G, C++, iPhone15, AT&T), and the
// topic's own terms, before a segmenter sees what is left: runs of Chinese. Scripts that are as dense as Chinese but
// have no dictionary here (kana, Thai, …) give each two neighbouring characters. Characters are compared in lower
// case, half width and simplified, so that 體育 is 体育 and Ｃ＋＋ is C++; words with the marks that stand behind a letter
// joined to it (é is é), those of French and Italian without the article that is joined to them (l'énergie); English words by their Snowball stems; stop words, digits alone and single letters are left out.
//
// A term of the topic is one token wherever it occurs, under its key (see Cutter.Keys). A phrase ("office hours",
// 世界杯 决赛) matches words that follow each other with nothing but spaces, hyphens, slashes or middle dots
// between them; between parts in Chinese there may be nothing at all. A name with a dot before it (.NET) is found with that dot alone. Of terms that begin at one place the
// longest counts, and none overlap. A term of two Chinese characters counts only where a cut does not go through it,
// and one of a single character only where it is a word: 和服 is not in 产品和服务. That is why Find, which looks for
// nothing but terms, must cut a sentence of Chinese if such a term may be in it, and only then.
//
// Chinese is cut by gojieba in builds with cgo, else by the same method over the same dictionary in Go; the words are
// the same (see Backend).
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

// Token is one word as it is counted: lower case, Latin words stemmed, Chinese as cut and simplified. Words of up to
// 64 bytes hold no page in memory: their Term is shared by all pages.
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
	Aside    bool // it stands in a menu, an advertisement or a list of links, and is not what the page itself has to say
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
