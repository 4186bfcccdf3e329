package page

// Unrelated says whether the related-link filter turns against a link: it stands among navigation or advertisements, or,
// on a page of text, in a block of links that is not one of related links. Such links are dropped where the filter is
// strict and promise half where it is soft. The links of a hub are what the hub is for: there the filter is for the
// menus around them.
func (p *Page) Unrelated(l *Link) bool {
	if l.Block < 0 || int(l.Block) >= len(p.Blocks) {
		return false
	}
	switch p.Blocks[l.Block].Kind {
	case Navigation, Advertisement:
		return true
	case Links:
		return p.Kind != Hub
	}
	return false
}
