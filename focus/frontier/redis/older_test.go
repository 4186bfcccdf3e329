package redis

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// snapshot is all that a Redis holds; the answered function gives it that back, as if it had read it back from its disk.
func snapshot(t *testing.T, client *goredis.Client) (readBack func()) {
	t.Helper()
	ctx, dumps := t.Context(), map[string]string{}
	keys, err := client.Keys(ctx, "*").Result()
	for _, key := range keys {
		if err == nil {
			dumps[key], err = client.Dump(ctx, key).Result()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		_, err := client.TxPipelined(ctx, func(p goredis.Pipeliner) error {
			p.FlushAll(ctx)
			for key, dump := range dumps {
				p.Restore(ctx, key, 0, dump)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A Redis that comes back without what a process did is recognised by that process, whatever it was and whatever others do there
// meanwhile; who has lost nothing and who comes anew go on.
func TestARedisThatComesBackWithOlderDataIsRecognised(t *testing.T) {
	client := server(t)
	const where = "redis://…@db.example:6379/0?crawl=crawl"
	link := func(n int) frontier.Item {
		return frontier.Item{URL: fmt.Sprintf("http://h%d/", n), Host: fmt.Sprintf("h%d", n)}
	}
	for what, does := range map[string]func(f *Frontier, leased, waiting uint64) error{
		"push":  func(f *Frontier, _, _ uint64) error { _, _, err := f.Push(link(8)); return err },
		"raise": func(f *Frontier, _, _ uint64) error { it := link(2); it.Score = 1; _, _, err := f.Push(it); return err },
		"pop":   func(f *Frontier, _, _ uint64) error { _, _, err := f.TryPop(0); return err },
		"done":  func(f *Frontier, leased, _ uint64) error { return f.Done(leased, frontier.Outcome{}) },
		"commit": func(f *Frontier, _, _ uint64) error {
			return f.Commit([]byte("lesson"), map[string]int64{"crawl.log": 9})
		},
		"rescore": func(f *Frontier, _, waiting uint64) error { return f.Rescore(waiting, 1, 1, nil, nil) },
		"drop":    func(f *Frontier, _, waiting uint64) error { return f.Drop(waiting) },
		"a pace":  func(f *Frontier, _, _ uint64) error { f.Pace("h1", time.Minute); return nil },
		"a new one": func(f *Frontier, _, _ uint64) error {
			_, err := f.PushAll([]frontier.Item{link(1), link(9)})
			return err
		},
	} {
		if err := client.FlushAll(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
		f, other := open(t, client, frontier.Manners{}, Options{Where: where}), open(t, client, frontier.Manners{}, Options{})
		if _, err := f.PushAll([]frontier.Item{link(1), link(2)}); err != nil {
			t.Fatal(err)
		}
		leased, _, err := f.TryPop(0)
		if err != nil || leased.ID != 1 {
			t.Fatal(leased, err)
		}
		readBack := snapshot(t, client)
		if err := does(f, leased.ID, 2); err != nil {
			t.Fatal(what, err)
		}
		readBack()
		for n := range 20 {
			if _, _, err := other.Push(link(10 + n)); err != nil {
				t.Errorf("%s: who has lost nothing is told %v", what, err)
			}
		}
		for range 2 {
			_, _, err = f.TryPop(0)
			if said := fmt.Sprint(err); !errors.Is(err, ErrOlder) || !strings.HasPrefix(said, where+": ") || !strings.Contains(said, "Start this machine again") {
				t.Errorf("%s: it says %v", what, err)
			}
		}
		if _, _, err := f.Push(link(3)); !errors.Is(err, ErrOlder) || other.Len() != 21 {
			t.Errorf("%s: pushed all the same: %v, %d wait", what, err, other.Len())
		}
		if again := open(t, client, frontier.Manners{}, Options{}); again.Done(1, frontier.Outcome{}) != frontier.ErrNotLeased {
			t.Errorf("%s: who comes anew does not go on", what)
		}
	}
}

// Who has lost nothing of its own, but has heard what is gone, would miss as many of the next lessons: it is told, too.
func TestLessonsThatWereHeardAndAreGone(t *testing.T) {
	client := server(t)
	f, other := open(t, client, frontier.Manners{}, Options{}), open(t, client, frontier.Manners{}, Options{})
	tell := func(lesson string) {
		t.Helper()
		if err := f.Commit([]byte(lesson), nil); err != nil {
			t.Fatal(err)
		}
	}
	tell("one")
	readBack := snapshot(t, client)
	tell("two")
	if told, err := other.Hear(); len(told) != 2 || err != nil {
		t.Fatalf("it heard %q, %v", told, err)
	}
	readBack()
	if told, err := other.Hear(); !errors.Is(err, ErrOlder) {
		t.Errorf("it hears %q, %v", told, err)
	}
	if err := client.FlushAll(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	if told, err := other.Hear(); !errors.Is(err, ErrGone) {
		t.Errorf("of a crawl that is gone it hears %q, %v", told, err)
	}
}

// A Redis that was away and has all that it said goes on, and so does a crawl that an older version began, which counted nothing.
func TestARedisThatHasItAllGoesOn(t *testing.T) {
	client := server(t)
	old := open(t, client, frontier.Manners{}, Options{})
	if _, _, err := old.Push(frontier.Item{URL: "http://a/", Host: "a"}); err != nil {
		t.Fatal(err)
	}
	if err := client.Del(t.Context(), old.prefix+"changes").Err(); err != nil {
		t.Fatal(err)
	}
	f := open(t, client, frontier.Manners{}, Options{})
	for n := range 3 {
		if _, _, err := f.Push(frontier.Item{URL: fmt.Sprint("http://a/", n), Host: "a"}); err != nil {
			t.Fatal(err)
		}
		snapshot(t, client)()
	}
	if it, _, err := f.TryPop(0); err != nil || f.Done(it.ID, frontier.Outcome{}) != nil || f.Len() != 3 {
		t.Errorf("%v, %d wait", err, f.Len())
	}
}
