package frontiertest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// testProperty does the same things at random to a frontier and to the model.
func testProperty(t *testing.T, b Backend) {
	steps := 3000
	if b.Slow {
		steps = 300
	}
	for seed := range seeds() {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			m := frontier.Manners{Delay: time.Duration(r.IntN(3)) * time.Second, PerHost: 1 + r.IntN(2), Turns: r.IntN(2) == 0 && !b.NoTurns}
			if b.Leases && r.IntN(2) == 0 {
				m.Lease = 20 * time.Second
			}
			m.PerIP, m.Share = r.IntN(3), float64(r.IntN(3))/5
			m.Patience, m.Margin = time.Duration(r.IntN(3)*r.IntN(3))*time.Second, float64(r.IntN(4))
			p := &pair{crawl: begin(t, b, m), model: newModel(m), r: r, b: b}
			p.model.manners.Clock = p.clock
			for step := range steps {
				p.step = step
				p.model.now = p.clock.Now()
				p.act()
				if p.Failed() {
					t.FailNow()
				}
			}
			p.compareAll()
		})
	}
}

// seeds is how many courses of events are tried; THRESHER_COURSES says another number.
func seeds() uint64 {
	if n, err := strconv.ParseUint(os.Getenv("THRESHER_COURSES"), 10, 32); err == nil {
		return n
	}
	return 20
}

// pair is a frontier and its model.
type pair struct {
	*crawl
	model *model
	r     *rand.Rand
	b     Backend
	step  int
}

func (p *pair) act() {
	switch n := p.r.IntN(100); {
	case n < 40:
		p.pushAny()
	case n < 60:
		p.popAny()
	case n < 75:
		p.doneAny()
	case n < 85:
		p.changeAny()
	case n < 88:
		p.clock.Advance(time.Duration(p.r.IntN(4000)) * time.Millisecond)
	case n < 91:
		host, d := p.anyHost(), time.Duration(p.r.IntN(4000))*time.Millisecond
		if p.r.IntN(3) == 0 {
			p.locate(host, []string{"", "10.0.0.1", "10.0.0.2"}[p.r.IntN(3)])
			return
		}
		if p.r.IntN(2) == 0 {
			p.Pace(host, d)
			p.model.host(host).pace = d
		} else {
			until := p.clock.Now().Add(d)
			p.Rest(host, until)
			if h := p.model.host(host); until.After(h.next) {
				h.next = until
			}
		}
	case n < 94:
		p.eachAny()
	case n < 99:
		p.look(p.anyID())
	case p.b.Reopen != nil:
		p.Full = p.b.Reopen(p, p.Full, p.model.manners)
		f := p.Full
		p.Cleanup(func() { f.Close() })
		p.model.reopen()
		for i := range 6 { // where hosts are is told anew
			host := string(rune('a' + i))
			p.locate(host, p.model.address[host])
		}
		p.compareAll()
	}
}

func (p *pair) locate(host, address string) {
	p.Locate(host, address)
	p.model.address[host] = address
}

func (p *pair) anyHost() string { return string(rune('a' + p.r.IntN(6))) }
func (p *pair) anyID() uint64   { return uint64(p.r.IntN(len(p.model.items) + 2)) }
func (p *pair) anyScore() float32 {
	return float32(p.r.IntN(9)-4) / 2
}

func (p *pair) anyTier() uint32 {
	return []uint32{0, 0, 0, 1, 2, frontier.Held, frontier.Held + 1}[p.r.IntN(7)]
}

func (p *pair) pushAny() {
	if p.r.IntN(3) == 0 {
		p.pushSome(p.r.IntN(9))
		return
	}
	it := p.anyItem()
	before := p.Standing(p.Find(it.URL))
	id, fresh, err := p.Push(it)
	if want := p.model.push(it); id != want.ID || fresh != want.Fresh || err != nil {
		p.Errorf("step %d: push %s: %d, %v, %v; want %+v", p.step, it.URL, id, fresh, err, want)
	}
	// What is known to change nothing need not be pushed.
	after := p.Standing(id)
	if raised := before.RaisedBy(&it); before.State != frontier.Unknown && raised != (after != before) || before.State.Begun() && raised {
		p.Errorf("step %d: push %s: it stood as %+v, and stands as %+v; said to be raised: %v", p.step, it.URL, before, after, raised)
	}
}

// pushSome pushes some items at once, among which there may be one twice.
func (p *pair) pushSome(n int) {
	var items []frontier.Item
	var identities []string
	var want []frontier.Pushed
	var ids []uint64
	for range n {
		it := p.anyItem()
		if len(items) > 0 && p.r.IntN(4) == 0 {
			it.URL, it.Host = items[0].URL, items[0].Host
		}
		items, identities = append(items, it), append(identities, it.URL)
		want = append(want, p.model.push(it))
		ids = append(ids, want[len(want)-1].ID)
	}
	pushed, err := p.PushAll(items)
	if !slices.Equal(pushed, want) || err != nil {
		p.Errorf("step %d: push %v: %+v, %v; want %+v", p.step, identities, pushed, err, want)
	}
	identities, ids = append(identities, "nowhere"), append(ids, 0)
	if found := p.FindAll(identities); !slices.Equal(found, ids) {
		p.Errorf("step %d: find %v: %v; want %v", p.step, identities, found, ids)
	}
}

func (p *pair) anyItem() frontier.Item {
	n := p.r.IntN(p.step/3 + 2)
	it := frontier.Item{URL: fmt.Sprint("u", n), Host: string(rune('a' + n%6)), Via: 1<<40 + p.anyID(), Depth: uint16(p.r.IntN(9)),
		Tier: p.anyTier(), Score: p.anyScore(), Alt: p.anyScore()}
	for range p.r.IntN(3) {
		it.Numbers = append(it.Numbers, p.anyScore())
		it.Note = append(it.Note, byte(n))
	}
	return it
}

func (p *pair) popAny() {
	lane := p.r.IntN(2)
	got, ready, err := p.TryPop(lane)
	want, wantReady, wantErr := p.model.tryPop(lane)
	if !reflect.DeepEqual(got, want) || !ready.Equal(wantReady) || err != wantErr {
		p.Errorf("step %d: pop in lane %d: %+v, %v, %v\nwant %+v, %v, %v", p.step, lane, got, ready, err, want, wantReady, wantErr)
	}
}

func (p *pair) doneAny() {
	id := p.anyID()
	if n := len(p.model.out); n > 0 && p.r.IntN(9) > 0 {
		id = p.model.out[p.r.IntN(n)].id
	}
	o := frontier.Outcome{Again: p.r.IntN(4) == 0, Score: p.anyScore(), Wait: time.Duration(p.r.IntN(3)) * time.Second}
	if p.r.IntN(2) == 0 {
		o.Score = float32(math.NaN())
	}
	o.Idle, o.Shelved = p.r.IntN(9) == 0, p.r.IntN(4) == 0
	if err, want := p.Done(id, o), p.model.done(id, o); err != want {
		p.Errorf("step %d: done %d: %v, want %v", p.step, id, err, want)
	}
}

func (p *pair) changeAny() {
	id := p.anyID()
	it := p.model.waiting(id)
	score, alt, tier := p.anyScore(), p.anyScore(), p.anyTier()
	switch p.r.IntN(5) {
	case 4:
		was, err := p.Unshelve(id)
		p.noError(err)
		if want := p.model.unshelve(id); was != want {
			p.Errorf("step %d: unshelve %d: %v, want %v", p.step, id, was, want)
		}
	case 0:
		p.noError(p.Drop(id))
		if it != nil {
			p.model.drop(it)
		}
	case 1:
		p.noError(p.Promote(id, tier, score))
		if it != nil {
			it.Tier, it.Score = tier, score
		}
	default:
		var note []byte // most keep the one they have
		if p.step%4 == 0 {
			note = fmt.Appendf(nil, "%d", p.step)
		}
		p.noError(p.Rescore(id, score, alt, []float32{score}, note))
		if it != nil {
			it.Score, it.Alt, it.Numbers = score, alt, []float32{score}
			if note != nil {
				it.Note = note
			}
		}
	}
}

func (p *pair) noError(err error) {
	if err != nil {
		p.Errorf("step %d: %v", p.step, err)
	}
}

func (p *pair) eachAny() {
	tier, most := p.anyTier(), p.r.IntN(10)+1
	var got []uint64
	p.Each(tier, func(id uint64) bool {
		got = append(got, id)
		return len(got) < most
	})
	want := p.model.tier(tier)
	want = want[:min(most, len(want))]
	if !slices.Equal(got, want) {
		p.Errorf("step %d: Each(%d) until %d: %v, want %v", p.step, tier, most, got, want)
	}
}

func (p *pair) look(id uint64) {
	got, st := p.Get(id)
	var want modelItem
	if it := p.model.get(id); it != nil {
		want = *it
		if found := p.Find(it.URL); found != id {
			p.Errorf("step %d: %s is found as %d, want %d", p.step, it.URL, found, id)
		}
	}
	if !reflect.DeepEqual(got, want.Item) || st != want.state {
		p.Errorf("step %d: item %d is %+v, %v\nwant %+v, %v", p.step, id, got, st, want.Item, want.state)
	}
	if n := p.model.count(frontier.Waiting); p.Len() != n {
		p.Errorf("step %d: %d wait, want %d", p.step, p.Len(), n)
	}
}

func (p *pair) compareAll() {
	for i := range p.model.items {
		p.look(uint64(i + 1))
	}
}
