package watch_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/watch"
)

// TestWhatIsRefusedIsNoVisit: links that were refused without a request are no visits on Redis, and none of ours. So they hide no
// visits of machines whose folders are elsewhere.
func TestWhatIsRefusedIsNoVisit(t *testing.T) {
	dir, _ := crawled(t, 20)
	log, err := run.OpenLog(filepath.Join(dir, run.FileLog))
	noError(t, err)
	for i, reason := range []admit.Refused{admit.ByRobots("Disallow: /"), admit.RefusedHostFull, admit.RefusedDown} {
		d := run.Decision{Time: s0, Decision: "drop", ID: uint64(1_000_000 + i), URL: "http://refused.test/", Reason: reason, Relevance: nan}
		noError(t, log.Write(&d))
	}
	noError(t, log.Close())
	if err := os.Remove(filepath.Join(dir, run.FileState, "safe")); err != nil { // all is taken at its word
		t.Fatal(err)
	}
	w, err := watch.Open(dir)
	noError(t, err)
	now := time.Now()
	w.Join(&run.Together{At: now.Add(-time.Minute), Ended: 27})
	w.Join(&run.Together{At: now, Ended: 27})
	noError(t, w.Update())
	s := w.Story()
	refused := 0
	for _, r := range s.Refused {
		for _, e := range r.Examples {
			if e.URL == "http://refused.test/" {
				refused++
			}
		}
	}
	if refused == 0 || s.Run.Elsewhere != 7 {
		t.Errorf("%d of the refusals were read; %d visits elsewhere, want the 7 of 27 that are not here", refused, s.Run.Elsewhere)
	}
}

// TestElsewhereAfterAnIdleTime: when nobody looked for a while, what Redis said before is too little for what the folders hold
// now; until it is known anew, what was told last is told again.
func TestElsewhereAfterAnIdleTime(t *testing.T) {
	dir, add := growing(t)
	w, err := watch.Open(dir)
	noError(t, err)
	now := time.Now()
	visited := 0
	for _, c := range []struct {
		what  string
		after time.Duration
		ended int // on Redis
		here  int // of them with lines here
		want  int
	}{
		{"the first time", 0, 30, 10, 0},
		{"known five seconds later", 6 * time.Second, 36, 14, 16},
		{"known anew", 6 * time.Second, 40, 20, 16},
		{"after ten idle minutes", 10 * time.Minute, 200, 100, 16},
		{"and six seconds later", 6 * time.Second, 204, 102, 98},
		{"lines that came late are no visits elsewhere", 6 * time.Second, 208, 110, 94},
	} {
		now = now.Add(c.after)
		add(c.here - visited)
		visited = c.here
		w.Join(&run.Together{At: now, Ended: c.ended})
		noError(t, w.Update())
		if got := w.Story().Run.Elsewhere; got != c.want {
			t.Errorf("%s: %d visits elsewhere, want %d", c.what, got, c.want)
		}
	}
}

// growing is a run without a line, and a way to add visits to it.
func growing(t *testing.T) (dir string, add func(int)) {
	t.Helper()
	dir, _ = crawled(t, 1)
	noError(t, os.Remove(filepath.Join(dir, run.FileState, "safe")))
	noError(t, os.Truncate(filepath.Join(dir, run.FileLog), 0))
	log, err := run.OpenLog(filepath.Join(dir, run.FileLog))
	noError(t, err)
	t.Cleanup(func() { log.Close() })
	id := uint64(1000)
	return dir, func(n int) {
		t.Helper()
		for range n {
			id++
			d := run.Decision{Time: s0, Decision: "drop", ID: id, URL: "http://here.test/", Status: 200, Reason: admit.RefusedWeak, Relevance: .1}
			noError(t, log.Write(&d))
		}
		noError(t, log.Flush())
	}
}

// TestHostsRest: the table of hosts says how long a host is left alone now, while somebody works on the run; in both languages. Redis
// says it of the machines that share a crawl.
func TestHostsRest(t *testing.T) {
	dir, _ := crawled(t, 60)
	standing, err := run.ReadStanding(dir)
	noError(t, err)
	config := filepath.Join(dir, run.FileCrawl)
	live := strings.Replace(read(t, config), "web:", "# web:", 1) // whose clock is that on the wall
	noError(t, os.WriteFile(config, []byte(live), 0o600))
	hosts := opened(t, dir).Story().Hosts
	now := time.Now().Truncate(time.Millisecond)
	line := func(host string, told int64, until time.Time, pause time.Duration) string {
		return run.Sealed(fmt.Sprintf("^ %d %d %d %s", told, until.UnixMilli(), pause.Milliseconds(), host))
	}
	soon := now.Add(time.Hour)
	under := line(hosts[0].Host, 1, soon, 90*time.Second) + line(hosts[1].Host, 1, now.Add(-time.Second), time.Second) +
		line(hosts[2].Host, 1<<40, soon, time.Second) + line("not-met.test", 1, soon, time.Second)
	noError(t, os.WriteFile(filepath.Join(dir, run.FileState, run.FileUnderway), []byte(under), 0o600))
	if s := opened(t, dir).Story(); slices.ContainsFunc(s.Hosts, func(h watch.Host) bool { return !h.Rests.IsZero() || h.Pause != 0 }) {
		t.Errorf("hosts of a run that has ended rest: %+v", s.Hosts)
	}
	standing.State = "running"
	noError(t, run.Stand(dir, standing))
	w := opened(t, dir)
	w.Join(&run.Together{At: now, Rests: []run.Rest{{Host: hosts[3].Host, Until: soon}}})
	s := w.Story()
	rest := map[string]watch.Host{}
	for _, h := range s.Hosts {
		if !h.Rests.IsZero() {
			rest[h.Host] = h
		}
	}
	first, shared := rest[hosts[0].Host], rest[hosts[3].Host]
	if len(rest) != 2 || !first.Rests.Equal(soon) || first.Pause != 90*time.Second || !shared.Rests.Equal(soon) || shared.Pause != 0 {
		t.Fatalf("%+v rest; want that which is committed and not over, and what Redis says", rest)
	}
	clock := soon.UTC().Format(time.TimeOnly)
	for _, c := range []struct {
		language string
		host     watch.Host
		want     string
	}{
		{"en", first, "1 min, until " + clock}, {"zh", first, "1 分钟，至 " + clock},
		{"en", shared, "until " + clock}, {"zh", shared, "至 " + clock}, {"en", hosts[1], ""},
	} {
		v := watch.ViewOf(watch.Words{Language: c.language}, "x", s)
		if said := v.Rests(c.host); said != c.want {
			t.Errorf("%q, want %q", said, c.want)
		}
		var page strings.Builder
		if err := watch.Templates().ExecuteTemplate(&page, "hosts", v); err != nil || !strings.Contains(page.String(), ">"+c.want+"</td>") {
			t.Errorf("the table does not say %q (%v)", c.want, err)
		}
	}
}
