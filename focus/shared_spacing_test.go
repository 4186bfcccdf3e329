//go:build unix

package focus_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"
)

// From the server's own log of a crawl that three processes share: over redirects, a retry, one that is killed and another that
// goes on in its place, and one that is stopped and wakes again, no request starts earlier than the delay allows, from the first
// one on, nor than the host's own Crawl-delay, once each of the three may have read it; and nothing is asked for that is
// forbidden. THRESHER_SLEEP says how long the one is stopped, such as 2m, for longer than its leases; without it, until the
// others have gone on. There is something to do until all of them have had their part.
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
	l := &visitors{log: map[string][]time.Time{}, asked: map[string]int{}, crawl: 2 * delay, known: 3}
	l.endless.Store(true) // a machine that comes late finds something to do, however late that is
	s := serveWeb(t, transport(func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		l.ServeHTTP(w, r)
		return w.Result(), nil
	}), 0)
	defer s.server.Close()
	db, dir := startRedis(t), t.TempDir()
	defer db.kill()
	told := sharing{Store: db.address("&lease=1s"), Web: s.address(), Delay: delay, Parallel: 8, PerHost: perHost, Robots: "obey"}
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
	asks := func(w *worker) {
		t.Helper()
		agent, since := fmt.Sprint("worker", slices.Index(workers, w)), len(s.requests())
		if !s.awaitThat(func() bool {
			return slices.ContainsFunc(s.log[since:], func(r served) bool { return r.agent == agent })
		}, timeout(w.done, late)) {
			t.Fatalf("%s asks for nothing after %d requests: %s", agent, since, w.stuck())
		}
	}
	sleeps, dies, stays := start(), start(), start()
	for _, w := range workers {
		asks(w)
	}
	sleeps.cmd.Process.Signal(syscall.SIGSTOP)
	dies.kill()
	asks(start())
	if d, err := time.ParseDuration(os.Getenv("THRESHER_SLEEP")); err == nil {
		time.Sleep(d)
	} else {
		asks(stays)
	}
	sleeps.cmd.Process.Signal(syscall.SIGCONT)
	asks(sleeps)
	l.endless.Store(false)
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
