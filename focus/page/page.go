// Package page answers one question: what does the page say?
//
// Parse turns bytes into a Page in one pass: title, text by position, blocks, links. A Link knows its anchor, the words
// around it, the block it stands in and its tag path. A Block is a part of the page that speaks of one thing, and has a
// Kind: text, links, navigation, advertisement, or links related to the page. Canonical gives an address its identity.
// Page.MainText and Page.Markdown hand out the text that is kept, Page.Unrelated is the filter of related links,
// Page.Draw shows the blocks to a person. The package knows no topic, no network and no other package of
// ours. It serves step 3 of the journey (see package focus).
//
// How it reads. A scanner cuts the bytes where the HTML standard's tokenizer does, but looks for the next '<' with an
// indexed search and copies nothing; the standard's rules for building a tree run on the stack of open elements alone.
// So the links are those of the tree, at about the cost of golang.org/x/net/html's tokenizer and with a fifth of its
// allocations. The page's text is written once, into one buffer of which runs, anchors, contexts and headings are
// slices. Blocks are made when the page has been read, from the parts that elements, headings and rules cut it into.
//
// What is known about authors' habits (words in classes, words on anchors, hosts of advertisers, tracking parameters,
// endings of files) is data: words.go, to which Options.Lists may add.
package page

// Position says where on a page a run of text stands.
type Position uint8

// The positions of text, from the least telling to the most.
const (
	Body Position = iota
	Anchor
	Emphasis
	Meta    // description and keywords
	Heading // h2 and below
	Top     // h1
	Title
)

// Run is a run of text of one position in one block. Runs stand in the order of the page.
type Run struct {
	Text     string
	Position Position
	Linked   bool  // it is part of a link's anchor, whatever its position
	Block    int32 // index into Page.Blocks
	Main     bool  // it belongs to the main text

	at int32 // where it begins in the page's prose, -1 if it stands elsewhere
}

// Kind says what a page or a block is for.
type Kind uint8

// The kinds. A page is Text ("topic page" in the sources) or Hub; a block is Text, Links, Navigation,
// Advertisement or Related (a block of links to pages on the same subject).
const (
	Text Kind = iota
	Hub
	Links
	Navigation
	Advertisement
	Related
)

// Block is a part of a page that speaks of one thing. Blocks nest: a block's Parent stands before it, and block 0
// is the page itself.
type Block struct {
	Parent      int32 // -1 for block 0
	Kind        Kind
	Path        string // tag path with classes, e.g. "body/div.main/ul"
	Heading     string // the nearest heading inside it or before it
	Width       int32  // in pixels where it is known, 0 where not
	Chars       int32  // characters of text, anchors included, without nested blocks
	AnchorChars int32  // characters of anchor text among them
	LinkCount   int32
	Main        bool // the main text block, or part of it

	filter *filter // of a block of links that may be one of related links
}

// Rel are the marks an author, or a robots meta element, put on a link.
type Rel uint8

// The marks that mean something to a crawler.
const (
	NoFollow Rel = 1 << iota
	UGC
	Sponsored
)

// Source says which element a link came from.
type Source uint8

// Where links come from.
const (
	A Source = iota
	Area
	Frame
	Iframe
	Next      // link rel=next
	Alternate // link rel=alternate that is a page (another language, a mobile form)
	Feed      // RSS or Atom
	Refresh   // meta refresh
	Sitemap
)

// Link is one address a page points to. The same address twice on a page is one Link with its anchors joined; it
// stands where it first stood, and a mark of Rel holds only if all its mentions have it. Addresses that are not http or https, and the page's own, are no links; files that hold
// no page (see Binary) are.
type Link struct {
	URL      string // as written, resolved, without fragment: what is fetched
	Identity string // its canonical form
	Host     string // host with port where it is not the scheme's own, lower case
	Anchor   string // text of the link, or alt and title of its image
	Before   string // text before it in the same block, up to about 20 words
	After    string // text after it in the same block
	Heading  string // the nearest heading before it
	Path     string // tag path with classes
	Block    int32
	Order    int32 // among the page's links
	Rel      Rel
	Source   Source
	Listed   bool // a sitemap of its host has it as one of its pages
}

// Facts are what the page says of itself.
type Facts struct {
	Description, Keywords, Author, Date, SiteName, Canonical string
	NoIndex, NoFollow                                        bool   // robots meta element
	LeadsTo                                                  string // where it leads by itself at once, with hardly a word of its own
}

// Page is all that is kept of a page after reading it. It holds no nodes of a tree.
type Page struct {
	URL      string
	Base     string // what relative addresses were resolved against
	Language string // <html lang>, lower case, as written
	Title    string
	Facts    Facts
	Runs     []Run
	Blocks   []Block
	Links    []Link
	Kind     Kind    // Hub or Text
	HubRatio float64 // anchor characters / all characters
	Cut      string  // which bound cut the page short ("links", "depth", "text", "attributes", "blocks"), empty if none did

	prose string
	marks []mark
	laid  []laid

	languages []string // of the code that is laid out
}
