package focus_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/storage"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/frontier"
)

// A Visit is lost in no callback, of a crawl or of a queue: not where there is no page, nor where the request was aborted for it.
func TestVisitsOfEveryCallbackAreMade(t *testing.T) {
	home := solarPages()["/"] + `<a href="/gone">gone</a> <a href="/data.json">data</a> <a href="/other">other</a> <a href="/third">third</a>`
	crawls := map[string]func(c *colly.Collector, s *site, more func()) error{
		"a crawl": func(c *colly.Collector, s *site, more func()) error {
			file := filepath.Join(t.TempDir(), "solar.yaml")
			text := fmt.Sprintf("name: solar\nseeds: [%s/]\ntopic: {terms: [solar, energy], threshold: 0.1}\nstrategy: shark\nstore: %s\npolite: {contact: you@example.org, delay: 0s}\nmin_free: 0\nfetch: {private: [127.0.0.0/8]}\n",
				s.URL, filepath.ToSlash(filepath.Join(t.TempDir(), "run")))
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				return err
			}
			crawl, err := focus.AttachFile(t.Context(), c, file)
			if err != nil {
				return err
			}
			more()
			_, err = crawl.Run(t.Context())
			return err
		},
		"a queue": func(c *colly.Collector, s *site, more func()) error {
			waiting := frontier.NewMemory(frontier.Manners{})
			steps, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree))
			if err != nil {
				return err
			}
			more()
			if _, _, err := steps.Seed(s.URL + "/"); err != nil {
				return err
			}
			return newQueue(t, 2, waiting).Run(c)
		},
	}
	for name, crawl := range crawls {
		t.Run(name, func(t *testing.T) {
			pages := solarPages()
			pages["/"], pages["/data.json"] = home, `{"next": "/from-data"}`
			s, c := newSite(t, pages), colly.NewCollector()
			inPlaceOf := func(path string) {
				c.OnRequest(func(r *colly.Request) {
					if r.URL.Path == path {
						r.Abort()
						r.Visit("/in-place-of" + path)
					}
				})
			}
			inPlaceOf("/other")
			c.OnRequest(func(r *colly.Request) {
				if r.URL.Path == "/solar" {
					r.Visit("/beside-it")
				}
			})
			c.OnResponse(func(r *colly.Response) {
				if strings.HasSuffix(r.Request.URL.Path, ".json") {
					r.Request.Visit("/from-data")
				}
			})
			c.OnHTML("title", func(e *colly.HTMLElement) { e.Request.Visit("/from-html") })
			after := func() {
				inPlaceOf("/third")
				c.OnError(func(r *colly.Response, _ error) {
					if r.Request.URL.Path == "/gone" {
						r.Request.Visit("/from-an-error")
					}
				})
			}
			if err := crawl(c, s, after); err != nil {
				t.Fatal(err)
			}
			asked := slices.DeleteFunc(s.requests(), func(path string) bool { return path == "/robots.txt" })
			if slices.Sort(asked); len(slices.Compact(slices.Clone(asked))) != len(asked) {
				t.Errorf("asked for twice: %v", asked)
			}
			for _, path := range []string{"/in-place-of/other", "/in-place-of/third", "/solar", "/beside-it", "/from-an-error", "/from-data", "/from-html"} {
				if !slices.Contains(asked, path) {
					t.Errorf("%s was not asked for: %v", path, asked)
				}
			}
			for _, path := range []string{"/other", "/third"} {
				if slices.Contains(asked, path) {
					t.Errorf("%s was aborted, and was asked for", path)
				}
			}
		})
	}
}

// What a program asks for itself by another method than GET is not the crawl's: a login before the queue runs is made, and led on. So is
// what clones ask for; one made before Attach asks once. What the queue asks for is the crawl's, by whichever method: it is not led on.
// A collector is good for one crawl; an option that is nil is none, and a hook that panics is told to the logger.
func TestAttachLeavesAProgramItsOwnRequests(t *testing.T) {
	pages := solarPages()
	pages["/login"], pages["/home"], pages["/form"], pages["/far"], pages["/details"] = "-> /home", "welcome", "-> /panel", "-> /details", "details"
	s, c, waiting := newSite(t, pages), colly.NewCollector(), frontier.NewMemory(frontier.Manners{})
	var log strings.Builder
	before := c.Clone()
	steps, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree), nil, focus.Logger(slog.New(slog.NewTextHandler(&log, nil))))
	if err != nil {
		t.Fatal(err)
	}
	if focus.VisitOf(nil) != nil {
		t.Error("there is a visit without a context")
	}
	if _, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree)); err == nil || !strings.Contains(err.Error(), "belongs to a crawl already") {
		t.Errorf("a second Attach: %v", err)
	}
	if err := c.Post(s.URL+"/login", map[string]string{"name": "me"}); err != nil {
		t.Error(err)
	}
	steps.OnDone(func(*focus.Visit) { panic("done for") })
	if _, _, err := steps.Seed(s.URL + "/"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.Clone().Visit(s.URL+"/far"), before.Visit(s.URL+"/details")); err != nil {
		t.Error(err)
	}
	before.Visit(s.URL + "/details")
	q := newQueue(t, 1, waiting)
	form, err := c.UnmarshalRequest([]byte(`{"URL": "` + s.URL + `/form", "Method": "POST"}`))
	if err := errors.Join(err, q.AddRequest(form), q.Run(c)); err != nil {
		t.Fatal(err)
	}
	asked := s.requests()
	if got, want := fmt.Sprint(asked[:min(5, len(asked))]), "[/login /home /far /details /details]"; got != want || len(asked) < 8 {
		t.Errorf("asked for %v, want first %s", asked, want)
	}
	if rest := asked[5:]; len(slices.Compact(sorted(rest))) != len(rest) {
		t.Errorf("the queue asked for %v, want each once", rest)
	}
	if n := steps.Counts().Dropped["method"]; n != 0 || !strings.Contains(log.String(), "done for") || !strings.Contains(log.String(), s.URL+"/solar") {
		t.Errorf("%d methods were refused; the logger heard %q", n, log.String())
	}
}

// A form that a callback posts is the program's own request: with Attach it is made, led on, and is no answer to the page whose Ctx it
// shares. In a crawl nothing comes of it, and the report says so.
func TestAFormThatACallbackPosts(t *testing.T) {
	pages := solarPages()
	pages["/login"], pages["/home"] = "-> /home", `<p>welcome</p> <a href="/members">members</a>`
	post := func(c *colly.Collector) {
		c.OnHTML("title", func(e *colly.HTMLElement) {
			if e.Request.URL.Path == "/" {
				if err := e.Request.Post("/login", map[string]string{"token": "x"}); err != nil {
					t.Error(err)
				}
			}
		})
		c.OnHTML("a[href='/members']", func(e *colly.HTMLElement) { e.Request.Visit(e.Attr("href")) })
	}
	s, c, waiting := newSite(t, pages), colly.NewCollector(), frontier.NewMemory(frontier.Manners{})
	post(c)
	steps, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree))
	if err != nil {
		t.Fatal(err)
	}
	q, seen := newQueue(t, 1, waiting), []string{}
	steps.OnDone(func(v *focus.Visit) { seen = append(seen, strings.TrimPrefix(v.FinalURL, s.URL)) })
	if err := errors.Join(q.AddURL(s.URL+"/"), q.Run(c)); err != nil {
		t.Fatal(err)
	}
	asked := s.requests()
	if fmt.Sprint(asked[:3]) != "[/ /login /home]" || !slices.Contains(asked, "/members") || seen[0] != "/" || slices.Contains(seen, "/home") {
		t.Errorf("asked for %v; pages of the crawl: %v", asked, seen)
	}
	var log strings.Builder
	crawler, err := focus.New(t.Context(), solarConfig(t, nil).Config, focus.Transport(solarWeb()), focus.Logger(slog.New(slog.NewTextHandler(&log, nil))))
	if err != nil {
		t.Fatal(err)
	}
	post(crawler.Collector())
	report, err := crawler.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if said := strings.Join(report.Notes, "\n"); !strings.Contains(said, "another method than GET, first POST http://a.example/login (calls: 1)") ||
		!strings.Contains(log.String(), "POST http://a.example/login") {
		t.Errorf("the report says %q, the logger heard %q", said, log.String())
	}
}

// MaxRequests counts what is asked for, and not the links that callbacks ask for and that wait: a program that visits every link of every
// page has as many pages as one that visits none. What waits then goes on waiting.
func TestAttachCountsRequestsOnce(t *testing.T) {
	s, c, waiting := newSite(t, solarPages()), colly.NewCollector(colly.MaxRequests(4)), frontier.NewMemory(frontier.Manners{})
	c.OnHTML("a[href]", func(e *colly.HTMLElement) { e.Request.Visit(e.Attr("href")) })
	if _, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree)); err != nil {
		t.Fatal(err)
	}
	q := newQueue(t, 1, waiting)
	if err := errors.Join(q.AddURL(s.URL+"/"), q.Run(c)); !errors.Is(err, colly.ErrMaxRequests) {
		t.Errorf("it ended with %v", err)
	}
	if asked := s.requests(); len(asked) != 4 || q.IsEmpty() {
		t.Errorf("asked for %v; nothing waits: %v", asked, q.IsEmpty())
	}
}

// A storage that the collector is given after Attach would take for visited what callbacks ask for, and all of it would be lost.
func TestAStorageAfterAttachIsRefused(t *testing.T) {
	s, c, waiting := newSite(t, solarPages()), colly.NewCollector(), frontier.NewMemory(frontier.Manners{})
	if _, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree)); err != nil {
		t.Fatal(err)
	}
	if err := c.SetStorage(&storage.InMemoryStorage{}); err != nil {
		t.Fatal(err)
	}
	q := newQueue(t, 1, waiting)
	if err := errors.Join(q.AddURL(s.URL+"/"), q.Run(c)); err == nil || !strings.Contains(err.Error(), "call SetStorage before") || q.IsEmpty() {
		t.Errorf("%v; nothing waits: %v", err, q.IsEmpty())
	}
}

// An OnRequest of the program hears how deep a page is, as in Colly, and may abort by it.
func TestCallbacksHearHowDeepAPageIs(t *testing.T) {
	var mu sync.Mutex
	depths := map[string]int{}
	hear := func(c *colly.Collector) {
		clear(depths)
		c.OnRequest(func(r *colly.Request) {
			mu.Lock()
			defer mu.Unlock()
			if depths[r.URL.Path] = r.Depth; r.Depth > 2 {
				r.Abort()
			}
		})
	}
	check := func(what string, asked []string) {
		t.Helper()
		if depths["/"] != 1 || depths["/solar"] != 2 || depths["/panel"] != 3 || slices.ContainsFunc(asked, func(path string) bool { return strings.HasSuffix(path, "/panel") }) {
			t.Errorf("%s: the depths are %v; asked for %v", what, depths, asked)
		}
	}
	s, c, waiting := newSite(t, solarPages()), colly.NewCollector(), frontier.NewMemory(frontier.Manners{})
	hear(c)
	if _, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree)); err != nil {
		t.Fatal(err)
	}
	q := newQueue(t, 1, waiting)
	if err := errors.Join(q.AddURL(s.URL+"/"), q.Run(c)); err != nil {
		t.Fatal(err)
	}
	check("a queue", s.requests())
	w := collyWeb()
	c = collectorOver(w)
	c.AllowedDomains = []string{"a.example"}
	hear(c)
	mustRun(t, crawlOn(t, c))
	check("a crawl", w.asked)
}

// A program may visit while the crawl begins: under the race detector nothing is found.
func TestAProgramVisitsWhileTheCrawlBegins(t *testing.T) {
	crawler, err := focus.New(t.Context(), solarConfig(t, nil).Config, focus.Transport(solarWeb()))
	if err != nil {
		t.Fatal(err)
	}
	over, asked := make(chan struct{}), make(chan struct{})
	var program sync.WaitGroup
	program.Go(func() {
		for i := 0; ; i++ {
			crawler.Collector().Visit(fmt.Sprintf("http://a.example/soup?again=%d", i%3))
			if i == 0 {
				close(asked)
			}
			select {
			case <-over:
				return
			default:
			}
		}
	})
	<-asked
	report, err := crawler.Run(t.Context())
	close(over)
	program.Wait()
	if err != nil || report.Counts.Pages < 4 {
		t.Errorf("%d pages, %v", report.Counts.Pages, err)
	}
}

// A Visit that the program has made before the crawl's end, and that is let in behind it, is no failure of the crawl.
func TestAVisitThatComesWhenTheCrawlHasEnded(t *testing.T) {
	crawler, err := focus.New(t.Context(), solarConfig(t, nil).Config, focus.Transport(solarWeb()))
	if err != nil {
		t.Fatal(err)
	}
	mustRun(t, crawler)
	if err := crawler.LetIn("http://a.example/soup?late"); err != nil {
		t.Errorf("the crawl fails of it: %v", err)
	}
}

// A Clone, on which many Colly programs have the callbacks of their second kind of pages, is given nothing in a crawl: the report says so
// where the program looks at no error.
func TestWhatACloneAsksForIsTold(t *testing.T) {
	c := collectorOver(collyWeb())
	details := c.Clone()
	c.OnHTML("title", func(e *colly.HTMLElement) { details.Visit(e.Request.AbsoluteURL("/other")) })
	if said := strings.Join(mustRun(t, crawlOn(t, c)).Notes, "\n"); !strings.Contains(said, "a Clone of the collector asked for pages, first http") || !strings.Contains(said, "/other (requests: ") {
		t.Errorf("the report says %q", said)
	}
}

// What a callback aborts when it has seen the headers is no failure of its host, however much of it there is: the host is asked on without
// a rest, and is not given up.
func TestWhatCallbacksAbortIsNoFailureOfItsHost(t *testing.T) {
	for name, abort := range map[string]func(c *colly.Collector, unwanted func(*colly.Request) bool){
		"OnRequestHeaders": func(c *colly.Collector, unwanted func(*colly.Request) bool) {
			c.OnRequestHeaders(func(r *colly.Request) {
				if unwanted(r) {
					r.Abort()
				}
			})
		},
		"OnResponseHeaders": func(c *colly.Collector, unwanted func(*colly.Request) bool) {
			c.OnResponseHeaders(func(r *colly.Response) {
				if unwanted(r.Request) {
					r.Request.Abort()
				}
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, home := collyWeb(), "<p>solar energy"
				for i := range 30 {
					at := fmt.Sprintf("/unwanted/%c%c", 'a'+i/5, 'a'+i%5)
					home += fmt.Sprintf(" <a href=%s>solar energy</a>", at)
					w.pages["http://a.example"+at] = answer{status: http.StatusOK, body: "<p>solar energy"}
				}
				w.pages["http://a.example/"] = answer{status: http.StatusOK, body: home + " <a href=/panel>panel</a>"}
				c := collectorOver(w)
				abort(c, func(r *colly.Request) bool { return strings.HasPrefix(r.URL.Path, "/unwanted") })
				began := time.Now()
				n := runOn(t, c).Counts
				if took := time.Since(began); n.Failed > 0 || n.Dropped["veto: a callback aborted the request"] != 30 || took > 5*time.Second {
					t.Errorf("%d pages failed in %v; dropped: %v", n.Failed, took, n.Dropped)
				}
				if !slices.Contains(w.asked, "http://a.example/deep") {
					t.Errorf("the crawl did not come to its end: %v", w.asked)
				}
			})
		})
	}
}

// A Visit that is too late for its page, and cannot be taken in, is no silent loss, though no page comes after it.
func TestALateVisitThatCannotBeTakenInEndsTheCrawl(t *testing.T) {
	s, c := newSite(t, map[string]string{"/": "<p>solar energy</p>"}), colly.NewCollector()
	waiting := full{frontier.NewMemory(frontier.Manners{})}
	steps, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree))
	if err != nil {
		t.Fatal(err)
	}
	c.OnScraped(func(r *colly.Response) { r.Request.Visit("/late") })
	if _, _, err := steps.Seed(s.URL + "/"); err != nil {
		t.Fatal(err)
	}
	err = newQueue(t, 1, waiting).Run(c)
	if err = errors.Join(err, steps.Err()); !errors.Is(err, errFull) {
		t.Errorf("the crawl ends with %v, want: %v", err, errFull)
	}
}

// full is a frontier that has no place for /late.
type full struct{ *frontier.Memory }

var errFull = errors.New("no place is left")

func (f full) Push(item frontier.Item) (uint64, bool, error) {
	if strings.HasSuffix(item.URL, "/late") {
		return 0, false, errFull
	}
	return f.Memory.Push(item)
}

// A request that a callback writes down, for a queue of the program's own, has what the program gave its Ctx and no page in it.
func TestARequestIsWrittenDownWithoutItsVisit(t *testing.T) {
	hear := func(c *colly.Collector) (heard *atomic.Int64) {
		heard = &atomic.Int64{}
		c.OnScraped(func(r *colly.Response) {
			r.Ctx.Put("mine", "1")
			text, err := r.Request.Marshal()
			var written struct{ Ctx map[string]any }
			if err := errors.Join(err, json.Unmarshal(text, &written)); err != nil || written.Ctx["mine"] != "1" {
				t.Errorf("%s: %v", text, err)
			}
			for key, said := range written.Ctx {
				if fields, is := said.(map[string]any); key != "mine" && (!is || len(fields) > 0) {
					t.Errorf("%s holds %d bytes", key, len(text))
				}
			}
			heard.Add(1)
		})
		return heard
	}
	c := collectorOver(collyWeb())
	heard := hear(c)
	mustRun(t, crawlOn(t, c))

	s, waiting := newSite(t, solarPages()), frontier.NewMemory(frontier.Manners{})
	c = colly.NewCollector()
	if _, err := focus.Attach(c, waiting, solarTopic(t), loadTree(t, sharkTree)); err != nil {
		t.Fatal(err)
	}
	attached, q := hear(c), newQueue(t, 1, waiting)
	if err := errors.Join(q.AddURL(s.URL+"/"), q.Run(c)); err != nil || heard.Load() < 5 || attached.Load() < 5 {
		t.Errorf("%d pages of a crawl, %d of a queue; %v", heard.Load(), attached.Load(), err)
	}
}
