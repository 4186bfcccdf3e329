package replay

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
			start.lead = append(start.lead, link{to: p, anchor: w.voice(p).title()})
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
	menu := []link{{to: s.home, anchor: map[string]string{"en": "Home", "zh": "首页"}[s.t.code]}}
	for _, sh := range s.shelves {
		if len(sh.hubs) > 0 {
			menu = append(menu, link{to: sh.hubs[0], anchor: sh.name})
		}
	}
	menu = append(menu, link{to: s.about, anchor: map[string]string{"en": "About us", "zh": "关于我们"}[s.t.code]})
	for _, p := range s.pages {
		switch p.kind {
		case privatePage:
			menu = append(menu, link{to: p, anchor: map[string]string{"en": "Members only", "zh": "会员专区"}[s.t.code]})
		case almanac:
			menu = append(menu, link{to: p, anchor: p.title})
		case calendar:
			if menu[len(menu)-1].to.kind != calendar {
				menu = append(menu, link{to: p, anchor: map[string]string{"en": "Calendar", "zh": "日历"}[s.t.code]})
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
	say := func(en, zh string) string {
		if p.site.t.code == "zh" {
			return zh
		}
		return en
	}
	switch p.kind {
	case homePage:
		for _, sh := range p.site.shelves {
			show := map[role]int{portal: 4, special: 6, common: 10}[p.site.role]
			if p.site.role == portal && sh.topic != nil {
				show = 2 // the front page is for everybody
			}
			add(listBlock, sh.name, w.entries(p, d, some(d, sh.pages[:min(len(sh.pages), 30)], show)))
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
	}
	if w.k.Ads > 0 && p.kind != almanac && p.kind != copied {
		add(advertBlock, say("Offers", "推广"), w.adverts(p, d))
	}
	return all
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
			v := &voice{d: d, t: to.site.t, about: to.topic, share: to.share}
			l.after = v.sentence()
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
			return (&voice{d: d, t: t}).title()
		default:
			return (&voice{d: d, t: t, about: pick(d, t.topics), share: 0.6}).title()
		}
	}
	switch {
	case to.kind == homePage:
		return to.site.name
	case to.topic != nil && d.chance(0.2):
		return pick(d, to.topic.words["nouns"])
	}
	return to.title
}

// dead is a link that leads nowhere: to a page that is gone, a file nobody recorded, a site that was closed.
func (w *drawing) dead(d *dice, from *drawn) link {
	v := &voice{d: d, t: from.site.t, about: from.topic, share: 0.3}
	n := d.below(1000)
	root := from.site.scheme + "://" + from.site.host
	return link{anchor: v.title(), href: pick(d, []string{
		fmt.Sprintf("%s/gone/%d.html", root, n), fmt.Sprintf("%s/files/%d.pdf", root, n), fmt.Sprintf("%s/pictures/%d.jpg", root, n),
		fmt.Sprintf("http://closed-%d.example/", n%50),
	})}
}

// alike are pages that an article names as related: of its topic with probability Purity, else any of its language.
func (w *drawing) alike(p *drawn, d *dice, n int) []*drawn {
	var list []*drawn
	for range n {
		switch {
		case p.site.hidden && p.topic != nil && d.chance(w.k.Purity):
			list = append(list, pick(d, p.site.shelfOf(p.topic).pages))
		case p.topic != nil && d.chance(w.k.Purity):
			list = append(list, pick(d, w.open[p.topic]))
		case p.shelf != nil && d.chance(0.6):
			list = append(list, pick(d, p.shelf.pages))
		default:
			list = append(list, w.anywhere(p, d))
		}
	}
	return unique(list)
}

func unique(list []*drawn) []*drawn {
	var kept []*drawn
	for i, p := range list {
		if indexOf(list, p) == i {
			kept = append(kept, p)
		}
	}
	return kept
}

// anywhere is an open page, mostly of the same language, of any topic or none.
func (w *drawing) anywhere(p *drawn, d *dice) *drawn {
	for range 20 {
		to := pick(d, w.pages)
		if !to.site.hidden && (to.kind == article || to.kind == hubPage || to.kind == homePage) && (to.site.t == p.site.t || d.chance(0.08)) {
			return to
		}
	}
	return w.sites[0].home
}

// friends are the homes a home page links to: of its own topic with probability Purity, else whoever the owner knows.
func (w *drawing) friends(p *drawn, d *dice) []link {
	var list []*drawn
	for range 5 {
		s := pick(d, w.sites)
		if p.topic != nil && d.chance(w.k.Purity) {
			if own := w.openSites(p.topic); len(own) > 0 {
				s = pick(d, own)
			}
		}
		if !s.hidden && s.role != adverts && (s.t == p.site.t || d.chance(0.1)) {
			list = append(list, s.home)
		}
	}
	if p.site.role == portal { // portals know each other, and the sites of the town
		for _, s := range w.sites {
			if s.t == p.site.t && (s.role == portal || s.role == common && d.chance(0.5)) {
				list = append(list, s.home)
			}
		}
	}
	if p.site == w.sites[0] { // nobody is left out
		for _, s := range w.sites {
			if s.role == common || s.role == portal {
				list = append(list, s.home)
			}
		}
	}
	return w.entries(p, d, unique(list))
}

func (w *drawing) openSites(topic *lexicon) []*site {
	var list []*site
	for _, s := range w.sites {
		if s.topic == topic && !s.hidden {
			list = append(list, s)
		}
	}
	return list
}

// sitesOf are the topic's own sites that a portal's channel names.
func (w *drawing) sitesOf(p *drawn, d *dice) []link {
	var list []*drawn
	for i, s := range w.openSites(p.topic) {
		if i == 0 || d.chance(0.6) {
			list = append(list, s.home)
		}
	}
	return w.entries(p, d, list)
}

// adverts fill an advertisement block: shops, a few of the web's homes, and what has been closed since.
func (w *drawing) adverts(p *drawn, d *dice) []link {
	var list []link
	for range w.k.Ads {
		to := pick(d, w.ads)
		if s := pick(d, w.sites); d.chance(0.15) && !s.hidden {
			to = s.home
		}
		list = append(list, link{to: to, anchor: pick(d, p.site.t.general.words["advert lines"])})
	}
	return list
}

// around are a month's neighbours, its other view, and days that nobody recorded.
func (w *drawing) around(p *drawn) []link {
	var months []*drawn
	for _, q := range p.site.pages {
		if q.kind == calendar {
			months = append(months, q)
		}
	}
	i := indexOf(months, p)
	list := []link{{to: months[i^1], anchor: "view"}}
	for _, j := range []int{i - 2, i + 2} {
		if j >= 0 && j < len(months) {
			list = append(list, link{to: months[j], anchor: months[j].title})
		}
	}
	for day := 3; day < 28; day += 6 {
		list = append(list, link{href: fmt.Sprintf("%s://%s/calendar.php?day=%s-%02d", p.site.scheme, p.site.host, p.title, day), anchor: fmt.Sprint(day)})
	}
	return list
}

func (w *drawing) yearRound(p *drawn, d *dice) []link {
	var pages []*drawn
	for tries := 0; len(pages) < w.k.Almanac-len(p.site.menu) && tries < 10*w.k.Almanac; tries++ {
		if to := w.anywhere(p, d); to != p.site.home {
			pages = unique(append(pages, to))
		}
	}
	var list []link
	for _, to := range pages {
		list = append(list, link{to: to, anchor: to.title})
	}
	return list
}
