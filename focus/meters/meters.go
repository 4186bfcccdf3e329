// Package meters answers one question: what does a crawl tell Prometheus? It is the only package that knows it;
// configs/grafana.json is a board for its figures.
package meters

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/robots"
	"github.com/thresher-crawler/thresher/focus/wire"
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

// New registers the figures of a crawl. They have names that begin with thresher_. With Layer in the transport there are
// latency and bytes on the wire too.
func New(r prometheus.Registerer) (*Meters, error) {
	m := newMeters(r)
	harvest := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "thresher_harvest_rate", Help: "Relevant pages among all pages."}, m.harvest)
	for _, figure := range []prometheus.Collector{m.pages, m.failed, m.refused, m.cut, m.lookups, m.body, m.wire, m.seconds, m.relevant, harvest} {
		if err := r.Register(figure); err != nil {
			return nil, fmt.Errorf("metrics: %w", err)
		}
	}
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
		refused:  counters("refused_total", "Addresses and pages that were refused, by whom and why.", "by", "reason"),
		cut:      counters("cut_total", "Bodies that are not whole, by why.", "why"),
		lookups:  counters("lookups_total", "Host names asked for, and whether their address was known.", "known"),
		body:     counter("body_bytes_total", "Bytes of bodies as callbacks see them."),
		wire:     counter("wire_bytes_total", "Bytes of bodies as they came over the wire."),
		relevant: counter("relevant_total", "Pages found relevant, without those that repeat one that was kept and those that their authors keep out."),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "thresher_request_seconds", Help: "From the request to the last byte of the answer.",
			Buckets: []float64{.025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
		}),
		reasons: map[string]bool{},
	}
}

// Ended counts an answer by its status, how long its body is, and why that is not whole, if it is not; or, where there is no status, a request
// without an answer by what went wrong.
func (m *Meters) Ended(status, body int, header *http.Header, err error) {
	if status == 0 {
		m.failed.WithLabelValues(failure(err)).Inc()
		return
	}
	m.pages.WithLabelValues(fmt.Sprintf("%dxx", status/100)).Inc()
	m.body.Add(float64(body))
	if header != nil && header.Get(wire.CutHeader) != "" {
		m.cut.WithLabelValues(header.Get(wire.CutHeader)).Inc()
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

// Refused counts what was refused, by whom and why.
func (m *Meters) Refused(by, reason string) {
	reason, _, _ = strings.Cut(reason, ":")
	reason = junk.Mask(reason) // of "line 12: Disallow: /x" it is "line #"
	m.mu.Lock()
	known := by + "\x00" + reason
	if !m.reasons[known] && len(m.reasons) >= mostReasons {
		reason = "other"
	} else {
		m.reasons[known] = true
	}
	m.mu.Unlock()
	m.refused.WithLabelValues(by, reason).Inc()
}

// Lookup counts a host name that was asked for.
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
		return fmt.Errorf("metrics: %w", err)
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
func (m *Meters) Layer() wire.Layer {
	return wire.Measure(wire.MeasureConfig{
		Took:  func(d time.Duration) { m.seconds.Observe(d.Seconds()) },
		Bytes: func(n int) { m.wire.Add(float64(n)) },
	})
}

// failure is the kind of an error, of which there are few.
func failure(err error) string {
	switch {
	case errors.Is(err, wire.ErrPrivate), errors.Is(err, wire.ErrScheme):
		return "refused address"
	case errors.Is(err, robots.ErrRefused):
		return "robots"
	case wire.CutBy(err) == wire.CutTime:
		return "time"
	case strings.Contains(err.Error(), "lookup "):
		return "name"
	case strings.Contains(err.Error(), "tls: "), strings.Contains(err.Error(), "x509: "):
		return "certificate"
	case wire.Passing(0, err):
		return "connection"
	}
	return "other"
}
