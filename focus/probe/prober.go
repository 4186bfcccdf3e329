package probe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ground"
	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/sitemap"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// Prober goes ahead of a crawl: it fetches single pages with the crawl's manners (its name, its pauses, robots.txt, its
// bounds on what an answer may cost), and reads and judges them by the crawl's topic. It follows no link and keeps nothing.
type Prober struct {
	config  crawlfile.Config
	web     *ground.Ground
	about   *topic.Topic
	reading page.Options
	pages   *probe // where the crawl's pages are: the live web, or a recorded one
	outside *probe // the live web; the same unless the crawl is over a recorded one
	told    sync.Mutex
}

// Request is an address that a Prober is sent to.
type Request struct {
	URL     string
	Promise float64     // of the requests that may be run now, the one with the most is
	Header  http.Header // sent along to the request's own host, such as the key of an interface
	Open    bool        // an interface made for programs: its robots.txt, which speaks of pages, is not asked
	Outside bool        // asked of the live web even where the crawl is over a recorded one

	// Waits is asked where the host is busy and says when to come again, and tells whether the request waits for that; nil waits for nothing.
	Waits func(status int, wait time.Duration) bool
}

// Answer is what a Prober saw at the end of a request.
type Answer struct {
	Request   Request
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

// Errors of answers, for callers who branch.
var (
	ErrRobots = errors.New("its robots.txt keeps programs out")
	ErrWall   = errors.New("something stands in the place of the page")
	ErrTwice  = errors.New("was seen before")
)

// New makes a prober for a crawl, over the web that the crawl would go to. Its example pages are fetched where there are any.
func New(config crawlfile.Config, o ground.Options) (_ *Prober, err error) {
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
	config.TakeLogins()
	s := &Prober{config: config}
	if s.web, err = ground.Open(&s.config, o); err != nil {
		return nil, err
	}
	if s.about, err = Topic(&s.config, strategy, s.web); err == nil {
		s.reading, err = config.PageOptions()
	}
	if err != nil {
		s.web.Close()
		return nil, err
	}
	s.pages = s.newProbe(s.web.Transport, s.web.Clock)
	if s.outside = s.pages; s.web.Web != nil {
		s.outside = s.newProbe(s.web.Outside())
	}
	return s, nil
}

// Topic is the topic of the crawl. Nothing that a prober sees changes it.
func (s *Prober) Topic() *topic.Topic { return s.about }

// Close lets go of what the prober holds open.
func (s *Prober) Close() error {
	s.outside.client.CloseIdleConnections()
	return s.web.Close()
}

// Go runs requests, each host in its own time, and tells every answer as it comes, one at a time. It ends when all are run,
// or with the error of the context. An address that was seen before is not fetched again: its answer is ErrTwice.
func (s *Prober) Go(ctx context.Context, requests []Request, saw func(*Answer)) error {
	tell := func(v *Answer) {
		s.told.Lock()
		defer s.told.Unlock()
		saw(v)
	}
	for _, e := range requests {
		e.URL = s.web.Logins.Take(e.URL)
		w := s.pages
		if e.Outside {
			w = s.outside
		}
		if err := w.send(&trip{request: e, at: e.URL}); err != nil {
			tell(&Answer{Request: e, FinalURL: e.URL, Err: err})
		}
	}
	err := s.walk(ctx, s.pages, tell)
	if s.outside != s.pages && err == nil {
		err = s.walk(ctx, s.outside, tell)
	}
	return err
}

// fetch fetches and reads; onward is where a redirect leads.
func (s *Prober) fetch(ctx context.Context, w *probe, t *trip, v *Answer) (onward string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.at, nil)
	if err != nil {
		return "", err
	}
	req.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.5")
	for name, values := range t.request.Header {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	req.Header.Set("User-Agent", s.config.Polite.UserAgent())
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
	case !page.Arrived(v.Status):
		return "", errors.New("the answer was " + strconv.Itoa(v.Status) + " " + http.StatusText(v.Status))
	}
	return "", s.read(v)
}

// read reads and judges what is a page, or a list of links.
func (s *Prober) read(v *Answer) error {
	if v.Page = sitemap.ListPage(v.Body, v.FinalURL); v.Page != nil {
		v.List, v.Doc = true, study.Document(v.Page)
		return nil
	}
	media := wire.MediaType(v.Header)
	if !wire.IsPage(media) && !s.reading.Reads(media, v.Body) {
		return nil
	}
	html, refused, err := Markup(context.Background(), &s.reading, media, v.Header, v.Body)
	if err != nil {
		return err
	}
	switch refused.Kind() {
	case "":
	case admit.RefusedType:
		return errors.New(refused.Said())
	case admit.RefusedWall:
		return fmt.Errorf("%w: %s", ErrWall, refused.Said())
	default:
		return fmt.Errorf("%w: %s", ErrWall, refused)
	}
	v.Page = page.Parse(html, v.FinalURL, s.reading.In(v.Header.Get(wire.CharsetHeader), v.Header))
	v.Doc = study.Document(v.Page)
	v.Judgement = s.about.Judge(v.Doc)
	return nil
}

// blank is how many bytes of white space pass for nothing.
const blank = 1 << 10

// Said is Markup of an answer that says something. A machine that is short of memory says nothing, with a status of success.
func Said(ctx context.Context, reading *page.Options, media string, header http.Header, body []byte) ([]byte, admit.Refused, error) {
	if len(body) < blank && len(bytes.TrimSpace(body)) == 0 {
		return nil, admit.Refuse(admit.RefusedFailed, errEmpty.Error()), errEmpty
	}
	return Markup(ctx, reading, media, header, body)
}

// Markup is what an answer says as HTML, or why that is no page of words. An error says that it could not be read now, which is not the
// page's fault: one that has too many visitors may say so with a status of success.
func Markup(ctx context.Context, reading *page.Options, media string, header http.Header, body []byte) ([]byte, admit.Refused, error) {
	html, err := reading.HTML(ctx, media, body)
	if NotNow(err) {
		return nil, admit.Refuse(admit.RefusedType, err.Error()), err
	}
	if err != nil {
		return nil, admit.Refuse(admit.RefusedType, err.Error()), nil
	}
	switch wall := junk.Wall(header, html); wall {
	case "":
	case junk.Busy:
		return nil, admit.Refuse(admit.RefusedFailed, wall), errBusy
	default:
		return html, admit.Refuse(admit.RefusedWall, wall), nil
	}
	if junk.Shell(html) {
		return html, admit.RefusedScript, nil
	}
	return html, "", nil
}

// probe is one web that a prober goes to, with the clocks of its hosts.
type probe struct {
	frontier *frontier.Memory
	clock    ground.Clock
	client   *http.Client
	gate     *robots.Gate // nil where robots.txt is ignored

	mu    sync.Mutex
	trips map[uint64]*trip
	down  map[string]error // hosts that nobody is sent to any more
}

// trip is a request on its way.
type trip struct {
	request Request
	at      string // where it is by now, redirects followed
	hops    int
}

func (s *Prober) newProbe(through http.RoundTripper, at ground.Clock) *probe {
	p := s.config.Polite
	manners := frontier.Manners{Delay: p.Delay.Duration(), PerHost: p.PerHost}
	at.Keep(&manners)
	w := &probe{frontier: frontier.NewMemory(manners), clock: at, trips: map[uint64]*trip{}, down: map[string]error{},
		client: &http.Client{Transport: through, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	if p.Robots == "obey" {
		w.gate = robots.NewGate(through, s.config.Polite.UserAgent(), robots.GateConfig{Pacing: w.frontier})
	}
	return w
}

// send lets a trip wait for its host.
func (w *probe) send(t *trip) error {
	identity, err := page.Canonical(t.at)
	if err != nil {
		return fmt.Errorf("is no address: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	id, fresh, err := w.frontier.Push(frontier.Item{URL: t.at, Identity: identity, Host: page.Host(t.at), Score: float32(t.request.Promise)})
	if err == nil && !fresh {
		err = ErrTwice
	}
	if err == nil {
		w.trips[id] = t
	}
	return err
}

// walk runs all trips that wait.
func (s *Prober) walk(ctx context.Context, w *probe, tell func(*Answer)) error {
	if !w.clock.Passes() {
		return s.replayed(ctx, w, tell)
	}
	frontier.Crew{
		Threads: min(s.config.Polite.Parallel, w.frontier.Len()),
		Next: func(context.Context) (frontier.Turn, bool) {
			return frontier.Turn{Missed: func(error) bool { return false }}, true // nothing waits any more, or the context is over
		},
		Visit: func(item frontier.Item, _ int) (frontier.Outcome, bool) { return s.run(ctx, w, item, tell), false },
	}.Run(ctx, w.frontier)
	return ctx.Err()
}

// replayed runs all trips over a recorded web, where time is virtual.
func (s *Prober) replayed(ctx context.Context, w *probe, tell func(*Answer)) error {
	for ctx.Err() == nil {
		item, ready, err := w.frontier.TryPop(0)
		switch {
		case err != nil:
			return nil // nothing waits any more
		case item.ID == 0:
			w.clock.Set(ready)
		default:
			w.frontier.Done(item.ID, s.run(ctx, w, item, tell)) // it is leased: nothing can go wrong
		}
	}
	return ctx.Err()
}

// run makes one visit of a trip, and tells what was seen unless the trip goes on.
func (s *Prober) run(ctx context.Context, w *probe, item frontier.Item, tell func(*Answer)) frontier.Outcome {
	w.mu.Lock()
	t, down := w.trips[item.ID], w.down[item.Host]
	w.mu.Unlock()
	v := &Answer{Request: t.request, FinalURL: t.at}
	var o frontier.Outcome
	onward := ""
	if down != nil {
		v.Err, o.Idle = down, true
	} else if o.Again = s.ask(ctx, w, t, v); !o.Again && v.Err == nil {
		ctx, cancel := context.WithTimeout(ctx, s.config.Fetch.Timeout.Duration()+ground.Slack)
		onward, v.Err = s.fetch(ctx, w, t, v)
		cancel()
		o.Failed = v.Status == 0 || v.Status >= 500
		if wait, later := w.later(t, v); later {
			return frontier.Outcome{Again: true, Score: item.Score, Wait: wait, Failed: o.Failed}
		}
		w.note(item.Host, v)
	} else {
		o.Idle = !o.Again
	}
	if onward != "" {
		if next := t.onward(onward); next.hops > s.config.Fetch.Redirects {
			v.Err = fmt.Errorf("redirects lead on and on, to %.200s at last", onward)
		} else if v.Err = w.send(next); v.Err == nil {
			return o
		}
		v.FinalURL = onward
	}
	if !o.Again {
		tell(v)
	}
	return o
}

// ask asks robots.txt; again tells that this visit of the host went into fetching it.
func (s *Prober) ask(ctx context.Context, w *probe, t *trip, v *Answer) (again bool) {
	u, err := url.Parse(t.at)
	if err != nil || w.gate == nil || t.request.Open {
		v.Err = err
		return false
	}
	rules, known := w.gate.Cached(u)
	if !known {
		if rules, v.Err = w.gate.Rules(ctx, u); v.Err != nil {
			return false
		}
		if _, known = w.gate.Cached(u); known {
			return true
		}
	}
	v.Sitemaps = rules.Sitemaps(robots.Origin(u.String()))
	switch allowed, said := rules.Allowed(u.RequestURI()); {
	case !allowed && rules.Unreachable():
		v.Err = errors.New(said)
	case !allowed:
		v.Err = fmt.Errorf("%w (%s)", ErrRobots, said)
	}
	return false
}

// onward is the trip after a redirect. What was meant for one host is not told to another.
func (t *trip) onward(to string) *trip {
	next := &trip{request: t.request, at: to, hops: t.hops + 1}
	if page.Host(to) != page.Host(t.at) {
		next.request.Header, next.request.Open = nil, false
	}
	return next
}
