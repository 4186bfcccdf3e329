package drawn

import "fmt"

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

// pictures lead to the sites that the gallery shows, in any order, without a word.
func (w *drawing) pictures(d *dice) []link {
	var list []link
	for _, s := range w.sites {
		if !s.hidden && s.role != adverts {
			list = append(list, link{to: s.home})
		}
	}
	shuffle(d, list)
	return list[:min(len(list), w.k.Gallery)]
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
