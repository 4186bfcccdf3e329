package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/ask"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/index"
	"github.com/thresher-crawler/thresher/focus/replay"
)

// askable is a server that asks a recorded web by real crawls, whose pages come one by one as the gate is opened. The harvest
// that it begins with is that of served.
func askable(t *testing.T) (*Server, *gate) {
	t.Helper()
	s := served(t, "127.0.0.1:7700")
	web, err := replay.Open(filepath.Join("..", "..", "testdata", "webs", "quickstart"))
	noError(t, err)
	t.Cleanup(func() { web.Close() })
	g := &gate{next: web, may: make(chan struct{}, 10_000)}
	all := s.o.Collections()
	var mu sync.Mutex
	s.o.Collections = func() []*index.Collection {
		mu.Lock()
		defer mu.Unlock()
		return all
	}
	below := t.TempDir()
	find := func(ctx context.Context, q Question, show func(bool, ask.Known) error) (got Answered, err error) {
		config, err := focus.Load(filepath.Join("..", "..", "configs", "quickstart.yaml"), crawlfile.Override{Key: "web", Value: ""},
			crawlfile.Override{Key: "polite.contact", Value: "you@example.org"}, crawlfile.Override{Key: "polite.robots", Value: "ignore"},
			crawlfile.Override{Key: "polite.parallel", Value: "1"}, crawlfile.Override{Key: "polite.per_host", Value: "1"},
			crawlfile.Override{Key: "fetch.timeout", Value: "10m"}, crawlfile.Override{Key: "fetch.answer", Value: "10m"})
		if err != nil {
			return got, err
		}
		// One page at a time: which pages come first is no chance then, and those that the gate lets through hold an answer. What a run
		// knows of the question is where it begins; the start pages of the file are English.
		config.Seeds = append(config.Seeds, "http://www.qiyuan.test/")
		plan, err := ask.Make(ctx, config, nil, q.Text, filepath.Join(below, filepath.Base(ask.Folder(config.Name, q.Text))), q.Pages)
		if err != nil {
			return got, err
		}
		c, err := focus.New(ctx, plan.Config, focus.Transport(g), focus.Logger(slog.New(slog.NewTextHandler(io.Discard, nil))))
		if err != nil {
			return got, err
		}
		if err := show(false, ask.Known{URL: "http://tea.test/zh", Title: "西湖龙井茶的采摘", Relevance: .4}); err != nil {
			return got, err
		}
		c.OnDone(func(v *focus.Visit) {
			if v.Kept {
				_ = show(true, ask.Known{URL: v.Item.URL, Title: v.Page.Title, Relevance: v.Judgement.Relevance})
			}
		})
		report, err := c.Run(ctx)
		got.Fetched = report.Counts.Pages
		if err != nil || got.Fetched == 0 {
			return got, err
		}
		found, err := index.Open(plan.Config.Store, index.Options{})
		if err != nil {
			return got, err
		}
		t.Cleanup(func() { found.Close() })
		_, err = found.Update(context.WithoutCancel(ctx))
		mu.Lock()
		defer mu.Unlock()
		all = append(all[:1:1], found)
		got.Collection = found.Name()
		return got, err
	}
	s.o.Ask = Asking{Of: []string{"tea"}, Ask: find}
	t.Cleanup(func() { s.end(); s.work.Wait() })
	return s, g
}

// TestOnlyOursAsks holds who may have the web asked, and what is said of what cannot be.
func TestOnlyOursAsks(t *testing.T) {
	s, asked := served(t, "127.0.0.1:7700"), 0
	going := make(chan struct{})
	s.o.Ask = Asking{Of: []string{"tea"}, Ask: func(ctx context.Context, q Question, _ func(bool, ask.Known) error) (Answered, error) {
		asked++
		going <- struct{}{}
		<-ctx.Done()
		return Answered{Fetched: asked}, errors.New("it was given up")
	}}
	shows := served(t, "127.0.0.1:7700")
	shows.o.Ask, shows.o.ReadOnly = s.o.Ask, true
	for _, path := range []string{"/", "/runs"} {
		for c, want := range map[*Server]bool{s: true, shows: false, served(t, "127.0.0.1:7700"): false} {
			if has := strings.Contains(got(c, path).Body.String(), `href="ask"`); has != want {
				t.Errorf("%s leads to questions: %v, want %v", path, has, want)
			}
		}
	}
	form := url.Values{"q": {"who won?"}}
	for _, c := range []struct {
		name   string
		s      *Server
		form   url.Values
		change []func(*http.Request)
		want   int
	}{
		{"a stranger's page", s, form, []func(*http.Request){header("Origin", "http://evil.test")}, http.StatusForbidden},
		{"a page without origin", s, form, []func(*http.Request){header("Origin", "null")}, http.StatusForbidden},
		{"a stranger's form", s, form, []func(*http.Request){header("Sec-Fetch-Site", "cross-site"), header("Sec-Fetch-Mode", "navigate"), header("Sec-Fetch-Dest", "document")}, http.StatusForbidden},
		{"another name", s, form, []func(*http.Request){func(r *http.Request) { r.Host = "evil.test" }}, http.StatusMisdirectedRequest},
		{"read-only", shows, form, nil, http.StatusForbidden},
		{"without --ask", served(t, "127.0.0.1:7700"), form, nil, http.StatusForbidden},
		{"nothing asked", s, url.Values{"q": {" "}}, nil, http.StatusBadRequest},
		{"a long question", s, url.Values{"q": {strings.Repeat("为", 301)}}, nil, http.StatusBadRequest},
		{"too many pages", s, url.Values{"q": {"x"}, "pages": {"1001"}}, nil, http.StatusBadRequest},
		{"no time", s, url.Values{"q": {"x"}, "seconds": {"0"}}, nil, http.StatusBadRequest},
		{"another collection", s, url.Values{"q": {"x"}, "c": {"other"}}, nil, http.StatusBadRequest},
	} {
		for _, target := range []string{"/ask", "/api/v1/ask"} {
			if w := posted(c.s, target, c.form, c.change...); w.Code != c.want {
				t.Errorf("%s: %s answers %d %s, want %d", c.name, target, w.Code, w.Body, c.want)
			}
		}
	}
	if w := got(shows, "/ask"); len(shows.questions.list()) > 0 || asked > 0 || strings.Contains(got(shows, "/?q=oolong").Body.String(), `action="ask"`) {
		t.Errorf("a server that only shows offers to ask: %d", w.Code)
	}
	w := posted(s, "/ask", form)
	at := w.Header().Get("Location")
	if w.Code != http.StatusSeeOther || !strings.HasPrefix(at, "/ask/") {
		t.Fatalf("asked: %d %s", w.Code, w.Body)
	}
	<-going
	if w := posted(s, "/ask", url.Values{"q": {"Who  won?"}}); w.Header().Get("Location") != at {
		t.Errorf("the same question: %d, want the one that is under way", w.Code)
	}
	if w := posted(s, "/ask", url.Values{"q": {"who lost?"}}); w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), `href="`+at[1:]+`"`) || !strings.Contains(w.Body.String(), "who lost?") {
		t.Errorf("another question meanwhile: %d %s", w.Code, w.Body)
	}
	if w := posted(s, "/api/v1"+at, url.Values{"do": {"stop"}}); w.Code != http.StatusOK {
		t.Errorf("stopped: %d", w.Code)
	}
	s.work.Wait()
	var v askedView
	if err := json.Unmarshal(got(s, "/api/v1"+at).Body.Bytes(), &v); err != nil || v.State != stopped || v.Failed != "" || asked != 1 {
		t.Errorf("%+v, asked %d times (%v)", v, asked, err)
	}
	for _, target := range []string{"/ask/other", "/api/v1/ask/other", "/ask/other/live", "/api/v1/ask/other/events"} {
		if w := got(s, target); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
}

// TestAnswersStream: what is known is told at once, what is found as soon as it is judged, and the end at the end; then it is searched.
func TestAnswersStream(t *testing.T) {
	s, g := askable(t)
	server := httptest.NewServer(s)
	defer server.Close()
	var begun struct{ ID, Events, Page string }
	if w := posted(s, "/api/v1/ask", url.Values{"q": {"sailing regatta in the harbour"}, "pages": {"12"}}); json.Unmarshal(w.Body.Bytes(), &begun) != nil || begun.ID == "" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	response, err := (&http.Client{Timeout: time.Minute}).Get(server.URL + begun.Events)
	noError(t, err)
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	event := func() (name, data string) {
		for lines.Scan() {
			if rest, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				name = rest
			}
			if rest, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				return name, rest
			}
		}
		t.Fatalf("the stream ended: %v", lines.Err())
		return "", ""
	}
	if name, data := event(); name != "known" || !strings.Contains(data, "http://tea.test/zh") {
		t.Errorf("first came %s %s", name, data)
	}
	g.open(11) // of twelve: what comes now comes while it is asked
	if name, data := event(); name != "found" || !strings.Contains(data, `"relevance"`) {
		t.Errorf("then came %s %s", name, data)
	}
	var v askedView
	if err := json.Unmarshal(got(s, "/api/v1/ask/"+begun.ID).Body.Bytes(), &v); err != nil || v.State != underWay || len(v.Found) == 0 {
		t.Errorf("%+v (%v), want a question that is under way", v, err)
	}
	g.open(100)
	name, data := event()
	found := 1
	for ; name == "found"; name, data = event() {
		found++
	}
	if err := json.Unmarshal([]byte(data), &v); err != nil || name != "end" || v.State != answers || v.Fetched != 12 || !strings.HasPrefix(v.Answered.Collection, "ask-sailing-regatta-") {
		t.Errorf("%s %s (%v)", name, data, err)
	}
	var reply index.Reply
	if w := got(s, "/api/v1/search?q=sailing+regatta&c="+v.Answered.Collection); json.Unmarshal(w.Body.Bytes(), &reply) != nil || reply.Total == 0 || reply.Total > found {
		t.Errorf("%d of %d answers are found again: %s", reply.Total, found, w.Body)
	}
	if json.Unmarshal(got(s, "/api/v1/search?q=sailing").Body.Bytes(), &reply) != nil || reply.Total == 0 {
		t.Error("answers are not searched with the rest")
	}
	if w := got(s, "/?q=x&c=nowhere"); w.Code != http.StatusNotFound {
		t.Errorf("a collection that is not there: %d", w.Code)
	}
}

// TestAskInABrowser asks the web in a real browser: from a search that found nothing, answers appear on the page while the crawl
// goes on, it is stopped with the mouse, and what was found is searched. Without JavaScript the page says the same.
func TestAskInABrowser(t *testing.T) {
	b := newBrowser(t)
	s, g := askable(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	serving, end := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(serving, l) }()
	defer func() {
		end()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	at := "http://" + l.Addr().String()
	seen := func(what, condition string) {
		t.Helper()
		if _, err := chromedp.Run(b.ctx, chromedp.Poll[bool](condition)); err != nil {
			t.Fatalf("waited in vain for %s (%v): %s; the questions are %s", what, err, b.read(chromedp.Text("main")), got(s, "/api/v1/ask").Body)
		}
	}
	for _, c := range []struct{ language, question, button, known, search string }{
		{"en", "sailing regatta in the harbour", "Ask the web for it", "The harvest had", "Search these answers"},
		{"zh", "围棋", "到网上寻找", "采集结果中已有", "在这些答案中搜索"},
	} {
		b.speaks(c.language)
		b.shows("light", 1440)
		b.do(chromedp.Navigate(at+"/?q="+url.QueryEscape(c.question)), chromedp.WaitVisible(".askthis button"))
		if button := b.read(chromedp.Text(".askthis button")); button != c.button {
			t.Errorf("the button says %q, want %s", button, c.button)
		}
		b.do(chromedp.Click(".askthis button"), chromedp.WaitVisible("button[value=stop]"))
		seen("what is known", `document.querySelector("#known li") !== null && document.querySelector("#known h2").textContent === "`+c.known+`"`)
		if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`window.same = true`)); err != nil {
			t.Fatal(err)
		}
		g.open(40)
		seen("an answer while it is asked", `document.querySelector("#found li a") !== null && document.querySelector("button[value=stop]") !== null`)
		b.pictures(at, c.language, map[string]string{"asking": "/ask/" + s.questions.list()[0].ID, "ask": "/ask", "nothing-ask": "/?q=qqqq"})
		b.do(chromedp.Navigate(at+"/ask/"+s.questions.list()[0].ID), chromedp.WaitVisible("button[value=stop]"))
		for { // what stands on the page is drawn anew meanwhile: the button that was found may be gone before it is clicked
			err := chromedp.Do(b.ctx, chromedp.Click("button[value=stop]"))
			if err == nil {
				break
			}
			if !strings.Contains(err.Error(), "Could not find node") {
				t.Fatal(err)
			}
		}
		seen("the end", `document.querySelector("#asked .badge").className.includes("stopped") && document.querySelector("#asked a").textContent === "`+c.search+`"`)
		b.pictures(at, c.language, map[string]string{"answered": "/ask/" + s.questions.list()[0].ID})
		b.do(chromedp.Navigate(at+"/ask/"+s.questions.list()[0].ID), chromedp.Click("#asked a"), chromedp.WaitVisible(".results"))
		if only := b.read(chromedp.Text(".note")); !strings.Contains(only, "ask-") {
			t.Errorf("what is searched is %q", only)
		}
		for len(g.may) > 0 {
			<-g.may
		}
	}
}
