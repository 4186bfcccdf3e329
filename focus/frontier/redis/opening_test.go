package redis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Who opens a crawl on a Redis that answers and cannot be used yet waits for it, and says so, until it can be used, somebody
// gives up, or it takes too long.
func TestARedisThatIsNotReadyIsWaitedForWhenACrawlIsOpened(t *testing.T) {
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr(), MaxRetries: -1})
	t.Cleanup(func() { client.Close() })
	open(t, client, frontier.Manners{}, Options{})
	said := make(chan string, 100)
	away := func(err error) { said <- fmt.Sprint(err) }
	for what, open := range map[string]func(context.Context) error{
		"open": func(ctx context.Context) error {
			f, err := Open(ctx, client, "crawl", frontier.Manners{}, Options{Away: away})
			if err == nil {
				f.Close()
			}
			return err
		},
		"join": func(ctx context.Context) error {
			f, err := Join(ctx, client, "crawl", frontier.Manners{}, Options{Away: away})
			if err == nil {
				f.Close()
			}
			return err
		},
		"about": func(ctx context.Context) error { _, _, err := About(ctx, client, "crawl", away); return err },
		"clear": func(ctx context.Context) error { return Clear(ctx, client, "another", away) },
	} {
		answers := []string{"LOADING Redis is loading the dataset in memory"}
		if what == "open" {
			answers = append(answers, "MASTERDOWN Link with MASTER is down", "CLUSTERDOWN The cluster is down",
				"READONLY You can't write against a read only replica.")
		}
		for _, answer := range answers {
			server.SetError(answer)
			opened := make(chan error, 1)
			go func() { opened <- open(context.Background()) }()
			select {
			case line := <-said:
				if !strings.Contains(line, answer) {
					t.Errorf("%s: was told %q", what, line)
				}
			case err := <-opened:
				t.Fatalf("%s: %q ended it: %v", what, answer, err)
			}
			server.SetError("")
			if err := <-opened; err != nil {
				t.Errorf("%s: %v", what, err)
			}
			if line := <-said; line != "<nil>" || len(said) > 0 {
				t.Errorf("%s: was told %q, and %d more", what, line, len(said))
			}
		}
		ctx, giveUp := context.WithCancel(context.Background())
		server.SetError("LOADING Redis is loading the dataset in memory")
		opened := make(chan error, 1)
		go func() { opened <- open(ctx) }()
		<-said
		giveUp()
		if err := <-opened; err == nil || !strings.Contains(err.Error(), "LOADING") {
			t.Errorf("%s: who gave up was told %v", what, err)
		}
		server.SetError("")
	}
	server.SetError("LOADING Redis is loading the dataset in memory")
	wait := newOpening(client, away)
	wait.poll, wait.most = time.Microsecond, time.Millisecond
	if err := wait.knock(context.Background()); err == nil || !strings.Contains(err.Error(), "after waiting for it for 1ms") {
		t.Errorf("after too long a wait: %v", err)
	}
	ctx, giveUp := context.WithCancel(context.Background())
	looks := 0
	wait = newOpening(client, nil)
	wait.poll = time.Microsecond
	err := wait.do(ctx, func(ctx context.Context) error { // somebody gives up in the middle of the second look
		if looks++; looks == 2 {
			giveUp()
			return ctx.Err()
		}
		return io.EOF
	})
	if !errors.Is(err, io.EOF) {
		t.Errorf("who gave up in the middle of a look was told %v", err)
	}
	wrong := errors.New("not what passes")
	if err := wait.do(context.Background(), func(context.Context) error { return wrong }); !errors.Is(err, wrong) || len(said) != 1 {
		t.Errorf("what does not pass: %v, told %d times", err, len(said))
	}
}

// A Redis that is full can be read: a crawl there is found, joined and looked at.
func TestAFullRedisCanBeRead(t *testing.T) {
	client := server(t)
	ctx := context.Background()
	open(t, client, frontier.Manners{}, Options{}).Push(frontier.Item{URL: "http://a/1", Host: "a"})
	if err := client.ConfigSet(ctx, "maxmemory", "1").Err(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := About(ctx, client, "crawl", nil); err != nil {
		t.Error(err)
	}
	f, err := Join(ctx, client, "crawl", frontier.Manners{}, Options{Away: func(err error) { t.Errorf("it is waited for: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if best, err := f.Best(ctx, 0); len(best) != 1 || err != nil {
		t.Errorf("%v wait, %v", best, err)
	}
}
