package focus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/strict"
)

// A host that has answered and refuses connections is being started again: its pages are asked for again. One that never answered is
// not there.
func TestAServerThatIsStartedAgain(t *testing.T) {
	asked := map[string]int{}
	pages := site(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<title>Sailing</title><p>sailing boat yacht")
		for p := range 5 {
			fmt.Fprintf(w, `<a href="http://one.example/%d">boat</a> <a href="http://gone.example/%d">boat</a>`, p, p)
		}
	})
	config := DefaultSetting()
	config.Seeds, config.MinFree = []string{"http://one.example/"}, 0
	config.Topic.Terms = []crawlfile.TermConfig{{Term: "boat", Weight: 1}}
	config.Polite.Contact, config.Polite.Delay, config.Polite.Parallel = "tests@example.org", strict.Pace(0), 1
	config.Polite.Robots, config.Polite.GiveUp, config.Polite.Park, config.RetryWait = "ignore", 0, 0, time.Millisecond
	config.Duplicates, config.Strategy.Name, config.Scope.Soft404, config.Scope.Sitemaps = "keep", "breadth", "ignore", false
	config.Transport = byRequest(func(r *http.Request) (*http.Response, error) {
		asked[r.URL.Host+r.URL.Path]++
		if r.URL.Host == "gone.example" || r.URL.Path == "/2" && asked["one.example/2"] <= 2 {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
		}
		return pages.RoundTrip(r)
	})
	c, err := NewWith(config)
	if err != nil {
		t.Fatal(err)
	}
	report, err := c.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if asked["one.example/2"] != 3 || asked["gone.example/0"] != 1 || asked["gone.example/4"] != 1 || report.Counts.Failed != 5 {
		t.Errorf("%d failed: %v", report.Counts.Failed, asked)
	}
}

// byRequest is a transport that is a function.
type byRequest func(*http.Request) (*http.Response, error)

func (f byRequest) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A host that was given up and answers again while others are visited loses no link: it is tried again after a while. One that never
// answered is not.
func TestAHostThatIsBackIsVisitedAgain(t *testing.T) {
	const pages = 20
	clock := frontier.NewManual(time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC))
	var c *Crawler
	var mu sync.Mutex
	asked := map[string]int{}
	answers := site(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>Sailing</title><p>sailing boat %s", r.URL)
	})
	config := DefaultSetting()
	config.MinFree, config.Topic.Terms = 0, []crawlfile.TermConfig{{Term: "boat", Weight: 1}}
	config.Polite.Contact, config.Polite.Delay, config.Polite.Parallel = "tests@example.org", strict.Pace(0), 4
	config.Polite.Robots, config.Polite.GiveUp, config.Polite.Park = "ignore", 3, 0
	config.Duplicates, config.Strategy.Name, config.Scope.Soft404, config.Scope.Sitemaps = "keep", "breadth", "ignore", false
	for p := range pages {
		config.Seeds = append(config.Seeds, fmt.Sprintf("http://back.example/%d", p), fmt.Sprintf("http://dead.example/%d", p), fmt.Sprintf("http://good.example/%d", p))
	}
	config.Transport = byRequest(func(r *http.Request) (*http.Response, error) {
		mu.Lock()
		asked[r.URL.Host]++
		host, n := r.URL.Host, asked[r.URL.Host]
		mu.Unlock()
		if host == "good.example" && n == pages/2 {
			for !c.down("back.example") {
				runtime.Gosched()
			}
			clock.Advance(10 * time.Minute)
		}
		if host == "dead.example" || host == "back.example" && 5 < n && n <= 8 {
			return nil, errors.New("dial: no route to host")
		}
		return answers.RoundTrip(r)
	})
	var err error
	c, err = New(context.Background(), config.Config, append(config.Options(), Clock(clock))...)
	if err != nil {
		t.Fatal(err)
	}
	report, err := c.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if asked["back.example"] != pages || asked["good.example"] != pages || asked["dead.example"] != 3 || report.Counts.Dropped[admit.RefusedDown] != pages-3 {
		t.Errorf("asked %v, refused %v", asked, report.Counts.Dropped)
	}
}
