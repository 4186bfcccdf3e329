// Package seek answers one question: where do we begin?
//
// Good start pages decide a harvest. A search asks several sources, from a topic alone: search engines, with questions made
// of the topic's words and, later, of the words of the best pages that were found; directories, read for the blocks that
// match; the pages that examples of the topic link to; feeds and sitemaps of the sites that were found; and what earlier
// runs found worth their while. Pages are judged by the topic of the crawl, reduced to sites, and proposed with the
// evidence and a confidence, which is the site's weight when the crawl begins.
//
// There are only a few types. An Engine is a search engine as a description tells of it. A Search is one search for start
// pages, a Report what came of it, a Proposal a site to begin at with its Evidence, and a Refusal why an engine was left.
// Everything is fetched by a probe.Prober, as politely as the crawl itself.
package seek

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/ground"
	"github.com/thresher-crawler/thresher/focus/probe"
	"github.com/thresher-crawler/thresher/focus/run"
)

// Options bound a search.
type Options struct {
	Queries   int                              // questions; each engine hears each of them until it is left
	Results   int                              // the first results of an answer that count
	Pages     int                              // pages that are fetched to be judged
	From      []string                         // folders of earlier runs
	AtResults bool                             // begin at the relevant pages that engines answered with, not at their sites' front pages
	Say       func(format string, args ...any) // hears how it goes; nil says nothing
}

// Defaults are bounds with which a search takes some minutes.
func Defaults() Options { return Options{Queries: 8, Results: 10, Pages: 200} }

// Report is what came of a search.
type Report struct {
	Proposals []Proposal     `json:"proposals"` // the best first
	Queries   []QueryReport  `json:"queries"`
	Engines   []EngineReport `json:"engines"`
	Troubles  []string       `json:"troubles,omitempty"` // what could not be had, and what to do
	Pages     int            `json:"pages"`              // that were fetched to be judged
	Doubtful  int            `json:"doubtful"`           // sites that were found, and had no relevant page
}

// QueryReport is what one question brought from one engine.
type QueryReport struct {
	Engine   string  `json:"engine"`
	Query    string  `json:"query"`
	Feedback bool    `json:"feedback"` // its words come from pages that were found
	Results  int     `json:"results"`
	New      int     `json:"new"`      // that nobody had found before
	Relevant int     `json:"relevant"` // of the new ones
	Yield    float64 `json:"yield"`    // new relevant ones for each result
}

// EngineReport is how it went with one engine.
type EngineReport struct {
	Engine  string `json:"engine"`
	Queries int    `json:"queries"`
	Results int    `json:"results"`
	Left    string `json:"left,omitempty"` // why it was not asked any more
}

// Search is one search for start pages. It is run once.
type Search struct {
	config  crawlfile.Config
	options Options
	prober  *probe.Prober
	enters  func(address string) bool // a crawl may begin there
	outside map[string]bool           // hosts that were found, and may not enter
	engines []*asked
	finds   map[string]*find // by identity
	order   []*find          // as they were found
	extra   map[string][]Evidence
	earlier map[string]*run.SiteRow
	report  Report
}

// asked is an engine in a search.
type asked struct {
	*Engine
	described string // the address of its description, until that was fetched
	report    EngineReport
	yields    []float64

	mu     sync.Mutex
	waited time.Duration // for it, where it said when to come again
}

// left tells that an engine is not asked any more.
func (a *asked) left() bool { return a.report.Left != "" }

// ErrNoSource: a crawl file names nothing in which start pages could be found.
var ErrNoSource = errors.New("there is nothing to find start pages in")

// New makes a search for the start pages of a crawl. The engines are those of the crawl file.
func New(config crawlfile.Config, o Options, on ground.Options) (*Search, error) {
	config.TakeLogins()
	s := &Search{config: config, options: o, outside: map[string]bool{}, finds: map[string]*find{}, extra: map[string][]Evidence{}, earlier: map[string]*run.SiteRow{},
		report: Report{Proposals: []Proposal{}, Queries: []QueryReport{}, Engines: []EngineReport{}}} // a list of nothing is a list in JSON too
	if s.options.Say == nil {
		s.options.Say = func(string, ...any) {}
	}
	if len(config.Engines)+len(config.Directories)+len(o.From)+len(config.Seeds)+len(examplePages(config)) == 0 {
		return nil, ErrNoSource
	}
	if err := CheckEngines(&config); err != nil {
		return nil, err
	}
	var err error
	if s.enters, err = config.Scope.Inside(); err != nil {
		return nil, err
	}
	for _, name := range config.Engines {
		e, err := open(name, filepath.Dir(config.File))
		if err != nil {
			return nil, err
		}
		a := &asked{Engine: e}
		if e == nil {
			a.Engine, a.described = &Engine{Name: name}, name
		}
		a.report.Engine = a.Name
		s.engines = append(s.engines, a)
	}
	if len(s.engines) > 0 { // engines are live, whatever is crawled
		live := config
		live.Web = ""
		if err := live.NoContact(); err != nil {
			return nil, err
		}
	}
	s.prober, err = probe.New(config, on)
	return s, err
}

// examplePages are the examples of a topic that have an address.
func examplePages(config crawlfile.Config) []string {
	var list []string
	for _, e := range config.Topic.Examples {
		if strings.HasPrefix(e, "http://") || strings.HasPrefix(e, "https://") {
			list = append(list, e)
		}
	}
	return list
}

// Run searches. What could not be had is told in the report; the error is that of the context, or of a run folder that
// cannot be read.
func (s *Search) Run(ctx context.Context) (Report, error) {
	defer s.prober.Close()
	if err := s.rememberRuns(); err != nil {
		return Report{}, err
	}
	for _, step := range []func(context.Context) error{s.describe, s.readPages, s.askEngines, s.judgeFronts, s.readLists} {
		if err := step(ctx); err != nil {
			return s.report, err
		}
	}
	s.propose()
	if out := slices.Sorted(maps.Keys(s.outside)); len(out) > 0 {
		s.trouble("hosts that were found, and whose pages are outside the scope of %s: %d, such as %s", s.config.File, len(out), out[0])
	}
	return s.report, nil
}

// inside tells of an address that a crawl may begin there, and remembers the hosts of those where it may not.
func (s *Search) inside(address string) bool {
	in := s.enters(address)
	if !in {
		s.outside[hostOf(address)] = true
	}
	return in
}

func (s *Search) trouble(format string, args ...any) {
	said := fmt.Sprintf(format, args...)
	s.report.Troubles = append(s.report.Troubles, said)
	s.options.Say("%s", said)
}

// leave gives an engine up.
func (s *Search) leave(a *asked, why string) {
	if !a.left() {
		a.report.Left = why
		s.trouble("%s", why)
	}
}

// describe fetches the OpenSearch descriptions.
func (s *Search) describe(ctx context.Context) error {
	var requests []probe.Request
	for _, a := range s.engines {
		if a.described != "" {
			requests = append(requests, probe.Request{URL: a.described, Outside: true, Open: true})
		}
	}
	return s.prober.Go(ctx, requests, func(v *probe.Answer) {
		i := slices.IndexFunc(s.engines, func(a *asked) bool { return a.described == v.Request.URL })
		a := s.engines[i]
		a.described = ""
		err := v.Err
		if err == nil {
			var e *Engine
			if e, err = openSearch(v.Body, v.FinalURL); err == nil {
				a.Engine, a.report.Engine = e, e.Name
				return
			}
		}
		s.leave(a, fmt.Sprintf("%s: %v; an engine is a name, the path of a description, searxng=ADDRESS, or the address of an OpenSearch description", a.Name, err))
	})
}

// rememberRuns takes the sites that yielded in earlier runs.
func (s *Search) rememberRuns() error {
	for _, folder := range s.options.From {
		ran, err := run.Open(folder)
		if err != nil {
			return err
		}
		table, err := ran.Sites()
		if err != nil {
			return err
		}
		for i := range table {
			row := &table[i]
			if row.Best == "" || !s.inside(row.Best) {
				continue
			}
			if have := s.earlier[row.Site]; have == nil || row.Relevant > have.Relevant {
				s.earlier[row.Site] = row
			}
			s.extra[row.Site] = append(s.extra[row.Site], Evidence{Kind: "run", From: folder, Matched: row.Relevant, Of: row.Pages, Relevance: math.Round(row.Weight*100) / 100, URL: row.Best})
		}
	}
	return nil
}

// begins tells that the crawl file begins at a site already.
func (s *Search) begins(g *group) bool {
	return slices.ContainsFunc(s.config.Seeds, func(seed string) bool {
		return hostOf(seed) == g.host && (g.dir == "" || directoryOf(seed) == g.dir)
	})
}

// propose sums up what was found.
func (s *Search) propose() {
	list := groups(s.order)
	known := map[string]bool{}
	for _, g := range list {
		known[g.host] = true
	}
	for _, host := range slices.Sorted(maps.Keys(s.earlier)) {
		if !known[host] {
			list = append(list, &group{host: host})
		}
	}
	for _, g := range list {
		if s.begins(g) {
			continue
		}
		g.atResults = s.options.AtResults
		g.extra = s.extra[siteName(g.host, g.dir)]
		if g.dir == "" {
			g.earlier = s.earlier[g.host]
		}
		if p := g.proposal(); p != nil {
			s.report.Proposals = append(s.report.Proposals, *p)
		} else {
			s.report.Doubtful++
		}
	}
	slices.SortFunc(s.report.Proposals, func(a, b Proposal) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(b.Agreement, a.Agreement), cmp.Compare(a.Site, b.Site))
	})
	for _, a := range s.engines {
		s.report.Engines = append(s.report.Engines, a.report)
	}
}
