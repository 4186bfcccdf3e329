package focus

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/replay"
)

const wikiArticles = 60

// wiki is a site of articles. Each has a form by which it is edited, and a history, which want neither to be found nor to be followed,
// and posts are about it, whose numbers lead to it.
type wiki struct{}

func wikiPage(u *url.URL) string {
	name, about, post := u.Path, u.Query(), 0
	switch _, err := fmt.Sscanf(name, "/post/%d", &post); {
	case name == "/robots.txt":
		return ""
	case err == nil:
		return fmt.Sprintf("-> /boat%d", post%wikiArticles)
	case about.Has("do"):
		return fmt.Sprintf(`<meta name=robots content="noindex,nofollow"><title>%s</title><p>What became of %[1]s, and who wrote it</p><a href="/">home</a>`, name)
	case name == "/":
		var b strings.Builder
		for i := range wikiArticles {
			fmt.Fprintf(&b, `<p><a href="/boat%d">boat %[1]d</a> <a href="/boat%[1]d?do=edit">edit</a> <a href="/boat%[1]d?do=history">history</a></p>`, i)
		}
		return "<title>Sailing boats</title><p>All that is known of sailing boats and of yachts</p>" + b.String()
	}
	var b strings.Builder
	for i := range 8 {
		fmt.Fprintf(&b, "<p>The boat %s of %d is a sailing yacht, with word%[1]s%[2]d and sail%[1]s%[2]d on a mast%[2]d.</p>", name[1:], i)
	}
	var n int
	fmt.Sscanf(name, "/boat%d", &n)
	fmt.Fprintf(&b, `<a href="/post/%d">boat</a> <a href="/post/%d">yacht</a>`, n, n+wikiArticles)
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
	addresses := []string{"/robots.txt", "/"}
	for i := range wikiArticles {
		addresses = append(addresses, fmt.Sprintf("/boat%d", i), fmt.Sprintf("/boat%d?do=edit", i), fmt.Sprintf("/boat%d?do=history", i), fmt.Sprintf("/post/%d", i), fmt.Sprintf("/post/%d", i+wikiArticles))
	}
	for _, address := range addresses {
		u, err := url.Parse("http://wiki.example" + address)
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

// What brings nothing is found out, and what waits of it when it is found out is not visited any more: articles are, and a dozen of the
// forms, histories and posts each. A crawl that was killed meanwhile ends as one that was not.
func TestWhatWaitsAndBringsNothingIsNotVisited(t *testing.T) {
	config := drawnCrawl(t, "breadth")
	config.Web, config.Seeds = recordedWiki(t), []string{"http://wiki.example/"}
	config.Topic.Terms = []crawlfile.TermConfig{{Term: "sailing", Weight: 1}, {Term: "boat", Weight: 1}, {Term: "yacht", Weight: 1}}
	images := map[int]string{}
	report := crawled(t, context.Background(), config, func(c *Crawler, visit int) {
		if visit%23 != 1 {
			return
		}
		if err := c.keeper.Sync(); err != nil {
			t.Error(err)
		}
		images[visit] = filepath.Join(t.TempDir(), "run")
		image(t, config.Store, images[visit])
	})
	counts := report.Counts
	traps := 0
	for why, n := range counts.Dropped {
		if why.Kind() == admit.RefusedTrap {
			traps += n
		}
	}
	if counts.Kept < wikiArticles {
		t.Errorf("%d articles were kept, want %d", counts.Kept, wikiArticles)
	}
	most := wikiArticles + 1 + 3*(12+config.Window)
	if counts.Pages > most || traps == 0 || counts.Dropped[admit.RefusedNoIndex] == 0 && counts.Dropped["not relevant: noindex"] == 0 {
		t.Errorf("%d visits, want %d at most, and %d were refused when their turn came: %v", counts.Pages, most, traps, counts.Dropped)
	}
	want := outcome(t, config.Store)
	for visit, dir := range images {
		again := config
		again.Store = dir
		crawled(t, context.Background(), again, nil)
		same(t, fmt.Sprintf("killed in visit %d", visit), outcome(t, dir), want)
	}
}
