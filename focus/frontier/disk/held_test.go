//go:build unix

package disk

import (
	"fmt"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/frontier"
)

// TestAWaitingLinkTakesLittle: what a link that waits takes in memory, addresses of 50 bytes and notes of 40 left on the disk.
func TestAWaitingLinkTakesLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("two hundred thousand links")
	}
	const links, page, most = 200_000, 200, 160
	clock := frontier.NewManual(start)
	before := heap()
	f := mustOpen(t, t.TempDir(), frontier.Manners{Delay: time.Second, Clock: clock}, Options{})
	items := make([]frontier.Item, page)
	for n := range links / page {
		for i := range items {
			id := n*page + i
			address := fmt.Sprintf("http://host%d.example/section%d/%d/page.html", id%100, id%7, id)
			items[i] = frontier.Item{URL: address, Identity: address, Host: fmt.Sprintf("host%d.example", id%100), Score: float32(id%997) / 997, Note: make([]byte, 40)}
		}
		if _, err := f.PushAll(items); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	took := float64(heap()-before) / links
	if t.Logf("%.0f bytes a link", took); took > most || f.Len() != links {
		t.Errorf("%.0f bytes a link, of %d; there may be %d", took, f.Len(), most)
	}
}
