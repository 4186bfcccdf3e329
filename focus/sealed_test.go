package focus

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/run"
)

// What was injected after the list was cut short is taken all the same.
func TestAListOfInjectedAddressesThatWasCutIsReadAnew(t *testing.T) {
	config := drawnCrawl(t, "breadth")
	config.Budget.Pages = 10
	crawled(t, context.Background(), config, nil)
	config.Budget.Pages = 20
	path := filepath.Join(config.Store, run.FileState, run.FileInjected)
	for n, address := range []string{"http://new.example/a-long-address", "http://new.example/b"} {
		if _, err := run.Inject(config.Store, []string{address}); err != nil {
			t.Fatal(err)
		}
		c, err := NewWith(config)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.takeInjected(); err != nil {
			t.Fatal(err)
		}
		store := c.frontier.(*disk.Frontier)
		if _, state := store.Get(store.Find(address)); state != frontier.Waiting {
			t.Errorf("address %d was not taken", n)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}
