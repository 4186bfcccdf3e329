package seek

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/probe"
)

// TestDescriptionsAreReadStrictly: every mistake has its place.
func TestDescriptionsAreReadStrictly(t *testing.T) {
	for text, want := range map[string]string{
		"adress: x\n": "e.yaml:1:1: adress: unknown key; did you mean \"address\"?",
		"address: https://a.example/\nfeed: true\n":                               "e.yaml:1:10: address: has no {query}",
		"address: a.example/?q={query}\nfeed: true":                               "e.yaml:1:10: address: is \"a.example/?q={query}\", want a whole address",
		"address: https://a.example/?q={query}\n":                                 "says in 0 ways what its answers are",
		"address: 'https://a.example/?q={query}&p={nr}'\nfeed: true\n":            "e.yaml:1:10: address: has {nr}; known are {query}, {page} and {start}",
		"address: https://a.example/?q={query}\nfeed: true\njson: {link: x}\n":    "says in 2 ways",
		"address: https://a.example/?q={query}\nhtml:\n  result: 'div['\n":        "e.yaml:3:11: html.result: is \"div[\", which is no CSS selector",
		"address: https://a.example/?q={query}\nfeed: true\nrobots: sometimes\n":  "e.yaml:3:9: robots: unknown word \"sometimes\"",
		"address: https://a.example/?q={query}\nfeed: true\npages: 0\n":           "e.yaml:3:8: pages: is 0",
		"address: https://a.example/?q={query}\nfeed: true\nfeed: true\n":         "e.yaml:3:1: feed: ",
		"address: https://a.example/?q={query}\nhtml: {result: a, atribute: b}\n": "e.yaml:2:19: html.atribute: unknown key",
	} {
		_, err := readEngine("e.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: have %v\nwant %s", text, err, want)
		}
	}
}

// TestTheEnginesThatAreBroughtAlong: they can be read, ask robots.txt, and say in their heads that their terms and markup
// change.
func TestTheEnginesThatAreBroughtAlong(t *testing.T) {
	names := Builtin()
	if len(names) < 4 {
		t.Errorf("there are %v", names)
	}
	for _, name := range names {
		e, err := open(name, t.TempDir())
		if err != nil {
			t.Error(err)
			continue
		}
		if e.Robots != "obey" || e.Pages > 3 || e.Name != name || e.About == "" {
			t.Errorf("%+v", e)
		}
		text, err := os.ReadFile(filepath.Join("..", "..", "configs", "engines", name+".yaml"))
		if err != nil || !strings.Contains(string(text), "markup changes") || !strings.Contains(string(text), "terms") {
			t.Errorf("%s does not say what it is: %v", name, err)
		}
		request, err := e.ask("旅游 景点", 1)
		if err != nil || strings.Contains(request.URL, "{") || !strings.Contains(request.URL, "%E6%97%85%E6%B8%B8+%E6%99%AF%E7%82%B9") || request.Open {
			t.Errorf("%s: %+v %v", name, request, err)
		}
	}
	if _, err := open("bign", t.TempDir()); err == nil || !strings.Contains(err.Error(), `did you mean "bing"?`) {
		t.Errorf("a slip: %v", err)
	}
	if _, err := open("searxng", t.TempDir()); err == nil || !strings.Contains(err.Error(), `did you mean "searxng=https://search.example.org"?`) {
		t.Errorf("one without its address: %v", err)
	}
}

// TestAnEngineIsLookedUpBesideTheCrawlFileFirst, and a crawl file of that name is no description.
func TestAnEngineIsLookedUpBesideTheCrawlFileFirst(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"bing.yaml": "address: https://own.example/?q={query}\nfeed: true\n", "sogou.yaml": "seeds: []\n"} {
		noError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	if e, err := open("bing", dir); err != nil || !strings.Contains(e.Address, "own.example") {
		t.Errorf("%+v %v", e, err)
	}
	if e, err := open("sogou", dir); err != nil || !strings.Contains(e.Address, "sogou") {
		t.Errorf("%+v %v", e, err)
	}
}

// TestKeysComeFromTheEnvironment, into header and address, and into no message.
func TestKeysComeFromTheEnvironment(t *testing.T) {
	t.Setenv("THRESHER_TEST_KEY", "s e&cret")
	e, err := readEngine("e.yaml", []byte("address: 'https://a.example/${THRESHER_TEST_KEY}/?q={query}&n={start}'\nfirst: 0\nheaders: {x-key: 'Bearer ${THRESHER_TEST_KEY}'}\nfeed: true\n"))
	noError(t, err)
	request, err := e.ask("a b", 2)
	if err != nil || request.URL != "https://a.example/s+e%26cret/?q=a+b&n=20" || request.Header.Get("X-Key") != "Bearer s e&cret" {
		t.Errorf("%+v %v", request, err)
	}
	failed := &url.Error{Op: "Get", URL: request.URL, Err: http.ErrServerClosed}
	if _, err := e.read(&probe.Answer{Request: request, FinalURL: request.URL, Err: failed}); err == nil || strings.Contains(err.Error(), "cret") {
		t.Errorf("the message says %v", err)
	}
	if shown := e.shown(request.URL); strings.Contains(shown, "cret") {
		t.Errorf("shown is %s", shown)
	}
}

// TestDescriptionDocuments: the best form of answer is chosen, parameters are filled in, what nobody knows is refused.
func TestDescriptionDocuments(t *testing.T) {
	document := func(urls string) []byte {
		return []byte(`<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName> Sea </ShortName>` + urls + `</OpenSearchDescription>`)
	}
	e, err := openSearch(document(`<Url type="text/html" template="/h?q={searchTerms}"/><Url type="application/rss+xml" template="/f?q={searchTerms}&amp;p={startPage?}&amp;n={count?}&amp;l={language?}&amp;x={referrer:source?}" pageOffset="0"/>`), "https://a.example/o/d.xml")
	if err != nil || !e.Feed || e.Name != "Sea" || e.Robots != "ignore" {
		t.Fatalf("%+v %v", e, err)
	}
	if request, err := e.ask("x y", 1); err != nil || request.URL != "https://a.example/f?q=x+y&p=1&n=10&l=*&x=" {
		t.Errorf("%s %v", request.URL, err)
	}
	for urls, want := range map[string]string{
		`<Url type="application/x-suggestions+json" template="/s?q={searchTerms}"/>`: "offers no answers that can be read",
		`<Url type="text/html" method="post" template="/s?q={searchTerms}"/>`:        "asked with GET",
		`<Url type="text/html" template="/s?q={searchTerms}&amp;k={secret}"/>`:       "wants secret",
		`<Url type="text/html" template="/s"/>`:                                      "has no {query}",
	} {
		if _, err := openSearch(document(urls), "https://a.example/d.xml"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: have %v, want %s", urls, err, want)
		}
	}
	if _, err := openSearch([]byte("<html>"), "https://a.example/"); err == nil {
		t.Error("a page passed")
	}
}

func answerOf(body string) *probe.Answer {
	const at = "https://www.engine.example/s?q=x"
	v := &probe.Answer{Request: probe.Request{URL: at}, FinalURL: at, Status: 200, Header: http.Header{}, Body: []byte(body)}
	v.Page = page.Parse(v.Body, at, page.Options{})
	return v
}

// TestResultsAreTakenFromAPage: in their order, relative addresses resolved, wrapped ones unwrapped, advertisements that
// the selector leaves out left out.
func TestResultsAreTakenFromAPage(t *testing.T) {
	e, err := readEngine("e.yaml", []byte("address: 'https://www.engine.example/s?q={query}'\nhtml: {result: 'li:not(.ad)', link: h2 a, title: h2, text: p, unwrap: [u, url]}\n"))
	noError(t, err)
	have, err := e.read(answerOf(`<ol><li class=ad><h2><a href="https://ad.example/">buy</a></h2></li>
<li><h2><a href="https://a.example/x#part">First  <b>one</b></a></h2><p>says this</p></li>
<li><h2><a href="/url?u=https%3A%2F%2Fb.example%2Fy%3Fz%3D1&ved=2">Second</a></h2></li>
<li><h2><a href="javascript:void(0)">No</a></h2></li></ol>`))
	want := []Result{{"https://a.example/x", "First one", "says this"}, {"https://b.example/y?z=1", "Second", ""}}
	if err != nil || len(have) != 2 || have[0] != want[0] || have[1] != want[1] {
		t.Errorf("have %v %v", have, err)
	}
	if have, err := e.read(answerOf("<p>nothing here")); err != errNothing {
		t.Errorf("an empty list: %v %v", have, err)
	}
	e.None = []string{"No hits"}
	if have, err := e.read(answerOf("<p>no hits for x")); err != nil || len(have) != 0 {
		t.Errorf("no hits: %v %v", have, err)
	}
}

// TestJSONByPath: lists within lists, numbers in paths.
func TestJSONByPath(t *testing.T) {
	e, err := readEngine("e.yaml", []byte("address: 'https://www.engine.example/s?q={query}'\njson: {results: data.0.items, link: page.href, title: name, text: says}\n"))
	noError(t, err)
	have, err := e.read(answerOf(`{"data": [{"items": [{"page": {"href": "https://a.example/"}, "name": "A", "says": "b"}, {"page": {"href": 7}}, {"page": {"href": "mailto:x@a.example"}}]}]}`))
	if err != nil || len(have) != 1 || have[0] != (Result{"https://a.example/", "A", "b"}) {
		t.Errorf("%v %v", have, err)
	}
	if have, err := e.read(answerOf(`{"data": [{"items": []}]}`)); err != nil || len(have) != 0 {
		t.Errorf("no results: %v %v", have, err)
	}
}
