package redis

import (
	"fmt"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

var page = frontier.Outcome{Counters: map[string]int64{Spent: 1}}

// purse are two machines that share a budget of pages, in one shard or in several, and a clock that only the test moves.
type purse struct {
	*testing.T
	clock      *frontier.Manual
	cut, other *Frontier
	hooks      [2]between // of the one and of the other
	host       int
}

func newPurse(t *testing.T, shards, pages int) *purse {
	server := miniredis.RunT(t)
	p := &purse{T: t, clock: frontier.NewManual(start)}
	m := frontier.Manners{Delay: time.Minute, Lease: time.Hour, Clock: p.clock}
	o := Options{KeepAlive: true, Shards: shards, Budget: pages}
	for i, f := range []**Frontier{&p.cut, &p.other} {
		client := goredis.NewClient(&goredis.Options{Addr: server.Addr()})
		t.Cleanup(func() { client.Close() })
		*f = open(t, client, m, o)
		client.AddHook(&p.hooks[i])
	}
	return p
}

// lend hands a new link to a machine.
func (p *purse) lend(f *Frontier) frontier.Item {
	p.Helper()
	p.host++
	host := fmt.Sprint("h", p.host)
	f.Push(frontier.Item{URL: "http://" + host, Host: host, Score: float32(p.host)})
	it, _, err := f.TryPop(0)
	if err != nil || it.Host != host {
		p.Fatalf("handed over: %+v, %v", it, err)
	}
	return it
}

// lapse lets all leases lapse, and looks that they have.
func (p *purse) lapse(visits ...frontier.Item) {
	p.Helper()
	p.clock.Advance(time.Hour)
	for _, sh := range p.other.shards {
		p.other.ask(p.Context(), sh, pop, 0, "", 0, "peek", 0, "")
	}
	for _, it := range visits {
		if _, state := p.other.Get(it.ID); state != frontier.Waiting {
			p.Fatalf("%s is %v", it.URL, state)
		}
	}
}

// spent checks what has been paid: each page once, and no more than there are.
func (p *purse) spent(want int) {
	p.Helper()
	sums, err := p.other.Counters()
	if err != nil || sums[Spent] != int64(want) {
		p.Errorf("%d pages were told, %v; want %d", sums[Spent], err, want)
	}
	if len(p.other.shards) > 1 {
		if n, err := p.other.client.HGet(p.Context(), p.other.shards[0].prefix+"m", "spent").Int(); n != want {
			p.Errorf("%d pages are counted, %v; want %d", n, err, want)
		}
	}
}

// A machine that was cut off while it made a visit may end it when it comes back, if nobody else has taken it; but not with a
// page of the budget that another has begun to spend meanwhile.
func TestWhoWasCutOffSpendsNoPageOfAnother(t *testing.T) {
	for _, shards := range []int{1, 3} {
		t.Run(fmt.Sprint(shards, " shards"), func(t *testing.T) {
			p := newPurse(t, shards, 1)
			late := p.lend(p.cut)
			p.lapse(late)
			last := p.lend(p.other)
			if err := p.cut.Done(late.ID, page); err != frontier.ErrNotLeased {
				t.Errorf("the page is another's, and it was spent: %v", err)
			}
			if err := p.other.Done(last.ID, page); err != nil {
				t.Error(err)
			}
			p.spent(1)
			if _, state := p.cut.Get(late.ID); state != frontier.Waiting {
				t.Errorf("what could not be paid is %v", state)
			}
			p.clock.Advance(time.Minute) // its host's pause
			if it, _, err := p.cut.TryPop(0); it.ID != 0 || err != frontier.ErrEmpty {
				t.Errorf("handed over: %+v, %v", it, err)
			}
		})
		t.Run(fmt.Sprint(shards, " shards, given back"), func(t *testing.T) {
			p := newPurse(t, shards, 1)
			late := p.lend(p.cut)
			p.lapse(late)
			if err := p.other.Done(p.lend(p.other).ID, frontier.Outcome{Again: true}); err != nil {
				t.Error(err)
			}
			if err := p.cut.Done(late.ID, page); err != nil {
				t.Errorf("the page is there again, and was not spent: %v", err)
			}
			p.spent(1)
		})
	}
}

// meanwhile lets something happen when the next script of a machine has been done, and before it hears of it.
func (p *purse) meanwhile(f *Frontier, do func()) {
	hook := &p.hooks[0]
	if f == p.other {
		hook = &p.hooks[1]
	}
	then := func() error { do(); return nil }
	hook.next.Store(&then)
}

// A machine that was cut off between paying a page and ending the visit finds, when it comes back, that its page was taken back
// and given to another: it does not end the visit, whether that other visits the same page or not.
func TestAPageThatWasTakenBackIsNotSpent(t *testing.T) {
	for _, same := range []bool{true, false} {
		t.Run(fmt.Sprint("for the same visit ", same), func(t *testing.T) {
			p := newPurse(t, 3, 1)
			late := p.lend(p.cut)
			var last frontier.Item
			p.meanwhile(p.cut, func() { // it has paid
				if p.lapse(late); same {
					p.clock.Advance(time.Minute) // its host's pause
					last, _, _ = p.other.TryPop(0)
				} else {
					last = p.lend(p.other)
				}
			})
			if err := p.cut.Done(late.ID, page); err != frontier.ErrNotLeased || last.ID == 0 || same != (last.ID == late.ID) {
				t.Errorf("%v; the page is for %+v", err, last)
			}
			if err := p.other.Done(last.ID, page); err != nil {
				t.Error(err)
			}
			p.spent(1)
		})
	}
}

// Whoever comes back to a visit that another is about to end takes nothing of what that one has paid.
func TestWhoComesTooLateTakesNoPageBack(t *testing.T) {
	p := newPurse(t, 3, 2)
	late := p.lend(p.cut)
	p.lapse(late)
	p.clock.Advance(time.Minute)
	if it, _, err := p.other.TryPop(0); it.ID != late.ID {
		t.Fatal(it, err)
	}
	p.meanwhile(p.other, func() { // it has paid
		if err := p.cut.Done(late.ID, page); err != frontier.ErrNotLeased {
			t.Error(err)
		}
	})
	if err := p.other.Done(late.ID, page); err != nil {
		t.Error(err)
	}
	p.spent(1)
}

// A page that was paid by two machines for one visit, the first of which does not know yet that it is too late, is paid once.
func TestAVisitIsPaidOnce(t *testing.T) {
	p := newPurse(t, 3, 2)
	late := p.lend(p.cut)
	p.meanwhile(p.cut, func() {
		p.lapse(late)
		p.clock.Advance(time.Minute)
		if it, _, err := p.other.TryPop(0); it.ID != late.ID {
			t.Fatal(it, err)
		}
		if err := p.other.Done(late.ID, page); err != nil {
			t.Error(err)
		}
	})
	if err := p.cut.Done(late.ID, page); err != frontier.ErrNotLeased {
		t.Error(err)
	}
	p.spent(1)
	if it := p.lend(p.other); it.ID == 0 {
		t.Error("the second page is not there")
	}
}
