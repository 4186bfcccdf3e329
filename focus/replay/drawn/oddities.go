package drawn

import (
	"fmt"
	"slices"
)

// tunnel is a row of pages without a topic that leads to a site nothing else leads to.
type tunnel struct {
	pages []*drawn
	to    *site
}

// oddities makes the pages that are there to be stumbled over.
func (w *drawing) oddities() {
	var commons []*site
	for _, s := range w.sites {
		if s.role == common {
			commons = append(commons, s)
		}
	}
	if len(commons) == 0 {
		commons = w.sites[:1]
	}
	w.calendar(commons[0])
	if w.k.Almanac > 0 {
		w.almanac(commons)
	}
	if w.k.Gallery > 0 {
		w.add(commons[0], gallery, nil).path = "/sites.html"
	}
	w.robots()
	length := 0
	for _, s := range w.sites {
		if !s.hidden {
			continue
		}
		var near []*site
		for _, c := range commons {
			if c.t == s.t {
				near = append(near, c)
			}
		}
		if len(near) == 0 {
			near = commons
		}
		for range 2 {
			length = length%w.k.Tunnel + 1
			t := tunnel{to: s}
			for range length {
				t.pages = append(t.pages, w.add(pick(w.d, near), tunnelPage, nil))
			}
			w.tunnels = append(w.tunnels, t)
		}
	}
}

// calendar is a trap: months that lead to months, each under two addresses, and nothing on them.
func (w *drawing) calendar(s *site) {
	for i := range w.k.Calendar {
		for _, view := range []string{"list", "grid"} {
			p := w.add(s, calendar, nil)
			p.path = fmt.Sprintf("/calendar.php?month=%d-%02d&view=%s", 2026+i/12, 1+i%12, view)
			p.title = fmt.Sprintf("%d-%02d", 2026+i/12, 1+i%12)
		}
	}
}

// almanac is one long page, English where there is an English site for it, to measure readers of pages with.
func (w *drawing) almanac(sites []*site) {
	at := sites[0]
	for _, s := range sites {
		if s.t.code == "en" && s.charset == 0 {
			at = s
			break
		}
	}
	p := w.add(at, almanac, nil)
	p.path = "/almanac.html"
}

// gallery is the page of pictures, where there is one.
func (w *drawing) gallery() *drawn {
	return w.pages[slices.IndexFunc(w.pages, func(p *drawn) bool { return p.kind == gallery })]
}

// robots writes each site's robots.txt. Some have none; some are slow, some closed in part; one shop lets nobody in.
func (w *drawing) robots() {
	closed := false
	for i, s := range w.sites {
		switch {
		case s.role == adverts && !closed:
			s.robots = "User-agent: *\nDisallow: /\n"
			closed = true
		case i%6 == 1:
			s.robots = "# be gentle\nUser-agent: *\nCrawl-delay: 2\nDisallow: /private/\n"
		case i%6 == 3:
			s.robots = "User-agent: badbot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\nDisallow: /*.zip$\nAllow: /private/open\n"
		case i%6 == 5:
			continue
		default:
			s.robots = "User-agent: *\nDisallow:\n"
			continue
		}
		if s.role != adverts {
			w.add(s, privatePage, nil)
		}
	}
}
