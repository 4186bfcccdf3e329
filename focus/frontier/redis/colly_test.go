package redis

import (
	"context"
	"net/url"
	"testing"

	"github.com/alicebob/miniredis/v2"
	oldredis "github.com/go-redis/redis"
	"github.com/gocolly/redisstorage"
	goredis "github.com/redis/go-redis/v9"
)

// What redisstorage keeps is found here, and what is kept here redisstorage finds.
func TestVisitsAreThoseOfRedisstorage(t *testing.T) {
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr()})
	t.Cleanup(func() { client.Close() })
	at, ok := SingleServer(client)
	if !ok || at.Address != server.Addr() {
		t.Fatalf("%+v, %v", at, ok)
	}
	old := oldredis.NewClient(&oldredis.Options{Network: at.Network, Addr: at.Address})
	t.Cleanup(func() { old.Close() })
	theirs, ours := &redisstorage.Storage{Prefix: VisitsPrefix("solar"), Client: old}, NewVisits(client, "solar")
	type storage interface {
		Visited(uint64) error
		IsVisited(uint64) (bool, error)
		Cookies(*url.URL) string
		SetCookies(*url.URL, string)
	}
	u := &url.URL{Scheme: "https", Host: "a.example"}
	for i, way := range [][2]storage{{theirs, ours}, {ours, theirs}} {
		id := uint64(1)<<63 + uint64(i)
		if been, err := way[1].IsVisited(id); been || err != nil {
			t.Errorf("visited before: %v, %v", been, err)
		}
		if err := way[0].Visited(id); err != nil {
			t.Fatal(err)
		}
		if been, err := way[1].IsVisited(id); !been || err != nil {
			t.Errorf("visited: %v, %v", been, err)
		}
		way[0].SetCookies(u, "name=value")
		if got := way[1].Cookies(u); got != "name=value" {
			t.Errorf("cookies %q", got)
		}
		server.Del("thresher:{solar}:cookie:a.example")
	}
	if err := Clear(context.Background(), client, "solar", nil); err != nil || len(server.Keys()) != 0 {
		t.Errorf("left of a crawl that was cleared away: %v, %v", server.Keys(), err)
	}
}

func TestSingleServers(t *testing.T) {
	for _, more := range []string{"redis://ann:secret@a:6379", "redis://a:6379?addr=b:6379", "redis://a:26379?master_name=main"} {
		client, _, err := Dial(more)
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := SingleServer(client); ok {
			t.Errorf("%s is a single server: %+v", more, s)
		}
		client.Close()
	}
}
