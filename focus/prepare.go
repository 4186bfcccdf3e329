package focus

import (
	"net/url"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/study"
)

// preparer does the part of the journey that needs the page alone, and what the crawl file says: it is done for many pages
// at the same time, before they have the turn. It knows neither frontier nor memory nor ledger, because what it found there
// would depend on which page was faster. What remains is the commit of each step: methods of Steps, run by the turn.
type preparer struct {
	reading page.Options
	scope   *admit.Scope
	lists   bool         // sitemaps and feeds are read for their links
	token   string       // what robots.txt files and pages call us
	pages   *study.Pages // where pages were read before; nil reads them
	words   study.Cutter
}

// prepare does for an answer all that can be done without the turn.
func (p *preparer) prepare(v *Visit) {
	p.read(v)
	if v.Page == nil || v.Err != nil {
		return
	}
	v.Doc = study.Document(v.Page)
	switch {
	case v.list:
	case p.pages != nil:
		v.Spared = p.pages.Cut(p.words, v.FinalURL, v.Doc)
	default:
		p.words.Cut(v.Doc)
	}
	v.links = p.links(v)
}

// optOut reads what the author of a page reserves: in its header, its head, and the robots.txt of its host.
func (p *preparer) optOut(v *Visit) {
	if u, err := url.Parse(v.FinalURL); err == nil {
		v.OptOut = robots.OptOutOf(v.Header, v.Body, u, v.rules, p.token)
	}
}

// listed reads an answer that is a sitemap or a feed as a page that consists of links alone: what stands in it is scored
// like the links of any page. It is nil for everything else.
func (p *preparer) listed(v *Visit) *page.Page {
	if !p.lists || v.Status < 200 || v.Status >= 300 {
		return nil
	}
	return linkList(v.Body, v.FinalURL, p.reading.MaxLinks)
}

// links are the links of a page, each with what the scope has against it.
func (p *preparer) links(v *Visit) []Candidate {
	found := make([]Candidate, 0, len(v.Page.Links))
	for i := range v.Page.Links {
		l := &v.Page.Links[i]
		hop := byte(run.HopLink)
		if l.Source == page.Frame || l.Source == page.Iframe {
			hop = run.HopFrame
		}
		found = append(found, Candidate{Link: l, hop: hop, Refused: p.scope.Admit(l, int(v.Item.Depth)+1)})
	}
	return found
}
