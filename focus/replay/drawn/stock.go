package drawn

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
)

// stockTopic makes a topic's pages: three fifths on its own sites, a quarter in the portals, the others scattered over
// sites that are about something else, and pages that collect links to all of them.
func (w *drawing) stockTopic(t *tongue, topic *lexicon) {
	var own, portals, elsewhere []*site
	for _, s := range w.sites {
		switch {
		case s.topic == topic:
			own = append(own, s)
		case s.t == t && s.role == portal:
			portals = append(portals, s)
		case s.t == t && s.role == common:
			elsewhere = append(elsewhere, s)
		}
	}
	if len(elsewhere) == 0 {
		elsewhere = portals
	}
	want := int(math.Round(w.k.Relevant*float64(w.k.Pages))) - len(own) // their homes are there
	want = max(want, 3*(len(own)+len(portals)))
	hubs := min(w.k.Hubs, want/8)
	want -= hubs
	strays, channels := want*15/100, want*25/100
	for i, s := range portals {
		w.stock(s, s.shelfOf(topic), slice(channels, len(portals), i), topic)
	}
	for s, n := range deal(own, want-strays-channels) {
		w.stock(s, s.shelfOf(topic), n, topic)
	}
	for range strays {
		w.scatter(pick(w.d, elsewhere), article, topic)
	}
	for range hubs {
		hub := w.scatter(pick(w.d, elsewhere), hubPage, topic)
		hub.part = some(w.d, w.open[topic], 24)
	}
}

// deal deals pages out to the sites of a topic, in their order: one that is hidden gets half as many as one that is not.
func deal(own []*site, n int) iter.Seq2[*site, int] {
	var shares []*site
	for _, s := range own {
		if shares = append(shares, s); !s.hidden {
			shares = append(shares, s)
		}
	}
	return func(yield func(*site, int) bool) {
		for _, s := range own {
			mine := 0
			for i, owner := range shares {
				if owner == s {
					mine += slice(n, len(shares), i)
				}
			}
			if !yield(s, mine) {
				return
			}
		}
	}
}

// scatter puts a page on the shelf of a site that is about nothing in particular.
func (w *drawing) scatter(s *site, kind string, topic *lexicon) *drawn {
	sh := s.shelfOf(nil)
	p := w.onShelf(w.add(s, kind, topic), sh)
	sh.pages = append(sh.pages, p)
	return p
}

// slice is part i of a number that is dealt out in equal parts.
func slice(all, parts, i int) int { return all*(i+1)/parts - all*i/parts }

func (s *site) shelfOf(topic *lexicon) *shelf {
	for _, sh := range s.shelves {
		if sh.topic == topic {
			return sh
		}
	}
	return nil
}

// stock puts so many pages on a shelf, the pages of links to them among them.
func (w *drawing) stock(s *site, sh *shelf, n int, topic *lexicon) {
	for range n - (n+shelfSize)/(shelfSize+1) {
		sh.pages = append(sh.pages, w.onShelf(w.add(s, article, topic), sh))
	}
	w.list(s, sh)
}

func (w *drawing) onShelf(p *drawn, sh *shelf) *drawn {
	p.shelf = sh
	return p
}

// list makes the pages of links that a shelf still lacks, each leading to the next.
func (w *drawing) list(s *site, sh *shelf) {
	for len(sh.hubs) == 0 || len(sh.hubs)*shelfSize < len(sh.pages) {
		hub := w.onShelf(w.add(s, hubPage, sh.topic), sh)
		hub.title = sh.name
		if n := len(sh.hubs); n > 0 {
			sh.hubs[n-1].next = hub
			hub.title = fmt.Sprint(sh.name, " ", n+1)
		}
		sh.hubs = append(sh.hubs, hub)
	}
	for i, hub := range sh.hubs {
		hub.part = sh.pages[min(i*shelfSize, len(sh.pages)):min((i+1)*shelfSize, len(sh.pages))]
	}
}

// stockRest fills the web up with pages of no topic.
func (w *drawing) stockRest(n int) {
	type place struct {
		s  *site
		sh *shelf
	}
	var places []place
	var weights []int
	all := 0
	for _, s := range w.sites {
		for _, sh := range s.shelves {
			if sh.topic == nil && s.role != adverts {
				weight := []int{portal: 2, special: 1, common: 5}[s.role]
				places, weights, all = append(places, place{s, sh}), append(weights, weight), all+weight
			}
		}
	}
	end, sum := len(w.pages)+n, 0
	for i, p := range places {
		sum += weights[i]
		share := n*sum/all - n*(sum-weights[i])/all
		// Pages of links, those to strays too, are of the share; the last shelf makes up what rounding left.
		for i == len(places)-1 && w.lacking(p.sh, len(w.pages), end) || i < len(places)-1 && w.lacking(p.sh, 0, share) {
			p.sh.pages = append(p.sh.pages, w.onShelf(w.add(p.s, article, nil), p.sh))
			share--
		}
		shuffle(w.d, p.sh.pages) // strays stand anywhere among the others
		w.list(p.s, p.sh)
	}
	for _, p := range places { // one page may be left, where it and a page of links would have been too many
		if len(w.pages) < end && len(p.sh.pages) < len(p.sh.hubs)*shelfSize {
			p.sh.pages = append(p.sh.pages, w.onShelf(w.add(p.s, article, nil), p.sh))
			w.list(p.s, p.sh)
		}
	}
}

// lacking tells whether one more page, and the pages of links a shelf will then need, keep within an end.
func (w *drawing) lacking(sh *shelf, made, end int) bool {
	hubs := (len(sh.pages) + shelfSize) / shelfSize
	return made+1+hubs-len(sh.hubs) <= end
}

func shuffle[T any](d *dice, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := d.below(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}

// copy makes a near duplicate of an article: the print version on its own site, or a mirror on another.
func (w *drawing) copy() {
	var origin *drawn
	for origin == nil || origin.kind != article {
		origin = pick(w.d, w.pages)
	}
	s := origin.site
	if w.d.chance(0.4) {
		if m := pick(w.d, w.sites); m.t == s.t && m.role == common {
			s = m
		}
	}
	p := &drawn{n: len(w.pages) + 1, site: s, kind: copied, topic: origin.topic, title: origin.title, origin: origin}
	p.said = slices.Clone(origin.said)
	p.said[w.d.below(len(p.said))] += " " + pick(w.d, s.t.general.words["printed"])
	w.pages = append(w.pages, p)
	s.pages = append(s.pages, p)
	if s == origin.site {
		origin.lead = append(origin.lead, link{to: p, anchor: s.t.say("Print version", "打印本页")})
		return
	}
	hub := pick(w.d, s.shelfOf(nil).hubs)
	hub.lead = append(hub.lead, link{to: p, anchor: p.title})
}

// locate gives a page its address, in the manner of its site, and now and then an old address.
func (w *drawing) locate(p *drawn) {
	s, n := p.site, p.n
	section := "pages"
	if p.shelf != nil {
		section = "s" + fmt.Sprint(indexOf(s.shelves, p.shelf))
		if p.shelf.topic != nil && s.style%2 == 0 {
			section = p.shelf.topic.name
		}
	}
	switch p.kind {
	case homePage:
		p.path = "/"
	case aboutPage:
		p.path = "/about.html"
	case privatePage:
		p.path = fmt.Sprintf("/private/%d.html", n)
	case calendar, almanac, gallery: // placed when they were made
	case copied:
		p.path = fmt.Sprintf("/print/%d.html", n)
	default:
		p.path = []string{
			fmt.Sprintf("/%s/%s-%d.html", section, slug(p.title), n),
			fmt.Sprintf("/%d/%02d/%d.html", 2019+n%7, 1+n%12, n),
			fmt.Sprintf("/show.php?cat=%s&id=%d", section, n),
			fmt.Sprintf("/%s/%d/", section, n),
		}[s.style]
		if p.kind == hubPage && p.shelf != nil && len(p.shelf.hubs) > 0 && p.shelf.hubs[0] == p && s.style != 2 {
			p.path = "/" + section + "/"
		}
	}
	switch {
	case p.kind == homePage:
		p.alias = s.scheme + "://" + s.host + "/index.html"
	case p.kind == article && w.d.chance(0.1):
		p.alias = fmt.Sprintf("%s://%s/old/%d.htm", s.scheme, s.host, n)
	}
	if s.scheme == "https" && p.kind != copied {
		w.extra = append(w.extra, [2]string{"http://" + s.host + p.path, p.address()})
	}
}

func indexOf[T comparable](list []T, v T) int {
	for i := range list {
		if list[i] == v {
			return i
		}
	}
	return -1
}

// slug is the first words of an English title as an address has them; nothing is left of a Chinese one.
func slug(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return r < 'a' || r > 'z' })
	if words = words[:min(4, len(words))]; len(words) == 0 {
		return "doc"
	}
	return strings.Join(words, "-")
}
