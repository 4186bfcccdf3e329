package page

import "golang.org/x/net/publicsuffix"

// filter is what it takes to tell by other rules whether a block of links is one of related links.
type filter struct {
	features  *features
	headed    bool // a special word stands on its heading, or its class says so
	otherwise Kind // what it is if it is not
}

// kind is what the block is for by these rules.
func (f *filter) kind(r *Rules) Kind {
	if f.features.related(r, f.headed) {
		return Related
	}
	return f.otherwise
}

// KindBy is what a block is for by other rules than the page was read with.
func (p *Page) KindBy(block int32, r *Rules) Kind {
	if f := p.Blocks[block].filter; f != nil {
		return f.kind(r)
	}
	return p.Blocks[block].Kind
}

// Unrelated tells whether a filter of related links turns against a link: it stands in a menu or an advertisement, or,
// on a page of text, in a block of links that is not one of related links. Such links are dropped where the filter is
// strict and promise half where it is soft. The links of a hub are what the hub is for: there the filter is for the
// menus around them.
func (p *Page) Unrelated(l *Link) bool { return p.UnrelatedBy(l, nil) }

// UnrelatedBy is Unrelated by other rules than the page was read with, where there are any.
func (p *Page) UnrelatedBy(l *Link, r *Rules) bool {
	if l.Block < 0 || int(l.Block) >= len(p.Blocks) {
		return false
	}
	kind := p.Blocks[l.Block].Kind
	if r != nil {
		kind = p.KindBy(l.Block, r)
	}
	switch kind {
	case Navigation, Advertisement:
		return true
	case Links:
		return p.Kind != Hub
	}
	return false
}

// SameSite tells whether two hosts belong to one registered domain.
func SameSite(a, b string) bool {
	if a == b {
		return true
	}
	site := Site(a)
	return site != "" && site == Site(b)
}

// Site is the registered domain of a host, empty where there is none.
func Site(host string) string {
	site, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return ""
	}
	return site
}
