package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
)

// RetryHeader is the response header in which Retry says why it gave up and hands over a failure.
const RetryHeader = "X-Thresher-Retry"

// RetryConfig tunes Retry; the zero value is the default.
type RetryConfig struct {
	Attempts int           // requests at most; 0 means 3
	First    time.Duration // waited before the second attempt; 0 means 1 s. It doubles with each attempt, give or take a quarter
	Longest  time.Duration // waited before any attempt; 0 means 30 s
	Now      func() time.Time
	// Wait is how Retry waits, and Chance a number in [0,1) that its jitter comes from; nil are a timer and true chance.
	Wait   func(context.Context, time.Duration) error
	Chance func() float64
}

// Retry is the layer that makes a request again where that may help: after a status that may pass (429, 503 and their like),
// time-outs and broken connections. Retry-After is kept to; one that asks for more than Longest is a reason to give up, since a
// worker that waits is no use to other hosts. Only GET and HEAD are made again. What it gives up on is handed over
// with the reason in RetryHeader, or in the error.
func Retry(o RetryConfig) Layer {
	o.Attempts = setting("RetryConfig.Attempts", o.Attempts, 3)
	o.First, o.Longest = setting("RetryConfig.First", o.First, time.Second), setting("RetryConfig.Longest", o.Longest, 30*time.Second)
	if o.Longest < o.First {
		panic(fmt.Sprintf("wire.RetryConfig.Longest is %v: want at least First, which is %v", o.Longest, o.First))
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = sleep
	}
	if o.Chance == nil {
		o.Chance = rand.Float64
	}
	return Layer{
		name:  "Retry",
		place: AtRetry,
		wrap:  trips(o.roundTrip),
	}
}

func (o *RetryConfig) roundTrip(next http.RoundTripper, req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet && req.Method != http.MethodHead {
		return next.RoundTrip(req)
	}
	for attempt := 1; ; attempt++ {
		resp, err := next.RoundTrip(req)
		if !Passing(statusOf(resp), err) {
			return resp, err
		}
		wait, reason := o.next(attempt, resp)
		if reason != "" {
			return gaveUp(resp, err, attempt, reason)
		}
		if resp != nil {
			io.CopyN(io.Discard, resp.Body, 64<<10) // so that the connection can be used again
			resp.Body.Close()
		}
		if err := o.Wait(req.Context(), wait); err != nil {
			return nil, err
		}
	}
}

func statusOf(resp *http.Response) int {
	if resp == nil {
		return 0
	}
	return resp.StatusCode
}

// next answers how long to wait before the next attempt, or why there is none. What the host asks for with Retry-After counts as it
// is; our own waits are spread by a quarter either way, so that requests that failed together do not come back together.
func (o *RetryConfig) next(attempt int, resp *http.Response) (wait time.Duration, reason string) {
	if attempt >= o.Attempts {
		return 0, "no attempt is left"
	}
	if resp != nil {
		if asked, ok := RetryAfter(resp.Header, o.Now()); ok {
			if asked > o.Longest {
				return 0, fmt.Sprintf("Retry-After asks for %v", asked)
			}
			return asked, ""
		}
	}
	wait = o.First
	for range attempt - 1 {
		wait = min(2*wait, o.Longest)
	}
	return min(time.Duration(float64(wait)*(0.75+o.Chance()/2)), o.Longest), ""
}

// gaveUp hands over what came of the last attempt. A response goes on as it is, body and all, since its status may say something.
func gaveUp(resp *http.Response, err error, attempts int, reason string) (*http.Response, error) {
	if err != nil {
		return nil, fmt.Errorf("gave up after %d attempts, %s: %w", attempts, reason, err)
	}
	resp.Header.Set(RetryHeader, fmt.Sprintf("gave up after %d attempts: %s", attempts, reason))
	return resp, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// RetryAfter reads a Retry-After header, which is a number of seconds or a date: one by the clock of the host, which Date tells, and
// only where that is missing by our own. It is never below 0.
func RetryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if value == "" {
		return 0, false
	}
	if seconds, err := strconv.ParseInt(value, 10, 32); err == nil {
		return time.Duration(max(seconds, 0)) * time.Second, true
	}
	if date, err := http.ParseTime(value); err == nil {
		if said, err := http.ParseTime(h.Get("Date")); err == nil {
			now = said
		}
		return max(date.Sub(now), 0), true
	}
	return 0, false
}

// Passing tells whether what came of a request may be another thing at the next attempt: the status of an answer, or the
// error where there is none. A host that is busy, time-outs and broken connections pass; wrong names, refused addresses,
// bad certificates, answers that are no HTTP and other statuses do not.
func Passing(status int, err error) bool {
	return page.Later(status) || err != nil && isPassing(err)
}

// isPassing tells of an error whether it may pass. A refused connection may: that is how a server looks that is being restarted. A
// request that was cancelled is over, whatever the host does. A proxy that was of use will be again.
func isPassing(err error) bool {
	if errors.Is(err, context.Canceled) {
		return false
	}
	var proxy *proxyError
	if errors.As(err, &proxy) && proxy.used {
		return true
	}
	var bar *barred
	if errors.As(err, &bar) {
		return bar.later
	}
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return !dns.IsNotFound && (dns.IsTimeout || dns.IsTemporary)
	}
	var n net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &n) && n.Timeout() {
		return true
	}
	for _, broken := range []error{io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.ECONNREFUSED, syscall.ECONNABORTED,
		syscall.EPIPE, syscall.EHOSTUNREACH, syscall.ENETUNREACH} {
		if errors.Is(err, broken) {
			return true
		}
	}
	return streamBroken(err)
}

// streamBroken tells that a server of HTTP/2 reset the request's stream, or let the connection go (GOAWAY): the same
// request may be answered at the next attempt. These errors have no exported type.
func streamBroken(err error) bool {
	text := err.Error()
	return strings.Contains(text, "stream error: ") || strings.Contains(text, "server sent GOAWAY") || strings.Contains(text, "server closed idle connection")
}
