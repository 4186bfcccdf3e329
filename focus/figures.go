package focus

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/gocolly/colly/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/meters"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// figures are what a crawl tells Prometheus; configs/grafana.json is a board for them.
type figures struct {
	registry *prometheus.Registry
	meters   *meters.Meters
	listener net.Listener
	server   *http.Server
}

func newFigures(c *colly.Collector) (*figures, error) {
	f := &figures{registry: prometheus.NewRegistry()}
	var err error
	if f.meters, err = meters.New(f.registry); err != nil {
		return nil, fmt.Errorf("focus: %w", err)
	}
	c.OnResponse(f.answered)
	c.OnError(func(r *colly.Response, err error) {
		if r.StatusCode > 0 {
			f.answered(r)
			return
		}
		f.meters.Failed(err)
	})
	return f, nil
}

// answered counts an answer.
func (f *figures) answered(r *colly.Response) {
	cut := ""
	if r.Headers != nil {
		cut = r.Headers.Get(wire.CutHeader)
	}
	f.meters.Answer(r.StatusCode, len(r.Body), cut)
}

// serve begins to answer at an address.
func (f *figures) serve(address string) (err error) {
	if f.listener, err = net.Listen("tcp", address); err != nil {
		return fmt.Errorf("focus: metrics: %w; give another address", err)
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(f.registry, promhttp.HandlerOpts{}))
	f.server = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go f.server.Serve(f.listener) // ends with an error that only says so
	return nil
}

// Close ends it.
func (f *figures) Close() error {
	if f == nil || f.server == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if f.server.Shutdown(ctx) != nil {
		return f.server.Close()
	}
	return nil
}

// watch hangs the figures on the steps that know them.
func (f *figures) watch(c *Crawler) error {
	c.steps.OnDone(f.done)
	if err := f.meters.Watch(c.frontier); err != nil {
		return err
	}
	return f.meters.Hosts(c.hostStates)
}

// done counts how a visit ended, and what became of its links.
func (f *figures) done(v *Visit) {
	if v.Page != nil && v.Judgement.Relevant {
		f.meters.Relevant()
	}
	f.refused("page", v.Refused)
	for i := range v.Found {
		if v.Found[i].Fresh {
			f.refused("link", v.Found[i].Refused)
		}
	}
}

func (f *figures) refused(by string, why admit.Refused) {
	if why == "" {
		return
	}
	kind, _, _ := strings.Cut(string(why), ": ")
	f.meters.Refused(by, kind)
}

// hostStates are the hosts that were visited, by state. It does not wait for the turn, which a crawl that stands still
// holds.
func (c *Crawler) hostStates() map[string]int {
	states := map[string]int{"failing": 0, "down": 0}
	hosts, failing := c.ledger.Hosts()
	states["ready"] = len(hosts)
	for host := range failing {
		if hosts[host].Pages > 0 {
			states["ready"]--
		}
		if c.down(host) {
			states["down"]++
		} else {
			states["failing"]++
		}
	}
	return states
}
