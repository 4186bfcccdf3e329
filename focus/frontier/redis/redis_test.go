package redis

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/frontiertest"
)

func backend(client goredis.UniversalClient) frontiertest.Backend {
	crawls := 0
	return frontiertest.Backend{
		Open: func(tb testing.TB, m frontier.Manners) frontiertest.Full {
			crawls++
			f, err := Open(context.Background(), client, fmt.Sprint("crawl ", crawls), m, Options{Worker: "test"})
			if err != nil {
				tb.Fatal(err)
			}
			return f
		},
		Leases:  true,
		NoTurns: true,
		Slow:    true,
	}
}

// TestMiniredis holds the frontier where there is no real Redis; where there is one, TestRedis asks it the same.
func TestMiniredis(t *testing.T) {
	if _, err := exec.LookPath("redis-server"); err == nil {
		t.Skip("there is a redis-server: TestRedis asks it the same")
	}
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr()})
	t.Cleanup(func() { client.Close() })
	frontiertest.Run(t, backend(client))
}

// server starts a real Redis that nobody else can reach, and answers a client of it.
func server(t testing.TB, more ...string) *goredis.Client {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("redis-server is not installed, and CI demands it")
		}
		t.Skip("redis-server is not installed")
	}
	dir, err := os.MkdirTemp("", "redis") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "s")
	cmd := exec.Command(path, append([]string{"--port", "0", "--unixsocket", socket, "--dir", dir, "--save", "", "--daemonize", "no"}, more...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.Contains(lines.Text(), "ready to accept connections") {
	}
	go func() {
		for lines.Scan() {
		}
	}()
	client := goredis.NewClient(&goredis.Options{Network: "unix", Addr: socket})
	t.Cleanup(func() {
		client.Close()
		cmd.Process.Kill()
		cmd.Wait()
		os.RemoveAll(dir)
	})
	return client
}

func TestRedis(t *testing.T) { frontiertest.Run(t, backend(server(t))) }

// TestCountsAndCommands: what outcomes count adds up, and what was commanded last is what all are told.
func TestCountsAndCommands(t *testing.T) {
	t.Run("miniredis", func(t *testing.T) {
		client := goredis.NewClient(&goredis.Options{Addr: miniredis.RunT(t).Addr()})
		t.Cleanup(func() { client.Close() })
		testCountsAndCommands(t, client)
	})
	t.Run("redis", func(t *testing.T) { testCountsAndCommands(t, server(t)) })
}

func testCountsAndCommands(t *testing.T, client goredis.UniversalClient) {
	f := open(t, client, frontier.Manners{Clock: frontier.NewManual(start)}, Options{Worker: "test"})
	for _, path := range []string{"1", "2", "3"} {
		if _, _, err := f.Push(frontier.Item{URL: "http://a/" + path, Host: "a", Score: 1}); err != nil {
			t.Fatal(err)
		}
	}
	done := func(o frontier.Outcome) {
		t.Helper()
		it, _, err := f.TryPop(0)
		if err == nil {
			err = f.Done(it.ID, o)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if sums, err := f.Counters(); len(sums) != 0 || err != nil {
		t.Errorf("nothing was counted: %v, %v", sums, err)
	}
	done(frontier.Outcome{Counters: map[string]int64{"pages": 1, "refused: robots": 2}, Lesson: []byte("one")})
	done(frontier.Outcome{Counters: map[string]int64{"pages": 1, "bytes": 7}})
	if f.Done(99, frontier.Outcome{Counters: map[string]int64{"pages": 1}}) == nil {
		t.Error("an outcome of nothing was taken")
	}
	want := map[string]int64{"pages": 2, "bytes": 7, "refused: robots": 2}
	if sums, err := f.Counters(); !reflect.DeepEqual(sums, want) || err != nil {
		t.Errorf("counted %v, %v, want %v", sums, err, want)
	}
	if told, err := f.Hear(); len(told) != 0 || err != nil {
		t.Errorf("who is alone heard %q, %v", told, err)
	}
	for _, command := range []frontier.Command{frontier.GoOn, frontier.Pause, frontier.Stop, frontier.GoOn} {
		if err := f.Command(command); err != nil {
			t.Fatal(err)
		}
		if got, err := f.Commanded(); got != command || err != nil {
			t.Errorf("told to %v, and heard %v, %v", command, got, err)
		}
	}
}

func open(tb testing.TB, client goredis.UniversalClient, m frontier.Manners, o Options) *Frontier {
	tb.Helper()
	f, err := Open(context.Background(), client, "crawl", m, o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	return f
}

var start = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// Two machines share one crawl: no item is visited twice, and no host faster than its clock allows. A third one that
// dies gives its visit to the others when its lease lapses.
func TestMachinesShareACrawl(t *testing.T) {
	client := server(t)
	clock := frontier.NewManual(start)
	m := frontier.Manners{Delay: time.Second, Lease: 10 * time.Second, Clock: clock}
	const hosts, each = 5, 12
	var machines [2]*Frontier
	for i := range machines {
		machines[i] = open(t, client, m, Options{Worker: fmt.Sprint("machine ", i)})
	}
	for n := range hosts * each {
		host := fmt.Sprint("h", n%hosts)
		machines[n%2].Push(frontier.Item{URL: fmt.Sprint("http://", host, "/", n), Host: host, Score: float32(n % 7)})
	}
	dies := open(t, client, m, Options{Worker: "dies"})
	lost, _, err := dies.TryPop(0)
	if err != nil || lost.ID == 0 {
		t.Fatal(err)
	}
	visits, last := map[string]int{}, map[string]time.Time{}
	for n := 0; ; n++ {
		f := machines[n%2]
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
		now := clock.Now()
		if before, ok := last[it.Host]; ok && now.Sub(before) < time.Second {
			t.Errorf("%s was visited after %v", it.Host, now.Sub(before))
		}
		if it.ID == lost.ID && now.Sub(start) < 10*time.Second {
			t.Errorf("the dead machine's lease came back after %v", now.Sub(start))
		}
		last[it.Host] = now
		visits[it.URL]++
		if err := f.Done(it.ID, frontier.Outcome{Counters: map[string]int64{"pages": 1, "bytes": 10}}); err != nil {
			t.Fatal(err)
		}
	}
	for url, n := range visits {
		if n != 1 {
			t.Errorf("%s was visited %d times", url, n)
		}
	}
	if len(visits) != hosts*each || visits[lost.URL] != 1 {
		t.Errorf("%d visits of %d", len(visits), hosts*each)
	}
	counters, err := machines[0].Counters()
	if err != nil || counters["pages"] != hosts*each || counters["bytes"] != 10*hosts*each {
		t.Errorf("counted %v, %v", counters, err)
	}
}

// What one machine tells wakes a worker that waits on another.
func TestWakesOtherMachines(t *testing.T) {
	client := server(t)
	m := frontier.Manners{}
	here, there := open(t, client, m, Options{Poll: time.Millisecond}), open(t, client, m, Options{Poll: time.Millisecond})
	here.Push(frontier.Item{URL: "http://a/1", Host: "a"})
	one, _, err := here.TryPop(0)
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan frontier.Item)
	go func() {
		it, err := there.Pop(context.Background(), 0)
		if err != nil {
			t.Error(err)
		}
		got <- it
	}()
	here.Push(frontier.Item{URL: "http://a/2", Host: "a"})
	here.Done(one.ID, frontier.Outcome{})
	if it := <-got; it.URL != "http://a/2" {
		t.Errorf("popped %q", it.URL)
	}
}

func TestEmptiedRedisIsRecognised(t *testing.T) {
	client := server(t)
	f := open(t, client, frontier.Manners{}, Options{})
	f.Push(frontier.Item{URL: "http://a/1", Host: "a"})
	if err := client.FlushAll(context.Background()).Err(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.TryPop(0); err != ErrGone {
		t.Errorf("TryPop: %v", err)
	}
	if _, err := f.Pop(context.Background(), 0); err != ErrGone {
		t.Errorf("Pop: %v", err)
	}
	if _, _, err := f.Push(frontier.Item{URL: "http://a/1", Host: "a"}); err != ErrGone {
		t.Errorf("Push: %v", err)
	}
}

// Which Redis has lost a crawl is said, without its password.
func TestTheRedisThatLostItsDataIsNamed(t *testing.T) {
	client := mini(t)
	const where = "redis://…@db.example:6379/0?crawl=solar"
	f := open(t, client, frontier.Manners{}, Options{Where: where})
	if err := client.FlushAll(context.Background()).Err(); err != nil {
		t.Fatal(err)
	}
	_, _, err := f.Push(frontier.Item{URL: "http://a/1", Host: "a"})
	if !errors.Is(err, ErrGone) || !strings.HasPrefix(fmt.Sprint(err), where+": ") {
		t.Errorf("it says %v", err)
	}
}

// While Redis does not answer, a worker waits, ever longer; when it is back, the worker goes on.
func TestRedisGoesAwayAndComesBack(t *testing.T) {
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr(), MaxRetries: -1, ReadTimeout: -1}) // what is away says so
	t.Cleanup(func() { client.Close() })
	clock := frontier.NewManual(start)
	f := open(t, client, frontier.Manners{Clock: clock}, Options{Poll: time.Second})
	f.Push(frontier.Item{URL: "http://a/1", Host: "a"})
	server.SetError("LOADING Redis is loading the dataset in memory")
	got := make(chan frontier.Item)
	go func() {
		it, err := f.Pop(context.Background(), 0)
		if err != nil {
			t.Error(err)
		}
		got <- it
	}()
	for _, wait := range []time.Duration{1, 2, 4} {
		clock.AwaitTimers(1)
		clock.Advance(wait*time.Second - 1)
		if clock.Timers() != 1 {
			t.Errorf("it asked again before %v were over", wait*time.Second)
		}
		clock.Advance(1)
	}
	clock.AwaitTimers(1)
	server.SetError("")
	clock.Advance(8 * time.Second)
	if it := <-got; it.URL != "http://a/1" {
		t.Errorf("popped %q", it.URL)
	}
}

func TestRefusals(t *testing.T) {
	server := miniredis.RunT(t)
	client := goredis.NewClient(&goredis.Options{Addr: server.Addr()})
	t.Cleanup(func() { client.Close() })
	ctx := context.Background()
	open(t, client, frontier.Manners{}, Options{Lanes: 1})
	for _, bad := range []struct {
		crawl string
		m     frontier.Manners
		o     Options
	}{{"", frontier.Manners{}, Options{}}, {"crawl", frontier.Manners{}, Options{Lanes: 3}},
		{"crawl", frontier.Manners{Turns: true}, Options{Lanes: 1}}, {"crawl", frontier.Manners{}, Options{Lanes: 2}}} {
		if _, err := Open(ctx, client, bad.crawl, bad.m, bad.o); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}

func TestScoresSurviveTheirKeys(t *testing.T) {
	for _, x := range []float32{-math.MaxFloat32, -1.5, -math.SmallestNonzeroFloat32, 0, math.SmallestNonzeroFloat32, .1, 7, math.MaxFloat32} {
		if got := risen(falling(x)); got != x {
			t.Errorf("%v became %v", x, got)
		}
	}
}
