package redis

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// In shards every link is handed over once, hosts keep their clocks, and of two links that are drawn the better comes
// first: the order is nearly that of the scores.
func TestShards(t *testing.T) {
	client := server(t)
	clock := frontier.NewManual(start)
	m := frontier.Manners{Delay: time.Second, Clock: clock}
	f := open(t, client, m, Options{Shards: 4})
	const hosts, each = 40, 5
	var items []frontier.Item
	for n := range hosts * each {
		host := fmt.Sprint("h", n%hosts)
		items = append(items, frontier.Item{URL: fmt.Sprint("http://", host, "/", n), Host: host, Score: float32(n / hosts)})
	}
	pushed, err := f.PushAll(items)
	if err != nil {
		t.Fatal(err)
	}
	var ids []uint64
	for i, p := range pushed {
		if ids = append(ids, p.ID); !p.Fresh || p.Raised {
			t.Errorf("item %d became %+v", i, p)
		}
	}
	if sorted := slices.Sorted(slices.Values(ids)); len(slices.Compact(sorted)) != len(items) {
		t.Errorf("ids are not their own: %v", sorted)
	}
	identities := make([]string, len(items))
	for i := range items {
		identities[i] = items[i].URL
	}
	if found := f.FindAll(append(identities, "nowhere")); !slices.Equal(found, append(slices.Clone(ids), 0)) {
		t.Errorf("found %v, want %v", found, ids)
	}
	if it, st := f.Get(ids[7]); it.URL != items[7].URL || st != frontier.Waiting || f.Len() != len(items) {
		t.Errorf("item %d is %+v, %v; %d wait", ids[7], it, st, f.Len())
	}
	visited, last, better := map[string]bool{}, map[string]time.Time{}, 0
	for {
		it, ready, err := f.TryPop(0)
		if err == frontier.ErrEmpty {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if it.ID == 0 {
			clock.Set(ready)
			continue
		}
		if before, ok := last[it.Host]; ok && clock.Now().Sub(before) < time.Second || visited[it.URL] {
			t.Errorf("%s after %v, visited before: %v", it.URL, clock.Now().Sub(before), visited[it.URL])
		}
		if it.Score >= 3 && len(visited) < len(items)/2 {
			better++
		}
		visited[it.URL], last[it.Host] = true, clock.Now()
		if err := f.Done(it.ID, frontier.Outcome{Counters: map[string]int64{"pages": 1}}); err != nil {
			t.Fatal(err)
		}
	}
	if len(visited) != len(items) {
		t.Errorf("%d of %d were visited", len(visited), len(items))
	}
	if better < 70 { // of the 80 that are among the better two fifths
		t.Errorf("only %d of the 80 best came in the first half", better)
	}
	if sums, err := f.Counters(); sums["pages"] != int64(len(items)) || err != nil {
		t.Errorf("counted %v, %v", sums, err)
	}
}

// cutting is a network that loses an answer now and then: what was asked is done, and nobody hears of it.
type cutting struct {
	net.Conn
	lost *atomic.Int64
}

func (c cutting) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if err == nil && c.lost.Add(1)%7 == 0 {
		c.Conn.Close()
		return 0, errors.New("the connection was cut")
	}
	return n, err
}

// What is told over a network that loses answers is told once.
func TestNothingTwiceOverABadNetwork(t *testing.T) {
	real := server(t)
	socket := real.Options().Addr
	var lost atomic.Int64
	client := goredis.NewClient(&goredis.Options{MaxRetries: -1, Dialer: func(context.Context, string, string) (net.Conn, error) {
		c, err := net.Dial("unix", socket)
		return cutting{c, &lost}, err
	}})
	t.Cleanup(func() { client.Close() })
	f := open(t, real, frontier.Manners{Lease: time.Minute}, Options{})
	f.client, f.o.Poll = client, time.Microsecond
	var away, back atomic.Int64
	f.o.Away = func(err error) {
		if err != nil {
			away.Add(1)
		} else {
			back.Add(1)
		}
	}
	const links = 60
	for n := range links {
		if _, _, err := f.Push(frontier.Item{URL: fmt.Sprint("http://a/", n), Host: fmt.Sprint("h", n)}); err != nil {
			t.Fatal(err)
		}
	}
	visits := map[string]int{}
	for {
		it, err := f.Pop(context.Background(), 0)
		if err == nil {
			visits[it.URL]++
			err = f.Done(it.ID, frontier.Outcome{Counters: map[string]int64{"pages": 1}, Lesson: []byte("l")})
		}
		if err != nil {
			t.Fatal(err)
		}
		if sums, _ := f.Counters(); f.Len() == 0 { // what a lost answer leased is out for its minute
			if sums["pages"] != int64(len(visits)) {
				t.Errorf("%d pages were counted for %d visits", sums["pages"], len(visits))
			}
			break
		}
	}
	for url, n := range visits {
		if n != 1 {
			t.Errorf("%s was visited %d times", url, n)
		}
	}
	if out, _ := real.HLen(context.Background(), f.shards[0].prefix+"out").Result(); int(out)+len(visits) != links {
		t.Errorf("%d visits and %d leases of %d links", len(visits), out, links)
	}
	if n, _ := real.LLen(context.Background(), f.shards[0].prefix+"lessons").Result(); int(n) != len(visits) {
		t.Errorf("%d lessons for %d visits", n, len(visits))
	}
	if away.Load() == 0 || back.Load() < away.Load()-1 {
		t.Errorf("it went away %d times and came back %d times", away.Load(), back.Load())
	}
}

// While a process lives its leases do not lapse, however long its visits take; when it is gone they do.
func TestLeasesAreKeptAlive(t *testing.T) {
	client := server(t)
	m := frontier.Manners{Lease: 300 * time.Millisecond}
	lives := open(t, client, m, Options{Worker: "lives", KeepAlive: true})
	other := open(t, client, m, Options{Worker: "other", Poll: 10 * time.Millisecond})
	lives.Push(frontier.Item{URL: "http://a/1", Host: "a"})
	long, err := lives.Pop(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	lapses := func() time.Duration {
		left, err := client.ZScore(context.Background(), lives.shards[0].prefix+"lapse", "1").Result()
		if err != nil {
			t.Fatal(err)
		}
		return time.Duration(left) * time.Microsecond
	}
	for first := lapses(); lapses() == first; { // the clock on the wall goes on until it was renewed
		if _, ready, err := other.TryPop(0); err != nil || ready.IsZero() {
			t.Fatal("the lease of a process that lives lapsed", err)
		}
	}
	lives.Close()
	got, err := other.Pop(context.Background(), 0)
	if err != nil || got.ID != long.ID {
		t.Errorf("popped %+v, %v", got, err)
	}
}

// A visit whose lease lapsed and was taken by another machine is that machine's: who was away learns it before it writes
// anything down, and cannot end it. If nobody has taken it, the visit goes on.
func TestAVisitBelongsToWhoHoldsItsLease(t *testing.T) {
	client := server(t)
	clock := frontier.NewManual(start)
	m := frontier.Manners{Lease: time.Hour, Clock: clock} // so long that nothing is renewed but where it is asked for
	slept, other := open(t, client, m, Options{KeepAlive: true}), open(t, client, m, Options{KeepAlive: true})
	for _, host := range []string{"a", "b"} {
		slept.Push(frontier.Item{URL: "http://" + host, Host: host})
	}
	taken, _, err := slept.TryPop(0)
	if err != nil {
		t.Fatal(err)
	}
	kept, _, err := slept.TryPop(0)
	if err != nil {
		t.Fatal(err)
	}
	away := func(id uint64) {
		slept.mu.Lock()
		defer slept.mu.Unlock()
		l := slept.out[id]
		l.since = l.since.Add(-time.Hour)
		slept.out[id] = l
	}
	clock.Advance(time.Hour)
	for _, it := range []frontier.Item{taken, kept} {
		if away(it.ID); it.ID == taken.ID {
			if got, _, err := other.TryPop(0); err != nil || got.ID != taken.ID {
				t.Fatalf("popped %+v, %v", got, err)
			}
		}
	}
	if got, ready, err := slept.TryPop(0); got.ID != 0 || ready.IsZero() || err != nil {
		t.Errorf("what is being visited here was handed over again: %+v, %v", got, err)
	}
	if slept.Holds(taken.ID) || !slept.Holds(kept.ID) || !other.Holds(taken.ID) {
		t.Error("they do not know whose the visits are")
	}
	if err := slept.Renew(taken.ID); err != frontier.ErrNotLeased {
		t.Errorf("renewed what is another's: %v", err)
	}
	if err := slept.Done(taken.ID, frontier.Outcome{Lesson: []byte("twice")}); err != frontier.ErrNotLeased {
		t.Errorf("ended what is another's: %v", err)
	}
	for id, f := range map[uint64]*Frontier{taken.ID: other, kept.ID: slept} {
		if err := f.Done(id, frontier.Outcome{Lesson: []byte("once")}); err != nil {
			t.Error(err)
		}
	}
	if told, err := other.Hear(); len(told) != 1 || string(told[0]) != "once" || err != nil {
		t.Errorf("heard %q, %v", told, err)
	}
}

// How a host is doing is known after a visit of it was lost to another machine, too: it is asked of Redis again.
func TestTheHealthOfAHostWhoseVisitWasLost(t *testing.T) {
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr()})
	t.Cleanup(func() { client.Close() })
	clock := frontier.NewManual(start)
	m := frontier.Manners{Lease: time.Hour, Clock: clock}
	slept, other := open(t, client, m, Options{}), open(t, client, m, Options{})
	slept.Push(frontier.Item{URL: "http://a", Host: "a"})
	it, _, err := slept.TryPop(0)
	if err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Hour)
	if got, _, err := other.TryPop(0); err != nil || got.ID != it.ID {
		t.Fatalf("popped %+v, %v", got, err)
	}
	if err := other.Done(it.ID, frontier.Outcome{Failed: true, Why: "refused"}); err != nil {
		t.Fatal(err)
	}
	if err := slept.Renew(it.ID); err != frontier.ErrNotLeased {
		t.Fatalf("renewed what is another's: %v", err)
	}
	if h := slept.Health("a"); h.Fails != 1 || h.Why != "refused" {
		t.Errorf("the host is doing %+v", h)
	}
}

// What one machine learns the others hear, in order and once; who joins later begins with a snapshot and what came after.
func TestLessonsAreShared(t *testing.T) {
	client := server(t)
	m := frontier.Manners{}
	a, b := open(t, client, m, Options{Worker: "machine a"}), open(t, client, m, Options{Worker: "machine b"})
	tell := func(f *Frontier, lesson string) {
		t.Helper()
		f.Push(frontier.Item{URL: "http://h/" + lesson, Host: lesson})
		it, _, err := f.TryPop(0)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Done(it.ID, frontier.Outcome{Lesson: []byte(lesson), Files: map[string]int64{"harvest.jsonl": int64(len(lesson))}}); err != nil {
			t.Fatal(err)
		}
	}
	hears := func(f *Frontier, want ...string) {
		t.Helper()
		told, err := f.Hear()
		var got []string
		for _, l := range told {
			got = append(got, string(l))
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("heard %q, %v, want %q", got, err, want)
		}
	}
	tell(a, "one of a")
	tell(b, "two")
	tell(a, "three")
	hears(b, "one of a", "three")
	hears(b)
	hears(a, "two")
	if err := a.Snapshot([]byte("all three")); err != nil {
		t.Fatal(err)
	}
	tell(b, "four")
	late := open(t, client, m, Options{Worker: "machine b"})
	r := late.Restored()
	if r.Items != 4 || string(r.Learned) != "all three" || len(r.Lessons) != 1 || string(r.Lessons[0]) != "four" ||
		r.Files["harvest.jsonl"] != 4 || r.At.IsZero() {
		t.Errorf("who joins finds %+v", r)
	}
	hears(late)
	for i := range keptLessons + 10 { // old lessons go
		tell(b, fmt.Sprint(i))
	}
	hears(a, append([]string{"four"}, numbers(keptLessons+10)...)...)
	if err := a.Snapshot([]byte("all")); err != nil {
		t.Fatal(err)
	}
	if n, _ := client.LLen(context.Background(), a.shards[0].prefix+"lessons").Result(); n != keptLessons {
		t.Errorf("%d lessons are kept", n)
	}
	if told, err := late.Hear(); err != nil || len(told) != keptLessons || string(told[0]) != "10" {
		t.Errorf("who is far behind heard %d lessons from %q, %v", len(told), told[0], err)
	}
}

func numbers(n int) (s []string) {
	for i := range n {
		s = append(s, fmt.Sprint(i))
	}
	return s
}

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
	if told, _ := client.LLen(ctx, f.shards[0].prefix+"lessons").Result(); told != 1 {
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
	other.grace = time.Millisecond
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

// Whoever joins a crawl joins it as it was begun.
func TestJoinedAsBegun(t *testing.T) {
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr()})
	t.Cleanup(func() { client.Close() })
	open(t, client, frontier.Manners{}, Options{})
	for _, o := range []Options{{Lanes: 1}, {Shards: 2}, {Seen: SeenWhole}, {Seen: "bloom"}, {Shards: -1}} {
		if _, err := Open(context.Background(), client, "crawl", frontier.Manners{}, o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}
