package page

// headWidth bounds a text that counts as the heading of the links after it, though it is no heading element.
const headWidth = 30

// menuWidth is the width up to which most anchors are in what an author calls navigation: links to articles take 20 to 30
// columns, and a menu has few names as long.
const menuWidth = 20

// classify says what each block is for.
func (r *reading) classify() {
	blocks := r.page.Blocks
	leads, opens := r.leads()
	longest := 0 // of the text that is no link
	for i := range blocks {
		if !r.linky(&blocks[i]) {
			longest = max(longest, int(blocks[i].Chars))
		}
	}
	r.claims = make([]int32, len(r.headings))
	for i := range blocks {
		b := &blocks[i]
		announced := false
		if b.LinkCount > 0 {
			announced = b.Heading != "" && r.heads(int32(i)) && r.announces(b.Heading) || r.announces(leads[i])
			if feature(r.lists.said.is(b.Heading))&saysStop != 0 {
				r.hints[i] |= hintNavigation
			}
		}
		if i > 0 && b.Chars <= smallCell && int(b.Chars) < longest && r.lists.notice(opens[i]) {
			r.hints[i] |= hintFooter
		}
		b.Kind = r.kind(b, &r.features[i], r.hints[i], announced)
	}
}

// heads says whether a block's heading is about its links: it stands in the block, or right before it, with no other
// block of links between that is not its neighbour. Blocks are asked in the order of the page.
func (r *reading) heads(block int32) bool {
	at := r.begins[block]
	g := &r.regions[at]
	if g.title != nothing {
		r.claims[g.title] = at + 1
		return true
	}
	if r.claims[g.before] == 0 {
		r.claims[g.before] = g.parent + 1
	}
	return r.claims[g.before] == g.parent+1
}

// announces says whether a special word stands in a heading.
func (r *reading) announces(heading string) bool {
	return heading != "" && feature(r.lists.said.in(heading))&saysSpecial != 0
}

// leads are, for each block, the short text it begins with or that stands just before it: many a heading is no heading
// element. opens is the text that stands in the block first.
func (r *reading) leads() (leads, opens []string) {
	texts := make([]string, 2*len(r.page.Blocks))
	leads, opens = texts[:len(r.page.Blocks)], texts[len(r.page.Blocks):]
	seen := make([]bool, len(leads))
	runs := r.page.Runs
	for i := range runs {
		u := &runs[i]
		if u.at < 0 || seen[u.Block] {
			continue
		}
		seen[u.Block] = true
		opens[u.Block] = u.Text
		if u.Linked && i > 0 && runs[i-1].at >= 0 {
			u = &runs[i-1]
		}
		if !u.Linked && len(u.Text) <= 2*headWidth && columns(u.Text) <= headWidth {
			leads[runs[i].Block] = u.Text
		}
	}
	return leads, opens
}

// linky says whether a block is made of links.
func (r *reading) linky(b *Block) bool {
	return b.LinkCount > 0 && (b.Chars == 0 || float64(b.AnchorChars) > r.o.HubRatio*float64(b.Chars))
}

// kind is what one block is for. What the author's markup says counts, but a class is only a word: the wide anchors of
// a list of articles are no navigation, whatever surrounds them.
func (r *reading) kind(b *Block, f *features, h hint, announced bool) Kind {
	links := int(b.LinkCount)
	aside := h&(hintNavigation|hintFooter) != 0
	switch {
	case h&hintAdvertisement != 0, f.adverts > 0 && 2*f.adverts >= links:
		return Advertisement
	case !r.linky(b):
		if h&hintAside != 0 || aside && b.Chars <= smallCell {
			return Navigation
		}
		return Text
	case !aside || announced:
		b.filter = &filter{features: f, headed: announced || h&hintRelated != 0, otherwise: r.unrelatedKind(b, f, h)}
		return b.filter.kind(&r.lists.words.Rules)
	}
	return r.unrelatedKind(b, f, h)
}

// unrelatedKind is what a block of links is for that is not one of related links.
func (r *reading) unrelatedKind(b *Block, f *features, h hint) Kind {
	links := int(b.LinkCount)
	aside := h&(hintNavigation|hintFooter) != 0
	plain := 2*(f.plain+f.own) > links
	menu := 2*f.wide <= links
	switch {
	case h&hintAside != 0, aside && (menu || links < 3), links >= 3 && plain, 2*f.stopped > links:
		return Navigation
	}
	return Links
}
