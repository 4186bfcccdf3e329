package seek

import (
	"cmp"
	"context"
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/probe"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/topic"
)

const (
	listedSites  = 20 // sites whose feeds and sitemaps are read
	listEntries  = 200
	sampledPages = 2 // of those that a feed announces, are judged
)

// readLists reads a feed and a sitemap of each of the best sites: how many of their entries match the topic tells of the
// site beyond the pages that were found, and some of the entries are judged.
func (s *Search) readLists(ctx context.Context) error {
	whose := map[string]string{}
	var requests []probe.Request
	for _, g := range s.best() {
		for _, address := range g.lists() {
			if whose[address] == "" {
				whose[address] = siteName(g.host, g.dir)
				requests = append(requests, probe.Request{URL: address})
			}
		}
	}
	var answers []*probe.Answer
	err := s.prober.Go(ctx, requests, func(v *probe.Answer) {
		if v.List {
			answers = append(answers, v)
		}
	})
	if err != nil {
		return err
	}
	slices.SortFunc(answers, func(a, b *probe.Answer) int { return cmp.Compare(a.Request.URL, b.Request.URL) })
	var sample []*find
	for _, v := range answers {
		e, matching := entries(v.Page, s.prober.Topic())
		if e.Matched == 0 {
			continue
		}
		site := whose[v.Request.URL]
		s.extra[site] = append(s.extra[site], e)
		for _, l := range matching[:min(len(matching), sampledPages)] {
			if f := s.add(l.URL); f != nil && f.host == hostOf(v.FinalURL) {
				sample = append(sample, f)
			}
		}
	}
	return s.judge(ctx, sample, s.options.Pages-s.report.Pages, perSite+sampledPages)
}

// best are the sites that have relevant pages, those with the most of them first.
func (s *Search) best() []*group {
	var list []*group
	count := map[*group]int{}
	for _, g := range groups(s.order) {
		for _, f := range g.finds {
			if f.relevant {
				count[g]++
			}
		}
		if count[g] > 0 {
			list = append(list, g)
		}
	}
	slices.SortStableFunc(list, func(a, b *group) int { return cmp.Compare(count[b], count[a]) })
	return list[:min(len(list), listedSites)]
}

// lists are a feed that the site's pages name, and a sitemap that its robots.txt names.
func (g *group) lists() []string {
	feed, sitemap := "", ""
	for _, f := range g.finds {
		if sitemap == "" && len(f.sitemaps) > 0 {
			sitemap = f.sitemaps[0]
		}
		if f.page == nil || feed != "" {
			continue
		}
		for i := range f.page.Links {
			if l := &f.page.Links[i]; l.Source == page.Feed && l.Host == g.host {
				feed = l.URL
				break
			}
		}
	}
	return slices.DeleteFunc([]string{feed, sitemap}, func(s string) bool { return s == "" })
}

// entries counts the entries of a list that match the topic: by their title, or else by the words of their address.
func entries(p *page.Page, about *topic.Topic) (Evidence, []*page.Link) {
	e := Evidence{Kind: "sitemap", From: p.URL, Of: min(len(p.Links), listEntries)}
	var matching []*page.Link
	for i := range p.Links[:e.Of] {
		l := &p.Links[i]
		if l.Source == page.Feed {
			e.Kind = "feed"
		}
		if len(about.Matches(l.Anchor+" "+l.After)) > 0 || len(about.Matches(spoken(l.URL))) > 0 {
			matching = append(matching, l)
		}
	}
	e.Matched = len(matching)
	e.Relevance = math.Round(100*float64(e.Matched)/float64(max(e.Of, 1))) / 100
	return e, matching
}

// spoken is an address as words.
func spoken(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.NewReplacer("/", " ", "-", " ", "_", " ", ".", " ").Replace(u.Path)
}

// shown are the terms of a topic that was shown by pages only.
func (s *Search) shown() []topic.Term {
	var spec topic.Spec
	for _, f := range s.order {
		if f.judged && len(f.evidence) == 0 {
			spec.Examples = append(spec.Examples, f.doc)
		}
	}
	for _, file := range s.config.Topic.Examples {
		if p, err := study.ReadSpecimen(file); err == nil {
			spec.Examples = append(spec.Examples, p.Doc)
		}
	}
	list, err := topic.Propose(spec, 12)
	if err != nil {
		s.trouble("no words can be taken from the example pages: %v", err)
	}
	return list
}
