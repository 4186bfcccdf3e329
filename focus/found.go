package focus

import (
	"cmp"
	"errors"
	"math"
	"net/http"
	"strconv"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/selection"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/visits"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// claim lets an item's own request pass. Any other request was made by a callback, or by the program itself: it is not
// fetched now but becomes a link that waits like all others.
func (st *Steps) claim(r *colly.Request) {
	v := st.visitOf(r.Ctx)
	st.foreign.Lock()
	defer st.foreign.Unlock()
	if v != nil && v.asks.URL == nil && r.Depth == r.Ctx.GetAny(frontier.VisitKey).(frontier.Visiting).Depth() {
		v.asks.Ask(r)
		r.Depth = int(v.Item.Depth) + 1
		st.owner.requests(v, r)
		return
	}
	if _, attached := st.owner.(program); attached && r.Method != http.MethodGet {
		st.asks.Count()
		return
	}
	r.Abort() // Colly noted it as visited before it asked us, but in a storage that records finished pages only (visited)
	switch {
	case r.Method != http.MethodGet:
		st.unheard.Method(r, st.logger)
		st.fail(st.results.Log.Write(&run.Decision{Time: st.now(), Decision: "refuse", Reason: admit.RefusedMethod, Score: math.NaN(), Relevance: math.NaN(), URL: page.LinkTo(r.URL.String()).URL}))
	case v != nil && st.unheard.Retry(v.asks.URL, r.URL, r.Depth, int(v.Item.Depth)+1, st.logger):
	case v != nil && !v.judged:
		v.foreign = append(v.foreign, r.URL.String())
	default:
		st.pushLate(v, r.URL.String())
	}
}

// asked are the addresses that callbacks asked to visit for a page: they stand behind its last link, so that a strategy
// which counts the links of a page (fish) does not take each for the first.
func (st *Steps) asked(v *Visit) []Candidate {
	st.foreign.Lock()
	foreign := v.foreign
	v.foreign = nil
	st.foreign.Unlock()
	found := make([]Candidate, 0, len(foreign))
	for i, address := range foreign {
		l := page.LinkTo(address)
		l.Order = int32(len(v.Page.Links) + i)
		found = append(found, Candidate{Link: &l, hop: run.HopUser, anchor: page.OneLine(l.Anchor), Refused: st.mayEnter(&l, int(v.Item.Depth)+1)})
	}
	return found
}

// askedElsewhere lets in what callbacks asked to visit for a visit that brought no page.
func (st *Steps) askedElsewhere(v *Visit) {
	st.foreign.Lock()
	defer st.foreign.Unlock()
	for _, address := range v.foreign {
		st.pushLate(v, address)
	}
	v.foreign, v.judged = nil, true
}

// pushRedirect lets the address that an answer sends us to wait in the place of the item: with its trail and its turn in
// the order, and with its promise, or that of its own if it waits already and that is better.
func (st *Steps) pushRedirect(v *Visit) {
	l := page.LinkTo(v.redirect)
	f := Candidate{Link: &l, Score: v.Item.Score, Numbers: v.Item.Numbers, hop: run.HopRedirect, Refused: st.mayEnter(&l, int(v.Item.Depth))}
	again := st.cookies || st.traps.LeadsTo(l.URL) == v.Item.URL // what led here may not have been asked for, and is then
	if f.Refused == "" && (v.note.Redirects() >= st.redirect || visits.LeadsBack(st.can.find, v.Item, v.note, again, &l)) {
		f.Refused = admit.RefusedRedirects
	}
	if f.Refused == "" {
		n := v.note
		n.Hops = v.note.Step(run.HopRedirect)
		item := v.Item
		item.ID, item.URL, item.Identity, item.Host, item.Via, item.Note = 0, l.URL, l.Identity, l.Host, v.Item.ID, n.Bytes()
		if st.can.hold != nil {
			selection.Stay(st.selector, st.can.hold, &item)
		}
		var err error
		f.ID, f.Fresh, err = st.pushOne(item)
		st.fail(err)
		st.memory.Moved(v.Item.ID, f.ID)
	} else {
		st.refuse(&f)
		st.memory.Fetched(v.Item.ID, 0, false, 0)
	}
	if v.Refused != admit.RefusedMoved { // or nobody has asked
		st.traps.Led(v.Item.URL, l.URL, f.Refused == "" && f.Fresh)
	}
	v.Found = append(v.Found, f)
}

// known finds the items of links that may enter. One that has been found stays what it is: only the others are asked for again.
func known(f frontier.Finder, links []Candidate) {
	identities, places := make([]string, 0, len(links)), make([]int, 0, len(links))
	for i := range links {
		if links[i].item == 0 && links[i].Refused == "" {
			identities, places = append(identities, links[i].Link.Identity), append(places, i)
		}
	}
	for n, id := range frontier.FindAll(f, identities) {
		links[places[n]].item = id
	}
}

// trap tells whether an address looks like one that a server makes up without end. One that passes is asked for once, because the
// watch counts it; one that is a trap may be none by now. known is its item, 0 where it has none.
func (st *Steps) trap(l *page.Link, known uint64) admit.Refused {
	if st.traps == nil || st.can.find == nil || known != 0 {
		return ""
	}
	address := sink.Key(l.Identity)
	was, asked := st.ledger.WasLookedAt(address)
	if asked && !was {
		return ""
	}
	said := st.traps.CheckLink(l)
	if !asked || said == "" {
		st.ledger.Record(&ledger.Looked{Address: address, Trap: said != ""})
	}
	return admit.RefuseSaid(admit.RefusedTrap, said)
}

// byNow says what speaks against a link that waits, now that more is known than when it was found: that a page calls itself by its address,
// or that this looks like a trap by what visits have shown. A start page is what somebody wants, and what was visited may be visited again; where
// an answer led its own host leads back in vain.
func (st *Steps) byNow(item frontier.Item, n run.Note) admit.Refused {
	if st.ledger.IsNamed(cmp.Or(item.Identity, item.URL)) {
		return admit.RefusedNamed
	}
	if _, visited := st.ledger.Relevance(item.ID); item.Via == 0 || visited {
		return ""
	}
	if to := st.traps.SurelyLeadsTo(item.URL); to != "" {
		if l := page.LinkTo(to); !visits.LeadsBack(st.can.find, item, n, false, &l) {
			return admit.RefusedMoved
		}
	}
	return admit.RefuseSaid(admit.RefusedTrap, st.traps.CheckWaiting(item.URL, item.ID))
}

// comeBack lets links wait again that a rule has refused which has turned out to be untrue, or which is to be looked at.
func (st *Steps) comeBack(ended uint64, idle bool) (some bool) {
	back, err := frontier.Unshelve(st.frontier, st.traps.Back(ended, idle))
	st.fail(err)
	for _, item := range back {
		v := &Visit{Item: item, Time: st.now()}
		v.note, v.Err = run.ReadNote(item)
		d := decisionOf(v)
		d.Decision = "push"
		st.fail(st.results.Log.Write(&d))
	}
	return len(back) > 0
}

// refuse counts a refused link, each address once, for a menu repeats its links on every page of a host. The addresses are
// known by 64 bits of a hash: two that share them would cost a count, and no page.
func (st *Steps) refuse(f *Candidate) {
	address := sink.Key(f.Link.Identity)
	if st.ledger.WasRefused(address) {
		return
	}
	f.Fresh = true
	st.ledger.Record(&ledger.Refused{Address: address, Reason: f.Refused})
}

// pushLate takes a Visit that was asked for when its page was already done, or on no page at all: it becomes a start
// page, or a link of the page without its words.
func (st *Steps) pushLate(v *Visit, address string) {
	n := run.Note{Trail: st.strategy.Root(), Hops: string(run.HopUser)}
	var via uint64
	if v == nil {
		address = st.logins.Take(address)
	} else {
		via, n.Hops = v.Item.ID, v.note.Step(run.HopUser)
	}
	if _, _, err := st.pushStart(address, via, n); !errors.Is(err, frontier.ErrClosed) { // or the crawl has ended meanwhile
		st.fail(err)
	}
}

// pushStart lets an address in without a page that speaks for it. Its score is above that of any link, so that start pages come
// first.
func (st *Steps) pushStart(address string, via uint64, n run.Note) (uint64, admit.Refused, error) {
	l := page.LinkTo(address)
	d := run.Decision{Time: st.now(), Decision: "push", Via: via, Hops: n.Hops, Score: math.NaN(), Relevance: math.NaN(), URL: l.URL}
	if refused := st.mayEnter(&l, 0); refused != "" {
		d.Decision, d.Reason = "refuse", refused
		return 0, refused, st.results.Log.Write(&d)
	}
	item := frontier.Item{URL: l.URL, Identity: l.Identity, Host: l.Host, Via: via, Score: run.SeedScore, Alt: run.SeedScore, Note: n.Bytes()}
	st.choose(&item, 0)
	id, fresh, err := st.pushOne(item)
	if err != nil || !fresh {
		return id, "", err
	}
	d.ID = id
	return id, "", st.results.Log.Write(&d)
}

// Seed lets a start page in, before or during the crawl. A start page outside the scope is refused with the reason.
func (st *Steps) Seed(address string) (id uint64, refused admit.Refused, err error) {
	return st.pushStart(st.logins.Take(address), 0, run.Note{Trail: st.strategy.Root()})
}

// pageless says why a visit brought no page.
func pageless(v *Visit) admit.Refused {
	switch {
	case v.Refused != "":
		return v.Refused
	case v.redirect != "":
		return admit.RefusedRedirect
	case v.Err != nil:
		return admit.Refuse(admit.RefusedFailed, wire.Failure(v.Err))
	case v.Status == 0:
		return admit.Refuse(admit.RefusedVeto, "a callback aborted the request")
	case admit.Tolled(v.Status, v.Header) != "":
		return admit.Tolled(v.Status, v.Header)
	case !page.Arrived(v.Status):
		return admit.Refuse(admit.RefusedStatus, strconv.Itoa(v.Status)+" "+http.StatusText(v.Status))
	}
	return admit.RefusedType
}

// dismiss ends a visit that was refused before it was fetched. It costs no page.
func (st *Steps) dismiss(v *Visit) {
	v.judged = true
	st.ledger.Record(&ledger.Dismissed{Reason: v.Refused})
	if v.Refused == admit.RefusedMoved {
		v.redirect = st.traps.LeadsTo(v.Item.URL)
		st.push(v)
	}
	st.ended(v)
}

// pushEach pushes the admitted links of a page, each with the longest allowance of all links to its address: all at once,
// but for those that callbacks have added, which may be links of the page too and find it then as if it had come before.
func (st *Steps) pushEach(v *Visit) {
	for i := range v.Found {
		f := &v.Found[i]
		if f.Refused != "" {
			st.refuse(f)
			continue
		}
		if f.hop == run.HopUser {
			st.pushArrivals(v)
		}
		st.places = append(st.places, i)
		if stands := st.can.reach.Stands(st.evidence[i].Item); stands.State.Begun() || !st.arrive(v, i, stands) {
			f.ID = st.evidence[i].Item
		}
	}
	st.pushArrivals(v)
}

// arrive gets a link ready to be pushed, and answers false where that would change nothing: it waits, and is promised as much.
func (st *Steps) arrive(v *Visit, i int, stands frontier.Standing) bool {
	st.items = append(st.items, frontier.Item{})
	item := &st.items[len(st.items)-1]
	st.fill(item, v, i)
	arrives := stands.State != frontier.Waiting || stands.RaisedBy(item)
	if arrives {
		item.Note = st.noted(v, i)
		st.remind(i, item)
	}
	st.lengthen(i, item)
	if !arrives {
		st.items = st.items[:len(st.items)-1]
	}
	return arrives
}

// arrivals are the links of the page that has the turn, and those of them that are about to be pushed. The room is used again.
type arrivals struct {
	evidence []rank.Evidence
	onward   []rank.Trail
	items    []frontier.Item
	places   []int  // among the links of the page, of those that wait or were visited, and of the items in their order: they have no number yet
	notes    []byte // of the items
	stepped  [3]string
}

// step is the hop path of a link of a page: where that led last, most links of the page lead.
func (st *Steps) step(v *Visit, hop byte) string {
	if st.stepped[0] != v.note.Hops || st.stepped[1] != string(hop) {
		st.stepped = [3]string{v.note.Hops, string(hop), v.note.Step(hop)}
	}
	return st.stepped[2]
}

// pushArrivals pushes links and forgets them.
func (st *Steps) pushArrivals(v *Visit) {
	pushed, err := st.pushAll(st.items)
	st.fail(err)
	for _, i := range st.places {
		f := &v.Found[i]
		if f.ID == 0 && len(pushed) > 0 {
			f.ID, f.Fresh, f.Raised = pushed[0].ID, pushed[0].Fresh, pushed[0].Raised
			pushed = pushed[1:]
		}
		if f.Fresh {
			st.can.reach.Set(f.ID, st.onward[i].Allowance)
		}
		st.memory.Linked(f.ID, &st.evidence[i])
	}
	clear(st.items)
	st.items, st.places = st.items[:0], st.places[:0]
}

// pushAll pushes the links of a page, all at once where the frontier can.
func (st *Steps) pushAll(items []frontier.Item) ([]frontier.Pushed, error) {
	if st.can.batch != nil && len(items) > 0 {
		return st.can.batch.PushAll(items)
	}
	pushed := make([]frontier.Pushed, len(items))
	for i := range items {
		p := &pushed[i]
		var err error
		if p.ID, p.Fresh, err = st.frontier.Push(items[i]); err != nil {
			return nil, err
		}
		p.Raised = !p.Fresh && st.cameBy(p.ID, items[i].Via)
	}
	return pushed, nil
}

// pushOne pushes an item that is no link of a page. If it raises one that waits, its note takes the place of the other's, so the
// allowance that was remembered from there counts no more.
func (st *Steps) pushOne(item frontier.Item) (id uint64, fresh bool, err error) {
	id, fresh, err = st.frontier.Push(item)
	st.can.reach.Forget(id)
	return id, fresh, err
}

// cameBy tells whether a waiting item is now reached by the links of that page: a better way than the one before.
func (st *Steps) cameBy(id, via uint64) bool {
	if st.can.find == nil {
		return false
	}
	item, state := st.can.find.Get(id)
	return state == frontier.Waiting && item.Via == via
}

// mostSitemaps is how many sitemaps are taken from one robots.txt. Some hosts name thousands, one for each day, and all of them
// would wait with the promise of the page that the robots.txt was fetched for.
const mostSitemaps = 20

// pushSitemaps lets the sitemaps that a robots.txt names wait with the promise of the item that it was asked for. The
// turn must be held.
func (c *Crawler) pushSitemaps(v *Visit, f *robots.Flight) {
	rules := c.ledger.Robots.RulesOf(f.Origin)
	if !c.steps.lists || rules == nil || f.Sitemaps {
		return
	}
	f.Sitemaps = true
	for _, address := range rules.FirstSitemaps(f.Origin, mostSitemaps, c.steps.withheld) {
		l := page.LinkTo(address)
		l.Source = page.Sitemap
		d := run.Decision{Time: c.now(), Decision: "push", Via: v.Item.Via, Hops: v.note.Hops, Score: float64(v.Item.Score), Relevance: math.NaN(), URL: l.URL}
		f, err := Candidate{Link: &l, Refused: c.steps.mayEnter(&l, int(v.Item.Depth))}, error(nil)
		if f.Refused != "" {
			c.steps.refuse(&f)
			d.Decision, d.Reason, d.Score = "refuse", f.Refused, math.NaN()
		} else {
			item := v.Item
			item.ID, item.URL, item.Identity, item.Host = 0, l.URL, l.Identity, l.Host
			d.ID, f.Fresh, err = c.steps.pushOne(item)
		}
		if err == nil && f.Fresh {
			err = c.steps.results.Log.Write(&d)
		}
		c.steps.fail(err)
	}
}
