package focus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/run"
)

const (
	wikiArticles = 60
	halfMoved    = 13 // of the articles of a site that has moved by half
)

// wiki is a site of articles. Each has a form by which it is edited, and a history, which want neither to be found nor to be followed,
// posts are about it, whose numbers lead to it, and one may log in, and come back.
type wiki struct{}

func wikiPage(u *url.URL) string {
	name, about, post := u.Path, u.Query(), 0
	switch _, err := fmt.Sscanf(name, "/post/%d", &post); {
	case name == "/robots.txt":
		return ""
	case err == nil && u.Host == "board.example":
		return fmt.Sprintf("-> %s/%d", boardThread(post/forumPosts), post%forumPosts+1)
	case u.Host == "sail.example":
		return "-> https://www.sail.example" + name
	case u.Host == "www.sail.example", name == "/" && u.Host == "half.example":
		return sailing("http://"+strings.TrimPrefix(u.Host, "www."), name, 1)
	case u.Host == "half.example":
		n := 0
		fmt.Sscanf(name, "/boat%d", &n)
		if other := map[bool]string{true: "https", false: "http"}[n < halfMoved]; u.Scheme != other {
			return "-> " + other + "://half.example" + name
		}
		return sailing("http://half.example", name, 0)
	case err == nil:
		return fmt.Sprintf("-> /boat%d", post%wikiArticles)
	case u.Host == "forum.example":
		return forum(u)
	case u.Host == "board.example":
		return board(u)
	case awayFor[u.Host] > 0:
		return away(u, awayFor[u.Host])
	case name == "/login":
		return fmt.Sprintf(`<title>Who are you</title><p>Tell us your name and your password, please. <a href="/">home</a> <a href="/login?new=1&back=%s">I have none</a>`, about.Get("back"))
	case about.Has("do"):
		return fmt.Sprintf(`<meta name=robots content="noindex,nofollow"><title>%s</title><p>What became of %[1]s, and who wrote it</p><a href="/">home</a>`, name)
	case u.Host == "blog.example" && name != "/":
		robots, links := "", []string{"/"}
		if about.Has("replytocom") {
			robots = "<meta name=robots content='noindex, follow'>"
		}
		for i := range 4 {
			links = append(links, fmt.Sprintf("%s?replytocom=%d", name, i))
		}
		return robots + article(name, links...)
	case name == "/":
		var b strings.Builder
		for i := range wikiArticles {
			fmt.Fprintf(&b, `<p><a href="/boat%d">boat %[1]d</a> <a href="/boat%[1]d?do=edit">edit</a> <a href="/boat%[1]d?do=history">history</a></p>`, i)
		}
		return "<title>Sailing boats</title><p>All that is known of sailing boats and of yachts</p>" + b.String()
	}
	var n int
	fmt.Sscanf(name, "/boat%d", &n)
	return article(name, fmt.Sprintf("/post/%d", n), fmt.Sprintf("/post/%d", n+wikiArticles), "/login?back="+name)
}

// awayFor are sites whose first articles say the same, as while it is mended, and how many: so many that one is visited while others wait, and
// that all that wait have been refused by then.
var awayFor = map[string]int{"mended.example": 20, "long.example": 44}

func away(u *url.URL, first int) string {
	n := 0
	if fmt.Sscanf(u.RawQuery, "id=%d", &n); u.Path == "/" {
		return wikiHub("/boat?id=%d")
	}
	return article(fmt.Sprintf("/boat%d", max(n, first-1)), "/")
}

// forum is a site of threads. Each post of one has a number of its own, which shows the thread.
func forum(u *url.URL) string {
	thread, post := 0, 0
	if u.Path == "/" {
		return wikiHub("/view?t=%d")
	}
	if n, _ := fmt.Sscanf(u.RawQuery, "p=%d", &post); n == 1 {
		thread = post / forumPosts
	} else {
		fmt.Sscanf(u.RawQuery, "t=%d", &thread)
	}
	var posts []string
	for i := range forumPosts {
		posts = append(posts, fmt.Sprintf("/view?p=%d", thread*forumPosts+i))
	}
	return article(fmt.Sprintf("/boat%d", thread), posts...)
}

const forumPosts = 5

// board is such a site where the number of a post leads to an address below that of its thread, which shows the thread, and leads to the parts
// of it from its own address.
func board(u *url.URL) string {
	thread, at := 0, 0
	if u.Path == "/" {
		var b strings.Builder
		for i := range wikiArticles {
			fmt.Fprintf(&b, `<p><a href="%s">boat</a> <a href="%[1]s/%d">last post</a></p>`, boardThread(i), forumPosts)
		}
		return "<title>Sailing boats</title><p>All that is known of sailing boats and of yachts</p>" + b.String()
	}
	fmt.Sscanf(u.Path, "/topic/%d/", &thread)
	if at = strings.LastIndexByte(u.Path, '/'); u.Path[:at] == boardThread(thread) && u.RawQuery == "" {
		return article(fmt.Sprintf("/boat%d", thread), boardThread(thread), u.Path+"?page=1")
	}
	links := []string{boardThread(thread) + "?page=1"}
	for i := range forumPosts {
		links = append(links, fmt.Sprintf("/post/%d", thread*forumPosts+i))
	}
	return article(fmt.Sprintf("/boat%d", thread), links...)
}

// boardThread is the address of a thread, which has its title in it.
func boardThread(n int) string { return fmt.Sprintf("/topic/%d/of-%c-and-%c", n, 'a'+n%26, 'a'+n/26) }

// wikiHub leads to all articles.
func wikiHub(form string) string {
	var b strings.Builder
	for i := range wikiArticles {
		fmt.Fprintf(&b, `<p><a href="`+form+`">boat</a></p>`, i)
	}
	return "<title>Sailing boats</title><p>All that is known of sailing boats and of yachts</p>" + b.String()
}

// sailing is a page of a site that has moved, and links to itself by the addresses that it had.
func sailing(origin, name string, far int) string {
	if name == "/" {
		return `<title>Sailing boats</title><p>All that is known of sailing boats and of yachts, <a href="` + origin + `/boat0">boat</a>`
	}
	var n int
	var links []string
	fmt.Sscanf(name, "/boat%d", &n)
	for i := range 4 {
		links = append(links, fmt.Sprintf("%s/boat%d", origin, (n+1+i+far*i*(i-1))%wikiArticles))
	}
	return article(name, links...)
}

// article is a page about one boat.
func article(name string, links ...string) string {
	var b strings.Builder
	for i := range 8 {
		fmt.Fprintf(&b, "<p>The boat %s of %d is a sailing yacht, with word%[1]s%[2]d and sail%[1]s%[2]d on a mast%[2]d.</p>", name[1:], i)
	}
	for _, to := range links {
		fmt.Fprintf(&b, `<a href="%s">boat</a> `, to)
	}
	return "<title>Sailing with " + name[1:] + "</title>" + b.String()
}

// RoundTrip answers for the wiki.
func (wiki) RoundTrip(r *http.Request) (*http.Response, error) {
	a := &http.Response{StatusCode: 200, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}}
	body := wikiPage(r.URL)
	if to, leads := strings.CutPrefix(body, "-> "); leads {
		a.StatusCode, body = 302, ""
		a.Header.Set("Location", to)
	}
	a.Status = fmt.Sprint(a.StatusCode, " ", http.StatusText(a.StatusCode))
	a.Body = io.NopCloser(strings.NewReader(body))
	return a, nil
}

// recordedWiki is a recording of the wiki.
func recordedWiki(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), "web")
	into, err := replay.NewRecorder(dir, wiki{}, replay.Recording{Name: "wiki", Language: "en"})
	if err != nil {
		t.Fatal(err)
	}
	addresses := []string{"http://wiki.example/robots.txt", "http://wiki.example/"}
	for i := range wikiArticles {
		for _, form := range []string{"boat%d", "boat%d?do=edit", "boat%d?do=history", "post/%d", "login?back=/boat%d", "login?new=1&back=/boat%d"} {
			addresses = append(addresses, fmt.Sprintf("http://wiki.example/"+form, i))
		}
		addresses = append(addresses, fmt.Sprintf("http://wiki.example/post/%d", i+wikiArticles))
	}
	addresses = append(addresses, "http://blog.example/robots.txt", "http://blog.example/")
	for i := range wikiArticles {
		addresses = append(addresses, fmt.Sprintf("http://blog.example/boat%d", i))
		for reply := range 4 {
			addresses = append(addresses, fmt.Sprintf("http://blog.example/boat%d?replytocom=%d", i, reply))
		}
	}
	addresses = append(addresses, "http://forum.example/robots.txt", "http://forum.example/")
	for i := range wikiArticles {
		addresses = append(addresses, fmt.Sprintf("http://forum.example/view?t=%d", i))
		for post := range forumPosts {
			addresses = append(addresses, fmt.Sprintf("http://forum.example/view?p=%d", i*forumPosts+post))
		}
	}
	addresses = append(addresses, "http://board.example/robots.txt", "http://board.example/")
	for i := range wikiArticles {
		at := "http://board.example" + boardThread(i)
		addresses = append(addresses, at, at+"?page=1")
		for post := range forumPosts {
			addresses = append(addresses, fmt.Sprintf("http://board.example/post/%d", i*forumPosts+post), fmt.Sprintf("%s/%d", at, post+1), fmt.Sprintf("%s/%d?page=1", at, post+1))
		}
	}
	for host := range awayFor {
		addresses = append(addresses, "http://"+host+"/robots.txt", "http://"+host+"/")
		for i := range wikiArticles {
			addresses = append(addresses, fmt.Sprintf("http://%s/boat?id=%d", host, i))
		}
	}
	for _, origin := range []string{"http://sail.example", "https://www.sail.example", "http://half.example", "https://half.example"} {
		addresses = append(addresses, origin+"/robots.txt", origin+"/")
		for i := range wikiArticles {
			addresses = append(addresses, fmt.Sprintf("%s/boat%d", origin, i))
		}
	}
	for _, address := range addresses {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		a, err := into.RoundTrip(&http.Request{Method: http.MethodGet, URL: u, Host: u.Host, Header: http.Header{}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, a.Body); err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
	}
	if err := into.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// killedNowAndThen crawls the recorded wiki from a start page, and again from every 23rd visit as if the crawl had been killed there: it ends
// as one that was not.
func killedNowAndThen(t *testing.T, start string) (report Report, config Setting) {
	config = drawnCrawl(t, "breadth")
	config.Web, config.Seeds = recordedWiki(t), []string{start}
	images := map[int]string{}
	report = crawled(t, context.Background(), config, func(c *Crawler, visit int) {
		if visit%23 != 1 {
			return
		}
		images[visit] = imaged(t, c, config)
	})
	want := outcome(t, config.Store)
	for visit, dir := range images {
		again := config
		again.Store = dir
		crawled(t, context.Background(), again, nil)
		same(t, fmt.Sprintf("killed in visit %d", visit), outcome(t, dir), want)
	}
	return report, config
}

// What brings nothing is found out, and what waits of it when it is found out is not visited any more: articles are, and a dozen of the
// forms, histories and posts each, of both forms to log in.
func TestWhatWaitsAndBringsNothingIsNotVisited(t *testing.T) {
	report, config := killedNowAndThen(t, "http://wiki.example/")
	counts, traps := report.Counts, 0
	for why, n := range counts.Dropped {
		if why.Kind() == admit.RefusedTrap {
			traps += n
		}
	}
	if most := wikiArticles + 1 + 5*(12+config.Window); counts.Kept < wikiArticles || counts.Pages > most || traps == 0 {
		t.Errorf("%d articles were kept, want %d, by %d visits, want %d at most, and %d were refused when their turn came: %v", counts.Kept, wikiArticles, counts.Pages, most, traps, counts.Dropped)
	}
}

// The number of a post that shows its thread, as an address of another kind does, brings nothing: a dozen of them are visited, and some now and
// then.
func TestNumbersOfPostsAreNotVisited(t *testing.T) {
	report, _ := killedNowAndThen(t, "http://forum.example/")
	counts := report.Counts
	const looks = 7 // after 4, 8 … 256 were refused, and as many when nothing else waits
	if most := wikiArticles + 1 + 12 + 2*looks; counts.Kept < wikiArticles || counts.Pages > most {
		t.Errorf("%d threads were kept, want %d, by %d visits, want %d at most: %v", counts.Kept, wikiArticles, counts.Pages, most, counts.Dropped)
	}
}

// Nor are those that lead to an address of the post below that of its thread: what they lead to brings nothing, be its own address in its links.
func TestNumbersThatLeadToCopiesAreNotVisited(t *testing.T) {
	report, _ := killedNowAndThen(t, "http://board.example/")
	counts := report.Counts
	const looks = 7
	if most := wikiArticles + 1 + 4*12 + 3*2*looks; counts.Kept < wikiArticles || counts.Pages > most || counts.Dropped[admit.RefusedRedirect] > 12+2*looks {
		t.Errorf("%d threads were kept, want %d, by %d visits, want %d at most: %v", counts.Kept, wikiArticles, counts.Pages, most, counts.Dropped)
	}
}

// Copies of articles that want not to be found, but followed, are found out by what they repeat, as those are that may be kept.
func TestCopiesThatWantNotToBeFoundAreNotVisited(t *testing.T) {
	report, config := killedNowAndThen(t, "http://blog.example/")
	counts := report.Counts
	if most := wikiArticles*3 + 1 + 12 + config.Window; counts.Kept < wikiArticles || counts.Pages > most {
		t.Errorf("%d articles were kept, want %d, by %d visits, want %d at most: %v", counts.Kept, wikiArticles, counts.Pages, most, counts.Dropped)
	}
}

// A host that leads all its addresses on to another is asked for no more of them, found or waiting: each page costs one visit.
func TestWhereAHostLeadsIsKnownAfterADozen(t *testing.T) {
	report, config := killedNowAndThen(t, "https://www.sail.example/")
	counts := report.Counts
	if most := wikiArticles + 1 + 12 + config.Window; counts.Kept < wikiArticles || counts.Pages > most || counts.Dropped[admit.RefusedMoved] == 0 {
		t.Errorf("%d articles were kept, want %d, by %d visits, want %d at most: %v", counts.Kept, wikiArticles, counts.Pages, most, counts.Dropped)
	}
	finished, err := run.Open(config.Store)
	if err != nil {
		t.Fatal(err)
	}
	moved := 0
	for i := range wikiArticles {
		at := fmt.Sprintf("sail.example/boat%d", i)
		why, err := finished.Why("http://" + at)
		if err != nil {
			t.Fatal(err)
		}
		if why.Reason != admit.RefusedMoved {
			continue
		}
		if moved++; why.Onward == nil || why.Onward.URL != "https://www."+at {
			t.Errorf("http://%s leads to %+v", at, why.Onward)
		}
	}
	if moved != counts.Dropped[admit.RefusedMoved] {
		t.Errorf("%d tell where they lead, want %d", moved, counts.Dropped[admit.RefusedMoved])
	}
}

// A host that leads back to where it was not asked, as it has moved by half, is asked there: no page is lost.
func TestAHostThatHasMovedByHalfIsVisitedWhole(t *testing.T) {
	report, _ := killedNowAndThen(t, "https://half.example/")
	if counts := report.Counts; counts.Kept < wikiArticles || counts.Dropped[admit.RefusedMoved] == 0 {
		t.Errorf("%d articles were kept, want %d: %v", counts.Kept, wikiArticles, counts.Dropped)
	}
}

// What was refused for what the first articles of a site have shown comes back when another one shows that it is not so of all: one that is
// visited all the same, or the last of those that wait, when nothing else does.
func TestWhatWasRefusedInVainComesBack(t *testing.T) {
	for host, alike := range awayFor {
		report, config := killedNowAndThen(t, "http://"+host+"/")
		counts, refused := report.Counts, 0
		for why, n := range report.Counts.Dropped {
			if why.Kind() == admit.RefusedTrap {
				refused += n
			}
		}
		if want := wikiArticles - alike + 2; counts.Kept != want || refused == 0 {
			t.Errorf("%s: %d articles were kept, want %d, and %d were refused: %v", host, counts.Kept, want, refused, counts.Dropped)
		}
		finished, err := run.Open(config.Store)
		if err != nil {
			t.Fatal(err)
		}
		why, err := finished.Why(fmt.Sprintf("http://%s/boat?id=%d", host, wikiArticles-2))
		if err != nil || why.Fate != run.FateKept {
			t.Errorf("%s: the last but one is %s: %s, %v", host, why.Fate, why.Reason, err)
		}
	}
}

// What has come back waits, for whoever asks after it and after a repair, too.
func TestWhatHasComeBackWaits(t *testing.T) {
	config := drawnCrawl(t, "breadth")
	config.Web, config.Seeds = recordedWiki(t), []string{"http://mended.example/"}
	broken, back := filepath.Join(t.TempDir(), "run"), map[string]bool{}
	crawled(t, context.Background(), config, func(c *Crawler, visit int) {
		if len(back) > 0 {
			return
		}
		err := errors.Join(c.keeper.Sync(), run.ReadLog(filepath.Join(config.Store, run.FileLog), func(d *run.Decision) bool {
			if d.Decision == "drop" && d.Reason.Kind() == admit.RefusedTrap {
				back[d.URL] = false
			} else if _, was := back[d.URL]; was {
				back[d.URL] = d.Decision == "push"
			}
			return true
		}))
		maps.DeleteFunc(back, func(_ string, waits bool) bool { return !waits })
		if len(back) > 0 {
			image(t, config.Store, broken)
		}
		if err != nil {
			t.Error(err)
		}
	})
	if len(back) == 0 {
		t.Fatal("nothing has come back")
	}
	config.Store = broken
	for _, mended := range []bool{false, true} {
		if mended {
			journal := filepath.Join(broken, run.FileState, "log-000001")
			raw, err := os.ReadFile(journal)
			if err != nil {
				t.Fatal(err)
			}
			raw[len(raw)/2] ^= 0x40
			if err := os.WriteFile(journal, raw, 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := Repair(broken); err != nil {
				t.Fatal(err)
			}
		}
		interrupted, err := run.Open(broken)
		if err != nil {
			t.Fatal(err)
		}
		for address := range back {
			if why, err := interrupted.Why(address); err != nil || why.Fate != run.FateWaiting || why.Visit != nil {
				t.Errorf("repaired %v: %s is %s: %s, %v", mended, address, why.Fate, why.Reason, err)
			}
		}
	}
	crawled(t, context.Background(), config, nil)
	finished, err := run.Open(broken)
	if err != nil {
		t.Fatal(err)
	}
	for address := range back {
		if why, err := finished.Why(address); err != nil || why.Visit == nil || why.Visit.Status != 200 {
			t.Errorf("in the end %s is %s: %s, %v", address, why.Fate, why.Reason, err)
		}
	}
}
