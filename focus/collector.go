package focus

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/visits"
)

// On makes a crawl on a collector that the program brings along, with its callbacks, its proxy, its cookies, its storage, its
// filters and its LimitRules, in the place of one that New makes. Where collector and crawl file both bound something, the
// stricter bound counts, and stands in the crawl file as it ran. A collector is good for one crawl.
//
// Of each field and method of the collector, what the program did with it before Run is obeyed, is ours to do, or is refused with
// an error at Run. TestColly has a test of each row under the name of the row: TestColly/MaxDepth proves what is said of MaxDepth.
//
//	AllowURLRevisit         refused  a crawl visits an address once
//	AllowedDomains          obeyed   a link outside is refused before its host is asked, with the reason "collector"
//	Appengine               obeyed   as SetClient
//	Async                   refused  the crawl must know when a request has ended
//	CacheDir                refused  fetch.since takes what has not changed from an earlier run
//	CacheExpiration         refused  as CacheDir
//	CheckHead               refused  it would ask each host twice
//	Clone                   refused  a clone shares the transport and has no callbacks: what it asks for fails
//	Context                 obeyed   its end stops the crawl as a signal does, and requests have its values
//	Cookies                 obeyed   of the collector's jar, whatever the crawl file says of cookies
//	DetectCharset           ours     the letters are right before Colly sees them
//	DisableCookies          obeyed
//	DisallowedDomains       obeyed   as AllowedDomains
//	DisallowedURLFilters    obeyed   as AllowedDomains
//	HasPosted               obeyed   nothing is posted
//	HasVisited              obeyed   a page is visited when it is finished, not when it is asked for
//	Head                    refused  pages are asked for by GET: another method is refused in the log, with the reason "method"
//	Headers                 obeyed   with every page; User-Agent is the honest name, and a Host for all hosts is refused
//	ID                      obeyed   it stays what it is
//	IgnoreRobotsTxt         ours     if it is off, robots.txt is obeyed whatever polite.robots says, and as RFC 9309 has it
//	Init                    refused  after New: it takes everything off the collector again
//	Limit                   obeyed   beside each host's own clock
//	Limits                  obeyed   as Limit
//	MaxBodySize             obeyed   or fetch.max_body, if that is less
//	MaxDepth                obeyed   or scope.depth, if that is less; a start page has depth 1 here and 0 there
//	MaxRequests             ours     or budget.pages, if that is less: it counts pages, those of an interrupted run, too
//	OnError                 obeyed   also for an answer that leads elsewhere, such as 301, which Colly follows by itself
//	OnHTML                  obeyed   for every page, possibly for several at the same time
//	OnHTMLDetach            obeyed
//	OnRequest               obeyed   it may abort the request and set its headers; for another address it calls Visit
//	OnRequestHeaders        obeyed   what it aborts has the reason "veto", as what OnRequest aborts
//	OnResponse              obeyed
//	OnResponseHeaders       obeyed   as OnRequestHeaders
//	OnScraped               obeyed
//	OnXML                   obeyed
//	OnXMLDetach             obeyed
//	ParseHTTPErrorResponse  obeyed   callbacks see such pages; they are not kept
//	Post                    refused  as Head
//	PostMultipart           refused  as Head
//	PostRaw                 refused  as Head
//	Request                 ours     a GET is a link that waits, as with Visit; its Ctx and headers are not kept
//	SetClient               obeyed   its transport, jar and timeout; after New it is refused
//	SetCookieJar            obeyed
//	SetCookies              obeyed
//	SetDebugger             obeyed
//	SetProxy                obeyed   for robots.txt, too; after New it is refused
//	SetProxyFunc            obeyed   as SetProxy; where it names no proxy, only the public network is asked
//	SetRedirectHandler      refused  a redirect is a link that waits for its host's turn
//	SetRequestTimeout       obeyed   or fetch.timeout, if that is less; Colly sets it to ten seconds
//	SetStorage              obeyed   it hears of a page when it is finished; after New it is refused
//	String                  obeyed
//	TraceHTTP               obeyed
//	URLFilters              obeyed   as AllowedDomains
//	UnmarshalRequest        ours     as Request
//	UserAgent               obeyed   in the place of polite.agent; the contact is added where it is not in it
//	Visit                   ours     a link of the page that the callback was called for, or a start page; it has a Ctx of its own; an error after Run
//	Wait                    obeyed   nothing is under way outside Run
//	WithTransport           obeyed   one of net/http dials only the public network; after New it is refused
//
// Of a Request, Visit is a link of its page, as above; Retry answers nil and does nothing, nor does Post, which Report.Notes say:
// fetch.retries asks again.
//
// Why a LimitRule alone cannot keep a host's clock: the first rule that matches counts, and counts for all of its hosts together,
// so that one for "*" with a parallelism of ten sends ten requests to one host, and with a parallelism of one asks a hundred
// hosts as slowly as one. Its delay is slept between the answer and the callbacks, and holds a worker. A redirect is not matched
// again, a robots.txt not at all. So each host's clock is the frontier's, and a rule is a bound on top: a link waits for both.
//
// Attach leaves a program its collector: but for redirects and storage, everything is as Colly has it, and Allowed-, Disallowed-
// and MaxDepth are held against a link before it waits.
func On(c *colly.Collector) Option {
	return func(r *running) { r.collector, r.crawlOnly = c, append(r.crawlOnly, "On") }
}

// AttachFile makes the crawl of a crawl file on a collector of the program's own: it is Load, and New with On.
func AttachFile(ctx context.Context, c *colly.Collector, file string, options ...Option) (*Crawler, error) {
	config, err := Load(file)
	if err != nil {
		return nil, err
	}
	return New(ctx, config, append(slices.Clone(options), On(c))...)
}

// errTaken: two crawls cannot share a collector, which calls every callback for each page.
var errTaken = errors.New("the collector belongs to a crawl already: a collector is good for one, make another")

// bring takes what a collector brings along. Of what it bounds and the crawl file, too, the stricter stands in the crawl
// file from then on, so that a run can be read by what it ran with.
func (r *running) bring(config *Config) error {
	c := r.collector
	client, err := visits.ClientOf(c)
	if err != nil {
		return err
	}
	if err := r.stores(c); err != nil {
		return err
	}
	if client.Transport != nil {
		if r.transport != nil {
			return errors.New("the collector has a transport or proxy of its own, and the option focus.Transport gives another: leave one of them out")
		}
		r.brought = client.Transport
	}
	if said := c.UserAgent; said != visits.PresetAgent() && robots.Token(said) == "" {
		return fmt.Errorf("the collector's UserAgent %q begins with no name that a robots.txt could call, or can stand in no request: want one of letters, such as shark/1.0", said)
	}
	rules, err := visits.RulesOf(c)
	if err != nil {
		return err
	}
	robots, most, name := c.IgnoreRobotsTxt, c.MaxRequests, c.UserAgent
	r.giveBack = func() {
		c.IgnoreRobotsTxt, c.MaxRequests, c.UserAgent = robots, most, name
		c.SetClient(client)
	}
	bound(config, c, client.Timeout, rules)
	c.IgnoreRobotsTxt, c.MaxRequests = true, 0 // both are the crawl's now
	c.SetClient(&http.Client{CheckRedirect: visits.NoRedirect, Jar: client.Jar})
	return nil
}

// over takes what the collector of a Colly program of its own has.
func (r *running) over(c *colly.Collector) error {
	if err := r.stores(c); err != nil {
		return err
	}
	redirects, err := visits.RedirectsOf(c)
	if err == nil && redirects != nil {
		err = errors.New("focus.Attach: the collector has a redirect handler, and a redirect is a link that waits for its host's turn: leave SetRedirectHandler out, and COLLY_FOLLOW_REDIRECTS of the environment, too")
	}
	return err
}

// stores takes the storage that the program has given its collector.
func (r *running) stores(c *colly.Collector) error {
	store, err := visits.StorageOf(c)
	switch {
	case err != nil:
		return err
	case visits.IsOurs(store):
		return errTaken
	case store != nil && r.storage == nil:
		r.storage, r.ready = store, true
	}
	return nil
}

// stored gives a collector its storage; cookies stay where they are. Those of a storage that is new to the collector are in that.
func stored(s *visits.Finished, c *colly.Collector) error {
	client, err := visits.ClientOf(c)
	if err != nil {
		return err
	}
	jar, stays := client.Jar, !s.Own || s.Ready
	if err := c.SetStorage(s); err != nil {
		return fmt.Errorf("storage: %w", err)
	}
	if stays {
		c.SetCookieJar(jar)
	}
	return nil
}

// leastBody is the smallest fetch.max_body of a crawl file; Colly itself cuts what a collector bounds below.
const leastBody = 1000

// bound makes a crawl file as strict as a collector is.
func bound(config *Config, c *colly.Collector, timeout time.Duration, rules []*colly.LimitRule) {
	if c.MaxBodySize > 0 {
		config.Fetch.MaxBody = min(config.Fetch.MaxBody, strict.Size(max(c.MaxBodySize, leastBody)))
	}
	if timeout > 0 {
		most := strict.Duration(timeout)
		config.Fetch.Timeout = min(config.Fetch.Timeout, most)
		config.Fetch.Connect, config.Fetch.Answer = min(config.Fetch.Connect, most), min(config.Fetch.Answer, most)
	}
	if n := int(c.MaxRequests); n > 0 && (config.Budget.Pages == 0 || n < config.Budget.Pages) {
		config.Budget.Pages = n
	}
	if !c.IgnoreRobotsTxt {
		config.Polite.Robots = "obey"
	}
	if len(rules) > 0 && rules[0].DomainGlob == "*" { // the first that matches counts: this one holds for all hosts
		p := &config.Polite
		p.Parallel = min(p.Parallel, max(1, rules[0].Parallelism))
		p.PerHost, p.PerIP = min(p.PerHost, p.Parallel), min(p.PerIP, p.Parallel)
	}
}

// newCollector is a collector that leaves to Colly what Colly does well.
func newCollector() *colly.Collector {
	c := visits.Plain()
	c.OnResponse(bring)
	c.OnError(func(r *colly.Response, _ error) { bring(r) })
	return c
}

// settle looks, right before a crawl begins, at what the program has done with its collector since New, and refuses what
// would be ignored. Then the collector's LimitRules hold, and behind them that of the crawl.
func (c *Crawler) settle() error {
	own := c.collector
	client, err := visits.ClientOf(own)
	if err != nil {
		return err
	}
	store, err := visits.StorageOf(own)
	if err != nil {
		return err
	}
	redirects, err := visits.RedirectsOf(own)
	if err != nil {
		return err
	}
	const early = "it was set after focus.New: set it before, on the collector that the option On gives"
	var wrong []error
	for _, s := range []struct {
		wrong        bool
		name, remedy string
	}{
		{own.Async, "Async", "the crawl must know when a request has ended: leave Async off"},
		{own.AllowURLRevisit, "AllowURLRevisit", "a crawl visits an address once: leave it off; the option Fresh begins anew"},
		{own.CacheDir != "" || own.CacheExpiration != 0, "CacheDir", "what comes out of Colly's cache came over no wire, and could not be archived: leave it out; fetch.since takes what has not changed from an earlier run"},
		{own.CheckHead, "CheckHead", "it would ask each host twice: leave it off; scope.types says what is fetched"},
		{own.Headers != nil && own.Headers.Get("Host") != "", "Headers", "a Host for all hosts cannot be right: leave it out"},
		{redirects != nil, "SetRedirectHandler", "a redirect is a link that waits for its host's turn: leave it out, and COLLY_FOLLOW_REDIRECTS of the environment, too; fetch.redirects bounds them"},
		{own.UserAgent != c.called, "UserAgent", early},
		{own.MaxRequests != 0, "MaxRequests", early},
		{!own.IgnoreRobotsTxt && c.ledger.Robots == nil, "IgnoreRobotsTxt", early},
		{client.Transport != c.carrier, "SetClient, SetProxy or WithTransport", early},
		{!visits.IsOurs(store), "SetStorage", early},
	} {
		if s.wrong {
			wrong = append(wrong, fmt.Errorf("colly.Collector: %s: %s", s.name, s.remedy))
		}
	}
	if len(wrong) > 0 {
		return errors.Join(wrong...)
	}
	if !own.IgnoreRobotsTxt || own.DetectCharset { // the program may be visiting already, and reads them
		own.IgnoreRobotsTxt, own.DetectCharset = true, false // the crawl asks, and has the letters right before Colly sees them
	}
	rules, err := visits.RulesOf(own)
	if err != nil {
		return err
	}
	c.rules = nil
	for _, r := range rules { // Colly keeps them, too: but who waits for Colly cannot be called back when the crawl ends
		c.rules.Add(r.Match, r.Parallelism, r.Delay, r.RandomDelay)
	}
	if err := own.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: c.config.Polite.Parallel}); err != nil {
		return fmt.Errorf("limit: %w", err)
	}
	return nil
}
