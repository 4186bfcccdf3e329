package focus

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
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
