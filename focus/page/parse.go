package page

import (
	"context"
	"net/http"
	"unicode/utf8"
)

// Context says how far the words around a link reach.
type Context uint8

// The reaches of context.
const (
	SameBlock Context = iota // up to the edge of the link's block
	WholePage
)

// Segment says which pages are cut into blocks.
type Segment uint8

// The pages that are cut into blocks.
const (
	AllPages   Segment = iota // also hubs, whose blocks carry most links
	TopicPages                // a hub is one block, as block-shark's source has it
)

// Options bound and tune the reading of a page. The zero value means the defaults.
type Options struct {
	MaxLinks int // links per page; 0 means 5000
	MaxDepth int // nesting; 0 means 512
	MaxText  int // bytes of text; 0 means 2 MiB

	HubRatio float64 // share of anchors in the text above which a page is a hub and a block is one of links; 0 means 0.6
	Context  Context
	Segment  Segment
	Hidden   bool                                                            // also read the markup in textarea, where portals keep what a script shows later, in noframes, and what else stands in hidden.go
	Plain    bool                                                            // plain text is a page, too; what asks for Read must heed it
	PDF      func(ctx context.Context, body []byte) (html []byte, err error) // reads a PDF, which is a page, too; nil refuses it
	Charset  string                                                          // what the page was in before it was UTF-8: in these letters its links ask
	Header   http.Header                                                     // of the answer: its Refresh and Link say of links what the head of a page can say
	Lists    *Lists                                                          // what is known about the habits of authors; nil means the package's own lists
}

// In are the options for a page that was in a charset, and came with a header.
func (o Options) In(charset string, header http.Header) Options {
	o.Charset, o.Header = charset, header
	return o
}

// withDefaults fills in what is not said.
func (o Options) withDefaults() Options {
	if o.MaxLinks <= 0 {
		o.MaxLinks = 5000
	}
	if o.MaxDepth <= 0 {
		o.MaxDepth = 512
	}
	o.MaxDepth = max(o.MaxDepth, 8)
	if o.MaxText <= 0 {
		o.MaxText = 2 << 20
	}
	if !(o.HubRatio > 0) {
		o.HubRatio = 0.6
	}
	if o.Lists == nil {
		o.Lists = standard()
	}
	return o
}

// Parse reads an HTML page in UTF-8, found at address, into a Page. It reads anything: what is not HTML gives a page
// of text, what is not UTF-8 has its bad bytes replaced, what exceeds a bound is cut and Page.Cut says so.
//
// The page's strings of text are slices of one buffer: who keeps one for longer than the page should clone it. URL,
// Identity and Path of links may be kept.
func Parse(body []byte, address string, o Options) *Page {
	s := rooms.Get().(*scratch)
	r := newReading(inPlace(body), address, o.withDefaults(), s)
	r.header(o.Header)
	r.run()
	r.unshown()
	r.finish()
	p := r.page
	s.leave(r)
	return p
}

// newReading is a reading in a borrowed room (scratch): its slices grow once for many pages. The html element and the body's region are
// there from the start, whatever the page has.
func newReading(body []byte, address string, o Options, s *scratch) *reading {
	r := &reading{
		scanner: scanner{src: body, attrs: s.attrs, hidden: o.Hidden},
		o:       o, lists: o.Lists, page: &Page{URL: address}, address: address,
		building: building{stack: append(s.stack, element{tag: tagHtml, own: nothing, link: nothing}), formats: s.formats},
		regions:  append(s.regions, region{parent: nothing, heading: nothing, title: nothing, before: nothing, tag: tagBody}),
		links:    s.links,
		parts:    append(s.parts, part{parent: nothing, tag: tagBody}),
		blocking: blocking{weighed: s.weighed, seen: s.seen, shingles: s.words},
		prose:    prose{buf: s.text, link: nothing, runs: s.runs, marks: s.marks},
		valid:    utf8.Valid(body),
		unseen:   hasUnseen(body),
	}
	return r
}
