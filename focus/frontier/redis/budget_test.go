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

// purse are two machines that share a budget of pages, and a clock that only the test moves.
type purse struct {
	*testing.T
	clock      *frontier.Manual
	cut, other *Frontier
	host       int
}

func newPurse(t *testing.T, pages int) *purse {
	server := miniredis.RunT(t)
	p := &purse{T: t, clock: frontier.NewManual(start)}
	m := frontier.Manners{Delay: time.Minute, Lease: time.Hour, Clock: p.clock}
	o := Options{KeepAlive: true, Budget: pages}
	for _, f := range []**Frontier{&p.cut, &p.other} {
		client := goredis.NewClient(&goredis.Options{Addr: server.Addr()})
		t.Cleanup(func() { client.Close() })
		*f = open(t, client, m, o)
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
	p.other.ask(p.Context(), pop, 9, p.other.worker(), 0, 0, "0 0") // of a lane in which nothing waits
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
}

// A machine that was cut off while it made a visit may end it when it comes back, if nobody else has taken it; but not with a
// page of the budget that another has begun to spend meanwhile.
func TestWhoWasCutOffSpendsNoPageOfAnother(t *testing.T) {
	t.Run("to another visit", func(t *testing.T) {
		p := newPurse(t, 1)
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
	t.Run("given back", func(t *testing.T) {
		p := newPurse(t, 1)
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
