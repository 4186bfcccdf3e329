// Package hostiletest answers: what does a crawl meet on the worst of webs, and what does it make of it?
//
// There are only two types. A Web is a web in this process: hosts that do everything wrong, each under a name of its own,
// and good hosts beside them, which a crawl must not lose for the sake of the others. An Authority signs the certificates
// of those that speak TLS. Tests send every name (NAME.example) to 127.0.0.1, and hold what came of each host.
package hostiletest

import (
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// Web is a hostile web that is being served.
type Web struct {
	Port    string            // of all hosts that do not speak TLS
	Secure  map[string]string // the start pages of those that do, by the first part of their names
	servers []*httptest.Server
}

// New serves a hostile web until the test ends, or Close.
func New(t testing.TB, signed *Authority) *Web {
	t.Helper()
	w := &Web{Secure: map[string]string{}}
	server := httptest.NewUnstartedServer(http.HandlerFunc(serve))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	_, w.Port, _ = net.SplitHostPort(server.Listener.Addr().String())
	w.servers = append(w.servers, server)
	later := time.Now().AddDate(1, 0, 0)
	w.secure(t, signed, "expired", "expired.example", time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), trusted)
	w.secure(t, signed, "other-name", "somebody.example", later, trusted)
	w.secure(t, signed, "trusted", "trusted.example", later, trusted)
	w.secure(t, signed, "stream-resets", "stream-resets.example", later, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	w.secure(t, signed, "goes-away", "goes-away.example", later, func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Connection", "close") // in HTTP/2: GOAWAY
		trusted(rw, r)
	})
	t.Cleanup(w.Close)
	return w
}

// secure serves a host with a certificate of a name; its robots.txt is always well.
func (w *Web) secure(t testing.TB, signed *Authority, name, certified string, end time.Time, page http.HandlerFunc) {
	server, port := signed.Serve(t, certified, end, func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(rw, r)
			return
		}
		page(rw, r)
	})
	w.servers = append(w.servers, server)
	w.Secure[name] = "https://" + name + ".example:" + port + "/"
}

// Close ends all servers; closing twice does no harm.
func (w *Web) Close() {
	for _, s := range w.servers {
		s.Close()
	}
}

// At is an address of a host that does not speak TLS.
func (w *Web) At(name, path string) string { return "http://" + name + ".example:" + w.Port + path }

// Names are the first parts of the names of the bad hosts that do not speak TLS, in order. What they do is in their names.
func Names() []string { return slices.Sorted(maps.Keys(behaviours())) }

// serve answers for all hosts on the one port. Those whose names begin with good are good.
func serve(w http.ResponseWriter, r *http.Request) {
	name, _, _ := strings.Cut(r.Host, ".")
	handler := behaviours()[name]
	switch {
	case r.URL.Path == "/robots.txt":
		robots(w, r, name)
	case strings.HasPrefix(r.URL.Path, "/leaf/"):
		http.NotFound(w, r)
	case handler != nil:
		handler(w, r)
	case strings.HasPrefix(name, "good"):
		Good(w, r)
	case name == "127":
		Say(w, "<title>Solar energy</title><p>solar energy that nobody may read")
	default:
		http.NotFound(w, r)
	}
}
