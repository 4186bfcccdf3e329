package focus

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/ground"
	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// itemHeader tells the transport which item a request belongs to. It never leaves the machine: the transport takes it
// off again, and with it learns the item's context and its address as written.
const itemHeader = "X-Thresher-Item"

// carrier knows the visits that are under way by their items' ids. It is the outermost part of the transport.
type carrier struct {
	next   http.RoundTripper
	crawl  *Crawler
	visits sync.Map // id to carried
	broken wire.Broken
}

type carried struct {
	ctx context.Context
	job *job
}

// take puts a visit under way. The answer ends it.
func (c *carrier) take(ctx context.Context, j *job) (release func()) {
	id := strconv.FormatUint(j.visit.Item.ID, 10)
	c.visits.Store(id, carried{ctx, j})
	return func() { c.visits.Delete(id) }
}

// exchangeKey is where the exchange of a request stands in its context.
type exchangeKey struct{}

// RoundTrip gives a request the context of its item (deadline and cancel), and the item's address as it was written:
// Colly has rewritten it on the way.
func (c *carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	id := r.Header.Get(itemHeader)
	if id == "" {
		c.crawl.steps.unheard.Clone(r.URL, c.crawl.steps.logger)
		return nil, errClone
	}
	found, ok := c.visits.Load(id)
	if !ok {
		return nil, fmt.Errorf("no visit of item %s is under way", id)
	}
	own := found.(carried)
	v, asked := own.job.visit, r
	r = r.Clone(context.WithValue(wire.WithValues(own.ctx, r.Context()), exchangeKey{}, &v.raw))
	r.Header.Del(itemHeader)
	if u, err := url.Parse(v.Item.URL); err == nil {
		r.URL = u
	}
	begin, ask := time.Now(), c.next.RoundTrip
	if a := own.job.asking; a != nil {
		ask = func(r *http.Request) (*http.Response, error) { return a.RoundTrip(c.next, r) }
	}
	hope := ground.Hope{Score: run.Promised(v.Item), Start: v.Item.Via == 0, Rest: c.crawl.polite.Load().Delay.Duration(), Rules: v.rules,
		Refuses: func(at string) string {
			l := page.LinkTo(at)
			return string(c.crawl.steps.mayEnter(&l, int(v.Item.Depth)))
		}}
	resp, err := ask(r.WithContext(ground.WithHope(r.Context(), hope)))
	v.Took = c.crawl.clock.Took(v.Item.URL, time.Since(begin))
	if v.raw.proxy != "" { // Colly looks for it in the request that it made
		*asked = *asked.WithContext(context.WithValue(asked.Context(), colly.ProxyURLKey, v.raw.proxy))
	}
	if err == nil {
		wire.Follow(resp, v.Item.URL)
	}
	if err == nil && c.crawl.with.collector == nil && c.crawl.collector.MaxBodySize == 0 {
		wire.HandOver(resp, func(body []byte) { v.raw.body = body })
	}
	return resp, err
}

// bring gives an answer its body, before any callback sees it. Colly would read it into memory that is made larger again and again:
// twice as much as the page has. On a collector of the program's own, which may have callbacks before ours, Colly reads.
func bring(r *colly.Response) {
	if v := VisitOf(r.Ctx); v != nil && v.raw.body != nil {
		r.Body = v.raw.body
	}
}

// errClone: a clone has no callbacks of the crawl, and so no turn of any host.
var errClone = errors.New("the request is not the crawl's own: a Clone of its collector shares its transport and fetches nothing through it; hang the callbacks on the collector itself, or make another collector")

// exchangeOf is the exchange of the item that a request is for; one that nobody reads, where it is for no item.
func exchangeOf(r *http.Request) *exchange {
	if x, ok := r.Context().Value(exchangeKey{}).(*exchange); ok {
		return x
	}
	return &exchange{}
}

// keepExchange keeps what came over the wire with the item it was for.
func keepExchange(r *http.Request, a wire.Answer, body func([]byte) []byte) {
	x := exchangeOf(r)
	x.request, x.status, x.proto, x.header, x.sent, x.cut = r, a.Status, a.Proto, a.Header, body, a.Cut
}

// finish records that the page at an address is finished. Where cookies are kept, one that leads on may be asked for again.
func (st *Steps) finish(v *Visit) {
	id, ok := v.request, v.request != 0
	if !ok {
		id, ok = ledger.Request(v.Item.URL)
	}
	if !ok || st.cookies && v.redirect != "" {
		return
	}
	st.fail(st.visited.Finish(id))
}

// softAfter is how many pages of a host are taken at their word. A host that has answered with more is asked, once and in place of a
// visit, for an address that nobody can have; what it says there with status 200 is its error page.
const softAfter = 5

// softHosts bounds how many hosts are watched in a crawl.
const softHosts = 20_000

// question is what a visit's host is asked before the visit; nil if it was asked, has too few pages to be, or does not want
// it. The turn must be held.
func (c *Crawler) question(v *Visit) *junk.Question {
	soft := c.steps.soft
	if soft == nil || v.Refused != "" || v.Err != nil {
		return nil
	}
	at, err := url.Parse(v.Item.URL)
	if err != nil {
		return nil
	}
	q := soft.Begin(robots.Origin(v.Item.URL), at)
	if q != nil && v.rules != nil {
		if allowed, _ := v.rules.Allowed(q.At.Path); !allowed {
			q.Learn(junk.ErrorPage{})
			return nil
		}
	}
	return q
}

// doubt takes a page for none that says "not found" with a status of success.
func (st *Steps) doubt(v *Visit) {
	if st.soft == nil || !v.readable || v.Page == nil {
		return
	}
	e := st.soft.Page(robots.Origin(v.FinalURL))
	if e == (junk.ErrorPage{}) {
		return
	}
	if at, err := url.Parse(v.FinalURL); err == nil && e.Like(at, []byte(v.Page.Saying())) {
		v.Page, v.Doc, v.links, v.readable, v.Refused = nil, nil, nil, false, admit.RefusedSoft
	}
}

// header is what every request for a page says.
func (c *Crawler) header() http.Header {
	header := http.Header{}
	if own := c.collector.Headers; own != nil {
		header = own.Clone()
	}
	header.Set("User-Agent", c.collector.UserAgent)
	return header
}
