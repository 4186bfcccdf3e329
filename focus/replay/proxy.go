package replay

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"
)

// ProxyOptions say how a Proxy behaves.
type ProxyOptions struct {
	Latency func(address string) time.Duration // how long an answer takes; nil means no time at all
	Jitter  time.Duration                      // up to so much is added, by address and always the same
	Log     io.Writer                          // one line a request, in the order they came; nil keeps no log
	Sleep   func(context.Context, time.Duration)
}

// Proxy serves a web to programs that know nothing of it: as a forward proxy, for http addresses asked for as such, for
// https through CONNECT with a certificate made for the occasion, and to those who send its hosts' names to it
// directly. The log has number, method, address and status, parted by tabs.
type Proxy struct {
	web http.RoundTripper
	o   ProxyOptions
	ca  *authority

	mu    sync.Mutex // also keeps the log in the order of the requests
	n     int
	conns map[net.Conn]bool // that CONNECT has taken over
	wg    sync.WaitGroup
}

// NewProxy makes a proxy over a web, or over any other transport.
func NewProxy(web http.RoundTripper, o ProxyOptions) (*Proxy, error) {
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	ca, err := newAuthority()
	if err != nil {
		return nil, fmt.Errorf("make the proxy's certificate: %w", err)
	}
	return &Proxy{web: web, o: o, ca: ca, conns: map[net.Conn]bool{}}, nil
}

func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// Certificate is what clients must trust to be served https, in PEM (curl --cacert, wget --ca-certificate). Its key
// never leaves the process and dies with it.
func (p *Proxy) Certificate() []byte { return p.ca.pem }

// Serve answers on a listener until the context ends; then it closes the listener and every connection.
func (p *Proxy) Serve(ctx context.Context, l net.Listener) error {
	serving, end := context.WithCancel(ctx)
	defer end()
	server := &http.Server{Handler: p, ReadHeaderTimeout: time.Minute, BaseContext: func(net.Listener) context.Context { return serving }}
	closed := make(chan struct{})
	context.AfterFunc(serving, func() {
		defer close(closed)
		server.Close()
		p.mu.Lock()
		defer p.mu.Unlock()
		for c := range p.conns {
			c.Close()
		}
	})
	err := server.Serve(l)
	end()
	<-closed
	p.wg.Wait()
	if errors.Is(err, http.ErrServerClosed) && ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("serve proxy on %s: %w", l.Addr(), err)
}

// ServeHTTP answers one request of a client.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodConnect {
		p.connect(w, r)
		return
	}
	scheme := "http"
	if r.URL.Scheme != "" {
		scheme = r.URL.Scheme
	}
	resp := p.answer(r, scheme)
	defer resp.Body.Close()
	maps.Copy(w.Header(), resp.Header)
	w.WriteHeader(resp.StatusCode)
	io.Copy(w, resp.Body) // a client that has gone away needs no more
}

// hopByHop are the fields of an answer that were between the recorder and the server only.
var hopByHop = []string{"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}

// answer asks the web, logs, and waits as long as the answer should take.
func (p *Proxy) answer(r *http.Request, scheme string) *http.Response {
	u := *r.URL
	u.Scheme = scheme
	if u.Host == "" {
		u.Host = r.Host
	}
	ask := &http.Request{Method: r.Method, URL: &u, Host: u.Host, Header: r.Header, Body: http.NoBody}
	ask = ask.WithContext(r.Context())
	address := u.String()

	p.mu.Lock()
	p.n++
	resp, err := p.web.RoundTrip(ask)
	if err != nil { // as a proxy says that it got no answer
		resp = made(ask, http.StatusBadGateway, http.Header{})
	}
	if p.o.Log != nil {
		fmt.Fprintf(p.o.Log, "%d\t%s\t%s\t%d\n", p.n, r.Method, address, resp.StatusCode)
	}
	p.mu.Unlock()

	for _, name := range hopByHop {
		resp.Header.Del(name)
	}
	if d := p.delay(address); d > 0 {
		p.o.Sleep(r.Context(), d)
	}
	return resp
}

func (p *Proxy) delay(address string) (d time.Duration) {
	if p.o.Latency != nil {
		d = p.o.Latency(address)
	}
	if p.o.Jitter > 0 {
		h := fnv.New64a()
		io.WriteString(h, address)
		d += time.Duration(rand.New(rand.NewPCG(h.Sum64(), 0)).Float64() * float64(p.o.Jitter))
	}
	return d
}

// connect takes a connection over and speaks TLS on it, as the host that was asked for.
func (p *Proxy) connect(w http.ResponseWriter, r *http.Request) {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		http.Error(w, fmt.Sprintf("CONNECT %q: want host:port", r.Host), http.StatusBadRequest)
		return
	}
	conn, in, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, err.Error(), http.StatusHTTPVersionNotSupported)
		return
	}
	defer conn.Close()
	if !p.hold(r.Context(), conn) {
		return
	}
	defer p.release(conn)
	if _, err := io.WriteString(conn, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	secure := tls.Server(&early{conn, in.Reader}, &tls.Config{GetCertificate: p.ca.certificate(host), NextProtos: []string{"http/1.1"}})
	defer secure.Close()
	if port != "443" {
		host = r.Host
	}
	p.speak(r.Context(), secure, host)
}

// speak answers request after request on a connection, as the https host.
func (p *Proxy) speak(ctx context.Context, conn net.Conn, host string) {
	in := bufio.NewReader(conn)
	for ctx.Err() == nil {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		r.URL.Host = host
		resp := p.answer(r.WithContext(ctx), "https")
		resp.Request = r
		resp.ProtoMajor, resp.ProtoMinor = 1, 1
		resp.Close = r.Close
		if _, err := io.Copy(io.Discard, r.Body); err != nil || resp.Write(conn) != nil || r.Close {
			return
		}
	}
}

// hold remembers a connection, to close it when serving ends; false where it has ended already.
func (p *Proxy) hold(ctx context.Context, c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if ctx.Err() != nil {
		return false
	}
	p.conns[c] = true
	p.wg.Add(1)
	return true
}

func (p *Proxy) release(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, c)
	p.wg.Done()
}

// early is a connection of which some bytes have been read ahead.
type early struct {
	net.Conn
	in *bufio.Reader
}

func (e *early) Read(p []byte) (int, error) { return e.in.Read(p) }
