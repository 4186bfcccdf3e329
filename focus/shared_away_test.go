package focus_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
)

// A crawl that is begun while its Redis is not there yet says so and waits, and begins when it is; Ctrl-C ends the waiting.
func TestACrawlIsBegunBeforeItsRedis(t *testing.T) {
	s, db := serveWeb(t, manyHosts(4, 2), 0), newRedis(t)
	t.Chdir(t.TempDir())
	said := make(chan string, 100)
	begin := func(ctx context.Context) <-chan error {
		told := sharing{Store: db.address(""), Web: s.address(), Agent: "one", Seeds: []string{"http://start.example/"}, Parallel: 2}
		config := told.config()
		config.Opening, config.Told = ctx, func(line string) { said <- line }
		ended := make(chan error, 1)
		go func() {
			crawler, err := focus.NewWith(config)
			if err == nil {
				_, err = crawler.Run(context.Background())
			}
			ended <- err
		}()
		return ended
	}
	waits := func(ended <-chan error) {
		t.Helper()
		select {
		case line := <-said:
			if !strings.HasPrefix(line, "waiting for redis://") || !strings.Contains(line, "refused") {
				t.Errorf("it said %q", line)
			}
		case err := <-ended:
			t.Fatalf("it ended: %v", err)
		case <-timeout(nil, late):
			t.Fatal("it says nothing")
		}
	}
	ctx, giveUp := context.WithCancel(context.Background())
	ended := begin(ctx)
	waits(ended)
	giveUp()
	if err := soon(t, "who gave up is told so", ended); err == nil || !strings.Contains(err.Error(), "not waited for any longer") {
		t.Errorf("who gave up was told %v", err)
	}
	ended = begin(context.Background())
	waits(ended)
	db.start()
	if err := soon(t, "the crawl ends, whose Redis is there now", ended); err != nil {
		t.Error(err)
	}
	if line := soon(t, "it says that Redis answers", said); line != "Redis answers again" || len(s.requests()) != 4*2+1 {
		t.Errorf("it said %q, and made %d requests", line, len(s.requests()))
	}
}

// A crawl on a Redis that is away ends when it is told to, and says what became of what was under way.
func TestASharedCrawlIsStoppedWhileRedisIsAway(t *testing.T) {
	s, db := serveWeb(t, manyHosts(40, 20), 5*time.Millisecond), startRedis(t)
	t.Chdir(t.TempDir())
	told := sharing{Store: db.address(""), Web: s.address(), Agent: "one", Seeds: []string{"http://start.example/"}, Parallel: 4}
	config := told.config()
	away := make(chan struct{}, 10)
	config.Told = func(line string) {
		if strings.HasPrefix(line, "waiting for redis://") {
			away <- struct{}{}
		}
	}
	crawler, err := focus.NewWith(config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ended := make(chan error, 1)
	s.answersOnly(20)
	var report focus.Report
	go func() {
		var err error
		report, err = crawler.Run(ctx)
		ended <- err
	}()
	if !s.await(20+1, timeout(nil, late)) {
		t.Fatal("nothing is fetched")
	}
	db.kill()
	s.answersAll()
	select {
	case <-away:
	case err := <-ended:
		t.Fatalf("it ended before it was told to: %v", err)
	case <-timeout(nil, late):
		t.Fatal("it does not say that Redis is away")
	}
	stop()
	if err := soon(t, "it ends without Redis", ended); !errors.Is(err, redis.ErrAway) || report.Finished || report.Reason != "you stopped it" {
		t.Errorf("it ended with %+v, %v", report, err)
	}
}
