package focus

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/probe"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/selection"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/sitemap"
	"github.com/thresher-crawler/thresher/focus/turn"
	"github.com/thresher-crawler/thresher/focus/visits"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// pop is step 1: the frontier hands over its most promising link whose host may be visited now. What robots.txt forbids
// ends here; a robots.txt that must be fetched first takes the host's turn.
func (c *Crawler) pop(item frontier.Item, lane int) *job {
	v := c.visitOf(item)
	v.take(lane)
	j := &job{visit: v}
	asks := "" // whose robots.txt must be fetched first
	switch {   // what is known without asking anybody comes first: a refusal here spares a host even the question for its robots.txt
	case page.Named(item.Host, c.steps.blocked):
		v.Refused = admit.RefusedBlocked
	case c.steps.full(item.Host):
		v.Refused = admit.RefusedHostFull
	case c.hopeless(item.Host):
		v.Refused = admit.RefusedDown
	default:
		if v.Refused = c.steps.byNow(item, v.note); v.Refused == "" {
			v.Refused, asks = c.ledger.MayVisit(item.URL, c.steps.now())
		}
	}
	// What was decided is written down with the lease: whoever goes on after a crash begins the same visit with the same decision,
	// whatever has been learned of the host since (repeated).
	e := &ledger.Popped{ID: item.ID, Refused: v.Refused, Origin: asks, Lane: lane}
	c.ledger.Record(e)
	j.robots = e.Asks
	c.ready(j)
	return j
}

// visitOf is the visit of an item that was popped.
func (c *Crawler) visitOf(item frontier.Item) *Visit {
	v := &Visit{Item: item, Chosen: c.steps.chosen(item)}
	v.note, v.Err = run.ReadNote(item)
	return v
}

// ready says the rest of how a job is done.
func (c *Crawler) ready(j *job) {
	v := j.visit
	if j.robots != nil {
		j.first, j.robots.Begun = !j.robots.Begun, true
	} else if c.ledger.Robots != nil {
		v.rules = c.ledger.Robots.RulesOf(v.Item.URL)
	}
	if j.robots == nil {
		j.question = c.question(v)
	}
	j.slow = j.robots != nil || c.ledger.Failures(v.Item.Host) > 0
}

// fetch is step 2: Colly fetches it, and calls steps 3 to 9 back.
func (c *Crawler) fetch(ctx context.Context, j *job) {
	v := j.visit
	release := c.carrier.take(ctx, j)
	defer release()
	v.within = ctx
	own := colly.NewContext()
	own.Put(visitKey, visiting{v})
	own.Put(frontier.VisitKey, visiting{v})
	err := visits.Get(c.collector, v.Item, own, c.header())
	// What went wrong on the way has been noted in OnError. What Colly refuses before it asks anybody, it says here alone.
	if err != nil && v.Status == 0 && v.Err == nil {
		if v.Refused = visits.Unasked(err); v.Refused == "" {
			v.Err = visits.Failure(err)
		}
	}
}

// read is step 3: bytes become a page. It is prepared.
func (p *preparer) read(v *Visit) {
	v.readable = page.Arrived(v.Status) && (wire.IsPage(v.Type) && !(p.lists && sitemap.IsNoPage(v.Body)) || p.reading.Reads(v.Type, v.Body) && p.listed(v) == nil)
	if v.readable && p.pages == nil { // of pages that are given there are no bytes
		v.html, v.Refused, v.Err = probe.Said(cmp.Or(v.within, context.Background()), &p.reading, v.Type, v.Header, v.Body)
		v.readable = v.Refused == ""
	}
	if !v.readable {
		v.Page = p.listed(v)
		v.list = v.Page != nil
		return
	}
	p.optOut(v)
	if p.pages == nil {
		v.Page = page.Parse(v.html, v.FinalURL, p.reading.In(v.Charset, v.Header))
		return
	}
	v.Page, v.Err = p.pages.Page(v.FinalURL)
}

// judge is step 4: how relevant is the page, and which terms say so.
func (st *Steps) judge(v *Visit) {
	if v.Page == nil || v.list {
		return
	}
	if said := st.ask(v, func() string { v.Judgement = v.work.Judgement(st.topic, v.Doc); return "" }); said != "" {
		v.Page, v.Doc, v.links, v.readable, v.Err, v.panicked = nil, nil, nil, false, errors.New(said), true
	}
	if len(st.onPage) > 0 {
		v.work.Forget()
	}
}

// keep is step 5: if the page is relevant enough, and nobody objects, the sinks receive a record.
func (st *Steps) keep(v *Visit) {
	v.Refused = st.unfit(v)
	if v.Page == nil || v.list {
		return
	}
	// Hooks come before the comparison with other pages: one that the program does not want must not become the original that
	// another is refused for. The values that the crawl file asks for cost most, and come last.
	for _, hook := range st.onPage {
		if said := st.ask(v, func() string { return hook(v) }); said != "" {
			v.Refused = v.Refused.Vetoed(said)
		}
	}
	if v.Refused == "" || v.Judgement.Relevant {
		v.Refused = st.repeated(v)
	}
	if v.Refused == "" {
		v.Refused = st.extract(v)
	}
	var written *sink.Record
	if v.Refused == "" {
		written = st.record(v)
		v.Kept = st.write(v, written)
	}
	st.remember(v, written)
}

// learn is step 6: topic and strategy hear how the promise turned out, and waiting links that this touches are scored
// again.
func (st *Steps) learn(v *Visit) {
	switch {
	case v.Page == nil && v.redirect != "":
		return // what it leads to will tell
	case v.Page == nil || v.list:
		if st.memory.Fetched(v.Item.ID, 0, false, 0); v.list {
			st.traps.Listed(v.Item.URL, v.FinalURL)
		}
		return
	}
	if v.Refused.Kind() == admit.RefusedWeak {
		st.traps.Shown(v.Item.URL, v.work.Shows(v.Page))
	}
	st.traps.Visited(v.Item.URL, !st.noFollow(v) || st.reserved(v) != admit.RefusedNoIndex, visits.LedBy(st.can.find, v.Item, v.note)...)
	st.topic.Learn(v.Doc, v.Judgement)
	regarded := st.strategy.Outcome(v.Judgement, v.Refused.Finds())
	st.rescore(v, st.memory.Fetched(v.Item.ID, regarded.Relevance, regarded.Relevant, rescoreLimit))
}

// admit is step 7: each link passes scheme, scope, type, traps, tunnel and budget, or is refused with a reason.
func (st *Steps) admit(v *Visit) {
	// evidence[i] and onward[i] belong to v.Found[i], also where that is refused: rank and push go by the same index.
	st.evidence, st.onward = st.evidence[:0], st.onward[:0]
	v.Found = append(v.links, st.asked(v)...)
	for i := range v.Found {
		st.move(v, &v.Found[i])
	}
	known(st.can.find, v.Found)
	regarded, blocks := st.strategy.Regard(v.Judgement), v.work.Blocks(st.strategy, st.topic, v.Doc)
	for i := range v.Found {
		f := &v.Found[i]
		st.evidence = append(st.evidence, rank.Evidence{
			Topic: st.topic, Page: v.Page, Judgement: regarded, Trail: v.note.Trail,
			Link: f.Link, Item: f.item, Parent: v.Item.ID, Memory: st.memory, Block: blocks, Ahead: v.work.Links(),
		})
		st.onward = append(st.onward, rank.Trail{})
		if f.Refused == "" {
			f.Refused = st.trap(f.Link, st.evidence[i].Item)
		}
		if f.Refused == "" {
			st.onward[i], f.Refused = st.follow(v, &st.evidence[i])
		}
	}
}

// move has a link enter by the address that its host would lead it to, and once more where it leads back through a wall of cookies. A page that
// is kept is no wall, but where all are kept.
func (st *Steps) move(v *Visit, f *Candidate) {
	wall := st.cookies && v.Header["Set-Cookie"] != nil && !(v.Kept && st.topic.Threshold() > 0)
	if wall && f.Refused == "" && visits.GoesBack(st.can.find, v.Item, 0, v.note.Redirects(), f.Link) {
		f.item = 0
		return
	}
	if f.Refused != "" || f.item != 0 {
		return
	}
	if to := st.traps.SurelyLeadsTo(f.Link.URL); to != "" {
		f.Link = f.Link.Moved(to)
		f.Refused = st.mayEnter(f.Link, int(v.Item.Depth)+1)
	}
}

// rank is step 8: admitted links get a score, a tree of numbers. A hook may still object.
func (st *Steps) rank(v *Visit) {
	// The numbers of all links share one array. A link's part of it has no room behind it, so that whoever appends to it, as a
	// hook may, does not write into the next link's.
	numbers := make([]float32, 0, len(v.Found)*len(st.strategy.Nodes()))
	for i := range v.Found {
		f := &v.Found[i]
		if f.Refused != "" {
			continue
		}
		start := len(numbers)
		if said := st.ask(v, func() string { f.Score, numbers = st.strategy.Score(&st.evidence[i], numbers); return "" }); said != "" {
			f.Refused = admit.Refuse(admit.RefusedVeto, said)
		}
		f.Numbers = numbers[start:len(numbers):len(numbers)]
		for _, hook := range st.onLink {
			if said := st.ask(v, func() string { return hook(v, f) }); said != "" && f.Refused == "" {
				f.Refused = admit.Refuse(admit.RefusedVeto, said)
			}
		}
	}
}

// push is step 9: links enter the frontier with score, numbers and the link they came by.
func (st *Steps) push(v *Visit) {
	if !st.pushAtOnce(v) {
		st.pushEach(v)
	}
	clear(st.evidence) // or a page with fewer links would hold this one
	st.notes = st.notes[:0]
	if v.redirect != "" {
		st.pushRedirect(v)
	}
	st.countFresh(v)
	st.selected(v)
}

// fill makes an item of an admitted link of a page, as it enters the frontier, but for its note.
func (st *Steps) fill(item *frontier.Item, v *Visit, i int) {
	f := &v.Found[i]
	*item = frontier.Item{
		URL: f.Link.URL, Identity: f.Link.Identity, Host: f.Link.Host,
		Via: v.Item.ID, Depth: v.Item.Depth + 1, Score: f.Score, Alt: st.strategy.Alt(f.Numbers), Numbers: f.Numbers,
	}
	st.choose(item, uint64(st.ledger.Standing().Pages))
	if st.selector != nil {
		selection.Place(st.selector, st.can.hold, item, f.Link.Path)
	}
}

// noted is the note of a link of a page, which lasts as long as the page has the turn.
func (st *Steps) noted(v *Visit, i int) []byte {
	f, from := &v.Found[i], len(st.notes)
	st.notes = run.Note{Trail: st.onward[i], Hops: st.step(v, f.hop), Anchor: f.anchor}.Append(st.notes)
	return st.notes[from:len(st.notes):len(st.notes)]
}

// process runs steps 4 to 9 while the visit has the turn. No other page's steps run meanwhile, so that each finds memory, ledger
// and frontier as the step before left them.
func (st *Steps) process(v *Visit) {
	st.foreign.Lock() // a callback that asks for another address from now on is too late for this page: see claim
	v.judged = true
	st.foreign.Unlock()
	if st.Err() != nil {
		return
	}
	st.doubt(v)
	st.judge(v)
	v.watch.Lap(turn.Judge)
	st.keep(v)
	if len(st.results.Own) == 0 { // sinks of the program may still have the record
		v.work.Done()
	}
	st.count(v)
	v.watch.Lap(turn.Keep)
	st.taken(v) // from which lane it came must be known before how it turned out
	st.learn(v)
	v.watch.Lap(turn.Learn)
	if v.Page != nil {
		st.admit(v)
		v.watch.Lap(turn.Admit)
		st.rank(v)
		v.watch.Lap(turn.Rank)
	} else {
		st.askedElsewhere(v)
	}
	st.push(v)
	v.watch.Lap(turn.Push)
	st.linksTold(v)
	st.measure(v)
	st.ended(v)
	v.work.Leave()
	v.watch.Lap(turn.Write)
}

// ended writes down how a visit ended, and tells those who want to know.
func (st *Steps) ended(v *Visit) {
	st.writeDown(v)
	for _, hook := range st.onDone {
		st.ask(v, func() string { hook(v); return "" })
	}
}

// fail remembers the first error, with the turn or without: results can no longer be trusted to be complete, so the crawl stops with it.
func (st *Steps) fail(err error) {
	if err == nil {
		return
	}
	st.failing.Lock()
	defer st.failing.Unlock()
	if st.err != nil {
		return
	}
	st.err = err
	st.logger.Error("the crawl cannot go on", "error", err)
}

// ask asks a user's hook. A hook that panics objects: the crawl goes on without what it was asked about. With one that does not come
// back it cannot go on, because the page is left in the middle of its steps.
func (st *Steps) ask(v *Visit, hook func() string) (said string) {
	came := false
	defer func() {
		if p := recover(); p == nil && !came {
			st.fail(fmt.Errorf("a hook, a judge or a factor, asked of %s: %w", v.Item.URL, frontier.ErrGoexit))
		} else if p != nil {
			said = fmt.Sprintf("panic: %v", p)
			if st.panicked != nil {
				st.panicked(v, p)
			} else {
				st.logger.Error("a hook, a judge or a factor panicked", "url", v.Item.URL, "panic", p)
			}
		}
	}()
	said = hook()
	came = true
	return said
}

// follow says whether a trail leads on over a link, and what it becomes.
func (st *Steps) follow(v *Visit, e *rank.Evidence) (t rank.Trail, refused admit.Refused) {
	t, enter := st.strategy.Follow(e)
	switch {
	case st.noFollow(v), st.obey && v.Page.Unfollowed(e.Link):
		refused = admit.RefusedNoFollow
	case !enter:
		refused = admit.Refused(st.strategy.Refuses(e))
	case page.Named(e.Link.Host, st.blocked):
		refused = admit.RefusedBlocked
	case st.full(e.Link.Host):
		refused = admit.RefusedHostFull
	case st.withheld(e.Link.URL): // which comes last: what the program offers may enter
		refused = admit.RefusedOffer
	}
	return t, refused
}

// full tells whether a host has had its pages.
func (st *Steps) full(host string) bool {
	most := st.scope.Load().PerHost
	return most > 0 && st.ledger.Host(host).Pages >= most
}
