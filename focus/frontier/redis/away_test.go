package redis

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// All that is told waits for a Redis that went away, until it is back or the frontier is closed.
func TestTellingWaitsForRedis(t *testing.T) {
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr(), MaxRetries: -1})
	t.Cleanup(func() { client.Close() })
	clock := frontier.NewManual(start) // which nothing moves while Redis is away
	said := make(chan string, 10)
	f := open(t, client, frontier.Manners{Clock: clock}, Options{Poll: time.Millisecond, Away: func(err error) { said <- fmt.Sprint(err) }})
	server.SetError("LOADING Redis is loading the dataset in memory")
	pushed := make(chan error)
	push := func() {
		_, _, err := f.Push(frontier.Item{URL: "http://a/1", Host: "a"})
		pushed <- err
	}
	go push()
	if line := <-said; !strings.Contains(line, "LOADING") {
		t.Errorf("was told %q", line)
	}
	server.SetError("")
	if err := <-pushed; err != nil || f.Len() != 1 {
		t.Errorf("pushed: %v, %d wait", err, f.Len())
	}
	if line := <-said; line != "<nil>" || len(said) != 0 {
		t.Errorf("was told %q, and %d more", line, len(said))
	}
	server.SetError("LOADING Redis is loading the dataset in memory")
	go push()
	<-said
	f.Close()
	if err := <-pushed; err != frontier.ErrClosed {
		t.Errorf("pushed to what was closed: %v", err)
	}
}

// A Redis that answers and cannot do what it is asked, because it is full or its disk is, is waited for like one that does
// not answer, and whoever is interested hears what to do about it.
func TestARedisThatIsFullIsWaitedFor(t *testing.T) {
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr(), MaxRetries: -1})
	t.Cleanup(func() { client.Close() })
	said := make(chan string, 10)
	f := open(t, client, frontier.Manners{}, Options{Poll: time.Millisecond, Away: func(err error) { said <- fmt.Sprint(err) }})
	n := 0
	for answer, remedy := range map[string]string{
		"OOM command not allowed when used memory > 'maxmemory'.":                                             "raise its maxmemory",
		"ERR Error running script (call to f_1): @user_script:98: -OOM command not allowed when used memory":  "raise its maxmemory",
		"MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.":    "see its log",
		"NOREPLICAS Not enough good replicas to write.":                                                       "min-replicas-to-write",
		"READONLY You can't write against a read only replica.":                                               "name the master",
		"LOADING Redis is loading the dataset in memory":                                                      "reads its data back",
		"BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.":              "busy",
		"ERR max number of clients reached":                                                                   "maxclients",
		"EXECABORT Transaction discarded because of: OOM command not allowed when used memory > 'maxmemory'.": "raise its maxmemory",
	} {
		server.SetError(answer)
		pushed := make(chan error)
		n++
		go func() {
			_, _, err := f.Push(frontier.Item{URL: fmt.Sprint("http://a/", n), Host: "a"})
			pushed <- err
		}()
		select {
		case line := <-said:
			if !strings.Contains(line, remedy) || !strings.Contains(line, answer) {
				t.Errorf("was told %q", line)
			}
		case err := <-pushed:
			t.Fatalf("%q ended it: %v", answer, err)
		}
		server.SetError("")
		if err := <-pushed; err != nil || f.Len() != n {
			t.Errorf("pushed: %v, %d wait", err, f.Len())
		}
		if line := <-said; line != "<nil>" {
			t.Errorf("was told %q", line)
		}
	}
	for _, final := range []string{"WRONGTYPE Operation against a key holding the wrong kind of value", "NOPERM this user has no permissions"} {
		server.SetError(final)
		if _, _, err := f.Push(frontier.Item{URL: "http://a/1", Host: "a"}); err == nil || !strings.Contains(err.Error(), final) {
			t.Errorf("%q became %v", final, err)
		}
	}
}

// A real Redis that is full takes nothing until it has room again; what it was asked meanwhile it does once.
func TestAFullRedis(t *testing.T) {
	client := server(t)
	ctx := context.Background()
	said := make(chan string, 10)
	f := open(t, client, frontier.Manners{}, Options{Poll: time.Millisecond, Away: func(err error) { said <- fmt.Sprint(err) }})
	f.Push(frontier.Item{URL: "http://a/1", Host: "a"})
	it, err := f.Pop(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	for what, do := range map[string]func() error{
		"push": func() error { _, _, err := f.Push(frontier.Item{URL: "http://b/1", Host: "b"}); return err },
		"done": func() error {
			return f.Done(it.ID, frontier.Outcome{Failed: true, Counters: map[string]int64{"pages": 1}})
		},
		"commit":  func() error { return f.Commit([]byte("lesson"), nil) },
		"command": func() error { return f.Command(frontier.Pause) },
		"about":   func() error { return f.Describe(map[string]string{"crawl": "it"}) },
	} {
		if err := client.ConfigSet(ctx, "maxmemory", "1").Err(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- do() }()
		select {
		case line := <-said:
			if !strings.Contains(line, "raise its maxmemory") {
				t.Errorf("%s: was told %q", what, line)
			}
		case err := <-done:
			t.Errorf("%s ended with %v", what, err)
			continue
		}
		client.ConfigSet(ctx, "maxmemory", "0")
		if err := <-done; err != nil {
			t.Errorf("%s: %v", what, err)
		}
		<-said
	}
	if sums, err := f.Counters(); f.Len() != 1 || sums["pages"] != 1 || err != nil {
		t.Errorf("%d wait, counted %v, %v", f.Len(), sums, err)
	}
	if told, _ := client.LLen(ctx, f.prefix+"lessons").Result(); told != 1 {
		t.Errorf("%d lessons are there", told)
	}
}

// Who has to go does not wait for a Redis that is away, or that takes what it is asked and never answers; one that answers
// is asked as ever.
func TestWhoHasToGoDoesNotWaitForRedis(t *testing.T) {
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr(), MaxRetries: -1})
	t.Cleanup(func() { client.Close() })
	said := make(chan string, 10)
	f := open(t, client, frontier.Manners{}, Options{Poll: time.Hour, Away: func(err error) { said <- fmt.Sprint(err) }})
	f.grace, f.quiet = time.Millisecond, time.Millisecond
	pushed := make(chan error)
	push := func() {
		_, _, err := f.Push(frontier.Item{URL: "http://a/1", Host: "a"})
		pushed <- err
	}
	server.SetError("LOADING Redis is loading the dataset in memory")
	go push()
	<-said
	f.GiveUp()
	f.GiveUp()
	if err := <-pushed; err != ErrAway {
		t.Errorf("pushed to one that is away: %v", err)
	}
	if h := f.Health("a"); f.Len() != 0 || h.Fails != 0 {
		t.Error("one that is away answers")
	}

	server.SetError("")
	other := open(t, client, frontier.Manners{}, Options{Poll: time.Hour})
	other.grace, other.quiet = time.Millisecond, time.Minute
	other.GiveUp()
	<-other.left
	if _, _, err := other.Push(frontier.Item{URL: "http://a/1", Host: "a"}); err != nil || other.Len() != 1 {
		t.Errorf("pushed to one that answers: %v, %d wait", err, other.Len())
	}
	other.quiet = time.Millisecond
	mute := goredis.NewClient(&goredis.Options{Dialer: func(context.Context, string, string) (net.Conn, error) {
		here, _ := net.Pipe()
		return here, nil
	}, ReadTimeout: -2, WriteTimeout: -2})
	t.Cleanup(func() { mute.Close() })
	other.client = mute
	if _, _, err := other.Push(frontier.Item{URL: "http://a/2", Host: "a"}); err != ErrAway {
		t.Errorf("pushed to one that says nothing: %v", err)
	}
}
