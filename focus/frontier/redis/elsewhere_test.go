package redis

import (
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// Whoever waits for hosts that other machines visit can say so, and nobody else does: who visits something itself, and who waits for
// a host that rests.
func TestWhoWaitsForOtherMachinesSaysSo(t *testing.T) {
	client, clock := server(t), frontier.NewManual(start)
	m := frontier.Manners{Delay: time.Second, Lease: time.Minute, Clock: clock}
	one, other := open(t, client, m, Options{}), open(t, client, m, Options{})
	pops := func(f *Frontier, want uint64, says string) {
		t.Helper()
		it, _, err := f.TryPop(0)
		if said := f.Elsewhere(); err != nil || it.ID != want || !strings.HasSuffix(said, says) || says == "" && said != "" {
			t.Errorf("handed over %d, %v, want %d; it says %q, want %q", it.ID, err, want, said, says)
		}
	}
	if _, err := one.PushAll([]frontier.Item{{URL: "http://a/1", Host: "a"}, {URL: "http://a/2", Host: "a"}}); err != nil {
		t.Fatal(err)
	}
	pops(one, 1, "")
	pops(one, 0, "")
	pops(other, 0, "other machines visit, 1 now")
	if err := one.Done(1, frontier.Outcome{}); err != nil {
		t.Fatal(err)
	}
	pops(other, 0, "")
	clock.Advance(time.Second)
	pops(other, 2, "")
}
