package drawn

import "fmt"

// link is a link of a drawn page.
type link struct {
	to     *drawn
	href   string // where it leads, when that is no page of the web
	anchor string
	after  string // what stands behind it
}

// blocks are what a page is made of, from its top to its bottom.
type block struct {
	kind    blockKind
	heading string
	links   []link
}

type blockKind uint8

const (
	listBlock blockKind = iota
	relatedBlock
	advertBlock
)

// connect prepares what is the same on all pages of a site, and joins the tunnels to the rest.
func (w *drawing) connect() {
	for _, s := range w.sites {
		s.menu = w.menu(s)
	}
	for _, t := range w.tunnels {
		start := w.entrance(t)
		for _, p := range t.pages {
			start.lead = append(start.lead, link{to: p, anchor: p.title})
			start = p
		}
		start.lead = append(start.lead, link{to: t.to.home, anchor: t.to.name})
	}
}

// entrance is the page a tunnel starts from: in half of the cases one on the topic at its end.
func (w *drawing) entrance(t tunnel) *drawn {
	topic := t.to.topic
	if w.d.chance(0.5) {
		topic = nil
	}
	for {
		if p := pick(w.d, w.open[topic]); p.kind == article && p.site.t == t.to.t {
			return p
		}
	}
}

func (w *drawing) menu(s *site) []link {
	menu := []link{{to: s.home, anchor: s.t.say("Home", "首页")}}
	for _, sh := range s.shelves {
		if len(sh.hubs) > 0 {
			menu = append(menu, link{to: sh.hubs[0], anchor: sh.name})
		}
	}
	menu = append(menu, link{to: s.about, anchor: s.about.title})
	for _, p := range s.pages {
		switch p.kind {
		case privatePage:
			menu = append(menu, link{to: p, anchor: s.t.say("Members only", "会员专区")})
		case almanac:
			menu = append(menu, link{to: p, anchor: p.title})
		case calendar:
			if menu[len(menu)-1].to.kind != calendar {
				menu = append(menu, link{to: p, anchor: s.t.say("Calendar", "日历")})
			}
		}
	}
	for tries := 0; len(menu) < w.k.Menu && tries < 50; tries++ {
		if p := pick(w.d, s.pages); p.topic == nil && p.kind == article {
			menu = append(menu, link{to: p, anchor: p.title})
		}
	}
	return menu
}

// blocksOf draws the blocks of links of a page.
func (w *drawing) blocksOf(p *drawn, d *dice) []block {
	var all []block
	add := func(kind blockKind, heading string, links []link) {
		if len(links) > 0 {
			all = append(all, block{kind, heading, links})
		}
	}
	say := p.site.t.say
	switch p.kind {
	case homePage:
		for _, sh := range p.site.shelves {
			add(listBlock, sh.name, w.entries(p, d, w.front(sh, p.site.role, d)))
		}
		add(listBlock, say("Friends", "友情链接"), w.friends(p, d))
	case hubPage:
		links := w.entries(p, d, p.part)
		if p.next != nil {
			links = append(links, link{to: p.next, anchor: say("Older", "下一页")})
		}
		add(listBlock, p.title, links)
		if p.topic != nil && p.site.role == portal {
			add(relatedBlock, say("Sites", "相关网站"), w.sitesOf(p, d))
		}
	case article, tunnelPage:
		add(relatedBlock, say("Related", "相关阅读"), w.entries(p, d, w.alike(p, d, 5)))
	case advert:
		add(listBlock, say("More offers", "更多优惠"), w.entries(p, d, some(d, w.ads, 5)))
	case calendar:
		add(listBlock, p.title, w.around(p))
	case almanac:
		add(listBlock, p.title, w.yearRound(p, d))
	case gallery:
		add(listBlock, p.title, w.pictures(d))
	}
	if w.k.Ads > 0 && p.kind != almanac && p.kind != copied && p.kind != gallery {
		add(advertBlock, say("Offers", "推广"), w.adverts(p, d))
	}
	return all
}

// front are the pages of a shelf that a home page shows.
func (w *drawing) front(sh *shelf, r role, d *dice) []*drawn {
	show := map[role]int{portal: 4, special: 6, common: 10}[r]
	if r == portal && sh.topic != nil {
		show = 2 // a portal's front page is for everybody
	}
	return some(d, sh.pages[:min(len(sh.pages), 30)], show)
}

// entries are links to pages, as a list shows them; here and there one that is dead.
func (w *drawing) entries(from *drawn, d *dice, pages []*drawn) []link {
	var list []link
	for _, to := range pages {
		if to == from {
			continue
		}
		l := link{to: to, anchor: w.anchor(d, to)}
		if d.chance(0.3) {
			l.after = opening(to.said[0])
		}
		list = append(list, l)
		if d.chance(w.k.Dead) {
			list = append(list, w.dead(d, from))
		}
	}
	return list
}

// anchor is what a link to a page says: its title or what it is about, or nothing of use, or something misleading.
func (w *drawing) anchor(d *dice, to *drawn) string {
	t := to.site.t
	if d.chance(w.k.Noise) {
		switch d.below(5) {
		case 0, 1:
			return pick(d, t.general.words["more"])
		case 2:
			return fmt.Sprintf("%d-%02d-%02d", 2019+to.n%7, 1+to.n%12, 1+to.n%28)
		case 3:
			return pick(d, t.general.stories).title
		default:
			return pick(d, pick(d, t.topics).stories).title
		}
	}
	switch {
	case to.kind == homePage:
		return to.site.name
	case to.topic != nil && d.chance(0.2):
		return pick(d, to.topic.words["terms"])
	}
	return to.title
}

// dead is a link that leads nowhere: to a page that is gone, a file nobody recorded, a site that was closed.
func (w *drawing) dead(d *dice, from *drawn) link {
	about := from.topic
	if about == nil || d.chance(0.5) {
		about = from.site.t.general
	}
	n := d.below(1000)
	root := from.site.scheme + "://" + from.site.host
	return link{anchor: pick(d, about.stories).title, href: pick(d, []string{
		fmt.Sprintf("%s/gone/%d.html", root, n), fmt.Sprintf("%s/files/%d.pdf", root, n), fmt.Sprintf("%s/pictures/%d.jpg", root, n),
		fmt.Sprintf("http://closed-%d.example/", n%50),
	})}
}
