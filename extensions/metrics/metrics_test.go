package metrics

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gocolly/colly/v2"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus/frontier"
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
	packed := gzipped(strings.Repeat("All about sharks. ", 200))
	s := serve(t, map[string]http.HandlerFunc{
		"/": says("0123456789"), "/no": says("no"),
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
	rt := extensions.Transport(c, m.Layer(), extensions.Decode(extensions.DecodeConfig{MaxBytes: 1000}),
		extensions.PrivateNetworks(extensions.PrivateNetworksConfig{Allow: []string{"127.0.0.1"}}))
	defer (&http.Client{Transport: rt}).CloseIdleConnections()
	extensions.Robots(c, extensions.RobotsConfig{OnRefusal: Refusals(m), Through: forbids("/no")})
	waiting := frontier.NewMemory(frontier.Manners{})
	if err := m.Watch(waiting); err != nil {
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
	q, err := extensions.NewQueue(1, waiting)
	if err != nil {
		t.Fatal(err)
	}
	if err := q.AddURL("http://a.example/"); err != nil {
		t.Fatal(err)
	}
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
		m.Refused("Test", "made up "+strings.Repeat("x", i))
	}
	if n := len(figures(t, registry)); n > 60+10 {
		t.Errorf("%d series", n)
	}
}

// TestBoardShowsWhatThereIs: every figure that the Grafana board asks for is one that Metrics has.
func TestBoardShowsWhatThereIs(t *testing.T) {
	b, err := os.ReadFile("../../configs/grafana.json")
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
	waiting := frontier.NewMemory(frontier.Manners{})
	m.Watch(waiting)
	m.Hosts(func() map[string]int { return map[string]int{"ready": 1} })
	m.Ended(200, 0, &http.Header{extensions.CutHeader: {"size"}}, nil)
	m.Ended(0, 0, nil, context.DeadlineExceeded)
	m.Refused("Robots", "")
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

func serve(t *testing.T, pages map[string]http.HandlerFunc) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if page := pages[r.URL.Path]; page != nil {
			page(w, r)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, text)
	}
}

// forbids answers with a robots.txt that forbids a path.
type forbids string

func (f forbids) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Request: r, Body: io.NopCloser(strings.NewReader("User-agent: *\nDisallow: " + string(f)))}, nil
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}
