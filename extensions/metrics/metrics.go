// Package metrics answers one question: how does a Colly program tell Prometheus how it goes? It stands beside package
// extensions so that who does without Prometheus does not link it.
package metrics

import (
	"github.com/gocolly/colly/v2"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus/meters"
)

// Metrics counts what a collector does: pages by status, failures by kind, bytes, cut bodies. The figures have names that
// begin with thresher_; configs/grafana.json is a board for them. With the meters' Layer in the transport there are
// latency and bytes on the wire too; OnRefusal: metrics.Refusals(m), OnLookup: m.Lookup and m.Watch(frontier) add the rest.
func Metrics(c *colly.Collector, r prometheus.Registerer) (*meters.Meters, error) {
	m, err := meters.New(r)
	if err != nil {
		return nil, err
	}
	c.OnResponse(func(r *colly.Response) { m.Ended(r.StatusCode, len(r.Body), r.Headers, nil) })
	c.OnError(func(r *colly.Response, err error) { m.Ended(r.StatusCode, len(r.Body), r.Headers, err) })
	return m, nil
}

// Refusals counts what the extensions refuse: it is what their OnRefusal is set to.
func Refusals(m *meters.Meters) func(extensions.Refusal) {
	return func(r extensions.Refusal) { m.Refused(r.By, r.Reason) }
}
