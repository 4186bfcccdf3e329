package focus

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/storage"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/extract"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ground"
	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/selection"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/turn"
	"github.com/thresher-crawler/thresher/focus/visits"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// visitKey is where a visit stands in its colly.Context.
const visitKey = "thresher.visit"

// Steps are steps 3 to 9 of the journey, hung on one collector by Attach. What of them needs the page alone is prepared;
// the rest is done by the page that has the turn.
type Steps struct {
	preparer
	wishes
	watches
	hooks
	results  run.Written
	frontier frontier.Frontier
	can      powers // of the frontier
	topic    *topic.Topic
	memory   *rank.Memory
	ledger   *ledger.Ledger
	choose   selection.Order
	selector selection.Selector // nil where nothing is held back
	now      func() time.Time
	owner    owner

	logins  *ground.Logins // that origins ask for
	turn    *turn.Turn
	visited *visits.Finished
	asks    visits.Own // of a Colly program of its own
	unheard visits.Unheard
	foreign sync.Mutex // guards Visit.foreign and Visit.judged against callbacks' own goroutines
	trails  run.Trails
	arrivals
	failing sync.Mutex // guards err against those that ask without the turn
	err     error      // the first error of a sink, the log or the frontier: the crawl cannot go on
}

// wishes are what a crawl does that pages and hosts ask for, and what it asks of pages.
type wishes struct {
	values       extract.Rules        // values that stand on pages
	obey         bool                 // noindex, nofollow
	reservations crawlfile.ObeyConfig // what else keeps pages out of the harvest
	redirect     int                  // answers that may send us on, one after the other
	cookies      bool                 // they are kept from page to page
	blocked      []string             // hosts that a person has blocked
}

// watches look for what is not worth having. One that is nil does not look.
type watches struct {
	traps   *junk.TrapWatch  // addresses without end
	repeats *junk.Duplicates // pages that were there before
	soft    *junk.ErrorPages // error pages that say 200
}

// hooks are what a program hangs on the steps.
type hooks struct {
	onPage   []func(*Visit) string
	onLink   []func(*Visit, *Candidate) string
	onDone   []func(*Visit)
	withheld func(address string) bool // the program does not offer it
	logger   *slog.Logger
	panicked func(*Visit, any) // hears of a hook that panicked; nil lets nobody know
}

// Attach registers steps 3 to 9 of the journey on a collector: every page it fetches is read and judged, and its links
// are admitted, ranked and pushed into the frontier. The visits themselves come from the frontier, either through a
// Crawler or through the drop-in queue of package extensions. A Visit in a callback is taken as a link of the page the
// callback was called for, and on no page as a start page.
//
// A strategy that lets links go in rounds, generations or groups needs a frontier that can hold links back, which one on Redis
// cannot; it tells the queue through the collector's Context, which the program therefore replaces before Attach, if at all.
//
// A visit follows no redirect: where an answer leads is a link that waits for its host's turn, and its robots.txt.
//
// Callbacks that were on the collector before see every request first, and those that come after see only what the crawl itself
// requests. What the program itself asks for by another method than GET, such as a login, is not the crawl's, also in a callback: it
// passes, and its redirects are followed. MaxRequests counts both, and not the links that wait. The collector gets a storage for which
// a page is visited when the crawl has fetched it, not when it was asked for, over the one that the program has set before; its cookies
// stay.
//
// A Clone has no part in the crawl. One made before Attach is what it is in Colly, with a storage of its own. One made after it asks as
// often as it is told to for a page that the crawl has not fetched.
func Attach(c *colly.Collector, f frontier.Frontier, t *topic.Topic, s *rank.Strategy, o ...Option) (*Steps, error) {
	if c == nil || f == nil || t == nil || s == nil {
		return nil, errors.New("focus.Attach: collector, frontier, topic or strategy is nil: all four are needed")
	}
	with := settle(o)
	if err := with.forAttach(s); err != nil {
		return nil, err
	}
	if err := with.over(c); err != nil {
		return nil, err
	}
	st, err := attach(c, f, t, s, with, func(st *Steps) { st.asks.TakeOver(c) })
	if err != nil {
		return nil, err
	}
	if err := st.selects(c); err != nil {
		return st, err
	}
	return st, st.results.Begin()
}

// attach is Attach for a program of its own and for a crawl, which adds what only a crawl has.
func attach(c *colly.Collector, f frontier.Frontier, t *topic.Topic, s *rank.Strategy, with *running, more func(*Steps)) (*Steps, error) {
	st := &Steps{
		frontier: f, can: powersOf(f), topic: t,
		preparer: preparer{colly: c, token: robots.Token(c.UserAgent), words: t, strategy: s, find: powersOf(f).find},
		wishes:   wishes{obey: true, redirect: 5},
		memory:   rank.NewMemory(),
		now:      time.Now,
		ledger:   ledger.New(),
		visited:  &visits.Finished{Storage: &storage.InMemoryStorage{}},
		logins:   &ground.Logins{},
		turn:     turn.New(),
		trails:   run.NewTrails(powersOf(f).find),
	}
	if t.Settled() {
		st.preparer.judge = t
	}
	st.owner = program{st}
	st.with(c, with)
	more(st)
	if err := st.scope.Load().Compile(); err != nil {
		return nil, err
	}
	if st.choose == nil {
		st.choose = selection.OrderOf(s.Select, 1)
	}
	st.visited.Ledger = st.ledger
	if err := stored(st.visited, c); err != nil {
		return nil, err
	}
	c.OnRequest(st.claim)
	c.OnResponse(st.answered)
	c.OnError(st.failed)
	c.OnScraped(st.scraped)
	return st, nil
}

// with takes what belongs to the program.
func (st *Steps) with(c *colly.Collector, r *running) {
	st.logger, st.results.Own, st.withheld, st.reading = r.logger, r.own, r.withheld, r.reading
	st.scope.Store(cmp.Or(r.scope, &admit.Scope{}))
	if r.clock != nil {
		st.now = r.clock.Now
	}
	if r.storage != nil {
		st.visited.Storage, st.visited.Own, st.visited.Ready = r.storage, true, r.ready
	}
	if r.transport != nil {
		c.WithTransport(r.transport)
	}
}

// OnPage adds a hook that sees every page when it has been judged. A word it answers is the reason why the page is not
// kept; the links of the page are followed all the same.
func (st *Steps) OnPage(hook func(*Visit) string) { st.onPage = append(st.onPage, hook) }

// OnLink adds a hook that sees every admitted link when it has been ranked. A word it answers is the reason why the link
// does not enter.
func (st *Steps) OnLink(hook func(*Visit, *Candidate) string) { st.onLink = append(st.onLink, hook) }

// OnDone adds a hook that sees every visit when all steps are done: whether it was kept, and what became of its links.
func (st *Steps) OnDone(hook func(*Visit)) { st.onDone = append(st.onDone, hook) }

// Counts are what was counted so far. It may be asked for at any time, in hooks and callbacks too.
func (st *Steps) Counts() ledger.Counts { return st.ledger.Counts() }

// Err is the first error that writing results or pushing links met. A page after it is not processed.
func (st *Steps) Err() error {
	st.failing.Lock()
	defer st.failing.Unlock()
	return st.err
}

// visitOf finds the visit a request belongs to. An item of the drop-in queue becomes a visit here.
func (st *Steps) visitOf(ctx *colly.Context) *Visit {
	if v, ok := ctx.GetAny(visitKey).(visiting); ok {
		return v.visit
	}
	queued, ok := ctx.GetAny(frontier.VisitKey).(frontier.Visiting)
	if !ok {
		return nil
	}
	v := &Visit{Item: queued.Visits(), Time: st.now()}
	queued.OnEnd(func() {
		st.asks.End(v.asks.URL)
		st.askedElsewhere(v)
	})
	if v.note, v.Err = run.ReadNote(v.Item); v.Err == nil && v.Item.Via == 0 && !v.note.Ranked {
		v.note.Trail = st.strategy.Root() // the program itself added it: it is a start page
	}
	ctx.Put(visitKey, visiting{v})
	return v
}

// answerTo is the visit whose own request an answer is to; nil where it is to none.
func (st *Steps) answerTo(r *colly.Response) *Visit {
	if v := st.visitOf(r.Ctx); v != nil && v.asks.Has(r) {
		return v
	}
	return nil
}

// answered is called for every answer that Colly does not take for an error: steps 2 and 3 end here.
func (st *Steps) answered(r *colly.Response) {
	if v := st.answerTo(r); v != nil {
		st.take(v, r)
	}
}

// take takes an answer, and prepares what can be made of it without the turn.
func (st *Steps) take(v *Visit, r *colly.Response) {
	v.give(false)
	v.watch.Lap(turn.Fetch)
	v.Status, v.Header, v.Body = r.StatusCode, *r.Headers, r.Body
	v.FinalURL = st.owner.answering(v, r)
	v.Type = wire.MediaType(*r.Headers)
	v.Charset = r.Headers.Get(wire.CharsetHeader)
	if 300 <= v.Status && v.Status < 400 {
		v.redirect = page.Location(v.FinalURL, r.Headers.Get("Location"))
	}
	v.bytes() // what else the wire held of them is free again
	st.prepare(v)
	v.watch.Lap(turn.Prepare)
}

// failed is called for answers with an error status, and where there was none.
func (st *Steps) failed(r *colly.Response, err error) {
	v := st.answerTo(r)
	if v == nil {
		return
	}
	// Colly asks whether the target of a redirect was visited before it asks who handles redirects, and then reports that in
	// place of the answer.
	var again *colly.AlreadyVisitedError
	if errors.As(err, &again) && again.Destination != nil {
		v.redirect = again.Destination.String()
	}
	if r.StatusCode == 0 {
		v.Err = visits.Failure(err)
	} else {
		st.take(v, r)
	}
	if st.owner.endsWith(v) {
		st.scraped(r)
	}
}

// scraped is called when all callbacks have seen the page: steps 4 to 9.
func (st *Steps) scraped(r *colly.Response) {
	v := st.answerTo(r)
	if v == nil || v.judged {
		return
	}
	st.enter(v)
	if st.owner.givesUp(v) {
		return
	}
	defer st.owner.processed(v) // others wait for the turn, also where a hook does not come back
	st.process(v)
}

// An owner is whose visits the steps see: those of a crawl, or those of a Colly program of its own.
type owner interface {
	// requests is told of the request that fetches a visit's page, before it is made.
	requests(v *Visit, r *colly.Request)
	// answering hears of an answer, and says which address it came from.
	answering(v *Visit, r *colly.Response) string
	// endsWith tells whether a visit goes through its steps after an answer that Colly takes for an error.
	endsWith(v *Visit) bool
	// givesUp tells of a visit that is left to somebody else before it has gone through them; processed is told after.
	givesUp(v *Visit) bool
	processed(v *Visit)
	// means tells of an item whether its score is the owner's own, and what of its note is: the score that it once gave
	// it, and its request.
	means(id uint64) (own bool, n run.Note)
}

// A crawl fetches what waits by itself. Its transport knows the address as it was written, which Colly has rewritten, and it
// keeps the turn until it has told the outcome.
func (c *Crawler) requests(v *Visit, r *colly.Request) {
	if c.with.collector == nil { // no callback that came before may have changed the address
		v.request, _ = ledger.RequestOf(r.URL)
	}
	r.Headers.Set(itemHeader, strconv.FormatUint(v.Item.ID, 10))
}

func (c *Crawler) answering(v *Visit, _ *colly.Response) string { return v.Item.URL }
func (c *Crawler) endsWith(v *Visit) bool                       { return v.readable } // 203 and its like are pages to us
func (c *Crawler) givesUp(v *Visit) bool                        { return c.leaving() || c.lost(v) || c.unread(v) }
func (c *Crawler) processed(*Visit)                             {}
func (c *Crawler) means(uint64) (own bool, n run.Note)          { return false, run.Note{} }

// program is a Colly program that has hung the steps on a collector: each visit ends with them.
type program struct{ *Steps }

// requests sends what the origin of a request asks for: the program's transport knows of no login.
func (p program) requests(_ *Visit, r *colly.Request) {
	if err := p.asks.Begin(p.colly, r.URL); err != nil {
		r.Ctx.GetAny(frontier.VisitKey).(frontier.Visiting).Refuse(err)
		r.Abort()
	}
	if said := p.logins.Of(r.URL); said != "" && r.Headers.Get("Authorization") == "" {
		r.Headers.Set("Authorization", said)
	}
}

func (p program) answering(v *Visit, r *colly.Response) string {
	v.Time = p.now() // a crawl says the time in the turn
	return r.Request.URL.String()
}
func (p program) endsWith(v *Visit) bool { return v.Status != 0 || p.colly.Context.Err() == nil }
func (program) givesUp(*Visit) bool      { return false }

func (p program) processed(v *Visit) {
	if v.Status < http.StatusInternalServerError && (v.Err == nil || v.redirect != "") {
		p.finish(v)
	}
	p.letGo()
	p.leave(v)
}

// A Colly program that puts an address into the queue with a score of its own means it. A page that links to the address may
// raise it; from then on its score follows what is learned, but never below what the program said, and a request stays what the
// program made it. That stands in the note that the raise brings along, and so it holds for whichever process goes on.
func (p program) means(id uint64) (own bool, n run.Note) {
	if p.can.find == nil {
		return false, run.Note{}
	}
	item, _ := p.can.find.Get(id)
	n, err := run.ReadNote(item)
	if err != nil {
		return item.Via == 0, run.Note{}
	}
	return item.Via == 0, n
}

// powers are what a frontier can do beyond its five methods. It is found out once, when the frontier is opened; what it
// cannot do is nil.
type powers struct {
	find    frontier.Finder
	rescore frontier.Rescorer
	tiers   frontier.Holder
	hold    selection.Frontier
	batch   frontier.Batcher
	try     frontier.Trier
	pace    frontier.Pacer
	locate  frontier.Locator
	examine frontier.Examiner
	far     *remote // it is on another machine
	reach   *run.Reaches
}

func powersOf(f frontier.Frontier) (p powers) {
	p.find, _ = f.(frontier.Finder)
	p.rescore, _ = f.(frontier.Rescorer)
	p.tiers, _ = f.(frontier.Holder)
	p.hold, _ = f.(selection.Frontier)
	p.batch, _ = f.(frontier.Batcher)
	p.try, _ = f.(frontier.Trier)
	p.pace, _ = f.(frontier.Pacer)
	p.locate, _ = f.(frontier.Locator)
	p.examine, _ = f.(frontier.Examiner)
	p.far, _ = f.(*remote)
	if p.find != nil {
		p.reach = run.NewReaches(p.find, p.rescore)
	}
	return p
}
