package focus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// Scout goes ahead of a crawl: it fetches single pages with the crawl's manners (its name, its pauses, robots.txt, its
// bounds on what an answer may cost), and reads and judges them by the crawl's topic. It follows no link and keeps nothing.
type Scout struct {
	config  Config
	crawl   *Crawler // what it shares with a crawl: transport, clock, topic
	about   *topic.Topic
	reading page.Options
	pages   *patrol // where the crawl's pages are: the live web, or a recorded one
	outside *patrol // the live web; the same unless the crawl is over a recorded one
	told    sync.Mutex
}

// Errand is an address that a Scout is sent to.
type Errand struct {
	URL     string
	Promise float64     // of the errands that may be run now, the one with the most is
	Header  http.Header // sent along to the errand's own host, such as the key of an interface
	Open    bool        // an interface made for programs: its robots.txt, which speaks of pages, is not asked
	Outside bool        // asked of the live web even where the crawl is over a recorded one
}

// Sight is what a Scout saw at the end of an errand.
type Sight struct {
	Errand    Errand
	FinalURL  string
	Status    int // 0 where there was no answer
	Header    http.Header
	Body      []byte
	Page      *page.Page // nil where it is none
	List      bool       // the page is a sitemap or a feed: links alone, not judged
	Doc       *text.Doc
	Judgement topic.Judgement
	Sitemaps  []string // that the host's robots.txt names
	Err       error    // why there is nothing to see
}

// Errors of sights, for callers who branch.
var (
	ErrRobots = errors.New("its robots.txt keeps programs out")
	ErrWall   = errors.New("something stands in the place of the page")
	ErrTwice  = errors.New("was seen before")
)

// NewScout makes a scout for a crawl, with the options that the crawl would have. Its example pages are fetched where there are any.
func NewScout(config Config, options ...Option) (*Scout, error) {
	if err := config.Sound(); err != nil {
		return nil, err
	}
	if err := config.NoContact(); err != nil {
		return nil, err
	}
	strategy, err := config.LoadStrategy(config.Factors)
	if err != nil {
		return nil, err
	}
	c, err := outside(config, options...)
	if err != nil {
		return nil, err
	}
	s := &Scout{config: config, crawl: c}
	if s.about, err = c.topic(strategy); err == nil {
		s.reading, err = config.PageOptions()
	}
	if err != nil {
		c.abandon()
		return nil, err
	}
	s.reading.MaxLinks = config.Fetch.MaxLinks
	s.pages = s.patrol(c.carrier.next, c.clock)
	if s.outside = s.pages; c.web != nil {
		limits := limitsOf(config.Fetch)
		s.outside = s.patrol(wire.Stack(c.openNetwork(limits), limits, c.logins.Layer(), wire.Charset(),
			wire.Decode(wire.DecodeConfig{MaxBytes: int64(config.Fetch.MaxBody)})), wall{})
	}
	return s, nil
}

// Topic is the topic of the crawl. Nothing that a scout sees changes it.
func (s *Scout) Topic() *topic.Topic { return s.about }

// Close lets go of what the scout holds open.
func (s *Scout) Close() error {
	s.pages.client.CloseIdleConnections()
	s.outside.client.CloseIdleConnections()
	s.crawl.abandon()
	return nil
}

// Go runs errands, each host in its own time, and tells every sight as it comes, one at a time. It ends when all are run,
// or with the error of the context. An address that was seen before is not fetched again: its sight is ErrTwice.
func (s *Scout) Go(ctx context.Context, errands []Errand, saw func(*Sight)) error {
	tell := func(v *Sight) {
		s.told.Lock()
		defer s.told.Unlock()
		saw(v)
	}
	for _, e := range errands {
		e.URL = s.crawl.logins.take(e.URL)
		w := s.pages
		if e.Outside {
			w = s.outside
		}
		if err := w.send(&trip{errand: e, at: e.URL}); err != nil {
			tell(&Sight{Errand: e, FinalURL: e.URL, Err: err})
		}
	}
	err := s.walk(ctx, s.pages, tell)
	if s.outside != s.pages && err == nil {
		err = s.walk(ctx, s.outside, tell)
	}
	return err
}

// fetch fetches and reads; onward is where a redirect leads.
func (s *Scout) fetch(ctx context.Context, w *patrol, t *trip, v *Sight) (onward string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.at, nil)
	if err != nil {
		return "", err
	}
	req.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.5")
	for name, values := range t.errand.Header {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	req.Header.Set("User-Agent", s.crawl.agent())
	resp, err := w.client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	v.Status, v.Header = resp.StatusCode, resp.Header
	if v.Body, err = io.ReadAll(resp.Body); err != nil && len(v.Body) == 0 {
		return "", err
	}
	switch to := page.Location(t.at, resp.Header.Get("Location")); {
	case 300 <= v.Status && v.Status < 400 && to != "":
		return to, nil
	case v.Status < 200 || v.Status >= 300:
		return "", errors.New("the answer was " + strconv.Itoa(v.Status) + " " + http.StatusText(v.Status))
	}
	return "", s.read(v)
}

// read reads and judges what is a page, or a list of links.
func (s *Scout) read(v *Sight) error {
	if v.Page = linkList(v.Body, v.FinalURL, s.reading.MaxLinks); v.Page != nil {
		v.List, v.Doc = true, study.Document(v.Page)
		return nil
	}
	if !wire.IsPage(wire.MediaType(v.Header)) {
		return nil
	}
	if wall := junk.Wall(v.Header, v.Body); wall != "" {
		return fmt.Errorf("%w: %s", ErrWall, wall)
	}
	v.Page = page.Parse(v.Body, v.FinalURL, s.reading)
	v.Doc = study.Document(v.Page)
	v.Judgement = s.about.Judge(v.Doc)
	return nil
}
