//go:build unix

package focus_test

import (
	"net/url"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/run"
)

// A machine that sleeps in the middle of visits for longer than a lease finds them taken by another when it wakes: it keeps
// nothing of them, but for one that it had begun to write down, and nothing is counted twice.
func TestAMachineThatSleptKeepsNothingTwice(t *testing.T) {
	web, seeds := drawWeb(t, 2)
	quick := serveWeb(t, web, 0)
	whole := filepath.Join(t.TempDir(), "run")
	want := leftBy(t, crawlHere(t, sharing{Store: whole, Web: quick.address(), Agent: "alone", Seeds: seeds, Parallel: 4}), whole)

	s, db, dir := serveWeb(t, web, 20*time.Millisecond), startRedis(t), t.TempDir()
	told := sharing{Store: db.address("&lease=3s"), Web: s.address(), Seeds: seeds, Delay: time.Millisecond, Parallel: 4}
	s.answersOnly(len(quick.requests()) / 4)
	m := startMortals(t, s, db, dir, told)
	m.awaitWorker(1)
	if !s.awaitThat(func() bool { // it waits for an answer that does not come before it sleeps
		return slices.ContainsFunc(s.log[min(s.most, len(s.log)):], func(r served) bool { return r.agent == m.agents[0] })
	}, m.timeout()) {
		t.Fatal("it does nothing")
	}
	m.at[0].cmd.Process.Signal(syscall.SIGSTOP)
	asked := s.requests()
	s.answersAll()
	taken := s.awaitThat(func() bool {
		return slices.ContainsFunc(s.log[len(asked):], func(r served) bool {
			return r.agent == m.agents[1] && slices.ContainsFunc(asked, func(before served) bool {
				return before.agent == m.agents[0] && before.host == r.host && before.path == r.path
			})
		})
	}, timeout(m.at[1].done, late))
	m.at[0].cmd.Process.Signal(syscall.SIGCONT)
	if !taken {
		t.Fatal("its visits were not taken by the other: the test sees nothing")
	}
	m.end()
	have := leftBy(t, joins(t, told), run.Parts(filepath.Join(dir, "runs/shared"))...)
	slept := map[string]bool{} // the pages that it may have been visiting; others are there twice if a lease lapsed by itself
	for _, r := range asked {
		slept[r.path] = slept[r.path] || r.agent == m.agents[0]
	}
	twice := slices.DeleteFunc(slices.Clone(have.repeated), func(address string) bool {
		u, err := url.Parse(address)
		return err != nil || !slept[u.RequestURI()]
	})
	if len(twice) > 1 { // the one that was in the middle of its steps, if there was one
		t.Errorf("visits are there twice: %q", twice)
	}
	have.differs(t, want)
	m.checkFrontier(want)
}
