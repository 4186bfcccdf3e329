package drawn

import (
	"fmt"
	"math"
	"strings"
)

// The kinds of drawn pages: the second column of labels.tsv.
const (
	homePage    = "home"
	hubPage     = "hub" // a page of links
	article     = "article"
	copied      = "copy" // nearly the same as an article
	aboutPage   = "about"
	tunnelPage  = "tunnel" // on the way to a site that nothing else leads to
	advert      = "advert"
	calendar    = "calendar"
	privatePage = "private" // forbidden by robots.txt
	almanac     = "almanac" // one very long page
	gallery     = "gallery" // of pictures that lead to sites
)

// shelfSize is how many pages a page of links shows.
const shelfSize = 14

// role is what a drawn site is.
type role uint8

const (
	portal  role = iota // of every subject something
	special             // one topic, and what its people chat about
	common              // no topic; a page of one now and then
	adverts             // what advertisement blocks lead to
)

// site is a host of a drawn web.
type site struct {
	scheme, host, name string
	role               role
	t                  *tongue
	topic              *lexicon // of a special site
	hidden             bool     // only tunnels lead to it
	charset            int      // index into charsets
	style, layout      int      // of its addresses and of its pages
	home, about        *drawn
	shelves            []*shelf
	pages              []*drawn
	menu               []link
	robots             string
	latency            int // milliseconds, at least
}

// shelf is a section of a site: pages, and pages of links to them.
type shelf struct {
	name  string
	topic *lexicon
	hubs  []*drawn
	pages []*drawn
}

// drawn is a page of a drawn web.
type drawn struct {
	n      int
	site   *site
	shelf  *shelf
	kind   string
	topic  *lexicon
	path   string
	title  string
	said   []string // its text, a paragraph each
	lead   []link   // links that its text must hold
	part   []*drawn // of a page of links: what it lists
	next   *drawn
	origin *drawn // of a copy
	alias  string // an old address that is redirected here
}

func (p *drawn) address() string { return p.site.scheme + "://" + p.site.host + p.path }

// drawing is a web while it is drawn.
type drawing struct {
	k       Knobs
	d       *dice
	tongues []*tongue
	sites   []*site
	pages   []*drawn
	open    map[*lexicon][]*drawn  // relevant pages of sites that are not hidden; nil holds those without a topic
	untold  map[*lexicon][]telling // what no page has said yet
	ads     []*drawn
	extra   [][2]string // redirects that no link uses
	tunnels []tunnel
}

// plan decides which sites and pages there are, and where they stand.
func (w *drawing) plan() error {
	w.hosts()
	for _, s := range w.sites {
		w.furnish(s)
	}
	w.oddities()
	for _, t := range w.tongues {
		for _, topic := range t.topics {
			w.stockTopic(t, topic)
		}
	}
	copies := int(math.Round(w.k.Copies * float64(w.k.Pages)))
	rest := w.k.Pages - len(w.pages) - copies
	if rest < 0 {
		return fmt.Errorf("%d pages are too few for %d hosts and a share of %v for each of %d topics: want at least %d, or fewer hosts, or a smaller share",
			w.k.Pages, w.k.Hosts, w.k.Relevant, 2*w.k.Topics, w.k.Pages-rest)
	}
	w.stockRest(rest)
	for range copies {
		w.copy()
	}
	for _, p := range w.pages {
		w.locate(p)
	}
	return nil
}

// add makes a page.
func (w *drawing) add(s *site, kind string, topic *lexicon) *drawn {
	p := &drawn{n: len(w.pages) + 1, site: s, kind: kind, topic: topic}
	w.compose(p)
	w.pages = append(w.pages, p)
	s.pages = append(s.pages, p)
	if kind != hubPage && kind != homePage && kind != article || s.hidden {
		return p
	}
	w.open[topic] = append(w.open[topic], p)
	return p
}

// hosts decides which sites there are: a third of them of no topic, the others portals, sites of one topic, and shops.
func (w *drawing) hosts() {
	h, langs := w.k.Hosts, len(w.tongues)
	shops := max(1, h/13)
	portals := max(1, h/13)
	each := max(1, int(math.Round(0.4*float64(h)/float64(langs*w.k.Topics)))) // special sites per topic
	for i, t := range w.tongues {
		for range portals {
			w.host(t, portal, nil, false)
		}
		for _, topic := range t.topics {
			for n := range each {
				w.host(t, special, topic, w.k.Tunnel > 0 && n%2 == 1)
			}
		}
		for n := range shops {
			if n%langs == i {
				w.host(t, adverts, nil, false)
			}
		}
	}
	for n := 0; len(w.sites) < h; n++ {
		w.host(w.tongues[n%langs], common, nil, false)
	}
}

func (w *drawing) host(t *tongue, r role, topic *lexicon, hidden bool) {
	names := t.general.words[map[role]string{portal: "portals", common: "sites", adverts: "adverts"}[r]]
	if r == special {
		names = topic.words["sites"]
	}
	taken := 0
	same := 0 // sites of this language so far: charsets and layouts go round
	for _, s := range w.sites {
		if s.t == t {
			same++
		}
		if s.t == t && s.role == r && s.topic == topic {
			taken++
		}
	}
	label := names[taken%len(names)]
	if taken >= len(names) {
		label += fmt.Sprint(taken/len(names) + 1)
	}
	s := &site{
		scheme: "http", host: pick(w.d, []string{"www.", "", ""}) + label + pick(w.d, []string{".example", ".test"}), role: r, t: t,
		topic: topic, hidden: hidden, style: w.d.below(4), layout: w.d.below(len(layouts)), latency: w.d.between(15, 160),
	}
	if same%5 == 4 {
		s.scheme = "https"
	}
	s.charset = charsetFor(s, same, taken)
	s.name = w.siteName(s, label)
	w.sites = append(w.sites, s)
}

func (w *drawing) siteName(s *site, label string) string {
	if s.t.code == "zh" {
		from, end := s.t.general, pick(w.d, []string{"网", "小站", "在线"})
		switch s.role {
		case portal:
			end = pick(w.d, []string{"日报", "门户", "快讯"})
		case special:
			from, end = s.topic, pick(w.d, []string{"之家", "网", "论坛", "天地"})
		}
		return pick(w.d, from.words["names"]) + end
	}
	parts := strings.Split(label, "-")
	for i, p := range parts {
		if p != "" {
			parts[i] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, " ")
}

// furnish gives a site its home, its page about itself and its shelves.
func (w *drawing) furnish(s *site) {
	s.home = w.add(s, homePage, s.topic)
	s.about = w.add(s, aboutPage, nil)
	section := func(topic *lexicon) {
		names := s.t.general.words["sections"]
		sh := &shelf{topic: topic, name: names[len(s.shelves)%len(names)]}
		if topic != nil {
			sh.name = pick(w.d, topic.words["channel"]) // the plain name of the topic, or a vague one
		}
		s.shelves = append(s.shelves, sh)
	}
	switch s.role {
	case portal: // as many sections of no topic as with one
		for _, topic := range s.t.topics {
			section(topic)
			if len(s.shelves) < 2*len(s.t.topics) {
				section(nil)
			}
		}
		return
	case special:
		section(s.topic)
	case adverts:
		for range 8 {
			w.ads = append(w.ads, w.add(s, advert, nil))
		}
		return
	}
	section(nil)
}
