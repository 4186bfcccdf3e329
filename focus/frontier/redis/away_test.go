package redis

import (
	"context"
	"fmt"
	"io"
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
	f := open(t, client, frontier.Manners{}, Options{Where: "redis://there", Poll: time.Millisecond, Away: func(err error) { said <- fmt.Sprint(err) }})
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
	for final, remedy := range map[string]string{
		"WRONGTYPE Operation against a key holding the wrong kind of value": "the wrong kind of value",
		"NOPERM this user has no permissions":                               "ACL SETUSER",
		"ERR The user executing the script can't run this command":          "ACL SETUSER",
		"ERR user_script:322: attempt to index local 's' (a nil value)":     "did it throw them away",
		"WRONGPASS invalid username-password pair or user is disabled.":     "start again with the right one",
	} {
		server.SetError(final)
		_, _, pushing := f.Push(frontier.Item{URL: "http://a/1", Host: "a"})
		_, popping := f.Pop(t.Context(), 0)
		for _, err := range []error{pushing, popping} {
			if err == nil || !strings.HasPrefix(err.Error(), "redis://there: ") || !strings.Contains(err.Error(), final) || strings.Count(err.Error(), remedy) != 1 {
				t.Errorf("%q became %v", final, err)
			}
		}
	}
}

// A Redis that is full answers whoever reads. That it is well again is told when the last of those has been served whom it refused.
func TestWhoReadsDoesNotEndTheWaiting(t *testing.T) {
	client := goredis.NewClient(&goredis.Options{Addr: miniredis.RunT(t).Addr()})
	t.Cleanup(func() { client.Close() })
	var said []string
	f := open(t, client, frontier.Manners{}, Options{Away: func(err error) {
		word, _, _ := strings.Cut(fmt.Sprint(err), " ")
		said = append(said, word)
	}})
	full := answers("OOM command not allowed when used memory > 'maxmemory'.")
	writes, more, reads := waiter{f: f}, waiter{f: f}, waiter{f: f}
	for range 3 {
		writes.isAway(full)
		more.isAway(full)
		reads.isAway(nil)
	}
	more.leaves()
	reads.isAway(nil)
	if writes.isAway(nil); strings.Join(said, " ") != "Redis <nil>" {
		t.Errorf("was told %q", said)
	}
	writes.isAway(full)
	writes.leaves()
	if reads.isAway(nil); strings.Join(said, " ") != "Redis <nil> Redis <nil>" {
		t.Errorf("was told %q", said)
	}
	reads.isAway(io.EOF)
	if writes.isAway(nil); len(said) != 6 {
		t.Errorf("of one that could not be reached it was told %q", said)
	}
}

// answers is an error that Redis answers.
type answers string

func (a answers) Error() string { return string(a) }
func (answers) RedisError()     {}

// A Redis that throws keys away when it is full is warned of, and one that forgets.
func TestARedisThatEvicts(t *testing.T) {
	client := goredis.NewClient(&goredis.Options{Addr: miniredis.RunT(t).Addr()})
	t.Cleanup(func() { client.Close() })
	info := &memoryInfo{}
	client.AddHook(info)
	for said, want := range map[string]string{
		"maxmemory:1048576\r\nmaxmemory_policy:allkeys-lru\r\n":  "this Redis throws links of the crawl away when it is full (maxmemory-policy allkeys-lru): set it to noeviction",
		"maxmemory:0\r\nmaxmemory_policy:allkeys-lfu\r\n":        "this Redis throws links of the crawl away as soon as it has a maxmemory (maxmemory-policy allkeys-lfu): set it to noeviction",
		"maxmemory:1048576\r\nmaxmemory_policy:noeviction\r\n":   "",
		"maxmemory:1048576\r\nmaxmemory_policy:volatile-lru\r\n": "",
		"loading:0\r\naof_enabled:0\r\n":                         "this Redis writes down what it holds only now and then, if at all (appendonly no): should it end, the machines have to do again what they did since, or all; set appendonly yes and appendfsync always",
		"loading:0\r\naof_enabled:1\r\n":                         "",
		"":                                                       "",
	} {
		info.said = said
		told := ""
		open(t, client, frontier.Manners{}, Options{Warn: func(line string) { told += line }})
		if told != want {
			t.Errorf("of %q it says %q, want %q", said, told, want)
		}
	}
}

// memoryInfo answers in the place of a server how its memory is set.
type memoryInfo struct{ said string }

func (*memoryInfo) DialHook(next goredis.DialHook) goredis.DialHook { return next }
func (*memoryInfo) ProcessPipelineHook(next goredis.ProcessPipelineHook) goredis.ProcessPipelineHook {
	return next
}
func (i *memoryInfo) ProcessHook(next goredis.ProcessHook) goredis.ProcessHook {
	return func(ctx context.Context, cmd goredis.Cmder) error {
		if asked, ok := cmd.(*goredis.StringCmd); ok && cmd.Name() == "info" {
			asked.SetVal(i.said)
			return nil
		}
		return next(ctx, cmd)
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
