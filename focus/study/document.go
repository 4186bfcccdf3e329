package study

import (
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/text"
)

// Document is the text of a page as package text wants it, so that topic needs no page.
func Document(p *page.Page) *text.Doc {
	d := &text.Doc{Hub: p.Kind == page.Hub}
	d.Segments = make([]text.Segment, len(p.Runs))
	for i := range p.Runs {
		u := &p.Runs[i]
		d.Segments[i] = text.Segment{Text: u.Text, Position: text.Position(u.Position), Block: u.Block, Aside: p.Aside(u)}
	}
	d.Language = text.Detect(p.Sample(2000), p.Language)
	d.Main = make([]bool, len(p.Blocks))
	for i, b := range p.Blocks {
		d.Main[i] = b.Main
	}
	return d
}
