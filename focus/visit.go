package focus

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/ahead"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/rights"
	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/sitemap"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/text"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/turn"
	"github.com/thresher-crawler/thresher/focus/visits"
)

// Visit is one page on its way through the journey. What hooks see of it is what is known by then; they must not change
// it, and not keep it after they return.
type Visit struct {
	Item      frontier.Item    // the link it was
	Chosen    string           // how a selection came to let it go; empty where its score alone says it
	FinalURL  string           // the address that answered
	Status    int              // HTTP status; 0 when nothing answered
	Err       error            // why nothing answered
	Header    http.Header      // of the answer
	Type      string           // media type
	Charset   string           // what the bytes were in
	Body      []byte           // the body in UTF-8
	Page      *page.Page       // what it says; nil when it is not a page
	Doc       *text.Doc        // its words
	Judgement topic.Judgement  // how relevant it is
	Reserved  *rights.Reserved // what its author reserves; nil when it is not a page
	Kept      bool             // a record was written
	Refused   admit.Refused    // why none was
	Found     []Candidate      // its links, as they were decided
	Time      time.Time        // when the answer was there
	Took      time.Duration    // how long the answer took
	Spared    time.Duration    // processor time that its words cost another crawl over the same pages, and not this one

	passage
}

// passage is how far a visit is on its way. It is the crawl's own.
type passage struct {
	note     run.Note
	rules    *robots.Rules              // of the host; nil where they are not known
	within   context.Context            // in which its answer is read; not set in a Colly program of its own
	raw      exchange                   // the answer as received; in a Colly program of its own nobody keeps it
	lane     int                        // of the frontier: in whose order it came
	laned    bool                       // the strategy was told
	ticket   uint64                     // its turn; 0 takes the next free one
	asks     visits.Asked               // the item's own request, once Colly has seen it
	entered  bool                       // it has the turn
	slot     func(rest bool)            // leaves the LimitRule of the program's collector that holds for it; nil where none does
	list     bool                       // a sitemap or feed
	values   map[string]json.RawMessage // that the crawl file asks for
	data     map[string]json.RawMessage // what the program has set; setting guards it
	told     bool                       // and it stands in the record; as data
	setting  sync.Mutex
	panicked bool        // a callback did
	judged   bool        // steps 4 to 9 are done
	redirect string      // where the answer sends us
	foreign  []string    // addresses that callbacks asked to visit
	readable bool        // the answer is a page with a success status
	html     []byte      // what the body says, as HTML
	links    []Candidate // of the page, prepared
	work     ahead.Work  // likewise
	request  uint64      // what Colly knows the item's address by; 0 until it was prepared
	watch    turn.Watch  // how long it is in which stage
}

// visiting is a visit as it stands in a Ctx, where extensions ask for it. A Request.Marshal of Colly writes nothing of it: the next
// process could make nothing of a page.
type visiting struct{ visit *Visit }

func (v visiting) Visits() frontier.Item { return v.visit.Item }
func (v visiting) Depth() int            { return int(v.visit.Item.Depth) + 1 }
func (v visiting) OnEnd(func())          {} // all its steps are done by then
func (v visiting) Refuse(error)          {} // the crawl itself asks for it

// VisitOf is the visit that a callback of the collector was called for, by the Ctx of its request or response; nil where there is
// none. What a callback may do with it is Set: the rest is not known yet, or belongs to the crawl.
func VisitOf(ctx *colly.Context) *Visit {
	if ctx == nil {
		return nil
	}
	v, _ := ctx.GetAny(visitKey).(visiting)
	return v.visit
}

// Set gives a page a value of the program's own, which travels with its record: into harvest.jsonl under "data", and as a column of
// a table that names data. It may be called from every callback of the page, and from a hook of OnPage. Later, as in an OnScraped
// that was hung on the collector after New or Attach, it is an error: the record has been written. The value must be one that JSON has.
func (v *Visit) Set(name string, value any) error {
	if v == nil {
		return fmt.Errorf("set %q: the request is no visit of a crawl", name)
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("set %q: %w", name, err)
	}
	v.setting.Lock()
	defer v.setting.Unlock()
	if v.told {
		return fmt.Errorf("set %q: the record of %s has been written: set it in OnHTML, OnResponse or OnPage", name, v.Item.URL)
	}
	if v.data == nil {
		v.data = map[string]json.RawMessage{}
	}
	v.data[name] = text
	return nil
}

// own is what the crawl file asks for and, before it, what the program has set, for the record: it is too late for more.
func (v *Visit) own() map[string]json.RawMessage {
	v.setting.Lock()
	defer v.setting.Unlock()
	v.told = true
	if v.values == nil {
		return maps.Clone(v.data)
	}
	maps.Copy(v.values, v.data)
	return v.values
}

// Candidate is one link of a page, as it was decided.
type Candidate struct {
	Link    *page.Link
	ID      uint64        // its number in the frontier; 0 if it did not enter
	Refused admit.Refused // why it did not enter
	Fresh   bool          // nobody had found it, or refused it, before
	Raised  bool          // it waited already, with less promise
	Score   float32       // its promise
	Numbers []float32     // the promise's tree
	hop     byte
	anchor  string // of the link, in one line
	item    uint64 // of its address, 0 while that is new; of one that may not enter it is not asked
}

// exchange is what went over the wire for one item.
type exchange struct {
	request *http.Request
	header  http.Header
	status  int
	proto   string
	sent    func(have []byte) []byte // the body as received, encodings of the content not undone, or what we have if that is the same
	body    []byte                   // as it is read, where Colly does not read it
	cut     string                   // why the body is not whole; empty if it is
	proxy   string                   // it went through
	spared  bool                     // the body was not sent: it is that of fetch.since
}

// preparer does the part of the journey that needs the page alone, and what the crawl file says: it is done for many pages
// at the same time, before they have the turn. It knows neither memory nor ledger, nor how anything stands in the frontier, because
// what it found there would depend on which page was faster. What remains is the commit of each step: methods of Steps, run by the turn.
type preparer struct {
	reading  page.Options
	scope    atomic.Pointer[admit.Scope] // compiled; it is replaced, and not changed
	logsOut  func(*page.Link) bool       // of links that end a session; nil is told of none
	colly    *colly.Collector            // whose own rules hold, too; nil has none
	lists    bool                        // sitemaps and feeds are read for their links
	token    string                      // what robots.txt files and pages call us
	pages    *study.Pages                // where pages were read before; nil reads them
	words    study.Cutter
	judge    ahead.Judge                // of pages before they have the turn; nil where it learns while it crawls
	outputs  atomic.Pointer[sink.Ahead] // and what is made of them then for what is written; nil is nothing
	strategy *rank.Strategy
	find     frontier.Finder // for the numbers and addresses of items, which nothing changes; nil where it finds nothing
}

// prepare does for an answer all that can be done without the turn.
func (p *preparer) prepare(v *Visit) {
	if v.request == 0 {
		v.request, _ = ledger.Request(v.Item.URL)
	}
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
	if _, far := p.find.(*remote); !far { // another machine is asked once, in the turn
		known(p.find, v.links)
	}
	if p.judge != nil && !v.list {
		v.work.Attempt(func() {
			v.work.Judge(p.judge, v.Page, v.Doc)
			v.work.Rank(p.strategy, p.judge, v.Doc, rank.Evidence{Page: v.Page, Trail: v.note.Trail, Parent: v.Item.ID}, func(i int) bool { return v.links[i].Refused == "" })
			v.work.Keep(p.outputs.Load(), v.Page, v.html, v.FinalURL, func(j topic.Judgement) *sink.Record { return p.recordOf(v, j) },
				func() string { return run.AddressOf(p.find, v.Item.Via) })
		})
	}
}

// optOut reads what the author of a page reserves: in its header, its head, and the robots.txt of its host.
func (p *preparer) optOut(v *Visit) {
	if u, err := url.Parse(v.FinalURL); err == nil {
		v.Reserved = rights.Of(v.Header, v.html, u, v.rules, p.token, v.Time)
	}
}

// listed reads an answer that is a sitemap or a feed as a page that consists of links alone: what stands in it is scored
// like the links of any page. So are the few links of a page that only a script fills. It is nil for everything else.
func (p *preparer) listed(v *Visit) *page.Page {
	if v.Refused == admit.RefusedScript {
		p.optOut(v)
		return page.Parse(v.Body, v.FinalURL, p.reading.In(v.Charset, v.Header))
	}
	if !p.lists || !page.Arrived(v.Status) {
		return nil
	}
	return sitemap.ListPage(v.Body, v.FinalURL)
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
		found = append(found, Candidate{Link: l, hop: hop, anchor: page.OneLine(l.Anchor), Refused: p.mayEnter(l, int(v.Item.Depth)+1)})
	}
	return found
}

// mayEnter says what scope and collector have against an address.
func (p *preparer) mayEnter(l *page.Link, depth int) admit.Refused {
	if refused := p.scope.Load().Admit(l, depth); refused != "" {
		return refused
	}
	if p.logsOut != nil && p.logsOut(l) {
		return admit.RefusedLogout
	}
	return visits.RefusedBy(p.colly, l, depth)
}

// count takes a judged visit into the counts.
func (st *Steps) count(v *Visit) {
	e := ledger.Counted{ID: v.Item.ID, Host: v.Item.Host, Page: v.Page != nil, Kept: v.Kept, Redirect: v.redirect != "",
		Failed: v.Err != nil || v.Status >= 400, Refused: v.Refused != "", Reason: v.Refused, Bytes: int64(len(v.bytes()))}
	if e.Page {
		e.Relevant, e.Relevance, e.Links = v.finds(), v.Judgement.Relevance, len(v.Page.Links)
	}
	if v.Kept {
		e.URL, e.Title = v.FinalURL, page.Cut(v.Page.Title, run.MaxTitle)
	}
	st.ledger.Record(&e)
	if v.raw.spared {
		st.ledger.Record(&ledger.Spared{Bytes: e.Bytes})
	}
}

// finds tells of a page that it is of the topic, repeats none that was kept, and is not kept back by its author.
func (v *Visit) finds() bool { return v.Judgement.Relevant && v.Page != nil && v.Refused.Finds() }

// bytes are the body as it came, where that is known.
func (v *Visit) bytes() []byte {
	if v.raw.sent == nil {
		return v.Body
	}
	return v.raw.sent(v.Body)
}

// countFresh counts the links that entered for the first time. Whether addresses differ in what changes nothing is told by these, too.
func (st *Steps) countFresh(v *Visit) {
	links := 0
	for i := range v.Found {
		if f := &v.Found[i]; f.Fresh && f.Refused == "" {
			links++
			st.traps.LeadsOn(v.FinalURL, f.Link.URL)
		}
	}
	if links > 0 {
		st.ledger.Record(&ledger.Fresh{Links: links})
	}
}
