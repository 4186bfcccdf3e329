package ground

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// scripted is a page that only a script fills.
const scripted = `<html><head><title>App</title><script src="/bundle.js"></script></head><body><div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript></body></html>`

// renderings is a service that renders as browserless and Splash do, and a host whose pages need it.
type renderings struct {
	host, service *httptest.Server
	mu            sync.Mutex
	rendered      []string
	leaked        []string
}

func newRenderings(t *testing.T) *renderings {
	r := &renderings{}
	r.host = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if strings.HasPrefix(q.URL.Path, "/plain") {
			fmt.Fprint(w, "<title>Plain</title><p>"+strings.Repeat("words of a page that needs no script ", 30))
			return
		}
		fmt.Fprint(w, scripted)
	}))
	r.service = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		address := q.URL.Query().Get("url")
		if q.URL.Path == "/content" {
			var asked struct{ URL string }
			if err := json.NewDecoder(q.Body).Decode(&asked); err != nil || q.Method != http.MethodPost {
				t.Errorf("%s: %v", q.Method, err)
			}
			address = asked.URL
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.rendered = append(r.rendered, address)
		if said := q.Header.Get("Authorization") + q.Header.Get("Cookie"); said != "" {
			r.leaked = append(r.leaked, said)
		}
		switch {
		case strings.Contains(address, "/broken"):
			w.WriteHeader(http.StatusInternalServerError)
		case strings.Contains(address, "/huge"):
			w.Write([]byte(strings.Repeat("<p>much ", 1<<20)))
		default:
			fmt.Fprintf(w, "<title>Rendered</title><p>what a script wrote: %s", strings.Repeat("solar energy ", 40))
		}
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
	g, err := Open(&config, Options{Clock: clock})
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
			if rendered := strings.Contains(said, "what a script wrote"); rendered != c.rendered {
				t.Errorf("%s by %s: %.80q", c.path, path, said)
			}
		}
		if said := r.get(t, g, "/huge", good); len(said) > 100_000 {
			t.Errorf("a rendered page has %d bytes", len(said))
		}
		if len(r.rendered) != 5 || r.rendered[0] != r.host.URL+"/app" || len(r.leaked) > 0 {
			t.Errorf("rendered were %q, and %q was told", r.rendered, r.leaked)
		}
	}
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
