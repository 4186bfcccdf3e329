package extensions

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gocolly/colly/v2"
	"github.com/prometheus/client_golang/prometheus"
)

// figures are all the values of a registry, by name and labels.
func figures(t *testing.T, r *prometheus.Registry) map[string]float64 {
	t.Helper()
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			name := f.GetName()
			for _, l := range m.GetLabel() {
				name += " " + l.GetValue()
			}
			switch {
			case m.Counter != nil:
				all[name] = m.GetCounter().GetValue()
			case m.Gauge != nil:
				all[name] = m.GetGauge().GetValue()
			case m.Histogram != nil:
				all[name] = float64(m.GetHistogram().GetSampleCount())
			}
		}
	}
	return all
}

func TestMetrics(t *testing.T) {
	packed := coded(t, "gzip", article)
	s := newSite(t, map[string]http.HandlerFunc{
		"/": hyper("0123456789"), "/no": hyper("no"),
		"/gz": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			fmt.Fprint(w, packed)
		},
	})
	registry := prometheus.NewRegistry()
	c := colly.NewCollector()
	m, err := Metrics(c, registry)
	if err != nil {
		t.Fatal(err)
	}
	rt := Transport(c, m.Layer(), Decode(MaxDecoded(1000)), PrivateNetworks(Allow("127.0.0.1")))
	defer rt.(*stack).CloseIdleConnections()
	Robots(c, OnRefusal(m.Refused), Through(answer(200, nil, "User-agent: *\nDisallow: /no")))
	q, _ := newTestQueue(1)
	if err := m.Watch(q.frontier); err != nil {
		t.Fatal(err)
	}
	if err := m.Hosts(func() map[string]int { return map[string]int{"ready": 2, "failing": 1} }); err != nil {
		t.Fatal(err)
	}
	c.OnResponse(func(r *colly.Response) {
		if r.Request.URL.Path == "/" {
			m.Relevant()
		}
	})
	for _, path := range []string{"/", "/gz", "/no", "/gone"} {
		c.Visit(s.URL + path)
	}
	c.Visit("http://10.0.0.1/")
	q.AddURL("http://a.example/")
	m.Lookup("a.example", true)
	want := map[string]float64{
		"thresher_pages_total 2xx": 2, "thresher_pages_total 4xx": 1, "thresher_relevant_total": 1, "thresher_harvest_rate": 1. / 3,
		"thresher_refused_total Robots line #": 1, "thresher_failed_total refused address": 1, "thresher_cut_total decoded": 1,
		"thresher_body_bytes_total": 10 + 1000 + 19, "thresher_wire_bytes_total": float64(10 + len(packed) + 19),
		"thresher_request_seconds": 3, "thresher_frontier_waiting": 1, "thresher_lookups_total true": 1,
		"thresher_hosts ready": 2, "thresher_hosts failing": 1,
	}
	got := figures(t, registry)
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s is %v, want %v", name, got[name], value)
		}
	}
	if _, err := Metrics(colly.NewCollector(), registry); err == nil {
		t.Error("the same figures twice in one registry")
	}
}

func TestMetricsBoundReasons(t *testing.T) {
	registry := prometheus.NewRegistry()
	m, err := Metrics(colly.NewCollector(), registry)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		m.Refused(Refusal{By: "Test", Reason: "made up " + strings.Repeat("x", i)})
	}
	if n := len(figures(t, registry)); n > mostReasons+10 {
		t.Errorf("%d series", n)
	}
}

// TestBoardShowsWhatThereIs: every figure that the Grafana board asks for is one that Metrics has.
func TestBoardShowsWhatThereIs(t *testing.T) {
	b, err := os.ReadFile("../configs/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(b, &board); err != nil {
		t.Fatal(err)
	}
	registry := prometheus.NewRegistry()
	m, err := Metrics(colly.NewCollector(), registry)
	if err != nil {
		t.Fatal(err)
	}
	q, _ := newTestQueue(1)
	m.Watch(q.frontier)
	m.Hosts(func() map[string]int { return map[string]int{"ready": 1} })
	m.pages.WithLabelValues("2xx")
	m.failed.WithLabelValues("time")
	m.Refused(Refusal{By: "Robots"})
	m.cut.WithLabelValues(CutSize)
	m.Lookup("", true)
	known := map[string]bool{}
	for name := range figures(t, registry) {
		known[strings.Fields(name)[0]] = false
	}
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			for _, name := range regexp.MustCompile(`thresher_\w+`).FindAllString(target.Expr, -1) {
				name = strings.TrimSuffix(name, "_bucket")
				if _, ok := known[name]; !ok {
					t.Errorf("panel %q asks for %s, which does not exist", p.Title, name)
				}
				known[name] = true
			}
		}
	}
	for name, shown := range known {
		if !shown {
			t.Errorf("no panel shows %s", name)
		}
	}
}

func TestProgress(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/": hyper("x")})
	clock := &watch{}
	var out strings.Builder
	c := colly.NewCollector()
	l := Progress(c, &out, Now(clock.now), Every(10*time.Second), Goal(40), Queued(func() int { return 12345 }))
	c.OnResponse(func(r *colly.Response) { l.Relevant(len(r.Request.URL.RawQuery) == 1) })
	for i := range 21 {
		clock.advance(time.Second)
		c.Visit(fmt.Sprintf("%s/?%d", s.URL, i))
	}
	l.Done()
	want := `10 pages · 10 relevant, harvest 100.0 %, of the last 10 100.0 % · 12,345 waiting · 1.0 pages/s · 30s left
20 pages · 10 relevant, harvest 50.0 %, of the last 20 50.0 % · 12,345 waiting · 1.0 pages/s · 20s left
21 pages · 10 relevant, harvest 47.6 %, of the last 21 47.6 % · 12,345 waiting · 1.0 pages/s · 19s left
`
	if out.String() != want {
		t.Errorf("wrote\n%swant\n%s", out.String(), want)
	}
}

func TestProgressOverItself(t *testing.T) {
	var out strings.Builder
	c := colly.NewCollector()
	c.WithTransport(answer(200, nil, ""))
	clock := &watch{}
	l := Progress(c, &out, Now(clock.now), Every(time.Second))
	l.terminal = true
	clock.advance(time.Second)
	c.Visit("http://a.example/")
	clock.advance(9 * time.Second)
	l.Done()
	if want := "\r1 pages · 1.0 pages/s\r1 pages · 0.1 pages/s\n"; out.String() != want {
		t.Errorf("wrote %q, want %q", out.String(), want)
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := thousands(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
