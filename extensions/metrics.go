package extensions

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gocolly/colly/v2"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Meters are the figures of a crawl for Prometheus. What Colly does not know is told by its methods, which may be
// called at any time by many goroutines.
type Meters struct {
	registry prometheus.Registerer
	pages    *prometheus.CounterVec
	failed   *prometheus.CounterVec
	refused  *prometheus.CounterVec
	cut      *prometheus.CounterVec
	lookups  *prometheus.CounterVec
	body     prometheus.Counter
	wire     prometheus.Counter
	seconds  prometheus.Histogram
	relevant prometheus.Counter
	mu       sync.Mutex
	good     float64 // relevant pages
	all      float64 // pages
	reasons  map[string]bool
}

// mostReasons is how many different reasons have a series of their own: what servers can make up must not fill the
// memory of who watches.
const mostReasons = 60

// Metrics counts what a collector does: pages by status, failures by kind, bytes, cut bodies. The figures have names
// that begin with thresher_; configs/grafana.json is a board for them. With Meters.Layer in the transport there are
// latency and bytes on the wire too; OnRefusal(m.Refused), OnLookup(m.Lookup) and m.Watch(frontier) add the rest.
func Metrics(c *colly.Collector, r prometheus.Registerer) (*Meters, error) {
	m := newMeters(r)
	harvest := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "thresher_harvest_rate", Help: "Relevant pages among all pages."}, m.harvest)
	for _, figure := range []prometheus.Collector{m.pages, m.failed, m.refused, m.cut, m.lookups, m.body, m.wire, m.seconds, m.relevant, harvest} {
		if err := r.Register(figure); err != nil {
			return nil, fmt.Errorf("extensions: metrics: %w", err)
		}
	}
	c.OnResponse(func(resp *colly.Response) { m.page(resp) })
	c.OnError(func(resp *colly.Response, err error) {
		if resp.StatusCode > 0 {
			m.page(resp)
			return
		}
		m.failed.WithLabelValues(failure(err)).Inc()
	})
	return m, nil
}

func newMeters(r prometheus.Registerer) *Meters {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: "thresher_" + name, Help: help})
	}
	counters := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "thresher_" + name, Help: help}, labels)
	}
	return &Meters{
		registry: r,
		pages:    counters("pages_total", "Answers, by class of status.", "status"),
		failed:   counters("failed_total", "Requests without an answer, by what went wrong.", "reason"),
		refused:  counters("refused_total", "Addresses and pages that were turned away, by whom and why.", "by", "reason"),
		cut:      counters("cut_total", "Bodies that are not whole, by why.", "why"),
		lookups:  counters("lookups_total", "Host names asked for, and whether their address was known.", "known"),
		body:     counter("body_bytes_total", "Bytes of bodies as callbacks see them."),
		wire:     counter("wire_bytes_total", "Bytes of bodies as they came over the wire."),
		relevant: counter("relevant_total", "Pages found relevant."),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "thresher_request_seconds", Help: "From the request to the last byte of the answer.",
			Buckets: []float64{.025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
		}),
		reasons: map[string]bool{},
	}
}

func (m *Meters) page(r *colly.Response) {
	m.pages.WithLabelValues(fmt.Sprintf("%dxx", r.StatusCode/100)).Inc()
	m.body.Add(float64(len(r.Body)))
	if r.Headers != nil {
		if why := r.Headers.Get(CutHeader); why != "" {
			m.cut.WithLabelValues(why).Inc()
		}
	}
	m.mu.Lock()
	m.all++
	m.mu.Unlock()
}

func (m *Meters) harvest() float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all == 0 {
		return 0
	}
	return m.good / m.all
}

// Relevant counts a page as relevant.
func (m *Meters) Relevant() {
	m.relevant.Inc()
	m.mu.Lock()
	m.good++
	m.mu.Unlock()
}

// Refused counts a refusal: OnRefusal(m.Refused).
func (m *Meters) Refused(r Refusal) {
	reason, _, _ := strings.Cut(r.Reason, ":")
	reason = mask(reason) // of "line 12: Disallow: /x" it is "line #"
	m.mu.Lock()
	known := r.By + "\x00" + reason
	if !m.reasons[known] && len(m.reasons) >= mostReasons {
		reason = "other"
	} else {
		m.reasons[known] = true
	}
	m.mu.Unlock()
	m.refused.WithLabelValues(r.By, reason).Inc()
}

// Lookup counts a host name that was asked for: OnLookup(m.Lookup).
func (m *Meters) Lookup(_ string, known bool) {
	m.lookups.WithLabelValues(fmt.Sprint(known)).Inc()
}

// Watch adds the number of links that wait.
func (m *Meters) Watch(f frontier.Frontier) error {
	return m.register(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "thresher_frontier_waiting", Help: "Links that wait."},
		func() float64 { return float64(f.Len()) }))
}

// Hosts adds how many hosts are in which state, such as ready, resting and failing.
func (m *Meters) Hosts(states func() map[string]int) error {
	return m.register(hostStates{prometheus.NewDesc("thresher_hosts", "Hosts, by state.", []string{"state"}, nil), states})
}

func (m *Meters) register(c prometheus.Collector) error {
	if err := m.registry.Register(c); err != nil {
		return fmt.Errorf("extensions: metrics: %w", err)
	}
	return nil
}

// hostStates is a gauge with a series for each state.
type hostStates struct {
	desc   *prometheus.Desc
	states func() map[string]int
}

// Describe is how Prometheus learns of it.
func (h hostStates) Describe(to chan<- *prometheus.Desc) { to <- h.desc }

// Collect is how Prometheus reads it.
func (h hostStates) Collect(to chan<- prometheus.Metric) {
	for state, n := range h.states() {
		to <- prometheus.MustNewConstMetric(h.desc, prometheus.GaugeValue, float64(n), state)
	}
}

// Layer measures requests: how long they take, and how many bytes come over the wire.
func (m *Meters) Layer() Layer {
	return Layer{
		name:  "Metrics",
		place: placeMetrics,
		wrap: func(next http.RoundTripper) http.RoundTripper {
			return roundTripper(func(r *http.Request) (*http.Response, error) {
				begin := time.Now()
				resp, err := next.RoundTrip(r)
				if err != nil || resp.Body == nil {
					return resp, err
				}
				resp.Body = &ending{resp.Body, func() { m.seconds.Observe(time.Since(begin).Seconds()) }}
				return resp, nil
			})
		},
		ground: func(g *ground) { g.count = func(n int) { m.wire.Add(float64(n)) } },
	}
}

// wired counts the bytes of a body as it comes over the wire.
type wired struct {
	io.ReadCloser
	count func(int)
}

func (w *wired) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	w.count(n)
	return n, err
}

// failure is the kind of an error, of which there are few.
func failure(err error) string {
	switch {
	case errors.Is(err, ErrPrivate), errors.Is(err, ErrScheme):
		return "refused address"
	case errors.Is(err, ErrRobots):
		return "robots"
	case brokenBy(err) == CutTime:
		return "time"
	case strings.Contains(err.Error(), "lookup "):
		return "name"
	case strings.Contains(err.Error(), "tls: "), strings.Contains(err.Error(), "x509: "):
		return "certificate"
	case isPassing(err):
		return "connection"
	}
	return "other"
}
