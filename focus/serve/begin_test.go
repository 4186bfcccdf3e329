package serve

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/index"
)

// beginner is a server that begins crawls of the small web, in this process.
func beginner(t *testing.T, o Options) *Server {
	t.Helper()
	below := t.TempDir()
	var mu sync.Mutex
	var begun []string
	ended := make(chan error, 1)
	o.Listen, o.Runs, o.Collections = "127.0.0.1:7700", func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(begun)
	}, func() []*index.Collection { return nil }
	o.Begin = func(_ context.Context, topic *Topic) (string, error) {
		if topic.Name == "taken" {
			return "", errors.New("there is a run in runs/taken already")
		}
		if topic.Language != "auto" {
			t.Errorf("the language is %q where nobody names one, want auto", topic.Language)
		}
		dir := filepath.Join(below, topic.Name)
		config, err := focus.Load(filepath.Join("..", "..", "configs", "quickstart.yaml"), crawlfile.Override{Key: "store", Value: dir}, crawlfile.Override{Key: "budget.pages", Value: strconv.Itoa(topic.Pages)})
		if err != nil {
			return "", err
		}
		c, err := focus.New(context.Background(), config)
		if err != nil {
			return "", err
		}
		mu.Lock()
		begun = append(begun, dir)
		mu.Unlock()
		go func() { _, err := c.Run(context.Background()); ended <- err }()
		t.Cleanup(func() {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
		return dir, nil
	}
	s, err := New(o)
	noError(t, err)
	return s
}

// TestATopicIsBegun holds who may begin one, and what is said of one that cannot be begun.
func TestATopicIsBegun(t *testing.T) {
	s := beginner(t, Options{})
	if w := got(s, "/runs"); !strings.Contains(w.Body.String(), `href="new"`) {
		t.Errorf("there is no way to begin a topic: %s", w.Body)
	}
	form := url.Values{"name": {"taken"}, "terms": {"<b>tea</b>"}, "pages": {"50"}}
	if w := posted(s, "/new", form); w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), "runs/taken already") || !strings.Contains(w.Body.String(), `value="&lt;b&gt;tea&lt;/b&gt;"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	shows, err := New(Options{Listen: "127.0.0.1:7700"})
	noError(t, err)
	good := url.Values{"name": {"mine"}, "pages": {"30"}}
	for name, c := range map[string]struct {
		s      *Server
		form   url.Values
		change func(*http.Request)
		want   int
	}{
		"nothing is started": {shows, good, nil, http.StatusNotFound},
		"only shown":         {beginner(t, Options{ReadOnly: true}), good, nil, http.StatusForbidden},
		"a stranger's page":  {s, good, header("Origin", "http://evil.test"), http.StatusForbidden},
		"no name":            {s, url.Values{"pages": {"50"}}, nil, http.StatusBadRequest},
		"no number":          {s, url.Values{"name": {"mine"}, "pages": {"-3"}}, nil, http.StatusBadRequest},
		"begun, at the last": {s, good, header("Origin", "http://127.0.0.1:7700"), http.StatusOK},
	} {
		change := c.change
		if change == nil {
			change = func(*http.Request) {}
		}
		if w := posted(c.s, "/api/v1/new", c.form, change); w.Code != c.want || c.want == http.StatusOK && !strings.Contains(w.Body.String(), `"mine"`) {
			t.Errorf("%s: %d %s, want %d", name, w.Code, w.Body, c.want)
		}
	}
}

// TestATopicIsBegunInABrowser begins one with the mouse, and watches its crawl to the end.
func TestATopicIsBegunInABrowser(t *testing.T) {
	b := newBrowser(t)
	server := opened(t, beginner(t, Options{}))
	b.do(chromedp.Navigate(server.URL+"/runs"), chromedp.Click("a.begin"), chromedp.WaitVisible("form.topic"),
		chromedp.SendKeys("input[name=name]", "boats"), chromedp.SendKeys("input[name=terms]", "sailing,yacht"), chromedp.SendKeys("textarea", "http://daily.test/"),
		chromedp.SetValue("input[name=pages]", "60"), chromedp.Click("form.topic button"), chromedp.WaitVisible(".badge.finished"))
	if title := b.read(chromedp.Text("h1")); title != "quickstart" {
		t.Errorf("the page is about %q", title)
	}
	if pages := b.read(chromedp.Text("#figures dd")); !strings.HasPrefix(pages, "60") {
		t.Errorf("%q pages, want 60", pages)
	}
	b.bothPictures(server.URL, map[string]string{"new": "/new", "runs-begun": "/runs"})
}
