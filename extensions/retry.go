package extensions

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
)

// RetryHeader is the response header in which Retry says why it gave up and hands over a failure.
const RetryHeader = "X-Thresher-Retry"

type retry struct {
	timed
	attempts int
	first    time.Duration
	longest  time.Duration
	wait     func(context.Context, time.Duration) error
	chance   func() float64
}

// Attempts is how often a request is made at most (Retry). Default 3.
func Attempts(n int) Option {
	want(n > 0, "Attempts", n, "a number above 0")
	return option("Attempts", func(r *retry) { r.attempts = n })
}

// Backoff is how long is waited before the second attempt, and at most before any (Retry). Default 1 s and 30 s. The
// time doubles with each attempt, give or take a quarter.
func Backoff(first, longest time.Duration) Option {
	wantTime("Backoff", first)
	want(longest >= first, "Backoff", longest, "the longest time not below the first")
	return option("Backoff", func(r *retry) { r.first, r.longest = first, longest })
}

// Waiting replaces how Retry waits and where its jitter comes from, a number in [0,1): for tests.
func Waiting(wait func(context.Context, time.Duration) error, chance func() float64) Option {
	return option("Waiting", func(r *retry) { r.wait, r.chance = wait, chance })
}

// Retry is the layer that makes a request again where that may help: after 429 and 503, time-outs and broken
// connections. Retry-After is kept to; one that asks for more than Backoff allows is a reason to give up, since a
// worker that waits is no use to other hosts. Only GET and HEAD are made again. What it gives up on is handed over
// with the reason in RetryHeader, or in the error.
func Retry(o ...Option) Layer {
	r := &retry{timed: timed{time.Now}, attempts: 3, first: time.Second, longest: 30 * time.Second, wait: sleep, chance: rand.Float64}
	tune("Retry", r, o)
	return Layer{
		name:  "Retry",
		place: placeRetry,
		wrap: func(next http.RoundTripper) http.RoundTripper {
			return roundTripper(func(req *http.Request) (*http.Response, error) { return r.roundTrip(next, req) })
		},
	}
}

func (r *retry) roundTrip(next http.RoundTripper, req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet && req.Method != http.MethodHead {
		return next.RoundTrip(req)
	}
	for attempt := 1; ; attempt++ {
		resp, err := next.RoundTrip(req)
		if err == nil && !isBusy(resp.StatusCode) || err != nil && !isPassing(err) {
			return resp, err
		}
		wait, reason := r.next(attempt, resp)
		if reason != "" {
			return gaveUp(resp, err, attempt, reason)
		}
		if resp != nil {
			io.CopyN(io.Discard, resp.Body, 64<<10) // so that the connection can be used again
			resp.Body.Close()
		}
		if err := r.wait(req.Context(), wait); err != nil {
			return nil, err
		}
	}
}

func isBusy(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// next answers how long to wait before the next attempt, or why there is none.
func (r *retry) next(attempt int, resp *http.Response) (wait time.Duration, reason string) {
	if attempt >= r.attempts {
		return 0, "no attempt is left"
	}
	if resp != nil {
		if asked, ok := RetryAfter(resp.Header, r.now()); ok {
			if asked > r.longest {
				return 0, fmt.Sprintf("Retry-After asks for %v", asked)
			}
			return asked, ""
		}
	}
	wait = r.first
	for range attempt - 1 {
		wait = min(2*wait, r.longest)
	}
	return min(time.Duration(float64(wait)*(0.75+r.chance()/2)), r.longest), ""
}

func gaveUp(resp *http.Response, err error, attempts int, reason string) (*http.Response, error) {
	if err != nil {
		return nil, fmt.Errorf("extensions: gave up after %d attempts, %s: %w", attempts, reason, err)
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

// RetryAfter reads a Retry-After header, which is a number of seconds or a date. It is never below 0.
func RetryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if value == "" {
		return 0, false
	}
	if seconds, err := strconv.ParseInt(value, 10, 32); err == nil {
		return time.Duration(max(seconds, 0)) * time.Second, true
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(date.Sub(now), 0), true
	}
	return 0, false
}

// isPassing tells whether an error may be gone at the next attempt: time-outs and broken connections, not wrong names,
// refused addresses, bad certificates or answers that are no HTTP.
func isPassing(err error) bool {
	if errors.Is(err, context.Canceled) {
		return false
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
	return StreamBroken(err)
}

// StreamBroken tells that a server of HTTP/2 reset the request's stream, or let the connection go (GOAWAY): the same
// request may be answered at the next attempt. These errors have no exported type.
func StreamBroken(err error) bool {
	text := err.Error()
	return strings.Contains(text, "stream error: ") || strings.Contains(text, "server sent GOAWAY") || strings.Contains(text, "server closed idle connection")
}
