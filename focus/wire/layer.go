package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Layer is one part of a transport. Layers are made by functions such as Decode, or by NewLayer, and stacked by Stack.
type Layer struct {
	name   string
	place  Place
	wrap   func(http.RoundTripper) http.RoundTripper // nil where only the ground changes
	ground func(*ground)                             // nil where nothing below changes
}

// Place is where a layer stands. Requests pass the places from the first to the last, responses the other way round.
type Place int

// The order, with the reason each neighbour stands where it stands.
const (
	AtMeasure   Place = iota // counts what the collector sees
	AtRetry                  // each attempt has limits of its own
	AtCharset                // reads text, so it needs decoded bytes
	AtDecode                 // bounds what grows out of the wire's bytes
	AtRecord                 // writes down what came over the wire, as it came
	AtUnchanged              // answers in the place of the wire, as the wire once did
	AtLogins                 // sends passwords, where nobody above writes them down
	AtLimits                 // bounds the wire
	AtNetworks               // refuses what must not be asked at all
	AtProxies                // chooses the way, of what may be asked
	AtReach                  // waits where there is no way, of what goes by none of others
	AtResolver               // finds addresses for the dialer
)

// NewLayer makes a layer of one's own. Of several layers with one name in a stack the last counts; in one place they stand
// as they are named.
func NewLayer(name string, at Place, wrap func(http.RoundTripper) http.RoundTripper) Layer {
	return Layer{name: name, place: at, wrap: wrap}
}

// Place is where the layer stands.
func (l Layer) Place() Place { return l.place }

// privatePrefix begins the headers by which the layers tell each other, and the collector, what they found.
const privatePrefix = "X-Thresher-"

// Stack puts layers on a transport in their fixed order, whatever order they are named in. Of two layers of a kind
// the one named last counts. A nil base is a transport of our own; an *http.Transport is copied, because layers change
// how it dials; any other base, such as a recorded web, does its own dialing or none. Close what is idle with the
// CloseIdleConnections of the answer, or of a http.Client over it.
func Stack(base http.RoundTripper, layers ...Layer) http.RoundTripper {
	sorted := order(layers)
	g := ground{}
	for _, l := range sorted {
		if l.ground != nil {
			l.ground(&g)
		}
	}
	bottom := g.transport(base)
	var top http.RoundTripper = clean{bottom, g.count}
	for _, l := range slices.Backward(sorted) {
		if l.wrap != nil {
			top = l.wrap(top)
		}
	}
	return &stack{top, bottom}
}

// order sorts layers by place and keeps the last of each name. The sort is stable: layers of one's own in one place stay as named.
func order(layers []Layer) []Layer {
	var sorted []Layer
	for i, l := range layers {
		later := slices.ContainsFunc(layers[i+1:], func(o Layer) bool { return o.name == l.name })
		if !later {
			sorted = append(sorted, l)
		}
	}
	slices.SortStableFunc(sorted, func(a, b Layer) int { return int(a.place - b.place) })
	return sorted
}

type hopKey struct{}

// WithHopCheck makes a context in which the target of every redirect is checked before it is asked for: an error of the
// check is the request's. A nil check checks nothing.
func WithHopCheck(ctx context.Context, check func(*http.Request) error) context.Context {
	return context.WithValue(ctx, hopKey{}, check)
}

// stack is the whole of a transport. r.Response is set where net/http makes a request because of a redirect: that is a hop.
type stack struct{ top, bottom http.RoundTripper }

func (s *stack) RoundTrip(r *http.Request) (*http.Response, error) {
	if check, ok := r.Context().Value(hopKey{}).(func(*http.Request) error); ok && check != nil && r.Response != nil {
		if err := check(r); err != nil {
			return nil, err
		}
	}
	return s.top.RoundTrip(r)
}

// CloseIdleConnections closes the connections that nothing is using.
func (s *stack) CloseIdleConnections() {
	if c, ok := s.bottom.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// ErrHandover: the answer does not end the request but hands the connection over (101 Switching Protocols), or has no
// status of an answer at all. What would follow is no body: it has no end, and no context stops it.
var ErrHandover = errors.New("the server hands over the connection instead of an answer")

// clean keeps private headers inside: none goes out, and none that comes in is believed. What is no answer stays outside.
type clean struct {
	next  http.RoundTripper
	count func(int) // bytes of bodies; nil where nobody wants to know
}

func (c clean) RoundTrip(r *http.Request) (*http.Response, error) {
	if hasPrivate(r.Header) {
		r = r.Clone(r.Context())
		dropPrivate(r.Header)
	}
	resp, err := c.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode < http.StatusOK {
		if resp.Body != nil {
			resp.Body.Close()
		}
		return nil, fmt.Errorf("status %d: %w", resp.StatusCode, ErrHandover)
	}
	if hasPrivate(resp.Header) {
		dropPrivate(resp.Header)
	}
	if c.count != nil && resp.Body != nil {
		resp.Body = &wired{resp.Body, c.count}
	}
	return resp, nil
}

func hasPrivate(h http.Header) bool {
	for name := range h {
		if strings.HasPrefix(name, privatePrefix) {
			return true
		}
	}
	return false
}

func dropPrivate(h http.Header) {
	for name := range h {
		if strings.HasPrefix(name, privatePrefix) {
			delete(h, name)
		}
	}
}

// roundTripper is a function as a transport.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// trips is what a layer makes of the transport below it: one that makes each request as trip does.
func trips(trip func(next http.RoundTripper, r *http.Request) (*http.Response, error)) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) { return trip(next, r) })
	}
}

// WithValues is a context that ends as one does, and has the values of another beside its own.
func WithValues(ctx, values context.Context) context.Context { return joined{ctx, values} }

type joined struct {
	context.Context
	values context.Context
}

func (j joined) Value(key any) any {
	if v := j.Context.Value(key); v != nil {
		return v
	}
	return j.values.Value(key)
}
