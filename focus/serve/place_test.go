package serve

import (
	"context"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"golang.org/x/net/html"

	"github.com/thresher-crawler/thresher/focus/ask"
	"github.com/thresher-crawler/thresher/focus/watch"
)

// below is a server behind one that hands on what is asked below /find/, and takes that off. Whatever else is asked is strayed.
type below struct {
	*httptest.Server
	mu      sync.Mutex
	strayed []string
	seen    map[string]bool // the parts of the server that have answered
}

func servedBelow(t *testing.T, s *Server) *below {
	b := &below{seen: map[string]bool{}}
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		inner, ours := strings.CutPrefix(r.URL.EscapedPath(), "/find/")
		if !ours {
			b.mu.Lock()
			b.strayed = append(b.strayed, r.Method+" "+r.URL.Path)
			b.mu.Unlock()
			http.NotFound(w, r)
			return
		}
		handed := r.Clone(r.Context())
		handed.URL, _ = url.ParseRequestURI("/" + inner)
		handed.URL.RawQuery = r.URL.RawQuery
		defer func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.seen[handed.Pattern] = true
		}()
		s.ServeHTTP(w, handed)
	}))
	t.Cleanup(func() { s.end(); b.CloseClientConnections(); b.Close() })
	return b
}

// stays ends the test where something was asked elsewhere.
func (b *below) stays(t *testing.T) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, path := range slices.DeleteFunc(b.strayed, func(at string) bool { return at == "GET /favicon.ico" }) {
		t.Errorf("%s is asked, outside", path)
	}
}

// placedAnywhere is a server with everything that one can have, and an answer that has been asked for.
func placedAnywhere(t *testing.T) *Server {
	s, _ := taught(t, Options{Begin: func(context.Context, *Topic) (string, error) { return "", errNoRun },
		Ask: Asking{Of: []string{"tea"}, Ask: func(_ context.Context, _ Question, show func(bool, ask.Known) error) (Answered, error) {
			return Answered{Collection: "tea"}, show(false, ask.Known{URL: "http://fairwind.test/s0/", Title: "On the Water"})
		}}})
	t.Cleanup(s.work.Wait)
	return s
}

// leading are the attributes that lead a browser somewhere.
var leading = []string{"href", "src", "action", "data-live", "formaction", "poster", "data"}

// linked are the addresses on a page, resolved as a browser does it.
func linked(t *testing.T, at *url.URL, page io.Reader) (all []*url.URL) {
	root, err := html.Parse(page)
	noError(t, err)
	base, copied := at, strings.HasSuffix(at.Path, "/copy")
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			if !slices.Contains(leading, a.Key) || a.Val == "" {
				continue
			}
			to, err := base.Parse(a.Val)
			noError(t, err)
			if n.Data == "base" && !copied {
				base = to
			}
			if !copied || n.Data == "link" { // the others of a copy are its page's own
				all = append(all, to)
			}
		}
	}
	return all
}

// TestItStandsAnywhere follows every link, form and stream of every page from below a prefix, and none leads out of it.
func TestItStandsAnywhere(t *testing.T) {
	s := placedAnywhere(t)
	b := servedBelow(t, s)
	asked, err := http.PostForm(b.URL+"/find/ask", url.Values{"q": {"sailing"}})
	noError(t, err)
	asked.Body.Close()
	home, err := url.Parse(b.URL + "/find/?q=sailing")
	noError(t, err)
	waiting, known := []*url.URL{home}, map[string]bool{}
	for _, at := range []string{"", "api/v1", "runs/tea/label?from=finds", "runs/tea/label?from=near", "runs/tea", "feed"} {
		to, _ := home.Parse("/find/" + at)
		waiting = append(waiting, to)
	}
	for len(waiting) > 0 {
		at := waiting[0]
		waiting = waiting[1:]
		kind := at.Path + "?" + strings.Join(slices.Sorted(func(yield func(string) bool) {
			for name := range at.Query() {
				if !yield(name) {
					return
				}
			}
		}), "&")
		if known[kind] && at.Path != "/find/runs/tea/label" || known[at.String()] || at.Host != home.Host {
			continue
		}
		known[kind], known[at.String()] = true, true
		waiting = append(waiting, b.follow(t, at)...)
	}
	b.stays(t)
	for _, part := range []string{"/{$}", "/like", "/page", "/copy", "/feed", "/assets/", "/assets/style.css", "GET /runs", "GET /runs/{name}", "GET /runs/{name}/live", "GET /runs/{name}/label",
		"GET /new", "GET /ask", "POST /ask", "GET /ask/{id}", "/api/v1/{$}"} {
		if !b.seen[part] {
			t.Errorf("nothing led to %s: %v", part, b.seen)
		}
	}
}

// follow is where a page leads. A form that is sent has its address in the API, too.
func (b *below) follow(t *testing.T, at *url.URL) []*url.URL {
	t.Helper()
	w, err := http.Get(at.String())
	noError(t, err)
	defer w.Body.Close()
	if w.StatusCode != http.StatusOK {
		t.Errorf("%s: %s", at, w.Status)
	}
	if !strings.HasPrefix(w.Header.Get("Content-Type"), "text/html") {
		return nil
	}
	return linked(t, w.Request.URL, w.Body)
}

// TestScriptsStayWhereTheyAre: no script asks for anything from the root of a name.
func TestScriptsStayWhereTheyAre(t *testing.T) {
	rooted := regexp.MustCompile("[\"'`]/[a-z]")
	for _, files := range []fs.FS{assets, watch.Assets} {
		noError(t, fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			raw, err := fs.ReadFile(files, path)
			if at := rooted.Find(raw); at != nil && !strings.HasSuffix(path, ".html") || rooted.MatchString(strings.Join(regexp.MustCompile(`(?:href|src|action|data-live)="/\w`).FindAllString(string(raw), -1), "")) {
				t.Errorf("%s asks for %s", path, at)
			}
			return err
		}))
	}
}

// TestRedirectsStayWhereTheyAre: what leads elsewhere does so from where the server stands, be it asked in an odd way.
func TestRedirectsStayWhereTheyAre(t *testing.T) {
	s := served(t, "0.0.0.0:7700")
	for target, want := range map[string]string{"/": "./", "/?q=tea&": "./?q=tea", "/runs/tea/label": "../../runs/tea/label", "//evil.test/x": "../../evil.test/x", `/\evil.test`: "./evil.test"} {
		and := "?"
		if strings.Contains(target, "?") {
			and = ""
		}
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, target+and+"token="+s.Token, nil)
		if s.ServeHTTP(w, r); w.Header().Get("Location") != want {
			t.Errorf("%s leads to %q, want %q", target, w.Header().Get("Location"), want)
		}
	}
}

// TestInABrowserBelowAPrefix clicks through pages behind a proxy: a search, what completes it, a label by a key, and the answers to a question.
func TestInABrowserBelowAPrefix(t *testing.T) {
	b := newBrowser(t)
	s := placedAnywhere(t)
	at := servedBelow(t, s)
	b.do(chromedp.Navigate(at.URL+"/find/"), chromedp.SendKeys(`input[name=q]`, "saili"))
	b.sees("a completion", `document.querySelector("#completions option") !== null`)
	b.do(chromedp.SendKeys(`input[name=q]`, "ng\r"), chromedp.WaitVisible(`.results li`))
	b.clicks(`.results li a[href^=like]`)
	b.do(chromedp.WaitVisible(`h1.like`))
	b.clicks(`.sort a:last-of-type`)
	b.sees("the latest of those that are like it", `location.pathname === "/find/like" && document.querySelector(".sort a:last-of-type[aria-current]") !== null`)
	b.clicks(`header a[href=runs]`)
	b.clicks(`th a[href="runs/tea"]`)
	b.do(chromedp.WaitVisible(`#figures`))
	b.clicks(`a[href="runs/tea/label"]`)
	b.do(chromedp.WaitVisible(`#answer`), chromedp.KeyEvent("y"))
	b.sees("the label", `location.pathname === "/find/runs/tea/label" && document.getElementById("said").textContent.includes("written down")`)
	b.sees("our style", `getComputedStyle(document.querySelector("main")).maxWidth !== "none"`)
	b.do(chromedp.Navigate(at.URL+"/find/ask"), chromedp.SendKeys(`input[name=q]`, "sailing\r"), chromedp.WaitVisible(`#known li`))
	b.clicks(`a[href^="./?"]`)
	b.do(chromedp.WaitVisible(`.results li`))
	at.stays(t)
}

// TestWhatAProxyDoesWrongIsTold: who is refused because of how a proxy hands things on hears what it is to do.
func TestWhatAProxyDoesWrongIsTold(t *testing.T) {
	s := served(t, "127.0.0.1:7700")
	for told, change := range map[string]func(*http.Request){
		"call it 127.0.0.1:7700 (Host)":                            func(r *http.Request) { r.Host = "search.test" },
		"say by what name it was called itself (X-Forwarded-Host)": header("Origin", "http://search.test"),
	} {
		if w := got(s, "/", change); w.Code < 400 || !strings.Contains(w.Body.String(), told) {
			t.Errorf("%d %s, want %q", w.Code, w.Body, told)
		}
	}
}

// TestStreamsAreNotHeldBack: a proxy that collects answers before it hands them on is told to leave streams alone.
func TestStreamsAreNotHeldBack(t *testing.T) {
	server := servedBelow(t, placedAnywhere(t))
	for _, at := range []string{"/find/runs/tea/live", "/find/api/v1/runs/tea/events"} {
		w, err := http.Get(server.URL + at)
		noError(t, err)
		w.Body.Close()
		if w.Header.Get("X-Accel-Buffering") != "no" {
			t.Errorf("%s: %v", at, w.Header)
		}
	}
}
