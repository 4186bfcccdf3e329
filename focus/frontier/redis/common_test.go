package redis

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// sharded are machines that share a crawl in several shards, on a clock that only the test moves.
func sharded(t *testing.T, machines int, m frontier.Manners, o Options) (*frontier.Manual, []*Frontier) {
	t.Helper()
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr()})
	t.Cleanup(func() { client.Close() })
	clock := frontier.NewManual(start)
	m.Clock, o.Shards = clock, 5
	var fs []*Frontier
	for range machines {
		fs = append(fs, open(t, client, m, o))
	}
	return clock, fs
}

// Hosts of one address share its visits, in whichever shards they are and whichever machines visit them; and nobody waits
// for a visit that has ended.
func TestShardsKeepTheVisitsOfAnAddress(t *testing.T) {
	const hosts, most = 12, 2
	clock, fs := sharded(t, 3, frontier.Manners{PerIP: most, Lease: time.Minute}, Options{})
	for n := range hosts {
		for page := range 3 {
			fs[0].Push(frontier.Item{URL: fmt.Sprintf("http://h%d/%d", n, page), Host: fmt.Sprint("h", n), Score: float32(page)})
		}
		fs[n%3].Locate(fmt.Sprint("h", n), "10.0.0.1")
	}
	r := rand.New(rand.NewPCG(1, 2))
	type visit struct {
		f  *Frontier
		id uint64
	}
	var under []visit
	visits, full := map[string]bool{}, 0
	for {
		f := fs[r.IntN(len(fs))]
		it, ready, err := f.TryPop(0)
		if err == frontier.ErrEmpty {
			break
		}
		switch {
		case it.ID != 0:
			if visits[it.URL] {
				t.Errorf("%s was handed over twice", it.URL)
			}
			visits[it.URL] = true
			if under = append(under, visit{f, it.ID}); len(under) > most {
				t.Fatalf("%d visits of one address", len(under))
			}
			continue
		case err != nil && err != frontier.ErrIdle:
			t.Fatal(err)
		case len(under) == 0 && (ready.IsZero() || ready.After(clock.Now())):
			t.Fatalf("nobody is visited, and nothing is ready before %v: %v", ready.Sub(clock.Now()), err)
		}
		if len(under) == 0 {
			continue
		}
		if len(under) == most {
			full++
		}
		i := r.IntN(len(under))
		if err := under[i].f.Done(under[i].id, frontier.Outcome{}); err != nil {
			t.Fatal(err)
		}
		under = append(under[:i], under[i+1:]...)
	}
	if len(visits) != 3*hosts || full < hosts {
		t.Errorf("%d visits of %d; the address was full %d times", len(visits), 3*hosts, full)
	}
}

// The budget is that of all machines and all shards together, to the page: whatever is given back, and wherever a machine dies
// in the middle of ending a visit.
func TestShardsSpendOneBudget(t *testing.T) {
	const pages = 30
	clock, fs := sharded(t, 3, frontier.Manners{Lease: time.Minute}, Options{Budget: pages})
	for n := range 3 * pages {
		fs[0].Push(frontier.Item{URL: fmt.Sprint("http://h/", n), Host: fmt.Sprint("h", n)})
	}
	r := rand.New(rand.NewPCG(3, 4))
	under := map[uint64]*Frontier{}
	most, done, died := 0, 0, 0
	for {
		i := r.IntN(len(fs))
		it, _, err := fs[i].TryPop(0)
		if it.ID != 0 {
			under[it.ID] = fs[i]
			most = max(most, done+len(under))
			continue
		}
		if err == frontier.ErrEmpty {
			break
		}
		if err != frontier.ErrIdle {
			t.Fatal(err)
		}
		for _, id := range slices.Sorted(maps.Keys(under))[:1] {
			f := under[id]
			delete(under, id)
			switch what := r.IntN(6); {
			case what == 0:
				err = f.Done(id, frontier.Outcome{Again: true})
			case what == 1 && died < 5: // in the middle of ending a visit; what another machine makes of it counts
				died++
				err = f.pages("pay", id)
				for n := range fs {
					if fs[n] == f {
						fs[n] = open(t, f.client.(*goredis.Client), f.manners, f.o)
					}
				}
				for other, owner := range under {
					if owner == f {
						delete(under, other)
					}
				}
				clock.Advance(30 * time.Second)
				for other, owner := range under {
					owner.renewCommon()
					if err := owner.Renew(other); err != nil {
						t.Fatal(err)
					}
				}
				clock.Advance(30 * time.Second) // all its leases lapse
			default:
				err = f.Done(id, frontier.Outcome{Counters: map[string]int64{Spent: 1}})
				done++
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if done != pages || most > pages || died == 0 {
		t.Errorf("%d pages of %d were visited, at most %d at once or before; %d machines died", done, pages, most, died)
	}
}

// A host's share of the turns is that of all shards together.
func TestShardsShareOutTheTurns(t *testing.T) {
	_, fs := sharded(t, 1, frontier.Manners{PerHost: 100, Share: .2}, Options{})
	f := fs[0]
	for i := range 200 {
		f.Push(frontier.Item{URL: fmt.Sprint("http://greedy/", i), Host: "greedy", Score: 1})
		f.Push(frontier.Item{URL: fmt.Sprintf("http://h%d/", i), Host: fmt.Sprint("h", i), Score: .97})
	}
	var turns []string
	for range 200 {
		it, _, err := f.TryPop(0)
		if err != nil || it.ID == 0 {
			t.Fatal(it, err)
		}
		if err := f.Done(it.ID, frontier.Outcome{}); err != nil {
			t.Fatal(err)
		}
		turns = append(turns, it.Host)
	}
	for at := 100; at <= len(turns); at++ {
		greedy := 0
		for _, host := range turns[at-100 : at] {
			if host == "greedy" {
				greedy++
			}
		}
		if greedy > 21 {
			t.Fatalf("one host had %d of a hundred turns up to the %dth, want 21 at most", greedy, at)
		}
	}
}
