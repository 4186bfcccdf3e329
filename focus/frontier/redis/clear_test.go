package redis

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// A crawl that is cleared away is gone, and no other.
func TestClear(t *testing.T) {
	client := server(t)
	ctx := context.Background()
	fs := map[string]*Frontier{}
	for _, name := range []string{"a*", "ab", "a"} {
		f, err := Open(ctx, client, name, frontier.Manners{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for n := range 20 {
			f.Push(frontier.Item{URL: fmt.Sprint("http://a/", n), Host: fmt.Sprint(n)})
		}
		fs[name] = f
	}
	if err := Clear(ctx, client, "a*", nil); err != nil {
		t.Fatal(err)
	}
	if _, _, err := fs["a*"].Push(frontier.Item{URL: "http://a/", Host: "a"}); err != ErrGone {
		t.Errorf("what was cleared away answers %v", err)
	}
	if fs["a"].Len() != 20 || fs["ab"].Len() != 20 {
		t.Error("another crawl was cleared away")
	}
	if err := client.HDel(ctx, prefixOf("a")+"m", "born").Err(); err != nil { // as a Clear leaves it that was cut short
		t.Fatal(err)
	}
	if _, err := Open(ctx, client, "a", frontier.Manners{}, Options{}); err == nil || !strings.Contains(err.Error(), "half removed") {
		t.Errorf("one that is half removed was joined: %v", err)
	}
	if err := Clear(ctx, client, "a", nil); err != nil {
		t.Fatal(err)
	}
	if f, err := Open(ctx, client, "a", frontier.Manners{}, Options{}); err != nil || f.Len() != 0 {
		t.Errorf("one that was begun anew: %v", err)
	} else {
		f.Close()
	}
}

// A Redis that is full can be emptied: that is what helps it.
func TestClearWhereRedisIsFull(t *testing.T) {
	client := server(t)
	f := open(t, client, frontier.Manners{}, Options{})
	f.Push(frontier.Item{URL: "http://a/", Host: "a"})
	if err := client.ConfigSet(context.Background(), "maxmemory", "1").Err(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if err := Clear(ctx, client, "crawl", func(why error) { t.Error("it waits: ", why); cancel() }); err != nil {
		t.Error(err)
	}
	if left, err := client.Keys(context.Background(), "*").Result(); err != nil || len(left) > 0 {
		t.Errorf("%q is left, %v", left, err)
	}
}

// Whoever works on a crawl that is cleared away is told so, at whatever moment, and writes nothing into what is gone.
func TestNothingIsWrittenIntoWhatIsCleared(t *testing.T) {
	client := server(t)
	ctx := context.Background()
	for round := range 3 {
		f := open(t, client, frontier.Manners{}, Options{Worker: "works"})
		for n := range 500 {
			f.Push(frontier.Item{URL: fmt.Sprint("http://", n%50, "/", n), Host: fmt.Sprint(n % 50)})
		}
		ended := make(chan error)
		began := make(chan struct{})
		go func() {
			for n := 0; ; n++ {
				it, _, err := f.TryPop(0)
				if err == nil && it.ID != 0 {
					err = f.Done(it.ID, frontier.Outcome{})
				}
				if err != nil {
					ended <- err
					return
				}
				if n == 20 {
					close(began)
				}
			}
		}()
		<-began
		if err := Clear(ctx, client, "crawl", nil); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; !errors.Is(err, ErrGone) {
			t.Errorf("round %d: who worked on it was told %v", round, err)
		}
		if left, err := client.Keys(ctx, "*").Result(); err != nil || len(left) > 0 {
			t.Errorf("round %d: %q is left, %v", round, left, err)
		}
	}
}

// A crawl is in use while visits of it are under way, and no longer than their leases.
func TestACrawlIsUnused(t *testing.T) {
	client := server(t)
	unused := func() error { return Unused(context.Background(), client, "crawl", nil) }
	if err := unused(); err != nil {
		t.Errorf("one that is not there: %v", err)
	}
	f := open(t, client, frontier.Manners{Lease: time.Hour}, Options{Worker: "works"})
	f.Push(frontier.Item{URL: "http://a/", Host: "a"})
	if err := unused(); err != nil {
		t.Errorf("one at which nobody works: %v", err)
	}
	it, _, err := f.TryPop(0)
	if err != nil || it.ID == 0 {
		t.Fatal(it, err)
	}
	if err := unused(); err == nil || !strings.Contains(err.Error(), "visits of the crawl crawl are under way, 1 now: 'thresher stop --run REDIS?crawl=crawl' stops all machines") {
		t.Errorf("one at which somebody works: %v", err)
	}
	if err := f.Done(it.ID, frontier.Outcome{}); err != nil {
		t.Fatal(err)
	}
	if err := unused(); err != nil {
		t.Errorf("one whose visits have ended: %v", err)
	}
	f.Push(frontier.Item{URL: "http://b/", Host: "b"})
	if it, _, err = f.TryPop(0); err != nil || it.ID == 0 {
		t.Fatal(it, err)
	}
	if err := client.ZAdd(context.Background(), f.prefix+"lapse", goredis.Z{Score: 1, Member: it.ID}).Err(); err != nil {
		t.Fatal(err)
	}
	if err := unused(); err != nil {
		t.Errorf("one whose machine died long ago: %v", err)
	}
}
