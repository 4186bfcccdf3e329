package seek

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/probe"
	"github.com/thresher-crawler/thresher/focus/topic"
)

// readPages reads directories, example pages and the start pages that the crawl file has already.
func (s *Search) readPages(ctx context.Context) error {
	read := map[string]func(*page.Page, *topic.Topic) []pointer{}
	var requests []probe.Request
	for _, address := range s.config.Directories {
		read[address] = directory
		requests = append(requests, probe.Request{URL: address, Promise: 1})
	}
	for _, address := range slices.Concat(examplePages(s.config), s.config.Seeds) {
		if read[address] == nil {
			read[address] = recommended
			requests = append(requests, probe.Request{URL: address})
		}
	}
	var answers []*probe.Answer
	if err := s.prober.Go(ctx, requests, func(v *probe.Answer) { answers = append(answers, v) }); err != nil {
		return err
	}
	slices.SortFunc(answers, func(a, b *probe.Answer) int { return cmp.Compare(a.Request.URL, b.Request.URL) })
	for _, v := range answers {
		if v.Err == nil && v.Page == nil {
			v.Err = errors.New("is no page")
		}
		if v.Err != nil {
			s.trouble("%s: %v", v.Request.URL, v.Err)
			continue
		}
		found := read[v.Request.URL](v.Page, s.prober.Topic())
		if len(found) == 0 && v.Request.Promise > 0 {
			s.trouble("%s: no block of this directory matches the topic", v.Request.URL)
		}
		for _, p := range found {
			s.found(p.url, p.evidence)
		}
		if v.Request.Promise == 0 {
			s.judged(s.add(v.FinalURL), v)
		}
	}
	return s.judge(ctx, s.unvisited(), s.options.Pages/4, perSite)
}

// add is the find at an address, nil where it is none, or outside the scope. A name and a password that it brings along are nobody's to send.
func (s *Search) add(address string) *find {
	address, _, _, _ = page.Login(address)
	identity, err := page.Canonical(address)
	if err != nil || page.Binary(address) || !s.inside(address) {
		return nil
	}
	f := s.finds[identity]
	if f == nil {
		f = &find{url: address, host: hostOf(address), dir: directoryOf(address)}
		f.frontPage = f.url == front(f.url, f.host, f.dir)
		s.finds[identity] = f
		s.order = append(s.order, f)
	}
	return f
}

// found notes evidence for an address, and tells whether nobody had found it before.
func (s *Search) found(address string, e Evidence) (f *find, fresh bool) {
	before := len(s.order)
	if f = s.add(address); f != nil {
		f.evidence = append(f.evidence, e)
	}
	return f, len(s.order) > before
}

// unvisited are the finds that nobody was sent to, those with most evidence first.
func (s *Search) unvisited() []*find {
	var list []*find
	for _, f := range s.order {
		if !f.visited {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, byVotes)
	return list
}

// byVotes puts what most evidence speaks for first.
func byVotes(a, b *find) int { return cmp.Compare(agreement(b.evidence), agreement(a.evidence)) }

// perSite is how many pages of a host are judged: enough to know it by, few enough to leave room for others.
const perSite = 5

// judge sends the prober to pages, as long as the budget and this step's share of it last: to so many of each host.
func (s *Search) judge(ctx context.Context, finds []*find, share, each int) error {
	sent, hosts := map[string]*find{}, map[string]int{}
	for _, f := range s.order {
		if f.visited {
			hosts[f.host]++
		}
	}
	var requests []probe.Request
	for _, f := range finds {
		if f.visited || hosts[f.host] >= each || s.report.Pages >= s.options.Pages || len(requests) >= share {
			continue
		}
		f.visited = true
		hosts[f.host]++
		s.report.Pages++
		sent[f.url] = f
		requests = append(requests, probe.Request{URL: f.url, Promise: agreement(f.evidence)})
	}
	return s.prober.Go(ctx, requests, func(v *probe.Answer) { s.judged(sent[v.Request.URL], v) })
}

// judged notes what became of a page.
func (s *Search) judged(f *find, v *probe.Answer) {
	if f == nil {
		return
	}
	f.visited, f.sitemaps = true, v.Sitemaps
	if v.Err != nil || v.Page == nil || v.List || hostOf(v.FinalURL) != f.host || !s.inside(v.FinalURL) {
		return // a page that moved to another host says nothing of this one
	}
	f.judged, f.page, f.doc = true, v.Page, v.Doc
	if !f.frontPage || v.FinalURL == front(v.FinalURL, f.host, f.dir) { // it may be at https by now
		f.url, f.dir = v.FinalURL, directoryOf(v.FinalURL)
	}
	f.relevance, f.relevant = v.Judgement.Relevance, v.Judgement.Relevant
}

// judgeFronts judges the front pages of sites that have relevant pages: of the host, and of the directory.
func (s *Search) judgeFronts(ctx context.Context) error {
	var fronts []*find
	for _, f := range slices.Clone(s.order) {
		if f.relevant {
			fronts = append(fronts, s.add(front(f.url, f.host, "")))
			if f.dir != "" {
				fronts = append(fronts, s.add(front(f.url, f.host, f.dir)))
			}
		}
	}
	fronts = slices.DeleteFunc(fronts, func(f *find) bool { return f == nil })
	return s.judge(ctx, fronts, len(fronts), perSite+2)
}
