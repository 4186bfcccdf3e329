package study

import (
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/text"
)

// Document is the text of a page as package text wants it, so that topic needs no page.
func Document(p *page.Page) *text.Doc {
	d := &text.Doc{Hub: p.Kind == page.Hub}
	d.Segments = make([]text.Segment, len(p.Runs))
	var sample strings.Builder
	sample.Grow(2048)
	for i, stretch := range p.Runs {
		d.Segments[i] = text.Segment{Text: stretch.Text, Position: text.Position(stretch.Position), Block: stretch.Block, Aside: besides(p, stretch)}
		if n := sample.Len(); n < 2000 {
			sample.WriteString(page.Cut(stretch.Text, 2000-n))
			sample.WriteByte(' ')
		}
	}
	d.Language = text.Detect(sample.String(), p.Language)
	d.Main = make([]bool, len(p.Blocks))
	for i, b := range p.Blocks {
		d.Main[i] = b.Main
	}
	return d
}

// besides tells of a run that it is not the page's own text, but stands in a menu, in an advertisement, among links to other
// pages, or is a link of a list. What a list says beside its links is the page's own.
func besides(p *page.Page, stretch page.Run) bool {
	switch p.Blocks[stretch.Block].Kind {
	case page.Navigation, page.Advertisement, page.Related:
		return stretch.Position != page.Title && stretch.Position != page.Meta
	case page.Links, page.Hub:
		return stretch.Position == page.Anchor
	}
	return false
}
