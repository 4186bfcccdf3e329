package main

import (
	"os"
	"slices"
	"testing"
	"time"
)

// TestAnEchoOfASignalIsNoSecondWish: timeout(1) sends its signal to the process and to its group, and a crawl that heard both ended at once,
// without a summary and with exit code 1, though it was asked once to stop.
func TestAnEchoOfASignalIsNoSecondWish(t *testing.T) {
	began := time.Date(2026, 11, 30, 3, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		after []time.Duration // the first one
		want  []string
	}{
		"one":                   {[]time.Duration{0}, []string{"stop"}},
		"its echo":              {[]time.Duration{0, time.Millisecond, 20 * time.Millisecond}, []string{"stop"}},
		"a second":              {[]time.Duration{0, time.Second}, []string{"stop", "end"}},
		"an echo, and a second": {[]time.Duration{0, time.Millisecond, time.Second}, []string{"stop", "end"}},
	} {
		signals, done, over := make(chan os.Signal), make(chan struct{}), make(chan struct{})
		var did []string
		at := c.after
		now := func() (t time.Time) {
			t, at = began.Add(at[0]), at[1:]
			return t
		}
		go func() {
			defer close(over)
			heed(signals, done, now, func() { did = append(did, "stop") }, func() { did = append(did, "end") })
		}()
		for range c.after {
			signals <- os.Interrupt
		}
		close(done)
		<-over
		if !slices.Equal(did, c.want) {
			t.Errorf("%s: it did %v, want %v", name, did, c.want)
		}
	}
}
