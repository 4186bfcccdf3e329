package seek

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/text"
)

// Evidence is one reason to begin at a site.
type Evidence struct {
	Kind      string  `json:"kind"`              // search, directory, example, feed, sitemap, run, page
	Engine    string  `json:"engine,omitempty"`  // of a search
	Query     string  `json:"query,omitempty"`   // of a search
	Rank      int     `json:"rank,omitempty"`    // of a search, from 1
	From      string  `json:"from,omitempty"`    // the page, feed, sitemap or run that says so
	Block     string  `json:"block,omitempty"`   // the heading of the block on that page
	Anchor    string  `json:"anchor,omitempty"`  // the words of the link
	URL       string  `json:"url,omitempty"`     // the page that was found
	Matched   int     `json:"matched,omitempty"` // links that match the topic,
	Of        int     `json:"of,omitempty"`      // of so many
	Relevance float64 `json:"relevance"`         // of a page that was judged
}

// String is the evidence on one line.
func (e Evidence) String() string {
	switch e.Kind {
	case "search":
		return fmt.Sprintf("%s: “%s”, rank %d: %s", e.Engine, e.Query, e.Rank, e.URL)
	case "directory", "example":
		where := ""
		if e.Block != "" {
			where = fmt.Sprintf(", under “%s”", e.Block)
		}
		return fmt.Sprintf("linked as “%s” by %s%s", e.Anchor, e.From, where)
	case "feed", "sitemap":
		return fmt.Sprintf("%d of %d entries of its %s match: %s", e.Matched, e.Of, e.Kind, e.From)
	case "run":
		return fmt.Sprintf("%d of %d pages were relevant in %s", e.Matched, e.Of, e.From)
	}
	return fmt.Sprintf("relevance %.2f: %s", e.Relevance, e.URL)
}

// vote is how much a piece of evidence speaks for a site, beside others: that many would be convinced by it alone.
func (e Evidence) vote() float64 {
	switch e.Kind {
	case "search": // half for the first result, a quarter for the sixth, a sixth for the eleventh
		return 0.5 / (1 + float64(e.Rank-1)/5)
	case "directory":
		return 0.5
	case "example":
		return 0.3
	case "feed", "sitemap":
		return 0.5 * float64(e.Matched) / float64(max(e.Of, 1))
	}
	return 0
}

// Proposal is a site to begin at.
type Proposal struct {
	Site       string     `json:"site"`       // a host with its sub-domain, or with a directory below it
	Seeds      []string   `json:"seeds"`      // its pages to begin at
	Confidence float64    `json:"confidence"` // that its pages are relevant: the site's weight to begin with
	Agreement  float64    `json:"agreement"`  // how far what speaks for it agrees
	Pages      int        `json:"pages"`      // that were judged, now or in an earlier run
	Relevant   int        `json:"relevant"`
	Evidence   []Evidence `json:"evidence"` // the strongest first, judged pages last
}

// Row is the proposal as a line of a crawl file's sites.
func (p *Proposal) Row() crawlfile.SiteConfig {
	return crawlfile.SiteConfig{Site: p.Site, Weight: p.Confidence, Confidence: foundConfidence}
}

// A site that was found is believed in like one that was picked by hand (0.8, as four pages) where everything agrees,
// and like any other (0.5) where nothing does. The pages that were judged then count as pages of a crawl do.
const (
	Strange         = 0.5 // what is believed of a site of which nothing is known
	agreed          = 0.8
	foundConfidence = 4
	mostEarlier     = 20 // pages of earlier runs that count
)

// confidence is the weight a site begins with.
func confidence(agreement, sum float64, pages int) float64 {
	w := (foundConfidence*(Strange+(agreed-Strange)*agreement) + sum) / (foundConfidence + float64(pages))
	return math.Round(w*100) / 100
}

// agreement joins votes: of several for one thing (the same question to the same engine, the same directory) the best
// counts, and independent ones add up to less than certainty.
func agreement(all []Evidence) float64 {
	best := map[string]float64{}
	for _, e := range all {
		about := e.Kind + "\x00" + e.Engine + "\x00" + e.Query + "\x00" + e.From
		best[about] = max(best[about], e.vote())
	}
	doubt := 1.0
	for _, about := range slices.Sorted(maps.Keys(best)) {
		doubt *= 1 - best[about]
	}
	return 1 - doubt
}

// find is one page that something points to.
type find struct {
	url, host, dir string
	frontPage      bool // of its host, or of its directory
	evidence       []Evidence
	visited        bool // somebody was sent to it
	judged         bool
	relevance      float64
	relevant       bool
	page           *page.Page
	doc            *text.Doc
	sitemaps       []string // that its host's robots.txt names
}

// group is what was found of a site.
type group struct {
	host, dir string
	finds     []*find
	extra     []Evidence // of feeds, sitemaps and runs
	earlier   *run.SiteRow
	atResults bool // the pages that engines answered with are those to begin at
}

// groups reduces pages to sites.
func groups(all []*find) []*group {
	hosts := map[string][]*find{}
	for _, f := range all {
		hosts[f.host] = append(hosts[f.host], f)
	}
	var list []*group
	for _, host := range slices.Sorted(maps.Keys(hosts)) {
		list = append(list, reduce(host, hosts[host])...)
	}
	return list
}

// reduce makes sites of one host's pages: the host, or those of its directories that carry the topic where the host as a
// whole does not. The host does not where its front page was judged and is not relevant, and its relevant pages stand in
// directories of their own in which half of what was judged is relevant.
func reduce(host string, pages []*find) []*group {
	whole := []*group{{host: host, finds: pages}}
	var home *find
	dirs := map[string][]*find{}
	for _, f := range pages {
		if f.frontPage && f.dir == "" {
			home = f
		}
		dirs[f.dir] = append(dirs[f.dir], f)
	}
	if home == nil || !home.judged || home.relevant {
		return whole
	}
	var list []*group
	relevant, within := 0, 0
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		judged, good, front := 0, 0, false
		for _, f := range dirs[dir] {
			if f.judged {
				judged++
			}
			if f.relevant {
				good++
				front = front || f.frontPage
			}
		}
		relevant += good
		if dir != "" && (good >= 2 || front) && 2*good >= judged {
			within += good
			list = append(list, &group{host: host, dir: dir, finds: dirs[dir]})
		}
	}
	if len(list) == 0 || 2*within < relevant {
		return whole
	}
	return list
}

// proposal sums a site up; nil where no page of it was relevant, now or before.
func (g *group) proposal() *Proposal {
	p := &Proposal{Site: siteName(g.host, g.dir)}
	sum := 0.0
	var pages []Evidence
	for _, f := range g.finds {
		p.Evidence = append(p.Evidence, f.evidence...)
		if !f.judged {
			continue
		}
		p.Pages++
		sum += f.relevance
		if f.relevant {
			p.Relevant++
		}
		pages = append(pages, Evidence{Kind: "page", URL: f.url, Relevance: math.Round(f.relevance*100) / 100})
	}
	p.Evidence = append(p.Evidence, g.extra...)
	p.Agreement = math.Round(agreement(p.Evidence)*100) / 100
	if g.earlier != nil {
		n := min(g.earlier.Pages, mostEarlier)
		sum += float64(n) * g.earlier.Weight
		p.Pages += n
		p.Relevant += g.earlier.Relevant * n / g.earlier.Pages
	}
	p.Seeds = g.seeds()
	if len(p.Seeds) == 0 {
		return nil
	}
	p.Confidence = confidence(p.Agreement, sum, p.Pages)
	slices.SortStableFunc(p.Evidence, func(a, b Evidence) int { return cmp.Compare(b.vote(), a.vote()) })
	slices.SortStableFunc(pages, func(a, b Evidence) int { return cmp.Compare(b.Relevance, a.Relevance) })
	p.Evidence = append(p.Evidence, pages...)
	return p
}

// mostSeeds is how many pages of a site are proposed where its front page is none of them.
const mostSeeds = 2

// seeds are the pages to begin at: the front page if it is relevant, else pages that collect links before others, the most
// relevant first.
func (g *group) seeds() []string {
	if list := g.results(); len(list) > 0 {
		return list
	}
	var good []*find
	for _, f := range g.finds {
		if f.relevant && f.frontPage && f.dir == g.dir {
			return []string{f.url}
		}
		if f.relevant {
			good = append(good, f)
		}
	}
	slices.SortStableFunc(good, func(a, b *find) int {
		return cmp.Or(cmp.Compare(b.worth(), a.worth()), strings.Compare(a.url, b.url))
	})
	var list []string
	for _, f := range good[:min(len(good), mostSeeds)] {
		list = append(list, f.url)
	}
	if len(list) == 0 && g.earlier != nil && g.earlier.Best != "" {
		list = append(list, g.earlier.Best)
	}
	return list
}

// mostResults is how many results of a site are proposed where the crawl is to begin at them: an answer of an engine rarely
// has more of one site.
const mostResults = 5

// results are the relevant pages that engines answered with, the best ranks first, where they are to be begun at.
func (g *group) results() []string {
	if !g.atResults {
		return nil
	}
	rank := func(f *find) int {
		best := 0
		for _, e := range f.evidence {
			if e.Kind == "search" && (best == 0 || e.Rank < best) {
				best = e.Rank
			}
		}
		return best
	}
	var good []*find
	for _, f := range g.finds {
		if f.relevant && rank(f) > 0 {
			good = append(good, f)
		}
	}
	slices.SortStableFunc(good, func(a, b *find) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a.url, b.url)) })
	var list []string
	for _, f := range good[:min(len(good), mostResults)] {
		list = append(list, f.url)
	}
	return list
}

// worth is what a page is worth as a start page: its relevance, and a little for its links.
func (f *find) worth() float64 {
	if f.page != nil && f.page.Kind == page.Hub {
		return f.relevance + 0.2
	}
	return f.relevance
}
