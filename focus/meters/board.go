package meters

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Board shows meters to Prometheus at an address of its own.
type Board struct {
	*Meters
	registry *prometheus.Registry
	server   *http.Server
}

// NewBoard makes meters, and shows them at an address from now on.
func NewBoard(address string) (_ *Board, err error) {
	b := &Board{registry: prometheus.NewRegistry()}
	if b.Meters, err = New(b.registry); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("metrics: %w; give another address", err)
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(b.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, `<!doctype html><title>thresher</title><p>The figures of this crawl, for Prometheus: <a href="/metrics">/metrics</a>`)
	})
	b.server = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go b.server.Serve(listener) // ends with an error that only says so
	return b, nil
}

// closing is how long an answer that is being given may take.
const closing = 700 * time.Millisecond

// Close ends it. A nil board shows nothing.
func (b *Board) Close() error {
	if b == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	if b.server.Shutdown(ctx) != nil {
		return b.server.Close()
	}
	return nil
}
