package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestRetry(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	busy := func(code int, after string) func() (int, string, error) {
		return func() (int, string, error) { return code, after, nil }
	}
	broken := func(err error) func() (int, string, error) {
		return func() (int, string, error) { return 0, "", err }
	}
	ok := busy(200, "")
	cases := []struct {
		name    string
		answers []func() (int, string, error)
		status  int
		waits   []time.Duration
		reason  string // in the header, or in the error
	}{
		{"nothing is wrong", []func() (int, string, error){ok}, 200, nil, ""},
		{"busy, then not", []func() (int, string, error){busy(503, ""), busy(429, ""), ok}, 200, []time.Duration{time.Second, 2 * time.Second}, ""},
		{"Retry-After in seconds", []func() (int, string, error){busy(429, "7"), ok}, 200, []time.Duration{7 * time.Second}, ""},
		{"Retry-After as a date", []func() (int, string, error){busy(503, "Fri, 02 Jan 2026 03:04:14 GMT"), ok}, 200, []time.Duration{9 * time.Second}, ""},
		{"Retry-After in the past", []func() (int, string, error){busy(503, "Fri, 02 Jan 2026 03:00:00 GMT"), ok}, 200, []time.Duration{0}, ""},
		{"Retry-After that is nonsense", []func() (int, string, error){busy(503, "soon"), ok}, 200, []time.Duration{time.Second}, ""},
		{"Retry-After that is too long", []func() (int, string, error){busy(429, "3600")}, 429, nil, "gave up after 1 attempts: Retry-After asks for 1h0m0s"},
		{"busy for ever", []func() (int, string, error){busy(503, ""), busy(503, ""), busy(503, "")}, 503,
			[]time.Duration{time.Second, 2 * time.Second}, "gave up after 3 attempts: no attempt is left"},
		{"other errors are answers", []func() (int, string, error){busy(500, "")}, 500, nil, ""},
		{"a connection that breaks", []func() (int, string, error){broken(syscall.ECONNRESET), broken(io.ErrUnexpectedEOF), ok}, 200,
			[]time.Duration{time.Second, 2 * time.Second}, ""},
		{"time-outs for ever", []func() (int, string, error){broken(context.DeadlineExceeded), broken(context.DeadlineExceeded), broken(context.DeadlineExceeded)}, 0,
			[]time.Duration{time.Second, 2 * time.Second}, "gave up after 3 attempts, no attempt is left: context deadline exceeded"},
		{"a refused address stays refused", []func() (int, string, error){broken(ErrPrivate)}, 0, nil, ErrPrivate.Error()},
		{"a name that does not exist", []func() (int, string, error){broken(&net.DNSError{Err: "no such host", Name: "x", IsNotFound: true})}, 0, nil, "lookup x: no such host"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			attempt := 0
			base := roundTripper(func(r *http.Request) (*http.Response, error) {
				code, after, err := c.answers[attempt]()
				attempt++
				if err != nil {
					return nil, err
				}
				h := http.Header{}
				if after != "" {
					h.Set("Retry-After", after)
				}
				return answer(code, h, "body").RoundTrip(r)
			})
			var waits []time.Duration
			wait := func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
			rt := Stack(base, Retry(RetryConfig{Now: func() time.Time { return now }, Wait: wait, Chance: func() float64 { return 0.5 }}))
			resp, body, err := get(t, rt, "http://a.example/")
			if attempt != len(c.answers) || !slices.Equal(waits, c.waits) {
				t.Errorf("%d attempts, waits %v; want %d, %v", attempt, waits, len(c.answers), c.waits)
			}
			if c.status == 0 {
				if err == nil || err.Error() != c.reason {
					t.Errorf("error %v, want %q", err, c.reason)
				}
				return
			}
			if err != nil || resp.StatusCode != c.status || body != "body" || resp.Header.Get(RetryHeader) != c.reason {
				t.Errorf("%d %q, %v, %v; want %d, %q", resp.StatusCode, body, resp.Header, err, c.status, c.reason)
			}
		})
	}
}

// A date is one by the clock of the host that names it: of a machine whose own clock is wrong it would ask for an hour, or for nothing.
func TestRetryAfterADateByTheClockOfTheHost(t *testing.T) {
	now := time.Date(1970, 1, 1, 0, 5, 0, 0, time.UTC)
	for _, c := range []struct {
		after, date string
		want        time.Duration
	}{
		{"Fri, 02 Jan 2026 03:04:14 GMT", "Fri, 02 Jan 2026 03:04:05 GMT", 9 * time.Second},
		{"Fri, 02 Jan 2026 03:04:14 GMT", "Fri, 02 Jan 2026 03:04:15 GMT", 0},
		{"Thu, 01 Jan 1970 00:05:08 GMT", "", 8 * time.Second},
		{"Thu, 01 Jan 1970 00:05:08 GMT", "today", 8 * time.Second},
		{"7", "Fri, 02 Jan 2026 03:04:05 GMT", 7 * time.Second},
	} {
		h := http.Header{"Retry-After": {c.after}, "Date": {c.date}}
		if got, ok := RetryAfter(h, now); !ok || got != c.want {
			t.Errorf("%s, said at %q: %v, %v; want %v", c.after, c.date, got, ok, c.want)
		}
	}
}

func TestRetryEndsWithTheCaller(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	attempts := 0
	base := roundTripper(func(r *http.Request) (*http.Response, error) {
		attempts++
		cancel()
		return answer(503, nil, "").RoundTrip(r)
	})
	r, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://a.example/", nil)
	if _, err := Stack(base, Retry(RetryConfig{})).RoundTrip(r); !errors.Is(err, context.Canceled) || attempts != 1 {
		t.Errorf("%v after %d attempts", err, attempts)
	}
}

func TestRetryAttempts(t *testing.T) {
	for _, most := range []int{1, 5} {
		attempts := 0
		base := roundTripper(func(r *http.Request) (*http.Response, error) {
			attempts++
			return answer(503, nil, "").RoundTrip(r)
		})
		at := func(context.Context, time.Duration) error { return nil }
		if _, _, err := get(t, Stack(base, Retry(RetryConfig{Attempts: most, Wait: at, Chance: func() float64 { return 0 }})), "http://a.example/"); err != nil || attempts != most {
			t.Errorf("%d attempts, want %d: %v", attempts, most, err)
		}
	}
}

func TestRetryLeavesOtherMethodsAlone(t *testing.T) {
	attempts := 0
	base := roundTripper(func(r *http.Request) (*http.Response, error) {
		attempts++
		return answer(503, nil, "").RoundTrip(r)
	})
	r, _ := http.NewRequest(http.MethodPost, "http://a.example/", strings.NewReader("x"))
	if resp, err := Stack(base, Retry(RetryConfig{})).RoundTrip(r); err != nil || resp.StatusCode != 503 || attempts != 1 {
		t.Errorf("%v after %d attempts", err, attempts)
	}
}

func TestBackoffIsJitteredAndCapped(t *testing.T) {
	r := &RetryConfig{Attempts: 100, First: time.Second, Longest: 30 * time.Second}
	for _, chance := range []float64{0, 0.25, 0.999999} {
		r.Chance = func() float64 { return chance }
		for attempt := 1; attempt < 90; attempt++ {
			plain := min(time.Second<<min(attempt-1, 10), 30*time.Second)
			d, reason := r.next(attempt, nil)
			if low, high := plain*3/4, min(plain*5/4, 30*time.Second); d < low || d > high || reason != "" {
				t.Fatalf("attempt %d with %v: %v, want %v to %v", attempt, chance, d, low, high)
			}
		}
	}
}

func TestWhichErrorsPass(t *testing.T) {
	pass := []error{io.EOF, syscall.ECONNREFUSED, fmt.Errorf("x: %w", syscall.EPIPE), errors.New("stream error: stream ID 3; INTERNAL_ERROR"),
		&net.DNSError{Err: "server misbehaving", IsTemporary: true}}
	stay := []error{context.Canceled, ErrScheme, errors.New("malformed HTTP response"), errors.New("x509: certificate has expired")}
	for _, err := range pass {
		if !Passing(0, err) {
			t.Errorf("%v stays", err)
		}
	}
	for _, err := range stay {
		if Passing(0, err) {
			t.Errorf("%v passes", err)
		}
	}
}

// What a network in front of a host says when the host does not answer it passes as a bad gateway does.
func TestWhichStatusesPass(t *testing.T) {
	for status, want := range map[int]bool{
		408: true, 425: true, 429: true, 502: true, 503: true, 504: true, 520: true, 521: true, 522: true, 523: true, 524: true, 529: true,
		200: false, 301: false, 400: false, 403: false, 404: false, 410: false, 500: false, 501: false, 505: false, 525: false, 526: false, 999: false,
	} {
		if got := Passing(status, nil); got != want {
			t.Errorf("%d passes: %v, want %v", status, got, want)
		}
	}
}
