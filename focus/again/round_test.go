package again

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// site is a web: what each page of a.example says, by its path, and those of other hosts behind their names; 404 for all else. What the header X-Robots-Tag of an answer says, with a body or
// without, stands behind tagged and the path.
type site map[string]string

const tagged = "X-Robots-Tag "

// noError ends the test where something has failed that it only needs.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (s site) RoundTrip(r *http.Request) (*http.Response, error) {
	at := r.URL.Path
	if r.URL.Host != "a.example" {
		at = r.URL.Host + at
	}
	text, ok := s[at]
	resp := &http.Response{StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r, Header: http.Header{"Content-Type": {"text/html"}}}
	tag := `"` + digestOf(text) + `"`
	if said := s[tagged+r.URL.Path]; said != "" {
		resp.Header.Set("X-Robots-Tag", said)
	}
	to, moved := strings.CutPrefix(text, "301 ")
	if next, other := strings.CutPrefix(text, "302 "); other {
		to = next
	}
	switch {
	case to != text:
		resp.StatusCode, text = http.StatusFound, ""
		if moved {
			resp.StatusCode = http.StatusMovedPermanently
		}
		resp.Header.Set("Location", to)
	case !ok:
		resp.StatusCode = http.StatusNotFound
	case text == "busy":
		resp.StatusCode = http.StatusInternalServerError
	case r.Header.Get("If-None-Match") == tag:
		resp.StatusCode, text = http.StatusNotModified, ""
	default:
		resp.Header.Set("ETag", tag)
		if r.URL.Path == "/a" { // a page by way of a proxy is a page
			resp.StatusCode = http.StatusNonAuthoritativeInfo
		}
	}
	resp.Body = io.NopCloser(strings.NewReader(text))
	return resp, nil
}

func tea(says string, to ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<title>Tea %s</title><p>Tea, green tea and black tea: %[1]s", says)
	for _, path := range to {
		fmt.Fprintf(&b, " <a href=%s>more tea</a>", path)
	}
	return b.String()
}

func teaConfig(dir string) crawlfile.Config {
	c := focus.Default()
	c.Name, c.Store, c.Seeds, c.Strategy.Name, c.SecondLook = "tea", dir, []string{"http://a.example/"}, "breadth", "off"
	c.Topic.Language, c.Topic.Terms = "en", []crawlfile.TermConfig{{Term: "tea", Weight: 1}}
	c.Polite.Contact, c.Polite.Delay, c.Duplicates, c.MinFree = "you@example.org", 0, "keep", 0
	c.Fetch.Retries = 0
	return c
}

func crawled(t *testing.T, c crawlfile.Config, web http.RoundTripper, r *Round) {
	t.Helper()
	o := []focus.Option{focus.Transport(web)}
	if r != nil {
		o = append(o, r.Offer())
	}
	crawler, err := focus.New(t.Context(), c, o...)
	noError(t, err)
	if r != nil {
		noError(t, r.Watch(crawler, c.Store))
	} else {
		notes, err := Note(c.Store)
		noError(t, err)
		defer notes.Close()
		crawler.OnDone(notes.Take)
	}
	if _, err := crawler.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func reopened(t *testing.T, dir string) *Round {
	t.Helper()
	r, err := Open(teaConfig(dir))
	noError(t, err)
	return r
}

// visitedAgain makes a whole round at some time.
func visitedAgain(t *testing.T, c crawlfile.Config, web http.RoundTripper, at time.Time) Told {
	t.Helper()
	r, err := Open(c)
	noError(t, err)
	if lists, ok, err := r.Lists(); err != nil {
		t.Fatal(err)
	} else if ok {
		crawled(t, lists, web, r)
	}
	pages, err := r.Pages(at)
	noError(t, err)
	crawled(t, pages, web, r)
	told, err := r.TakeIn()
	if err == nil {
		err = r.End(false)
	}
	if err = errors.Join(err, r.Close()); err != nil {
		t.Fatal(err)
	}
	return told
}

// TestAPageThatChangesKeepsItsWay: a round goes straight to it, but how the crawl came there is still true, also of what a round found.
func TestAPageThatChangesKeepsItsWay(t *testing.T) {
	c := teaConfig(filepath.Join(t.TempDir(), "tea"))
	c.SecondLook = "all"
	web := site{"/": tea("home", "/a"), "/a": tea("leaves", "/b"), "/b": tea("pots")}
	crawled(t, c, web, nil)
	c.Budget.Pages = 100
	at := time.Now()
	for _, changes := range []site{{"/b": tea("pots of clay", "/c"), "/c": tea("cups")}, {"/b": tea("pots of iron", "/c"), "/c": tea("cups of glass")}} {
		for path, text := range changes {
			web[path] = text
		}
		at = at.Add(24 * time.Hour)
		if told := visitedAgain(t, c, web, at); told.Changed == 0 {
			t.Fatalf("nothing has changed: %+v", told)
		}
	}
	want := map[string]int{"/": 0, "/a": 1, "/b": 2, "/c": 1} // of /c the round knew /b, and what led there
	for rec, err := range sink.Harvest(c.Store) {
		if err != nil || rec.Depth != want[strings.TrimPrefix(rec.URL, "http://a.example")] || len(rec.Trail) != rec.Depth {
			t.Errorf("%s: depth %d by %v, want %d (%v)", rec.URL, rec.Depth, rec.Trail, want[strings.TrimPrefix(rec.URL, "http://a.example")], err)
		}
	}
	for seen, err := range sink.ReadLooks(c.Store) {
		if rec := seen.Record; err != nil || rec.Depth != want[strings.TrimPrefix(rec.URL, "http://a.example")] || len(rec.Trail) != rec.Depth {
			t.Errorf("for a second look: %s: depth %d by %v (%v)", rec.URL, rec.Depth, rec.Trail, err)
		}
	}
}

// TestHalfAPageTakesNoPlace of the whole one, and a page of which only the beginning is known is asked for whole.
func TestHalfAPageTakesNoPlace(t *testing.T) {
	c := teaConfig(filepath.Join(t.TempDir(), "tea"))
	c.Budget.Pages = 100
	web := site{"/": tea("home", "/a", "/b"), "/a": tea("leaves of spring"), "/b": tea("pots of clay")}
	breaks := map[string]bool{"/b": true}
	broken := brokenWeb{web, breaks}
	crawled(t, c, broken, nil)
	says := func() string {
		var all []string
		for rec, err := range sink.Kept(c.Store) {
			noError(t, err)
			all = append(all, rec.Title+" "+rec.Cut)
		}
		slices.Sort(all)
		return strings.Join(all, ", ")
	}
	at := time.Now()
	for _, round := range []struct {
		breaks bool
		want   string
	}{{true, "Tea home , Tea leaves of spring , Tea pots of clay "}, {false, "Tea home , Tea leaves of autumn , Tea pots of clay "}} {
		web["/a"], breaks["/a"], breaks["/b"] = tea("leaves of autumn"), round.breaks, false
		at = at.Add(400 * 24 * time.Hour)
		if visitedAgain(t, c, broken, at); says() != round.want {
			t.Errorf("a round where /a breaks off: %v keeps %q, want %q", round.breaks, says(), round.want)
		}
	}
}

// brokenWeb is a site of which some pages break off.
type brokenWeb struct {
	site
	breaks map[string]bool
}

func (w brokenWeb) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := w.site.RoundTrip(r)
	if err == nil && w.breaks[r.URL.Path] && resp.StatusCode != http.StatusNotModified {
		body, _ := io.ReadAll(resp.Body)
		resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(string(body[:len(body)-3])), iotest.ErrReader(io.ErrUnexpectedEOF)))
	}
	return resp, err
}

// TestHalfOfARoundIsNew at most, and the rest of what is new waits, whether a list names it, the process that heard it is gone, or a page links
// to it; but not what asks that nobody goes there.
func TestHalfOfARoundIsNew(t *testing.T) {
	c := teaConfig(filepath.Join(t.TempDir(), "tea"))
	web := site{"/": tea("all", "/a", "/b", "/c"), "/a": tea("one"), "/b": tea("two"), "/c": tea("three")}
	crawled(t, c, web, nil)
	c.Budget.Pages = 8
	web["/"] = tea("all and more", "/a", "/b", "/c", "/n1", "/n2", "/n3", "/n4")
	web["/a"] = strings.Replace(tea("one more", "/secret"), "<p>", "<meta name=robots content=nofollow><p>", 1)
	var news []string
	for _, path := range strings.Fields("/s1 /s2 /s3 /s4 /s5 /n1 /n2 /n3 /n4 /secret") {
		web[path] = tea(path)
		if strings.HasPrefix(path, "/s") && path != "/secret" {
			news = append(news, "http://a.example"+path)
		}
	}
	web["/s1"] = tea("/s1", "/n1", "/n2", "/n3", "/n4")
	r, err := Open(c)
	noError(t, err)
	r.news = news
	if _, err := r.Pages(time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil { // the process ends before it has visited anything
		t.Fatal(err)
	}
	for round, want := range []int{4, 4, 1} {
		told := visitedAgain(t, c, web, time.Now())
		if told.New != want || round == 0 && told.Changed != 2 {
			t.Errorf("round %d: %+v, want %d new", round+1, told, want)
		}
	}
	if kept := harvestOf(t, c.Store); strings.Contains(kept, `example/secret","final`) || strings.Count(kept, "\n") != 4+9 {
		t.Errorf("kept is\n%s", kept)
	}
}

// recordsOf is what a run keeps, by address.
func recordsOf(t *testing.T, dir string) map[string]*sink.Record {
	t.Helper()
	all := map[string]*sink.Record{}
	for r, err := range sink.Kept(dir) {
		noError(t, err)
		all[r.URL] = r
	}
	return all
}

// harvestOf is what a run keeps, as lines.
func harvestOf(t *testing.T, dir string) string {
	t.Helper()
	var b bytes.Buffer
	e, err := sink.NewEncoder(&b, "jsonl", nil)
	noError(t, err)
	for r, err := range sink.Kept(dir) {
		if err == nil {
			err = e.Encode(r)
		}
		noError(t, err)
	}
	return b.String()
}

// visitedOnce is a run whose pages were visited again, and nothing of that taken in: one has changed, one is gone, one is new, one is
// busy, one says something else altogether, one must not be kept any more, before one stands a wall, and one has moved.
func visitedOnce(t *testing.T) (dir string) {
	dir = filepath.Join(t.TempDir(), "tea")
	web := site{"/": tea("all", "/a", "/b", "/c", "/d", "/e", "/f", "/g", "/h"), "/h": tea("eight"), "/f": tea("six"), "/g": tea("seven"), "/a": tea("one"), "/b": tea("two"), "/c": tea("three"), "/d": tea("four"), "/e": tea("five")}
	crawled(t, teaConfig(dir), web, nil)
	web["/"], web["/a"], web["/c"], web["/d"], web["/new"] = tea("all", "/a", "/b", "/c", "/d", "/e", "/f", "/g", "/h", "/new"), tea("another"), "busy", "<title>Cars</title><p>Cars.", tea("new")
	web["/f"] = strings.Replace(web["/f"], "<p>", "<meta name=robots content=noindex><p>", 1)
	web["/g"] = "<title>Just a moment...</title><p>Checking your browser before you go on. Enable JavaScript and cookies to continue."
	web["/h"], web["/h2"] = "301 /h2", web["/h"]
	delete(web, "/b")
	r := reopened(t, dir)
	c, err := r.Pages(time.Now())
	noError(t, err)
	crawled(t, c, web, r)
	noError(t, r.Close())
	return dir
}

// TestARoundThatIsKilledIsTakenInOnce: whichever step of taking a round in is the last one that is done, what is kept can be read,
// and the next process comes to the same as one that was not killed.
func TestARoundThatIsKilledIsTakenInOnce(t *testing.T) {
	from := visitedOnce(t)
	taken := func(dir string) string {
		r := reopened(t, dir)
		if !r.Finished() {
			t.Fatal("the crawl of the round is not finished")
		}
		if _, err := r.TakeIn(); err != nil {
			t.Fatal(err)
		}
		noError(t, r.End(false))
		noError(t, r.Close())
		for _, name := range []string{folderRound, filePlan} {
			if _, err := os.Stat(filepath.Join(r.below, name)); err == nil {
				t.Errorf("%s is left of a round that is taken in", name)
			}
		}
		return harvestOf(t, dir)
	}
	copyOf := func() string {
		dir := filepath.Join(t.TempDir(), "tea")
		noError(t, os.CopyFS(dir, os.DirFS(from)))
		return dir
	}
	before, after := harvestOf(t, from), taken(copyOf())
	for _, says := range []string{"another", "new", `"gone":"20`, "example/h2"} {
		if !strings.Contains(after, says) || strings.Contains(before, says) {
			t.Fatalf("%q: before %s\nafter %s", says, before, after)
		}
	}
	lines := func(s string) int { return strings.Count(s, "\n") }
	if strings.Contains(after, "four") || strings.Contains(after, "six") || lines(after) != lines(before)-1 || !strings.Contains(after, "three") || !strings.Contains(after, "seven") {
		t.Fatalf("kept is\n%s, was\n%s", after, before)
	}
	for done := range 8 {
		dir := copyOf()
		r := reopened(t, dir)
		ended, err := r.outcomes()
		noError(t, err)
		r.judge(ended)
		steps, err := r.steps(ended)
		noError(t, err)
		for _, step := range steps[:min(done, len(steps))] {
			noError(t, step())
		}
		if done > len(steps) {
			t.Fatal("there are no so many steps")
		}
		if err := r.folder.Close(); err != nil { // the process is dead
			t.Fatal(err)
		}
		if n := lines(harvestOf(t, dir)); n != lines(before) && n != lines(after) {
			t.Errorf("after %d steps %d pages are kept", done, n)
		}
		if got := taken(dir); got != after {
			t.Errorf("killed after %d steps:\n%s, want\n%s", done, got, after)
		}
	}
}

// TestARunThatWasVisitedAgainIsRepaired: the state of a run is made of what the crawl itself kept, which is what it goes on with; what
// later visits found stays where it is, and the crawl, gone on with, keeps no page twice that they found first. Until it ends it has no
// kept.jsonl, and none is missed.
func TestARunThatWasVisitedAgainIsRepaired(t *testing.T) {
	dir := visitedOnce(t)
	r := reopened(t, dir)
	if _, err := r.TakeIn(); err != nil {
		t.Fatal(err)
	}
	noError(t, errors.Join(r.End(false), r.Close()))
	was := harvestOf(t, dir)
	states, err := os.ReadDir(filepath.Join(dir, run.FileState))
	noError(t, err)
	for _, f := range states { // all but how the run stands is damaged
		if path := filepath.Join(dir, run.FileState, f.Name()); f.Name() != run.FileRun && f.Name() != run.FileLock {
			noError(t, os.WriteFile(path, []byte("damaged"), 0o600))
		}
	}
	if done, err := focus.Repair(dir); err != nil {
		t.Fatal(done, err)
	}
	for rec, err := range sink.HarvestOnce(dir) {
		if err != nil || rec.ID >= 1<<32 {
			t.Fatalf("the harvest of the crawl has %v, %v", rec, err)
		}
	}
	c := teaConfig(dir)
	c.Seeds = append(c.Seeds, "http://a.example/new") // as if a link to it had waited
	crawled(t, c, site{"/": tea("all"), "/new": tea("new")}, nil)
	if now := harvestOf(t, dir); strings.Count(now, `"url":"http://a.example/new"`) != 1 || strings.Count(now, "\n") != strings.Count(was, "\n") {
		t.Errorf("it keeps\n%s, was\n%s", now, was)
	}
	c.Seeds = append(c.Seeds, "http://a.example/newer")
	ctx, stop := context.WithCancel(t.Context())
	crawler, err := focus.New(ctx, c, focus.Transport(&heard{site: site{}, first: stop}))
	noError(t, err)
	if report, err := crawler.Run(ctx); err != nil || report.Finished || sink.HasKept(dir) {
		t.Fatalf("finished: %v, it has kept.jsonl: %v, %v", report.Finished, sink.HasKept(dir), err)
	}
	if done, err := Repair(dir); err != nil || !done.Sound {
		t.Errorf("of a crawl that goes on a repair says %q, %v", done.Damage, err)
	}
}

// TestRepeatsAreNews: a new page that repeats one that is kept, with the same bytes or in a menu of its own, is taken in where the crawl file
// keeps repeats, and there alone.
func TestRepeatsAreNews(t *testing.T) {
	var long strings.Builder
	for i := range 40 {
		fmt.Fprintf(&long, "cup%d of tea%d, ", i*i, i)
	}
	for duplicates, want := range map[string]int{"keep": 2, "drop": 0} {
		c := teaConfig(filepath.Join(t.TempDir(), "tea"))
		c.Duplicates = duplicates
		web := site{"/": tea("all", "/a", "/d"), "/a": tea("one"), "/d": tea(long.String())}
		crawled(t, c, web, nil)
		web["/"], web["/b"] = tea("all and more", "/a", "/b", "/c", "/d"), web["/a"]
		web["/c"] = "<nav><a href=/>home</a> <a href=/a>all of our cups</a></nav>" + web["/d"]
		r, err := Open(c)
		noError(t, err)
		pages, err := r.Pages(time.Now())
		noError(t, err)
		crawled(t, pages, web, r)
		told, err := r.TakeIn()
		if err != nil || told.New != want {
			t.Errorf("%s: %+v, %v", duplicates, told, err)
		}
		noError(t, errors.Join(r.End(false), r.Close()))
		if kept := strings.Count(harvestOf(t, c.Store), "\n"); kept != 3+want {
			t.Errorf("%s: %d pages are kept", duplicates, kept)
		}
	}
}

// TestWhatWasRefusedIsNoNews: a sitemap that names what the crawl has refused does not make it a page to visit.
func TestWhatWasRefusedIsNoNews(t *testing.T) {
	dir := t.TempDir()
	log, err := run.OpenLog(filepath.Join(dir, run.FileLog))
	noError(t, err)
	for _, d := range []run.Decision{{Decision: "push", ID: 1, URL: "http://a.example/pushed"}, {Decision: "refuse", Reason: "tunnel", URL: "http://a.example/refused"}} {
		noError(t, log.Write(&d))
	}
	noError(t, log.Close())
	m := &memory{of: map[uint64]*known{}, address: map[uint64]bool{}}
	if _, err := m.logged(dir); err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]bool{"http://a.example/pushed": true, "http://a.example/refused": true, "http://a.example/new": false} {
		if m.address[keyOf(address)] != want {
			t.Errorf("%s is known: %v", address, !want)
		}
	}
}

// TestVisitable: a recorded web does not change, and the pages of a shared crawl lie in many folders.
func TestVisitable(t *testing.T) {
	c := teaConfig(t.TempDir())
	for says, change := range map[string]func(*crawlfile.Config){
		"recorded one":    func(c *crawlfile.Config) { c.Web = "web" },
		"Redis":           func(c *crawlfile.Config) { c.Store = "redis://a.example/0?crawl=tea" },
		"there is no run": func(*crawlfile.Config) {},
	} {
		one := c
		change(&one)
		if err := visitable(&one); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	if _, err := os.Stat(filepath.Join(c.Store, run.FileState)); err == nil {
		t.Error("a run folder was made")
	}
}
