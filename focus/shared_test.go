package focus_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
	"github.com/thresher-crawler/thresher/focus/run"
)

// late is when something that is waited for does not come any more: a lease of a minute has lapsed by then.
const late = 2 * time.Minute

// soon receives what comes, and fails with what was awaited if nothing does.
func soon[T any](t testing.TB, what string, from <-chan T) (it T) {
	t.Helper()
	select {
	case it = <-from:
	case <-timeout(nil, late):
		t.Fatal("in vain: " + what)
	}
	return it
}

var smallSeeds = []string{"http://daily.example/", "http://www.ribao.example/"}

// timeout is closed when over is, or after a while.
func timeout(over <-chan struct{}, d time.Duration) <-chan struct{} {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	go func() {
		select {
		case <-over:
		case <-ctx.Done():
		}
		cancel()
	}()
	return ctx.Done()
}

// checkPauses looks into a server's log for hosts that were visited too fast: a pause begins when the visit before has its
// answer, and no visit begins before.
func checkPauses(t *testing.T, log []served, delay time.Duration) {
	t.Helper()
	last := map[string]time.Time{}
	for _, r := range log {
		if before, ok := last[r.host]; ok && r.at.Sub(before) < delay {
			t.Errorf("%s was visited %v after the last answer: %s by %s", r.host, r.at.Sub(before), r.path, r.agent)
		}
		last[r.host] = r.answered
	}
}

// manyHosts is a web of hosts with a few pages each, all of them linked from one page.
func manyHosts(hosts, pages int) http.RoundTripper {
	return transport(func(r *http.Request) (*http.Response, error) {
		var b strings.Builder
		b.WriteString("<title>Sailing</title><p>sailing boat yacht")
		if r.URL.Host == "start.example" {
			for h := range hosts {
				for p := range pages {
					fmt.Fprintf(&b, `<a href="http://h%d.example/%d">boat</a> `, h, p)
				}
			}
		}
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/html"}}, Body: io.NopCloser(strings.NewReader(b.String())), Request: r}, nil
	})
}

// Two processes harvest nearly twice as fast as one when the web answers in 50 ms, and keep its pauses.
func TestTwoProcessesAreNearlyTwiceAsFast(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	const hosts, pages = 50, 2
	rate := func(processes int) float64 {
		s := serveWeb(t, manyHosts(hosts, pages), 50*time.Millisecond)
		db, dir := startRedis(t), t.TempDir()
		told := sharing{Store: db.address(""), Web: s.server.Listener.Addr().String(), Seeds: []string{"http://start.example/"}, Parallel: 1,
			Delay: 50 * time.Millisecond}
		for _, w := range s.startWorkers(t, dir, told, processes) {
			w.ends(t)
		}
		log := s.requests()
		checkPauses(t, log, told.Delay)
		if len(log) != hosts*pages+1 {
			t.Errorf("%d requests for %d pages", len(log), hosts*pages+1)
		}
		from, to := 20, hosts*pages-20 // there is enough for all
		for agents := map[string]bool{}; len(agents) < processes && from < to; from++ {
			agents[log[from].agent] = true // all are at work
		}
		if from > to/2 {
			return 0
		}
		return float64(to-from) / log[to].at.Sub(log[from].at).Seconds()
	}
	best := 0.0
	for try := 0; try < 10 && best < 1.7; try++ { // what else a machine does can only take from it
		one, two := rate(1), rate(2)
		t.Logf("%.1f pages/s with one process, %.1f with two: %.2f times", one, two, two/one)
		best = max(best, two/one)
	}
	if best < 1.7 {
		t.Errorf("two processes are only %.2f times as fast as one", best)
	}
}

// Wherever its links wait, a crawl is the same journey: with one worker, in memory, on the disk and on Redis.
func TestSameJourneyInEveryStore(t *testing.T) {
	web, err := filepath.Abs("../testdata/webs/small")
	if err != nil {
		t.Fatal(err)
	}
	db := startRedis(t)
	t.Chdir(t.TempDir())
	for _, strategy := range []string{"best-first", "breadth", "depth-first", "random"} {
		t.Run(strategy, func(t *testing.T) {
			var journeys [3][]string
			for i, store := range []string{"", filepath.Join(t.TempDir(), "run"), db.address("-" + strategy)} {
				c := focus.DefaultSetting()
				c.Name, c.Store, c.Web, c.Seeds = "shared", store, web, smallSeeds
				c.Strategy.Name = strategy
				c.Topic.Terms = []crawlfile.TermConfig{{Term: "sailing", Weight: 1}, {Term: "boat", Weight: 1}}
				c.Polite.Parallel, c.Window, c.Budget.Pages, c.MinFree = 1, 1, 150, 0
				crawler, err := focus.NewWith(c)
				if err != nil {
					t.Fatal(err)
				}
				crawler.OnDone(func(v *focus.Visit) {
					journeys[i] = append(journeys[i], fmt.Sprint(v.Item.ID, " ", v.Item.URL, " ", v.Item.Score, " ", v.Refused))
				})
				if _, err := crawler.Run(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			for i, where := range []string{"memory", "disk", "Redis"} {
				if !slices.Equal(journeys[i], journeys[0]) || len(journeys[i]) < 80 {
					at := 0
					for at < min(len(journeys[0]), len(journeys[i])) && journeys[i][at] == journeys[0][at] {
						at++
					}
					t.Errorf("%s: %d visits, in memory %d; they part at %d", where, len(journeys[i]), len(journeys[0]), at)
				}
			}
		})
	}
}

// Who comes with another topic or strategy is told what differs, and changes nothing; another budget is welcome.
func TestWhoJoinsMustLookForTheSame(t *testing.T) {
	db := miniredis.RunT(t)
	web, err := filepath.Abs("../testdata/webs/small")
	if err != nil {
		t.Fatal(err)
	}
	join := func(term, strategy string, pages int) (r focus.Report, err error) {
		t.Chdir(t.TempDir()) // another machine
		c := focus.DefaultSetting()
		c.Name, c.Store, c.Web, c.Seeds = "shared", "redis://"+db.Addr(), web, smallSeeds
		c.Strategy.Name, c.Topic.Terms = strategy, []crawlfile.TermConfig{{Term: term, Weight: 1}}
		c.Budget.Pages, c.MinFree = pages, 0
		crawler, err := focus.NewWith(c)
		if err != nil {
			return r, err
		}
		return crawler.Run(context.Background())
	}
	if _, err := join("sailing", "shark", 5); err != nil {
		t.Fatal(err)
	}
	for _, other := range []struct{ term, strategy, want string }{
		{"baking", "shark", "topic.terms was "},
		{"sailing", "breadth", "the strategy is not breadth as this machine has it"},
	} {
		if _, err := join(other.term, other.strategy, 10); err == nil || !strings.Contains(err.Error(), other.want) || !strings.Contains(err.Error(), "?crawl=NAME") {
			t.Errorf("%s by %s joined: %v", other.term, other.strategy, err)
		}
	}
	if r, err := join("sailing", "shark", 12); err != nil || r.Counts.Pages != 12 {
		t.Errorf("a larger budget: %v, %v", r, err)
	}
}

// Over a recorded web nobody can wait for visits that another machine has begun: that is said, and nothing hangs.
func TestARecordedWebOnRedisIsForOneMachine(t *testing.T) {
	db := miniredis.RunT(t)
	c := focus.DefaultSetting()
	var err error
	if c.Web, err = filepath.Abs("../testdata/webs/small"); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	c.Name, c.Store, c.Seeds = "shared", "redis://"+db.Addr(), smallSeeds
	c.Topic.Terms, c.MinFree = []crawlfile.TermConfig{{Term: "sailing", Weight: 1}}, 0
	ran := func(pages int) error {
		c.Budget.Pages = pages
		crawler, err := focus.NewWith(c)
		if err != nil {
			return err
		}
		_, err = crawler.Run(context.Background())
		return err
	}
	if err := ran(5); err != nil {
		t.Fatal(err)
	}
	folder := run.Parts("runs/shared")[0]
	for _, other := range []string{"of a person", "vm-2"} { // brought here, to be read with this one
		if err := os.CopyFS(filepath.Join("runs/shared", other), os.DirFS(folder)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove("runs/shared/of a person/state/machine"); err != nil {
		t.Fatal(err)
	}
	c.Fresh = true
	if err := ran(5); err != nil {
		t.Fatal(err)
	}
	c.Fresh = false
	if left := run.Parts("runs/shared"); len(left) != 2 || !slices.Contains(left, folder) || slices.Contains(left, filepath.Join("runs/shared", "vm-2")) {
		t.Errorf("begun anew, the crawl has left %q", left)
	}
	client, _, err := redis.Dial(c.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	clock := frontier.NewManual(time.Now().Add(time.Hour))
	other, err := redis.Join(context.Background(), client, "shared", frontier.Manners{Clock: clock}, redis.Options{})
	if err != nil {
		t.Fatal(err)
	}
	taken := 0
	for ; ; taken++ {
		if _, _, err := other.TryPop(0); err != nil {
			break
		}
	}
	if err := ran(500); taken == 0 || err == nil || !strings.Contains(err.Error(), "begin anew with --fresh") {
		t.Errorf("%d visits are under way elsewhere: %v", taken, err)
	}
}

// The budget of pages is that of all machines together, to the page. Without a delay no request is late, however many may be made to a
// host at the same time.
func TestTheBudgetIsThatOfAllMachines(t *testing.T) {
	const pages = 60
	s := serveWeb(t, manyHosts(40, 20), 20*time.Millisecond)
	db, dir := startRedis(t), t.TempDir()
	told := sharing{Store: db.address(""), Web: s.address(), Seeds: []string{"http://start.example/"}, Parallel: 8, PerHost: 4, Pages: pages}
	for _, w := range s.startWorkers(t, dir, told, 2) {
		w.ends(t)
	}
	if n := len(s.requests()); n != pages {
		t.Errorf("%d pages were fetched, want %d", n, pages)
	}
	folders := run.Parts(filepath.Join(dir, "runs/shared"))
	for _, folder := range folders {
		if ran, err := run.ReadStanding(folder); err != nil || ran.Pages != pages || ran.Reason != "the budget of 60 pages is used up" {
			t.Errorf("%s: %d pages, %q, %v", folder, ran.Pages, ran.Reason, err)
		}
	}
	if len(folders) != 2 {
		t.Errorf("the folders are %v", folders)
	}
}

// A command that one machine gives is heard by all: nobody goes on while the crawl is paused, everybody when it is resumed,
// and nobody when it is stopped.
func TestMachinesAreToldToPauseAndToStop(t *testing.T) {
	s := serveWeb(t, manyHosts(40, 20), 5*time.Millisecond)
	db, dir := startRedis(t), t.TempDir()
	told := sharing{Store: db.address(""), Web: s.server.Listener.Addr().String(), Seeds: []string{"http://start.example/"}, Parallel: 2, Delay: 10 * time.Millisecond}
	var workers []*worker
	const pages = 40*20 + 1
	s.answersOnly(50)
	for _, told.Agent = range []string{"one", "two"} {
		workers = append(workers, startWorker(t, dir, told))
	}
	if !s.await(50+1, timeout(nil, late)) {
		t.Fatal("they ask for nothing")
	}
	client, to, err := redis.Dial(told.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	f, err := redis.Join(context.Background(), client, to.Crawl, frontier.Manners{}, redis.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	command := func(c frontier.Command) {
		t.Helper()
		if err := f.Command(c); err != nil {
			t.Fatal(err)
		}
	}
	anew := told.config()
	anew.Fresh = true
	if _, err := focus.NewWith(anew); err == nil || !strings.Contains(err.Error(), "--fresh: visits of the crawl") {
		t.Errorf("a crawl at which machines work was begun anew: %v", err)
	}
	command(frontier.Pause)
	const most = pages / 2
	s.answersOnly(most)
	stood := len(s.requests())
	for s.await(stood+1, timeout(nil, 700*time.Millisecond)) { // until nobody asks for anything
		stood = len(s.requests())
	}
	if stood > most {
		t.Error("they went on when they were to pause")
	}
	command(frontier.GoOn)
	asked := func(since int) (both bool) {
		return s.awaitThat(func() bool {
			agents := map[string]bool{}
			for _, r := range s.log[since:] {
				agents[r.agent] = true
			}
			return len(agents) == 2
		}, timeout(nil, late))
	}
	if !asked(stood) {
		t.Error("they do not both go on")
	}
	command(frontier.Stop)
	s.answersAll() // what is under way is waited for
	for _, w := range workers {
		w.ends(t)
	}
	if n := len(s.requests()); n >= pages || f.Len() == 0 {
		t.Errorf("they went on to the end: %d requests, %d wait", n, f.Len())
	}
}

// What waits is kept in the order of a hedge only where the strategy has one.
func TestOnlyAHedgeTakesASecondOrder(t *testing.T) {
	web, err := filepath.Abs("../testdata/webs/small")
	if err != nil {
		t.Fatal(err)
	}
	db := miniredis.RunT(t)
	t.Chdir(t.TempDir())
	for strategy, lanes := range map[string]string{"breadth": "1", "apprentice": "2"} {
		c := focus.DefaultSetting()
		c.Name, c.Store, c.Web, c.Seeds = strategy, "redis://"+db.Addr()+"/0", web, smallSeeds
		c.Strategy.Name, c.MinFree = strategy, 0
		c.Topic.Terms = []crawlfile.TermConfig{{Term: "sailing", Weight: 1}}
		crawler, err := focus.NewWith(c)
		if err != nil {
			t.Fatal(err)
		}
		crawler.Close()
		if kept := db.HGet("thresher:{"+strategy+"/0}:m", "lanes"); kept != lanes {
			t.Errorf("%s has %q orders, want %s", strategy, kept, lanes)
		}
	}
}
