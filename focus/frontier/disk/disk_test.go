package disk

import (
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/frontiertest"
)

func mustOpen(tb testing.TB, dir string, m frontier.Manners, o Options) *Frontier {
	tb.Helper()
	f, err := Open(dir, m, o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	return f
}

func TestDisk(t *testing.T) {
	frontiertest.Run(t, frontiertest.Backend{
		Open: func(tb testing.TB, m frontier.Manners) frontiertest.Full {
			return mustOpen(tb, tb.TempDir(), m, Options{Segment: 4096})
		},
		Reopen: func(tb testing.TB, f frontiertest.Full, m frontier.Manners) frontiertest.Full {
			if err := f.Close(); err != nil {
				tb.Fatal(err)
			}
			return mustOpen(tb, f.(*Frontier).dir, m, Options{Segment: 4096})
		},
		Leases: true,
	})
}
