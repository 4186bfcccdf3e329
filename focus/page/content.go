package page

import "iter"

// Content says which part of a page is judged.
type Content uint8

// The parts.
const (
	Whole     Content = iota
	ByKind            // of a hub the anchors, of a text page what stands outside of anchors
	MainBlock         // the main text block
)

// Content are the runs that are judged. Title and description belong to every part of a page.
func (p *Page) Content(c Content) iter.Seq[*Run] {
	main := c == MainBlock && p.hasMain()
	return func(yield func(*Run) bool) {
		for i := range p.Runs {
			u := &p.Runs[i]
			if u.Position != Title && u.Position != Meta {
				switch {
				case c == ByKind && u.Linked != (p.Kind == Hub), main && !p.Blocks[u.Block].Main:
					continue
				}
			}
			if !yield(u) {
				return
			}
		}
	}
}

// hasMain says whether the page has a main text block; of one that has none the whole is judged.
func (p *Page) hasMain() bool {
	for i := range p.Blocks {
		if p.Blocks[i].Main {
			return true
		}
	}
	return false
}

// Filter says what becomes of links in blocks that are not related to the page.
type Filter uint8

// The filters.
const (
	Soft   Filter = iota // their score is halved
	Strict               // they are dropped
)

// Weight is what the related-link filter does to the score of a link: 1 keeps it, 0 drops it. Links in text, in related
// blocks and, on a hub, in all blocks of links are kept: the filter is for the rest of what surrounds a text.
func (p *Page) Weight(l *Link, f Filter) float64 {
	if l.Block < 0 || int(l.Block) >= len(p.Blocks) {
		return 1
	}
	switch p.Blocks[l.Block].Kind {
	case Text, Related:
		return 1
	case Links:
		if p.Kind == Hub {
			return 1
		}
	}
	if f == Strict {
		return 0
	}
	return 0.5
}
