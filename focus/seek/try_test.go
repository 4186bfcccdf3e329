package seek

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
)

// TestADescriptionIsTriedOnASavedPage: what it finds, what it does not, and a page that wants to see a person.
func TestADescriptionIsTriedOnASavedPage(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		noError(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	engine := write("mine.yaml", "address: https://search.example/?q={query}\nhtml: {result: div.hit, link: a, text: p, unwrap: [to]}\nnone: [no luck]\n")
	links := write("links.yaml", "address: https://search.example/?q={query}\nhtml: {}\n")
	keyed := write("keyed.yaml", "address: https://search.example/?q={query}&key=${NO_SUCH_KEY}\nfeed: true\n")
	for _, c := range []struct{ engine, body, want string }{
		{engine, `<div class=hit><a href="/go?to=http://a.example/x">Sails</a><p>about sails</div><div class=hit><a href="http://b.example/">B</a></div>`,
			"http://a.example/x Sails about sails|http://b.example/ B "},
		{engine, "<p>no luck", ""},
		{engine, "<p>Prove that you are not a robot", "error: mine: it wants to see a person"},
		{engine, "<div class=item><a href=http://a.example/>A</a></div>", "error: mine: nothing stands where its description looks for results; compare result and link in " + engine},
		{engine, "<div class=hit>nothing</div>", "error: mine: 1 results were found by"},
		{engine, "", "error: mine: its answer is empty"},
		{links, `<p><a href="http://a.example/x">Sails</a> <a href="/more">more</a>`, "http://a.example/x Sails more"},
		{keyed, "<rss/>", "error: the environment has no NO_SUCH_KEY"},
		{"https://search.example/opensearch.xml", "", "error: https://search.example/opensearch.xml is an address; save the description"},
		{"bign", "", `error: unknown search engine "bign"; did you mean "bing"?`},
	} {
		trial, err := Try(c.engine, write("page.html", c.body))
		var have []string
		for _, r := range trial.Results {
			have = append(have, r.URL+" "+r.Title+" "+r.Text)
		}
		told := strings.Join(have, "|")
		if err != nil {
			told = "error: " + err.Error()
		}
		if err == nil && told != c.want || err != nil && (c.want == "" || !strings.HasPrefix(told, c.want)) {
			t.Errorf("%s: %s\nhave %s\nwant %s", filepath.Base(c.engine), c.body, told, c.want)
		}
	}
	if _, err := Try(engine, filepath.Join(dir, "gone.html")); err == nil || !strings.Contains(err.Error(), "gone.html") {
		t.Errorf("a page that is not there: %v", err)
	}
}

// TestACrawlMayBeginAtTheResults: the relevant pages that engines answered with, the best ranks first, and not the front page.
func TestACrawlMayBeginAtTheResults(t *testing.T) {
	const h = "https://a.example/"
	answered := func(address string, relevance float64, ranks ...int) *find {
		f := findOf(address, relevance)
		for _, r := range ranks {
			f.evidence = append(f.evidence, Evidence{Kind: "search", Rank: r, URL: address})
		}
		return f
	}
	finds := []*find{findOf(h, 0.9), answered(h+"third", 0.9, 3), answered(h+"first", 0.5, 7, 1), answered(h+"other", 0.1, 2), findOf(h+"linked", 0.9)}
	finds[4].page = &page.Page{Kind: page.Hub}
	g := groups(finds)[0]
	if have := strings.Join(g.seeds(), " "); have != h {
		t.Errorf("have %s, want the front page", have)
	}
	g.atResults = true
	if have, want := strings.Join(g.seeds(), " "), h+"first "+h+"third"; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
	g.finds = g.finds[:1]
	if have := strings.Join(g.seeds(), " "); have != h {
		t.Errorf("of a site that no engine answered with: %s, want the front page", have)
	}
}
