package frontier_test

import (
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/frontiertest"
)

func TestMemory(t *testing.T) {
	frontiertest.Run(t, frontiertest.Backend{
		Open:   func(_ testing.TB, m frontier.Manners) frontiertest.Full { return frontier.NewMemory(m) },
		Leases: true,
	})
}
