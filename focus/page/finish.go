package page

import (
	"cmp"
	"slices"
	"strings"
)

// finish turns what was found into the Page.
func (r *reading) finish() {
	p := r.page
	p.prose = string(r.prose.buf)
	p.marks = slices.Clone(r.prose.marks)
	p.laid = r.prose.laid
	s := &r.said
	f := &p.Facts
	f.Description = cmp.Or(s.meta.Description, s.og.Description, s.ld.Description)
	f.Keywords = cmp.Or(s.meta.Keywords, s.ld.Keywords)
	f.SiteName = cmp.Or(s.og.SiteName, s.ld.SiteName)
	p.Language = cmp.Or(p.Language, s.language)

	to := newResolver(r.address, r.base, lettersOf(r.o.Charset))
	p.Base = to.base.whole
	if f.Canonical != "" {
		a, _ := to.resolve(f.Canonical)
		f.Canonical = a.whole
	}
	f.LeadsTo = r.leadsTo(&to)
	p.HubRatio, p.Kind = r.hub()
	c := r.weigh()
	r.called(c)
	main := r.findMain(c)
	if main != nil {
		r.leaveRepeated(main)
		r.endText(main)
	}
	heads := r.mainHeadings(c)
	r.tell(c, heads, &to)
	if main != nil {
		r.leaveBylineBox(main, r.headline(main, heads))
		r.lead(main, heads)
		r.endLines(main)
	}
	if r.o.Segment == TopicPages && p.Kind == Hub {
		clear(r.regions[1:])
		r.regions = r.regions[:1]
		r.forgetRegions()
	}
	r.makeBlocks()
	r.makeRuns(main)
	r.makeLinks(&to)
	r.classify()
}

// hub is the share of anchors in the page's text, and the kind of page that follows from it.
func (r *reading) hub() (float64, Kind) {
	var chars, anchors int32
	for i := range r.regions {
		chars += r.regions[i].chars
		anchors += r.regions[i].anchors
	}
	if chars == 0 {
		return 0, Text
	}
	ratio := float64(anchors) / float64(chars)
	if ratio > r.o.HubRatio {
		return ratio, Hub
	}
	return ratio, Text
}

// forgetRegions leaves the whole page as one block.
func (r *reading) forgetRegions() {
	g := &r.regions[0]
	for i := range r.prose.runs {
		r.prose.runs[i].region = 0
	}
	g.chars, g.anchors, g.links = 0, 0, 0
	for i := range r.links {
		l := &r.links[i]
		l.region = 0
		g.anchors += l.chars
		if !l.head {
			g.links++
		}
	}
	g.chars = count(r.page.prose)
}

// count is the number of characters of s, white space not counted.
func count(s string) (n int32) {
	for i := range len(s) {
		if c := s[i]; c&0xC0 != 0x80 && !isSpace(c) {
			n++
		}
	}
	return n
}

// makeBlocks makes the page's blocks of its regions, in the order of the page. A block stands behind the one around it, so that its
// parent's number is the lower one.
func (r *reading) makeBlocks() {
	s := newSegments(r.regions)
	s.join()
	begins := s.number()
	r.block, r.begins = s.block, begins
	blocks := make([]Block, len(begins))
	r.hints = make([]hint, len(begins))
	around := r.hintsAround(s)
	for b, at := range begins {
		g := &r.regions[at]
		blocks[b] = Block{
			Parent: nothing, Width: g.width, Chars: g.chars, AnchorChars: g.anchors, LinkCount: g.links,
			Path: r.regionPath(at),
		}
		if b > 0 {
			blocks[b].Parent = s.block[g.parent]
		}
		r.hints[b] = around[at]
		if h := g.title; h != nothing {
			blocks[b].Heading = r.slice(r.headings[h])
		} else if h := g.before; h != nothing {
			blocks[b].Heading = r.slice(r.headings[h])
		}
	}
	r.page.Blocks = blocks
	r.countFlat(s)
}

// hintsAround are the hints for each region: its own and those of the regions around it. A class on what holds most of
// the page's text is a word for something else: an article beside which one can share it has "share" around it. But a menu
// may be most of a short page.
func (r *reading) hintsAround(s *segments) []hint {
	around := make([]hint, len(r.regions))
	for i := range r.regions {
		g := &r.regions[i]
		own := g.hints
		if 2*s.whole[i].chars > s.whole[0].chars && !s.whole[i].menu() {
			own &= hintMain | hintAside | hintHidden
		}
		if own&hintMain != 0 {
			own &^= hintAdvertisement
		}
		around[i] = own
		if i > 0 {
			around[i] |= around[g.parent]
		}
	}
	return around
}

// countFlat adds what stands in regions that became part of a block without being merged one by one.
func (r *reading) countFlat(s *segments) {
	for i := 1; i < len(r.regions); i++ {
		if s.into[i] != int32(i) || !s.flat[i] || !s.flat[r.regions[i].parent] {
			continue
		}
		g, b := &r.regions[i], &r.page.Blocks[s.block[i]]
		b.Chars += g.chars
		b.AnchorChars += g.anchors
		b.LinkCount += g.links
	}
}

func (r *reading) slice(s span) string { return r.page.prose[s.from:s.to] }

// regionPath is the tag path of a region: the elements that cut blocks, from the body on.
func (r *reading) regionPath(i int32) string {
	var chain [24]int32
	n := 0
	for ; i > 0 && n < len(chain); i = r.regions[i].parent {
		if !r.regions[i].cut {
			chain[n] = i
			n++
		}
	}
	p := &r.paths
	p.buf = append(p.buf[:0], "body"...)
	p.buf = appendClasses(p.buf, r.regions[0].class)
	for n--; n >= 0; n-- {
		g := &r.regions[chain[n]]
		p.last(g.tag, nil, g.class)
	}
	return p.keep()
}

// makeRuns makes the page's runs: title and description first, then the text. Given are the parts that are main text; a block
// that is made of them for the most part is one of main text. Neighbours that differ in nothing a run tells are one run: their text
// stands side by side in one buffer, and is cut out once more, not joined.
func (r *reading) makeRuns(main []candidate) {
	p := r.page
	balance := make([]int32, len(p.Blocks))
	runs := make([]Run, 0, len(r.prose.runs)/2+16)
	if title := r.said.whole(); title != "" {
		runs = append(runs, Run{Text: title, Position: Title, at: nothing})
	}
	for _, m := range r.said.metas {
		if m != "" {
			runs = append(runs, Run{Text: m, Position: Meta, at: nothing})
		}
	}
	for i := range r.prose.runs {
		u := &r.prose.runs[i]
		run := Run{
			Text: p.prose[u.from:u.to], Position: u.where, Block: r.block[u.region], Linked: u.link != nothing,
			Main: main != nil && main[u.part].keep && !u.off, at: u.from,
		}
		if run.Main {
			balance[run.Block] += u.to - u.from
		} else {
			balance[run.Block] -= u.to - u.from
		}
		if n := len(runs); n > 0 && runs[n-1].at >= 0 && runs[n-1].Block == run.Block && runs[n-1].Position == run.Position &&
			runs[n-1].Main == run.Main && r.prose.runs[i-1].link == u.link {
			runs[n-1].Text = p.prose[runs[n-1].at:u.to]
			continue
		}
		if n := len(runs); n > 0 && initial(&runs[n-1], &run) && r.prose.runs[i-1].link == u.link {
			runs[n-1].Text, runs[n-1].Position = p.prose[runs[n-1].at:u.to], run.Position
			continue
		}
		runs = append(runs, run)
	}
	for i := range p.Blocks {
		p.Blocks[i].Main = balance[i] > 0
	}
	p.Runs = runs
}

// initial says whether a run is the first letter of the word with which the next begins, made large or bold.
func initial(first, next *Run) bool {
	return first.Position == Emphasis && next.Position == Body && len(first.Text) == 1 && first.at+1 == next.at && isLetter(first.Text[0]) &&
		isLetter(next.Text[0]) && first.Block == next.Block && first.Main == next.Main
}

// anchor is the text of a link.
func (r *reading) anchor(l *occurrence) string {
	if l.text.to == 0 {
		return tidy(l.alt)
	}
	if len(l.more) == 0 {
		return r.slice(l.text)
	}
	var b strings.Builder
	b.WriteString(r.slice(l.text))
	for _, s := range l.more {
		b.WriteByte(' ')
		b.WriteString(r.slice(s))
	}
	return b.String()
}
