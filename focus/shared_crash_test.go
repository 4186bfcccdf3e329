package focus_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/replay/drawn"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// Two processes crawl a drawn web together, while they and Redis are killed again and again: what they leave behind is what
// one process leaves behind that nobody killed, and no host is visited faster than its clock allows. THRESHER_KILLS says
// how often; the web is as large as that takes, for every kill is to meet a crawl that is under way.
func TestSharedCrawlSurvivesAnything(t *testing.T) {
	kills := 6
	if n, err := strconv.Atoi(os.Getenv("THRESHER_KILLS")); err == nil {
		kills = n
	}
	web, seeds := drawWeb(t, kills)
	const delay = 10 * time.Millisecond
	quick := serveWeb(t, web, 0)
	whole := filepath.Join(t.TempDir(), "run")
	want := leftBy(t, crawlHere(t, sharing{Store: whole, Web: quick.address(), Agent: "alone", Seeds: seeds, Parallel: 4}), whole)

	s, db, dir := serveWeb(t, web, 20*time.Millisecond), startRedis(t), t.TempDir()
	told := sharing{Store: db.address(""), Web: s.address(), Seeds: seeds, Delay: delay, Parallel: 4, Looks: int64(32_000 * kills)}
	r, requests := rand.New(rand.NewPCG(1, uint64(kills))), len(quick.requests())
	s.answersOnly(requests / 10)
	m := startMortals(t, s, db, dir, told)
	for n := range kills {
		m.goOn(int(float64(requests) * (float64(n) + .2 + .6*r.Float64()) / float64(kills+1)))
		if n%3 == 2 {
			m.killRedis()
		} else {
			m.killWorker(r.IntN(2))
		}
	}
	m.end()
	have := leftBy(t, joins(t, told), run.Parts(filepath.Join(dir, "runs/shared"))...)
	t.Logf("%d pages, %d kept: workers killed %d times in the middle of a visit, Redis %d times; each time at least %d links waited; %d requests, %d visits twice",
		len(want.visits), len(want.harvest), m.workers, m.redis, m.waited, len(s.requests()), len(have.repeated))
	if m.redis != kills/3 || m.workers != kills-kills/3 || m.waited < 1 {
		t.Error("so few kills met a crawl that is under way that the test sees nothing")
	}
	have.differs(t, want)
	m.checkFrontier(want)
	checkPauses(t, s.requests(), delay)
	lookedAtAgain(t, told.Looks, want, run.Parts(filepath.Join(dir, "runs/shared")))
}

// lookedAtAgain looks at what machines have kept for a second look, where there was room for a part of it: the least likely pages made
// room, all that were kept are there, and none is there twice.
func lookedAtAgain(t *testing.T, most int64, want *left, folders []string) {
	t.Helper()
	thinned := 0
	for _, dir := range folders {
		kept, own, size, largest := 0, map[string]bool{}, int64(0), int64(0)
		for s, err := range sink.ReadLooks(dir) {
			if err != nil {
				t.Fatal(err)
			}
			if _, visited := want.visits[identityOf(s.Record.URL)]; !visited || own[identityOf(s.Record.URL)] {
				t.Errorf("%s: %s is to be looked at, and was there before: %v", dir, s.Record.URL, visited)
			}
			if own[identityOf(s.Record.URL)] = true; s.Kept {
				kept++
			}
		}
		names, err := filepath.Glob(filepath.Join(dir, "look*.jsonl"))
		for _, name := range names {
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for line := range bytes.Lines(raw) {
				size, largest = size+int64(len(line)), max(largest, int64(len(line)))
			}
			if filepath.Base(name) == "look.jsonl" {
				thinned--
			}
		}
		if thinned++; err != nil || size > most {
			t.Errorf("%s: %d bytes of %d: %v", dir, size, most, err)
		}
		var gone []string
		records := int64(0)
		for record, err := range sink.Harvest(dir) {
			if err != nil {
				t.Fatal(err)
			}
			if records++; !own[identityOf(record.URL)] {
				gone = append(gone, record.URL)
			}
		}
		// Where one machine keeps nearly all pages, they alone may have more than what thinning leaves.
		if room := most * 3 / 4; len(gone) > 0 && records*largest < room {
			t.Errorf("%s: kept, and gone from what is looked at again, though %d kept pages have room: %s", dir, records, gone)
		}
		t.Logf("%s: %d pages to look at again, %d of them kept; %d bytes in %d files", filepath.Base(dir), len(own), kept, size, len(names))
	}
	if thinned < 1 {
		t.Error("there was room for all pages: the test does not see how the least likely ones are removed")
	}
}

// drawWeb draws a web that is large enough for so many kills, and answers its start pages.
func drawWeb(t *testing.T, kills int) (*replay.Web, []string) {
	t.Helper()
	dir, k := filepath.Join(t.TempDir(), "web"), drawn.Small()
	k.Pages = max(30*kills, 60)
	k.Hosts = 6 + k.Pages/40
	if err := drawn.Draw(dir, k); err != nil {
		t.Fatal(err)
	}
	web, err := replay.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { web.Close() })
	var seeds []string
	for _, topic := range web.Topics() {
		seeds = append(seeds, topic.Seeds...)
	}
	return web, seeds
}

// crawlHere crawls in this process, until nothing waits any more, and answers what was counted.
func crawlHere(t *testing.T, s sharing) ledger.Counts {
	t.Helper()
	crawler, err := focus.NewWith(s.config())
	if err != nil {
		t.Fatal(err)
	}
	report, err := crawler.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return report.Counts
}

// joins is what a machine finds counted that joins a crawl.
func joins(t *testing.T, s sharing) ledger.Counts {
	t.Helper()
	t.Chdir(t.TempDir())
	s.Agent = "late"
	crawler, err := focus.NewWith(s.config())
	if err != nil {
		t.Fatal(err)
	}
	defer crawler.Close()
	return crawler.Counts()
}

// mortals are two processes on a Redis, all of which are killed and started again.
type mortals struct {
	testing.TB
	served  *servedWeb
	db      *redisServer
	dir     string
	told    sharing
	client  redis.Client
	outside *redis.Frontier // for looking at the crawl

	at     [2]*worker
	agents [2]string
	born   int

	workers, redis, waited int // what was killed, and how much was left to do at least
}

func startMortals(t *testing.T, s *servedWeb, db *redisServer, dir string, told sharing) *mortals {
	m := &mortals{TB: t, served: s, db: db, dir: dir, told: told, waited: 1 << 30}
	for i := range m.at {
		m.start(i)
	}
	m.awaitWorker(0)
	client, to, err := redis.Dial(told.Store)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	m.client = client
	m.outside, err = redis.Join(context.Background(), client, to.Crawl, frontier.Manners{}, redis.Options{Poll: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.outside.Close() })
	return m
}

// start begins one of the processes, under a name that tells it from those before.
func (m *mortals) start(i int) {
	m.born++
	m.agents[i] = fmt.Sprint("worker", m.born)
	m.told.Agent = m.agents[i]
	m.at[i] = startWorker(m.TB, m.dir, m.told)
}

// timeout bounds how long something is waited for, so that a crawl that stands still is a failure and no end of time.
func (m *mortals) timeout() <-chan struct{} { return timeout(nil, late) }

// awaitWorker waits until one of the processes has a part in the crawl.
func (m *mortals) awaitWorker(i int) {
	m.Helper()
	if !m.served.awaitAgent(m.agents[i], timeout(m.at[i].done, late)) {
		m.Fatalf("%s does nothing: %s", m.agents[i], m.at[i].stuck())
	}
}

// goOn lets the crawl go on until the web has been asked for more than so many pages, and holds it there, in the middle of
// visits.
func (m *mortals) goOn(requests int) {
	m.Helper()
	requests = max(requests, len(m.served.requests())+1)
	m.served.answersOnly(requests)
	if !m.served.await(requests+1, m.timeout()) {
		m.Fatalf("the crawl stands still: %d requests, want more than %d", len(m.served.requests()), requests)
	}
}

// look notes how much is left to do.
func (m *mortals) look() { m.waited = min(m.waited, m.outside.Len()) }

func (m *mortals) killWorker(i int) {
	m.Helper()
	m.awaitWorker(i)
	m.look()
	if !m.served.awaitUnderWay(m.agents[i], timeout(m.at[i].done, late)) {
		m.Fatalf("%s visits nothing, and %d wait: %s", m.agents[i], m.outside.Len(), m.at[i].stuck())
	}
	m.at[i].kill()
	m.served.isDead(m.agents[i])
	m.lapse(m.at[i])
	m.workers++
	m.start(i)
}

// lapse ends the time of all leases of a process, so that a lease may be longer than any machine is slow, and nobody waits for
// it here.
func (m *mortals) lapse(w *worker) {
	m.Helper()
	ctx, name := context.Background(), m.machineOf(w)
	const key = "thresher:{shared/0}:"
	out, err := m.client.HGetAll(ctx, key+"out").Result()
	for id, who := range out {
		if err == nil && strings.Contains(who, name) {
			err = m.client.ZAddXX(ctx, key+"lapse", goredis.Z{Member: id}).Err()
		}
	}
	if err != nil {
		m.Fatal(err)
	}
}

// machineOf is the name of a process in the list of leases: that of the folder it holds.
func (m *mortals) machineOf(w *worker) string {
	m.Helper()
	for _, folder := range run.Parts(filepath.Join(m.dir, "runs/shared")) {
		holds, err := os.ReadFile(filepath.Join(folder, "state", "lock"))
		if err != nil {
			m.Fatal(err)
		}
		if strings.TrimSpace(string(holds)) != strconv.Itoa(w.cmd.Process.Pid) {
			continue
		}
		name, err := os.ReadFile(filepath.Join(folder, "state", "machine"))
		if err != nil {
			m.Fatal(err)
		}
		return string(name)
	}
	m.Fatalf("process %d holds no folder", w.cmd.Process.Pid)
	return ""
}

func (m *mortals) killRedis() {
	m.Helper()
	m.look()
	m.db.kill()
	m.redis++
	m.db.start()
}

// end waits for the end of the crawl. Whoever was started last has a part in it: a machine that comes when all is done is refused.
func (m *mortals) end() {
	m.Helper()
	for i := range m.at {
		m.awaitWorker(i)
	}
	m.served.answersAll()
	for i, w := range m.at {
		select {
		case <-w.done:
		case <-timeout(nil, late):
			m.Fatalf("%s does not end: %d wait: %s", m.agents[i], m.outside.Len(), w.stuck())
		}
		if w.err != nil {
			m.Errorf("%s: %v: %s", m.agents[i], w.err, w.said.String())
		}
	}
}

// checkFrontier looks at every link in Redis: it is finished, and one of those that there are.
func (m *mortals) checkFrontier(want *left) {
	m.Helper()
	known := map[string]string{}
	for id := uint64(1); ; id++ {
		item, state := m.outside.Get(id)
		if state == frontier.Unknown {
			break
		}
		if state != frontier.Finished {
			m.Errorf("%s is %v", item.URL, state)
		}
		known[identityOf(item.URL)] = ""
	}
	differ(m.TB, "frontier", known, want.pushed)
	if _, _, err := m.outside.TryPop(0); err != frontier.ErrEmpty {
		m.Errorf("there is something to do: %v", err)
	}
}
