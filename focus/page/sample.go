package page

import (
	"slices"
	"strings"
)

// saysEnough is how much of a page tells what language it is in.
const saysEnough = 200

// Sample is some of what the page says, of n bytes at most: for telling what language it is in. Its main text comes first, since menus may
// be in another language, behind what its head says, and without listings, since those of a program are in none; then its own text; what
// stands besides only where there is hardly anything else.
func (p *Page) Sample(n int) string {
	s := sampler{page: p, most: n, listings: p.listings()}
	s.Grow(n)
	main := func(u *Run) bool { return u.Main || u.at < 0 }
	for _, take := range []func(){
		func() { s.take(main, false) },
		func() { s.take(func(u *Run) bool { return !main(u) && !p.Aside(u) }, false) },
		func() { s.take(func(u *Run) bool { return u.at >= 0 }, true) },
		func() { s.take(func(u *Run) bool { return !main(u) && p.Aside(u) }, false) },
	} {
		if take(); s.Len() >= saysEnough {
			break
		}
	}
	return s.String()
}

// Aside tells of a run that it is not the page's own text, but stands in a menu, in an advertisement, among links to other
// pages, or is a link of a list. What a list says beside its links is the page's own.
func (p *Page) Aside(u *Run) bool {
	switch p.Blocks[u.Block].Kind {
	case Navigation, Advertisement, Related:
		return u.Position != Title && u.Position != Meta
	case Links, Hub:
		return u.Position == Anchor
	}
	return false
}

// listings are the places of the page's text that are laid out.
func (p *Page) listings() (found []span) {
	from := int32(nothing)
	for _, m := range p.marks {
		switch {
		case m.kind == markPre && from == nothing:
			from = m.at
		case m.kind == markPreEnd && from != nothing:
			found = append(found, span{from, m.at})
			from = nothing
		}
	}
	return found
}

// sampler writes a sample.
type sampler struct {
	strings.Builder
	page     *Page
	most     int
	listings []span
}

// take takes what some runs say in listings, or outside of them.
func (s *sampler) take(which func(u *Run) bool, listed bool) {
	for i := 0; i < len(s.page.Runs) && s.Len() < s.most; i++ {
		if u := &s.page.Runs[i]; which(u) {
			s.part(u, listed)
		}
	}
}

// part takes a run's text in listings, or outside of them: a run may reach into several.
func (s *sampler) part(u *Run, listed bool) {
	at, end := u.at, u.at+int32(len(u.Text))
	next, _ := slices.BinarySearchFunc(s.listings, at, func(l span, at int32) int { return int(l.to - at - 1) })
	for ; at < end && s.Len() < s.most; next++ {
		from, to := end, end
		if u.at >= 0 && next < len(s.listings) && s.listings[next].from < end {
			from, to = max(s.listings[next].from, at), min(s.listings[next].to, end)
		}
		if listed {
			s.write(u.Text[from-u.at : to-u.at])
		} else {
			s.write(u.Text[at-u.at : from-u.at])
		}
		at = to
	}
}

func (s *sampler) write(text string) {
	if text != "" {
		if s.Len() > 0 {
			s.WriteByte(' ')
		}
		s.WriteString(Cut(text, max(s.most-s.Len(), 0)))
	}
}
