package focus

import (
	"hash/fnv"
	"math"
	"net/http"
	"strconv"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/selection"
)

// asked are the addresses that callbacks asked to visit for a page: they stand behind its last link, so that a strategy
// which counts the links of a page (fish) does not take each for the first.
func (st *Steps) asked(v *Visit) []Candidate {
	st.foreign.Lock()
	foreign := v.foreign
	st.foreign.Unlock()
	found := make([]Candidate, 0, len(foreign))
	for i, address := range foreign {
		l := page.LinkTo(address)
		l.Order = int32(len(v.Page.Links) + i)
		found = append(found, Candidate{Link: &l, hop: run.HopUser, Refused: st.scope.Admit(&l, int(v.Item.Depth)+1)})
	}
	return found
}

// pushRedirect lets the address that an answer sends us to wait in the place of the item: with its trail and its turn in
// the order, and with its promise, or that of its own if it waits already and that is better.
func (st *Steps) pushRedirect(v *Visit) {
	l := page.LinkTo(v.redirect)
	f := Candidate{Link: &l, Score: v.Item.Score, Numbers: v.Item.Numbers, hop: run.HopRedirect}
	f.Refused = st.scope.Admit(&l, int(v.Item.Depth))
	if f.Refused == "" && (trailing(v.note.Hops, run.HopRedirect) >= st.redirect || st.circles(v, &l)) {
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
		f.ID, f.Fresh, err = st.frontier.Push(item)
		st.fail(err)
		st.memory.Moved(v.Item.ID, f.ID)
	} else {
		st.turnAway(&f)
		st.memory.Fetched(v.Item.ID, 0, false, 0)
	}
	v.Found = append(v.Found, f)
}

// sentOn makes of an identity one that no address has: it is what an address is known by to which another form of itself
// has led (a session in the path, a dot behind the host). The frontier knows the plain identity as that of the form that
// was visited, and would take it for done.
const sentOn = "#"

// circles tells whether a redirect leads back to where it came by. One that leads on to another form of the same address gets
// an identity of its own, by which it is visited once.
func (st *Steps) circles(v *Visit, l *page.Link) bool {
	to, ok := requestID(l.URL)
	item := v.Item
	finder, _ := st.frontier.(frontier.Finder)
	for range trailing(v.note.Hops, run.HopRedirect) + 1 {
		if at, known := requestID(item.URL); ok && known && at == to {
			return true
		}
		if from, err := page.Canonical(item.URL); err == nil && from == l.Identity {
			l.Identity = l.URL + sentOn
		}
		if item.Via == 0 || finder == nil {
			break
		}
		item, _ = finder.Get(item.Via)
	}
	return false
}

// trap tells whether an address looks like one that a server makes up without end. Each address is asked for once: the
// watch counts what it is asked.
func (st *Steps) trap(l *page.Link) admit.Refused {
	if st.traps == nil || st.can.find == nil || st.can.find.Find(l.Identity) != 0 {
		return ""
	}
	h := fnv.New64a()
	h.Write([]byte(l.Identity))
	if trap, asked := st.ledger.WasLookedAt(h.Sum64()); asked {
		if trap {
			return admit.RefusedTrap
		}
		return ""
	}
	said := st.traps.Check(l.URL)
	st.ledger.Happen(&ledger.Looked{Address: h.Sum64(), Trap: said != ""})
	if said == "" {
		return ""
	}
	return admit.Refuse(string(admit.RefusedTrap), said)
}

// turnAway counts a refused link, each address once.
func (st *Steps) turnAway(f *Candidate) {
	h := fnv.New64a()
	h.Write([]byte(f.Link.Identity))
	if st.ledger.WasRefused(h.Sum64()) {
		return
	}
	f.Fresh = true
	st.ledger.Happen(&ledger.TurnedAway{Address: h.Sum64(), Reason: f.Refused})
}

// trailing is how many hops of one kind a hop path ends with.
func trailing(hops string, hop byte) int {
	n := 0
	for n < len(hops) && hops[len(hops)-1-n] == hop {
		n++
	}
	return n
}

// pushLate takes a Visit that was asked for when its page was already done, or on no page at all: it becomes a start
// page, or a link of the page without its words.
func (st *Steps) pushLate(v *Visit, address string) {
	n := run.Note{Trail: st.strategy.Root(), Hops: string(run.HopUser)}
	var via uint64
	if v == nil {
		address = st.logins.take(address)
	} else {
		via = v.Item.ID
		n.Hops = v.note.Step(run.HopUser)
	}
	if _, _, err := st.pushStart(address, via, n); err != nil {
		st.foreignErr = err
	}
}

// pushStart lets an address in without a page that speaks for it.
func (st *Steps) pushStart(address string, via uint64, n run.Note) (uint64, admit.Refused, error) {
	l := page.LinkTo(address)
	d := run.Decision{Time: st.now(), Decision: "push", Via: via, Hops: n.Hops, Score: math.NaN(), Relevance: math.NaN(), URL: l.URL}
	if refused := st.scope.Admit(&l, 0); refused != "" {
		d.Decision, d.Reason = "refuse", refused
		return 0, refused, st.log.Write(&d)
	}
	item := frontier.Item{URL: l.URL, Identity: l.Identity, Host: l.Host, Via: via, Score: seedScore, Alt: seedScore, Note: n.Bytes()}
	st.choose(&item, 0)
	id, fresh, err := st.frontier.Push(item)
	if err != nil || !fresh {
		return id, "", err
	}
	d.ID = id
	return id, "", st.log.Write(&d)
}

// seedScore puts start pages before everything that they lead to.
const seedScore = 1e6

// Seed lets a start page in, before or during the crawl. A start page outside the scope is refused with the reason.
func (st *Steps) Seed(address string) (id uint64, refused admit.Refused, err error) {
	return st.pushStart(st.logins.take(address), 0, run.Note{Trail: st.strategy.Root()})
}

// pageless says why a visit brought no page.
func pageless(v *Visit) admit.Refused {
	switch {
	case v.Refused != "":
		return v.Refused
	case v.redirect != "":
		return admit.RefusedRedirect
	case v.Err != nil:
		return admit.Refuse("failed", failure(v.Err))
	case v.Status == 0:
		return admit.Refuse("veto", "a callback aborted the request")
	case v.Status < 200 || v.Status >= 300:
		return admit.Refuse("status", strconv.Itoa(v.Status)+" "+http.StatusText(v.Status))
	}
	return admit.RefusedType
}

// dismiss ends a visit that was refused before it was fetched. It costs no page.
func (st *Steps) dismiss(v *Visit) {
	v.judged = true
	st.ledger.Happen(&ledger.Dismissed{Reason: v.Refused})
	st.over(v)
}
