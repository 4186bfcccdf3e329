//go:build unix

package focus_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// From the server's own log of a crawl that three processes share: over redirects, a retry, one that is killed and another that
// goes on in its place, and one that is stopped and wakes again, no request starts earlier than the delay allows, from the first
// one on, nor than the host's own Crawl-delay, once each of the three may have read it; and nothing is asked for that is
// forbidden. THRESHER_SLEEP says how long the one is stopped, such as 2m, for longer than its leases; without it, until the
// others have gone on.
func TestTheServersLogOfThreeMachines(t *testing.T) {
	for _, perHost := range []int{1, 4, 8} {
		if testing.Short() && perHost != 4 {
			continue
		}
		t.Run(fmt.Sprint("per_host ", perHost), func(t *testing.T) {
			patiently(t, 60*time.Millisecond, func(delay time.Duration) []string { return threeVisitPolitely(t, perHost, delay) })
		})
	}
}

func threeVisitPolitely(t *testing.T, perHost int, delay time.Duration) (wrong []string) {
	var mu sync.Mutex
	asked, all := map[string]int{}, 0
	changed := sync.NewCond(&mu)
	l := &visitors{log: map[string][]time.Time{}, asked: map[string]int{}, crawl: 2 * delay, known: 3, seen: func(r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		agent, _, _ := strings.Cut(r.UserAgent(), " ")
		asked[agent]++
		all++
		changed.Broadcast()
	}}
	server := httptest.NewServer(l)
	defer server.Close()
	await := func(what string, is func() bool) {
		t.Helper()
		over := timeout(nil, late)
		go func() { <-over; changed.Broadcast() }()
		mu.Lock()
		defer mu.Unlock()
		for !is() {
			select {
			case <-over:
				t.Fatal(what)
			default:
				changed.Wait()
			}
		}
	}
	db, dir := startRedis(t), t.TempDir()
	defer db.kill()
	told := sharing{Store: db.address("&lease=1s"), Web: server.Listener.Addr().String(), Delay: delay, Parallel: 8, PerHost: perHost, Robots: "obey"}
	const pages = 16
	for n := range pages {
		for _, host := range []string{"plain", "asks"} {
			told.Seeds = append(told.Seeds, fmt.Sprintf("http://%s.example/%d", host, n))
		}
	}
	var workers []*worker
	start := func() *worker {
		told.Agent = fmt.Sprint("worker", len(workers))
		w := startWorker(t, dir, told)
		workers = append(workers, w)
		return w
	}
	sleeps, dies := start(), start()
	start()
	await("one of them does nothing", func() bool { return asked["worker0"] > 0 && asked["worker1"] > 0 && asked["worker2"] > 0 })
	sleeps.cmd.Process.Signal(syscall.SIGSTOP)
	dies.kill()
	start()
	await("the one that goes on does nothing", func() bool { return asked["worker3"] > 0 })
	if d, err := time.ParseDuration(os.Getenv("THRESHER_SLEEP")); err == nil {
		time.Sleep(d)
	} else {
		mu.Lock()
		before := all
		mu.Unlock()
		await("nobody goes on without the one that sleeps", func() bool { return all >= before+5 })
	}
	sleeps.cmd.Process.Signal(syscall.SIGCONT)
	for _, w := range workers {
		if w != dies {
			w.ends(t)
		}
	}
	for n := range pages {
		for _, host := range []string{"plain", "asks"} {
			if l.asked[fmt.Sprint(host, "/", n)] == 0 {
				wrong = append(wrong, fmt.Sprintf("page %d of %s was not asked for", n, host))
			}
		}
	}
	return append(wrong, l.early(delay)...)
}
