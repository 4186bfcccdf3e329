package wire

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
)

// ErrAway: nobody could be reached, for the machine's own network, or each proxy, is away. It says nothing of the host that was asked for.
var ErrAway = errors.New("the network is away")

// Reach tells an outage of the machine's own network from hosts that do not answer. Where a request fails for want of a way or a
// name, and nobody has answered who was asked later, those that answered last are tried: if none of them can be reached, requests
// wait until one can, and end with ErrAway. Of the hosts of a single site nobody can tell, unless there is no way at all, or no name server. They
// wait, too, while none of the proxies can be reached by which hosts were reached before.
// The zero value is ready; it must not be copied.
type Reach struct {
	Every time.Duration // it is tried anew; 0 means 5 s

	dial  dialFunc
	names *resolver // nil where none is remembered

	behind bool // some hosts are reached by proxies

	mu      sync.Mutex
	known   []string  // addresses that answered last, the latest first, one of each site
	asked   time.Time // when a request was made that was answered, the latest such
	knew    bool      // an earlier process was answered
	why     string    // nobody can be reached; empty while somebody can
	since   time.Time
	byName  bool          // it was a name that could not be had
	dead    []*url.URL    // it is the proxies that could not be reached, none of them
	looked  time.Time     // when it was tried last whether somebody can be
	sound   time.Time     // when somebody could be
	looking chan struct{} // closed at the end of the look that is under way
	begun   time.Time     // when that was
}

const (
	mostKnown = 5
	lookFor   = 5 * time.Second // that a host of them gets
	mostAway  = 12 * time.Hour  // after which it is believed that all the hosts are gone …
	soundFor  = time.Hour       // … for so long
)

// Layer is the layer that tries who can be reached, and lets requests wait.
func (r *Reach) Layer() Layer {
	return Layer{
		name: "Reach", place: AtReach,
		ground: func(g *ground) { g.reach = r },
		wrap:   trips(r.roundTrip),
	}
}

func (r *Reach) roundTrip(next http.RoundTripper, req *http.Request) (*http.Response, error) {
	if r.dial == nil || via(req.Context()) != nil { // a proxy that cannot be reached is told by who chooses it
		return next.RoundTrip(req)
	}
	if r.Away() != "" && !r.wait(req.Context()) {
		return nil, ErrAway
	}
	began := time.Now()
	resp, err := next.RoundTrip(req)
	switch {
	case err == nil:
		r.heard(addressOf(req.URL), began)
	case noWay(err) && r.lost(began, err):
		r.wait(req.Context())
		return nil, fmt.Errorf("%w: %w", ErrAway, err)
	}
	return resp, err
}

// addressOf is where a request, or one by a proxy, is sent.
func addressOf(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// noWay tells of an error that may be that of the network: the name could not be had, or nothing came of the connection.
func noWay(err error) bool {
	var name *net.DNSError
	var at *net.OpError
	var timeout interface{ Timeout() bool }
	if errors.Is(err, context.Canceled) || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, ErrPrivate) {
		return false
	}
	return errors.As(err, &name) || errors.As(err, &at) && at.Op == "dial" || errors.As(err, &timeout) && timeout.Timeout()
}

// siteOf is the site that an address is of.
func siteOf(address string) string {
	host, _, _ := net.SplitHostPort(address)
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	return cmp.Or(page.Site(host), host)
}

// every is how long lies between two looks, and for how long one is believed.
func (r *Reach) every() time.Duration { return cmp.Or(r.Every, 5*time.Second) }

// Behind is told that some hosts are reached by proxies. They may have neither a name nor a way from here.
func (r *Reach) Behind() { r.behind = true }

// Knew is told of hosts that have answered an earlier process: a crawl may be gone on with before the network is up. Of a host without a
// port nobody knows any more which of the usual ones it was, and where there are proxies not whether it can be reached without.
func (r *Reach) Knew(hosts []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.knew = r.knew || len(hosts) > 0
	if r.behind {
		return
	}
	for _, host := range slices.Backward(hosts) {
		u := url.URL{Host: host}
		r.know(net.JoinHostPort(u.Hostname(), u.Port()))
	}
}

// knows tells whether an earlier process was answered.
func (r *Reach) knows() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.knew
}

// know puts an address before others, in the place of another one of its site: one that does not want us any more has all its hosts
// silent. r.mu must be held.
func (r *Reach) know(address string) {
	if len(r.known) > 0 && r.known[0] == address {
		return
	}
	site := siteOf(address)
	r.known = slices.DeleteFunc(r.known, func(other string) bool { return siteOf(other) == site })
	r.known = slices.Insert(r.known, 0, address)
	r.known = r.known[:min(len(r.known), mostKnown)]
}

// heard is told who has answered a request that was made then.
func (r *Reach) heard(address string, asked time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if asked.After(r.asked) {
		r.asked = asked
	}
	if r.know(address); len(r.dead) == 0 && asked.After(r.begun) {
		r.over()
	}
}

// lost tells whether a request that was made then has failed because the network is away.
func (r *Reach) lost(began time.Time, err error) bool {
	r.mu.Lock()
	if r.why == "" && (len(r.known) == 0 || r.asked.After(began) || time.Since(r.sound) < r.every()) {
		r.mu.Unlock()
		return false
	}
	if r.why == "" {
		var name *net.DNSError
		r.byName = errors.As(err, &name)
	}
	over := r.look()
	r.mu.Unlock()
	<-over
	return r.Away() != ""
}

// shut is told that none of some proxies can be reached, which are all, and whether one was of use before. It answers whether that is
// waited for. Where they want another password a person is waited for, and they are asked more seldom.
func (r *Reach) shut(err error, through bool, dead []*url.URL) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if !through && !r.knew || now.Before(r.sound) {
		return false
	}
	if r.why == "" {
		if r.since, r.looked = now, now; errors.Is(err, errLogin) {
			r.looked = now.Add(11 * r.every())
		}
	}
	r.why, r.dead = Failure(err)+"; when that is over, it goes on", dead
	return true
}

// Away says why nobody can be reached; it is empty while somebody can. Now and then it is tried anew.
func (r *Reach) Away() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.why != "" && time.Since(r.looked) >= r.every() {
		r.look()
	}
	return r.why
}

// wait waits until somebody can be reached, and answers false where that is given up.
func (r *Reach) wait(ctx context.Context) bool {
	for r.Away() != "" {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(r.every()):
		}
	}
	return true
}

// look tries whether somebody can be reached, for all who want to know. r.mu must be held.
func (r *Reach) look() (over chan struct{}) {
	if r.looking != nil {
		return r.looking
	}
	over = make(chan struct{})
	known, try := slices.Clone(r.known), r.trial()
	r.looking, r.begun = over, time.Now()
	go func() {
		err := try()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.found(known, err)
		r.looking = nil
		close(over)
	}()
	return over
}

// found is told what a look has found. r.mu must be held.
func (r *Reach) found(known []string, err error) {
	r.looked = time.Now()
	switch {
	case err == nil:
		r.sound = r.looked
	case r.why != "" && r.looked.Sub(r.since) > mostAway:
		r.sound = r.looked.Add(soundFor)
	case r.why == "" && r.asked.After(r.begun): // somebody was asked meanwhile, and has answered
		return
	case r.why == "" && (len(known) > 1 || ours(err)):
		r.since = r.looked
		r.why = fmt.Sprintf("the network is away: %s, which answered before, cannot be reached (%s); when that is over, it goes on", shownAll(known), Failure(err))
		return
	default:
		return
	}
	r.over()
}

// shownAll are addresses as a person is told of them: without a port where it is not known.
func shownAll(addresses []string) string {
	shown := make([]string, len(addresses))
	for i, address := range addresses {
		shown[i] = strings.TrimSuffix(address, ":")
	}
	return strings.Join(shown, ", ")
}

// over says that somebody can be reached, or that it is believed. r.mu must be held.
func (r *Reach) over() {
	if r.why != "" && r.names != nil {
		r.names.unlearn()
	}
	r.why, r.dead = "", nil
}

// ours tells of an error that is this machine's: it knows no way, or no name server answers.
func ours(err error) bool {
	var name *net.DNSError
	return errors.As(err, &name) && !name.IsNotFound || errors.Is(err, syscall.ENETUNREACH) || errors.Is(err, syscall.ENETDOWN)
}

// trial is what is nil when somebody can be reached: a host, or one of the proxies where it is these. r.mu must be held.
func (r *Reach) trial() func() error {
	known, byName, dead := slices.Clone(r.known), r.byName, r.dead
	if len(dead) > 0 {
		return func() error {
			return first(len(dead), func(ctx context.Context, i int) error { return r.connects(ctx, dead[i]) })
		}
	}
	return func() error {
		return first(len(known), func(ctx context.Context, i int) error { return r.reaches(ctx, known[i], byName) })
	}
}

// first is nil when one of n tries is.
func first(n int, try func(ctx context.Context, i int) error) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), lookFor)
	defer cancel()
	tried := make(chan error, n)
	for i := range n {
		go func() { tried <- try(ctx, i) }()
	}
	for range n {
		if err = <-tried; err == nil {
			return nil
		}
	}
	return err
}

// reaches is nil when an address can be reached, or its name be had. What refuses a connection was reached.
func (r *Reach) reaches(ctx context.Context, address string, byName bool) (err error) {
	host, port, _ := net.SplitHostPort(address)
	if _, err := netip.ParseAddr(host); err != nil && byName && r.names != nil {
		_, err := r.names.lookup(ctx, host)
		return err
	}
	ports := []string{port}
	if port == "" {
		ports = []string{"443", "80"}
	}
	return first(len(ports), func(ctx context.Context, i int) error {
		conn, err := r.dial(ctx, "tcp", net.JoinHostPort(host, ports[i]))
		if errors.Is(err, syscall.ECONNREFUSED) {
			return nil
		}
		if err == nil {
			err = conn.Close()
		}
		return err
	})
}

// connects is nil when a proxy can be reached, which may stand anywhere.
func (r *Reach) connects(ctx context.Context, proxy *url.URL) error {
	conn, err := r.dial(context.WithValue(ctx, viaKey{}, &passage{at: proxy}), "tcp", addressOf(proxy))
	if err != nil {
		return err
	}
	return conn.Close()
}
