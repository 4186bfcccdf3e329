package focus

import (
	"context"
	"testing"

	"github.com/alicebob/miniredis/v2"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
)

// As in a crawl of one machine, an address that waits on Redis has the best score and the longest allowance of all links to
// it, in whatever order and from whichever machine they come; what else the better link carries is its own.
func TestOnRedisScoreAndDepthAreTheBestOfAllParents(t *testing.T) {
	client, _, err := redis.Dial("redis://" + miniredis.RunT(t).Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	type link struct {
		score     float32
		allowance int16
		hops      string
	}
	for _, links := range [][2]link{{{.5, 1, "A"}, {1, 3, "B"}}, {{1, 3, "B"}, {.5, 1, "A"}}, {{.5, 3, "A"}, {1, 1, "B"}},
		{{1, 1, "B"}, {.5, 3, "A"}}, {{1, -1, "B"}, {1, 3, "A"}}, {{.5, 3, "A"}, {1, -2, "B"}}} {
		if err := redis.Clear(context.Background(), client, "crawl", nil); err != nil {
			t.Fatal(err)
		}
		var machines [2]*redis.Frontier
		for i := range machines {
			if machines[i], err = redis.Open(context.Background(), client, "crawl", frontier.Manners{}, redis.Options{Reach: run.Reach}); err != nil {
				t.Fatal(err)
			}
			defer machines[i].Close()
		}
		for i, l := range links {
			n := run.Note{Trail: rank.Trail{Depth: 2, Allowance: l.allowance, Inherited: .25}, Hops: l.hops, Anchor: "words"}
			item := frontier.Item{URL: "http://a.example/", Host: "a", Via: uint64(i + 1), Score: l.score, Note: n.Bytes()}
			if _, err := machines[i].PushAll([]frontier.Item{item}); err != nil {
				t.Fatal(err)
			}
		}
		item, _, err := machines[0].TryPop(0)
		if err != nil {
			t.Fatal(err)
		}
		n, err := run.ReadNote(item)
		if want := (rank.Trail{Depth: 2, Allowance: 3, Inherited: .25}); err != nil || item.Score != 1 || n.Trail != want || n.Hops != "B" || n.Anchor != "words" {
			t.Errorf("%v: score %v, %+v (%v)", links, item.Score, n, err)
		}
	}
}
