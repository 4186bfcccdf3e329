package redis

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

func mini(t *testing.T) *goredis.Client {
	client := goredis.NewClient(&goredis.Options{Addr: miniredis.RunT(t).Addr()})
	t.Cleanup(func() { client.Close() })
	return client
}

// Whoever has no part in a crawl finds it by its name, or as the only one there is, and joins it as it was begun.
func TestACrawlIsFoundFromOutside(t *testing.T) {
	ctx, client := context.Background(), mini(t)
	var none *NoCrawlError
	if _, _, err := About(ctx, client, "", nil); !errors.As(err, &none) || len(none.Others) != 0 {
		t.Errorf("where there is no crawl: %v", err)
	}
	begin := func(crawl, about string) *Frontier {
		f, err := Open(ctx, client, crawl, frontier.Manners{}, Options{Lanes: 1})
		if err == nil {
			err = f.Describe(map[string]string{"is": about})
		}
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	begin("a", "first").Close()
	if name, about, err := About(ctx, client, "", nil); name != "a" || about["is"] != "first" || err != nil {
		t.Errorf("the only crawl is %q: %v, %v", name, about, err)
	}
	begin("b", "second").Close()
	begin("b", "third").Close()
	if _, about, err := About(ctx, client, "b", nil); about["is"] != "third" || err != nil {
		t.Errorf("b is %v, %v", about, err)
	}
	for _, name := range []string{"", "c"} {
		if _, _, err := About(ctx, client, name, nil); !errors.As(err, &none) || !slices.Equal(none.Others, []string{"a", "b"}) {
			t.Errorf("crawl %q: %v", name, err)
		}
	}
	f, err := Join(ctx, client, "a", frontier.Manners{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := Join(ctx, client, "c", frontier.Manners{}, Options{}); !errors.As(err, &none) {
		t.Errorf("c was joined: %v", err)
	}
	if names, err := crawls(ctx, client); !slices.Equal(names, []string{"a", "b"}) || err != nil {
		t.Errorf("there are %v, %v", names, err)
	}
}

// The best links are told in the order in which they would be handed over.
func TestTheBestThatWait(t *testing.T) {
	ctx, client := context.Background(), mini(t)
	f := open(t, client, frontier.Manners{}, Options{})
	for n := range 40 {
		host := fmt.Sprint("h", n%7)
		if _, _, err := f.Push(frontier.Item{URL: fmt.Sprint("http://", host, "/", n), Host: host, Score: float32((n * 17) % 40), Note: []byte("note")}); err != nil {
			t.Fatal(err)
		}
	}
	taken, _, err := f.TryPop(0)
	if err != nil || taken.ID == 0 {
		t.Fatal(err)
	}
	for most, want := range map[int]int{0: 39, 10: 10, 100: 39} {
		items, err := f.Best(ctx, most)
		if err != nil || len(items) != want {
			t.Fatalf("best %d: %d items, %v", most, len(items), err)
		}
		for i, it := range items {
			if i > 0 && it.Score > items[i-1].Score || it.ID == taken.ID || string(it.Note) != "note" {
				t.Errorf("best %d: number %d is %+v after %v", most, i, it, items[max(i-1, 0)].Score)
			}
		}
	}
}

// Whoever is told to stop stops; whoever joins later goes on, and a pause is for all.
func TestAStopIsForThoseWhoAreThere(t *testing.T) {
	client := mini(t)
	commanded := func(who string, f *Frontier, want frontier.Command) {
		t.Helper()
		if c, err := f.Commanded(); c != want || err != nil {
			t.Errorf("%s is told to %v, %v", who, c, err)
		}
	}
	here := open(t, client, frontier.Manners{}, Options{})
	commanded("a machine that was told nothing", here, frontier.GoOn)
	tells := open(t, client, frontier.Manners{}, Options{})
	if err := tells.Command(frontier.Stop); err != nil {
		t.Fatal(err)
	}
	later := open(t, client, frontier.Manners{}, Options{})
	commanded("a machine that was there", here, frontier.Stop)
	commanded("a machine that came later", later, frontier.GoOn)
	if err := tells.Command(frontier.Pause); err != nil {
		t.Fatal(err)
	}
	commanded("a machine that came later", later, frontier.Pause)
	commanded("a machine that joins a crawl that is paused", open(t, client, frontier.Manners{}, Options{}), frontier.Pause)
}
