package ground

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/strict"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// scripted is a page that only a script fills.
const scripted = `<html><head><title>App</title><script src="/bundle.js"></script></head><body><div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript></body></html>`

// renderings is a service that renders as browserless and Splash do, and a host whose pages need it.
type renderings struct {
	host, service *httptest.Server
	mu            sync.Mutex
	rendered      []string
	refused       []string // by patterns
	leaked        []string
	said          []string
}

func newRenderings(t *testing.T) *renderings {
	r := &renderings{}
	r.host = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=gbk")
		if strings.HasPrefix(q.URL.Path, "/plain") {
			fmt.Fprint(w, "<title>Plain</title><p>"+strings.Repeat("words of a page that needs no script ", 30))
			return
		}
		fmt.Fprint(w, scripted+"<!-- \xb7\xab\xb4\xac -->")
	}))
	r.service = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		// Both refuse what is none of their fields, or of another kind; so do these.
		var asked struct {
			URL                  string
			AddScriptTag         []struct{ Content string }
			GotoOptions          struct{ WaitUntil, Timeout any }
			RejectRequestPattern []string
			SetExtraHTTPHeaders  map[string]string
			HTML, Timeout        int
			Wait                 float64
			Headers              map[string]string
		}
		fields := json.NewDecoder(q.Body)
		fields.DisallowUnknownFields()
		err := fields.Decode(&asked)
		splash := q.URL.Path == "/render.json" && asked.HTML == 1 && asked.Timeout > 0
		if err != nil || q.Method != http.MethodPost || !splash && (q.URL.Path != "/content" || len(asked.AddScriptTag) != 1) {
			t.Errorf("%s %s: %v, %+v", q.Method, q.URL, err, asked)
		}
		address := asked.URL
		if r.refused = asked.RejectRequestPattern; splash {
			asked.SetExtraHTTPHeaders = asked.Headers
		}
		if name := asked.SetExtraHTTPHeaders["User-Agent"]; !strings.HasPrefix(name, "thresher") {
			t.Errorf("%s is visited as %q", address, name)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.rendered = append(r.rendered, address)
		if said := q.Header.Get("Authorization") + q.Header.Get("Cookie"); said != "" {
			r.leaked = append(r.leaked, said)
		}
		at, page := address, "<html><title>Rendered</title><p>what a script wrote: "+strings.Repeat("solar energy ", 40)
		switch {
		case strings.Contains(address, "/broken"):
			w.WriteHeader(http.StatusInternalServerError)
			return
		case strings.Contains(address, "/huge"):
			page = strings.Repeat("<p>much ", 15_000)
		case strings.Contains(address, "/away"):
			at = "http://169.254.169.254/latest/meta-data/"
		case strings.Contains(address, "/forbidden"):
			at = r.host.URL + "/private/of/others"
		case strings.Contains(address, "/nowhere"):
			at = ""
		case strings.Contains(address, "/empty"):
			page = scripted
		case strings.Contains(address, "/capital"):
			at = "http://www.example.org/capital"
		case strings.Contains(address, "/torn"):
			w.Header().Set("Content-Length", "100000")
		}
		if splash {
			if err := json.NewEncoder(w).Encode(map[string]string{"url": at, "html": page}); err != nil {
				t.Error(err)
			}
			return
		}
		if at != "" && !strings.Contains(address, "/huge") { // what the script says of the end counts more than what the service says of the answer
			page = strings.Replace(page, "<html>", `<html data-thresher-at="`+at+`">`, 1)
			at = address
		}
		w.Header().Set("X-Response-URL", at)
		fmt.Fprint(w, page)
	}))
	t.Cleanup(r.host.Close)
	t.Cleanup(r.service.Close)
	return r
}

// open opens the ground of a crawl file with that service.
func (r *renderings) open(t *testing.T, path string, pages int, clock frontier.Clock) *Ground {
	t.Helper()
	config := crawlfile.Default()
	config.Fetch.Render, config.Fetch.Private, config.Budget.Pages = r.service.URL+path, []string{"127.0.0.1"}, pages
	config.Fetch.MaxBody = strict.Size(100_000)
	config.Logins = []crawlfile.Login{{Address: r.host.URL, User: "ann", Password: "s3cr3t"}}
	g, err := Open(&config, Options{Clock: clock, Say: func(line string) { r.said = append(r.said, line) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g
}

func (r *renderings) get(t *testing.T, g *Ground, path string, h *Hope) string {
	t.Helper()
	ctx := context.Background()
	if h != nil {
		ctx = WithHope(ctx, *h)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.host.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := g.Transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	want := "gb18030"
	if strings.Contains(string(body), "what a script wrote") {
		want = "utf-8" // the service's, and the same again from an archive
	}
	if said := resp.Header.Get(wire.CharsetHeader); said != want && strings.Contains(string(body), "script") && !strings.HasPrefix(path, "/plain") {
		t.Errorf("%s is said to have been in %q, want %s", path, said, want)
	}
	return string(body)
}

// TestPromisingPagesAreRendered: by either kind of service; what needs no script, was not promising, or is no page of the crawl is not; what the
// service cannot do stays as it was; it hears no secret.
func TestPromisingPagesAreRendered(t *testing.T) {
	if !junk.Shell([]byte(scripted)) {
		t.Fatal("the page of the test needs no script")
	}
	for _, path := range []string{"/content", "/render.html"} {
		r := newRenderings(t)
		g := r.open(t, path, 1000, nil)
		start, good, bad := &Hope{Start: true}, &Hope{Score: .8}, &Hope{Score: .1}
		for _, c := range []struct {
			path     string
			hope     *Hope
			rendered bool
		}{{"/app", start, true}, {"/a", good, true}, {"/b", bad, false}, {"/plain", good, false}, {"/robots", nil, false}, {"/broken", good, false}, {"/c", good, true}} {
			said := r.get(t, g, c.path, c.hope)
			if rendered := strings.Contains(said, "what a script wrote"); rendered != c.rendered || strings.Contains(said, "data-thresher") {
				t.Errorf("%s by %s: %.80q", c.path, path, said)
			}
		}
		if said := r.get(t, g, "/huge", good); len(said) > 100_000 {
			t.Errorf("a rendered page has %d bytes", len(said))
		} else if told := strings.Join(r.said, " "); strings.Contains(said, "much") == strings.Contains(told, "a page is too large for fetch.max_body") {
			t.Errorf("of a page that is too large it said %s, and took %.80q", told, said)
		}
		if len(r.rendered) != 5 || r.rendered[0] != r.host.URL+"/app" || len(r.leaked) > 0 {
			t.Errorf("rendered were %q, and %q was told", r.rendered, r.leaked)
		}
	}
}

// TestARenderedPageEndsWhereItMayBeAsked: a script may lead a browser anywhere, and what stands there is not the page that was asked for. What
// a service cannot do is told, each thing once, and summed up; it takes nothing from the pages that may be rendered.
func TestARenderedPageEndsWhereItMayBeAsked(t *testing.T) {
	for _, path := range []string{"/content", "/render.html"} {
		r := newRenderings(t)
		g := r.open(t, path, 20, nil) // two may be rendered
		rules := robots.Parse([]byte("User-agent: *\nDisallow: /private/\n"), "thresher")
		for _, page := range []string{"/away1", "/away2", "/ok", "/forbidden", "/nowhere", "/torn", "/ok2", "/ok3"} {
			said := r.get(t, g, page, &Hope{Start: true, Rules: rules})
			if rendered := strings.Contains(said, "what a script wrote"); rendered != (page == "/ok" || page == "/ok2") {
				t.Errorf("%s by %s: %.80q", page, path, said)
			}
		}
		g.Close()
		service := strings.TrimPrefix(r.service.URL, "http://")
		want := []string{"fetch.render: " + service + ": a script led to another host; such pages are taken as they came",
			"fetch.render: " + service + ": a script led where robots.txt forbids; such pages are taken as they came",
			"fetch.render: " + service + ": it does not say at which address it ended; such pages are taken as they came",
			"fetch.render: " + service + ": its answer breaks off; such pages are taken as they came",
			"fetch.render: 2 rendered; 2 not: a script led to another host; 1 not: a script led where robots.txt forbids; 1 not: it does not say at which address it ended; 1 not: its answer breaks off"}
		if !slices.Equal(r.said, want) {
			t.Errorf("by %s it said\n%s", path, strings.Join(r.said, "\n"))
		}
	}
}

// TestAServiceThatIsAwayIsLeftAlone: three times in a row, and it is not asked for a minute.
func TestAServiceThatIsAwayIsLeftAlone(t *testing.T) {
	r := newRenderings(t)
	clock := &moves{now: time.Unix(1e9, 0)}
	g := r.open(t, "/content", 1000, clock)
	for n := range 6 {
		r.get(t, g, fmt.Sprint("/broken", n), &Hope{Start: true})
	}
	if len(r.rendered) != 3 {
		t.Errorf("it was asked %d times", len(r.rendered))
	}
	clock.now = clock.now.Add(renderRest)
	if said := r.get(t, g, "/ok", &Hope{Start: true}); !strings.Contains(said, "what a script wrote") {
		t.Errorf("a minute later: %.80q", said)
	}
	if len(r.said) != 1 || !strings.Contains(r.said[0], "it answers 500 Internal Server Error") {
		t.Errorf("it said %q", r.said)
	}
}

// TestAPageIsNotTheFaultOfItsService: where scripts lead, and what they leave empty, says nothing of the service, which is asked on; nor
// does it make up for what the service itself failed at in between.
func TestAPageIsNotTheFaultOfItsService(t *testing.T) {
	rules := robots.Parse([]byte("User-agent: *\nDisallow: /private/\n"), "thresher")
	r := newRenderings(t)
	g := r.open(t, "/content", 1000, &moves{now: time.Unix(1e9, 0)})
	for n, page := range []string{"/away", "/forbidden", "/empty", "/away", "/forbidden", "/empty"} {
		r.get(t, g, fmt.Sprint(page, n), &Hope{Start: true, Rules: rules})
	}
	if said := r.get(t, g, "/ok", &Hope{Start: true}); !strings.Contains(said, "what a script wrote") {
		t.Errorf("after pages with faults of their own a healthy service is left alone: %.80q", said)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for n := range renderTries {
		req, err := http.NewRequestWithContext(WithHope(ctx, Hope{Start: true, Rest: time.Hour}), http.MethodGet, r.host.URL+fmt.Sprint("/slow", n), nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := g.Transport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	if said := r.get(t, g, "/ok2", &Hope{Start: true}); !strings.Contains(said, "what a script wrote") {
		t.Errorf("after hosts that are to be left alone: %.80q", said)
	}
	for _, page := range []string{"/broken1", "/broken2", "/away", "/broken3"} {
		r.get(t, g, page, &Hope{Start: true})
	}
	if said := r.get(t, g, "/ok3", &Hope{Start: true}); strings.Contains(said, "what a script wrote") {
		t.Error("a service that failed three times is asked on")
	}
}

// TestABrowserIsNotToAskPrivateNetworks, as far as addresses show them, unless the crawl file lets it.
func TestABrowserIsNotToAskPrivateNetworks(t *testing.T) {
	var all []*regexp.Regexp
	for _, pattern := range privateAddresses {
		all = append(all, regexp.MustCompile(pattern))
	}
	for address, want := range map[string]bool{
		"http://169.254.169.254/latest/": true, "https://10.0.0.1:8443/": true, "http://127.0.0.1/": true, "http://172.20.1.1/": true, "http://[::1]:80/": true,
		"http://[fd00::1]/": true, "http://localhost:9200/": true, "http://app.localhost/": true, "file:///etc/passwd": true, "http://100.64.1.1/": true,
		"https://www.example.org/10.0.0.1/": false, "https://10.example.org/": false, "http://172.32.1.1/": false, "https://localhost.example.org/": false,
		"http://100.128.1.1/": false, "https://[2001:db8::1]/": false, "http://a@www.example.org/@127.0.0.1/": false, "https://www.example.org/?a@10.0.0.1": false,
		"http://x@127.0.0.1/": true, "http://x:y@localhost/": true, "http://@app.localhost.:9200/": true, "http://x@[::1]/": true, "http://[64:ff9b::a00:1]/": true,
		"http://[2002:a00:1::]/": true, "http://192.0.0.192/": true, "http://168.63.129.16/": true, "http://192.0.32.8/": false, "http://localhost.example/": false,
	} {
		if have := slices.ContainsFunc(all, func(r *regexp.Regexp) bool { return r.MatchString(address) }); have != want {
			t.Errorf("%s: refused is %v", address, have)
		}
	}
	r := newRenderings(t)
	config := crawlfile.Default()
	config.Fetch.Render = r.service.URL + "/content"
	g, err := Open(&config, Options{Transport: http.DefaultTransport})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	r.get(t, g, "/app", &Hope{Start: true})
	if !slices.Equal(r.refused, privateAddresses) {
		t.Errorf("refused are %q", r.refused)
	}
}

// TestABrowserWritesAddressesInItsOwnWay: in small letters, and without a port that goes without saying.
func TestABrowserWritesAddressesInItsOwnWay(t *testing.T) {
	r := newRenderings(t)
	config := crawlfile.Default()
	config.Fetch.Render = r.service.URL + "/render.json"
	g, err := Open(&config, Options{Transport: shells{}})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	r.host.URL = "http://WWW.Example.org:80"
	if body := r.get(t, g, "/capital", &Hope{Start: true}); !strings.Contains(body, "what a script wrote") {
		t.Errorf("%.80q", body)
	}
}

// shells are pages that need a script, at any address.
type shells struct{}

func (shells) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/html"}}, Body: io.NopCloser(strings.NewReader(scripted)), Request: r}, nil
}

// moves is a clock that the test sets.
type moves struct{ now time.Time }

func (m *moves) Now() time.Time { return m.now }

func (m *moves) After(time.Duration) (<-chan time.Time, func()) {
	due := make(chan time.Time, 1)
	due <- m.now
	return due, func() {}
}

// TestATenthOfTheBudgetIsRendered, and not more.
func TestATenthOfTheBudgetIsRendered(t *testing.T) {
	for budget, want := range map[int]int{40: 4, 5: 1, 0: 3} { // without a budget a tenth of the pages that were asked for
		r := newRenderings(t)
		g := r.open(t, "/content", budget, nil)
		for n := range 30 {
			r.get(t, g, fmt.Sprint("/app", n), &Hope{Start: true})
		}
		if len(r.rendered) != want {
			t.Errorf("with a budget of %d pages %d were rendered, want %d", budget, len(r.rendered), want)
		}
	}
}

// TestAHostIsLeftAloneBeforeItIsRendered: the service is a visitor of the host as any other. Who gives up meanwhile has the page as it came.
func TestAHostIsLeftAloneBeforeItIsRendered(t *testing.T) {
	r := newRenderings(t)
	clock := waits{make(chan time.Duration), make(chan time.Time)}
	g := r.open(t, "/content", 100, clock)
	said := make(chan string)
	go func() { said <- r.get(t, g, "/app", &Hope{Start: true, Rest: 7 * time.Second}) }()
	if asked := <-clock.asked; asked != 7*time.Second || len(r.rendered) != 0 {
		t.Errorf("it waits for %v, and %q were rendered", asked, r.rendered)
	}
	clock.due <- time.Time{}
	if body := <-said; !strings.Contains(body, "what a script wrote") {
		t.Errorf("%.80q", body)
	}
}

// waits is a clock on which the test says when a wait is over.
type waits struct {
	asked chan time.Duration
	due   chan time.Time
}

func (waits) Now() time.Time { return time.Unix(1e9, 0) }
func (w waits) After(d time.Duration) (<-chan time.Time, func()) {
	w.asked <- d
	return w.due, func() {}
}

// TestOneWayOnly: proxies beside a transport that a program has brought along would be used by nobody, which is refused.
func TestOneWayOnly(t *testing.T) {
	config := crawlfile.Default()
	config.Fetch.Proxies = []string{"http://proxy.example:3128"}
	for _, o := range []Options{{Transport: http.DefaultTransport}, {Brought: &http.Transport{}}} {
		if g, err := Open(&config, o); err == nil || !strings.Contains(err.Error(), "fetch.proxies: the program has a transport or proxy of its own") {
			t.Errorf("%v, %v", g, err)
		}
	}
}

// What the environment says of proxies counts for a way of our own alone: a program that has one has read it as it likes.
func TestTheEnvironmentIsNotForAProgramsOwnWay(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://me:p%s@proxy.example:3128")
	config := crawlfile.Default()
	if g, err := Open(&config, Options{}); err == nil || !strings.Contains(err.Error(), "HTTP_PROXY of the environment is no address") {
		t.Errorf("%v, %v", g, err)
	}
	for _, o := range []Options{{Transport: http.DefaultTransport}, {Brought: &http.Transport{}}} {
		g, err := Open(&config, o)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	}
}
