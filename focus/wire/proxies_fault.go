package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"github.com/thresher-crawler/thresher/focus/page"
)

// fault is why a proxy could not be used; nil where it was the host, or nothing, that failed, or where nobody can tell.
func (p *proxies) fault(resp *http.Response, err error, way *passage) error {
	var op *net.OpError
	switch {
	case resp != nil && resp.StatusCode == http.StatusProxyAuthRequired && !way.tunnel: // behind which it is the host that says so
		return errLogin
	case err == nil, errors.Is(err, context.Canceled):
		return nil
	case errors.As(err, &op) && op.Op == "proxyconnect":
		return op.Err
	case errors.Is(err, errConnect):
		return err
	case bySOCKS(err) && strings.Contains(err.Error(), "authentication"):
		return errLogin
	case way.tunnel && !way.spoken.Load() && hungUp(err):
		return errHangsUp
	case way.tunnel && !way.spoken.Load() && garbled(err):
		return errNoProxy
	}
	return nil
}

// bySOCKS tells that the client of SOCKS says what went wrong, before anything reached the host.
func bySOCKS(err error) bool { return err != nil && strings.Contains(err.Error(), "socks connect") }

// garbled tells that what a proxy answered is not the answer of one. These errors have no exported type.
func garbled(err error) bool {
	said := err.Error()
	return strings.Contains(said, "malformed HTTP") || strings.Contains(said, "malformed MIME header") || bySOCKS(err) &&
		(strings.Contains(said, "unexpected protocol version") || strings.Contains(said, "reserved field") || strings.Contains(said, "unknown address type"))
}

// barred is what a proxy says of a host that it does not let anybody to, or could not reach. Another proxy may.
type barred struct {
	said  string
	later bool // it may say another thing in a moment
}

func (b *barred) Error() string { return b.said }

func isBarred(err error) bool {
	var b *barred
	return errors.As(err, &b)
}

// What a proxy is told to have said of a host.
const (
	barredShut = ShutByProxy + ": "
	barredAway = "the proxy could not reach the host: "
)

// barredBySOCKS is an error in which a SOCKS proxy tells of a host, in our words.
func barredBySOCKS(err error, way *passage) error {
	if !bySOCKS(err) {
		return err
	}
	_, said, ok := strings.Cut(err.Error(), "unknown error ") // which begins what it says
	switch {
	case !ok:
		return err
	case strings.Contains(said, "ruleset"):
		return &barred{barredShut + said, false}
	}
	way.spoken.Store(true)
	return &barred{barredAway + said, true}
}

// hungUp tells that a connection was ended by the other side.
func hungUp(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

var (
	errConnect = errors.New("it does not let us through") // to any host
	errLogin   = errors.New(WantsLogin)
	errBusy    = errors.New("429 Too Many Requests")
	errHangsUp = errors.New("it hangs up")
	errNoProxy = errors.New("what answers there is no proxy of this kind")
)

// unreached tells of a fault that no connection to the proxy came about.
func unreached(fault error) bool {
	var at *net.OpError
	return errors.As(fault, &at) && at.Op == "dial"
}

// stays tells whether what is wrong with a proxy will be so in a moment: nobody is there, or it wants another password. Who was busy, slow,
// or hung up once, may do the next time.
func stays(fault error) bool {
	var late interface{ Timeout() bool }
	var dns *net.DNSError
	switch {
	case fault == nil, errors.Is(fault, errBusy), errors.Is(fault, errHangsUp), hungUp(fault):
		return false
	case errors.As(fault, &dns) && dns.IsTemporary:
		return false
	}
	return !(errors.As(fault, &late) && late.Timeout())
}

// connected looks at what a proxy says to CONNECT. What it says of the host is the host's affair; so is a port that it lets nobody to,
// unless it says so of every host.
func connected(ctx context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
	said := fmt.Sprintf("%d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
	switch answer.StatusCode {
	case http.StatusTooManyRequests:
		return fmt.Errorf("%w: %w", errConnect, errBusy)
	case http.StatusProxyAuthRequired:
		return fmt.Errorf("%w: %w", errConnect, errLogin)
	case http.StatusMethodNotAllowed:
		return fmt.Errorf("%w: %s", errConnect, said)
	case http.StatusForbidden:
		return &barred{barredShut + said, false}
	}
	if w, ok := ctx.Value(viaKey{}).(*passage); ok {
		w.spoken.Store(true)
	}
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	return &barred{barredAway + said, page.Later(answer.StatusCode)}
}
