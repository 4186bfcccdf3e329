package focus_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/run"
)

// Two processes crawl a drawn web on a Redis Cluster of three masters. One of the processes and the master that holds the
// crawl are killed; the master comes back. What is left behind is what one process leaves behind that nobody killed.
func TestASharedCrawlOnACluster(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	cluster := startCluster(t)
	killed := cluster.masterOf("thresher:{shared/0}:m")
	survives(t, cluster.address(""), killed, func(m *mortals) {
		m.killWorker(0)
		m.goOn(0)
		m.killRedis()
	})
}

// Two processes crawl a drawn web on a Redis that Sentinel watches. Its master is killed and never comes back: the replica
// takes its place, and nothing is lost, and nothing there twice.
func TestASharedCrawlOutlivesItsMaster(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	watched := startWatched(t)
	survives(t, watched.address(""), watched.master, func(m *mortals) {
		m.look()
		watched.failOver()
		m.goOn(len(m.served.requests()) + 20) // with the replica
		m.killWorker(1)
	})
}

// survives crawls a drawn web by two processes, in the middle of which something happens, and compares what they leave behind
// with what one process leaves behind to which nothing happened.
func survives(t *testing.T, store string, db *redisServer, happens func(*mortals)) {
	t.Helper()
	const delay = 5 * time.Millisecond
	web, seeds := drawWeb(t, 3)
	quick := serveWeb(t, web, 0)
	whole := filepath.Join(t.TempDir(), "run")
	want := leftBy(t, crawlHere(t, sharing{Store: whole, Web: quick.address(), Agent: "alone", Seeds: seeds, Parallel: 4}), whole)

	s, dir := serveWeb(t, web, 10*time.Millisecond), t.TempDir()
	told := sharing{Store: store, Web: s.address(), Seeds: seeds, Delay: delay, Parallel: 4}
	s.answersOnly(len(quick.requests()) / 8)
	m := startMortals(t, s, db, dir, told)
	m.awaitWorker(1)
	m.goOn(len(quick.requests()) / 4)
	happens(m)
	m.end()
	have := leftBy(t, joins(t, told), run.Parts(filepath.Join(dir, "runs/shared"))...)
	t.Logf("%d pages, %d kept; at least %d links waited; %d requests, %d visits twice", len(want.visits), len(want.harvest), m.waited,
		len(s.requests()), len(have.repeated))
	if m.waited < 1 {
		t.Error("what happened met no crawl that was under way: the test sees nothing")
	}
	have.differs(t, want)
	m.checkFrontier(want)
	checkPauses(t, s.requests(), delay)
}
