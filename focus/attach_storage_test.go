package focus_test

import (
	"strings"
	"testing"

	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/storage"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/frontier"
)

// ownStorage is a program's storage: it remembers which visits it was told of.
type ownStorage struct {
	storage.InMemoryStorage
	told int
}

func (s *ownStorage) Visited(id uint64) error {
	s.told++
	return s.InMemoryStorage.Visited(id)
}

// A storage that a program has set on its collector is not replaced in silence: Attach asks for it, and then a page is
// visited for it when it has been fetched.
func TestAStorageOfTheProgramIsKept(t *testing.T) {
	s := newSite(t, solarPages())
	own := &ownStorage{}
	attach := func(o ...focus.Option) (*colly.Collector, *focus.Steps, *extensions.Queue, error) {
		c := colly.NewCollector()
		if err := c.SetStorage(own); err != nil {
			t.Fatal(err)
		}
		f := frontier.NewMemory(frontier.Manners{})
		steps, err := focus.Attach(c, f, solarTopic(t), loadTree(t, sharkTree), o...)
		return c, steps, extensions.NewQueue(1, f), err
	}
	if _, _, _, err := attach(); err == nil || !strings.Contains(err.Error(), "focus.Storage") {
		t.Fatalf("a storage was replaced: %v", err)
	}
	for run, want := range []int{1, 0} {
		c, steps, q, err := attach(focus.Storage(own))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := steps.Seed(s.URL + "/onion"); err != nil {
			t.Fatal(err)
		}
		before := own.told
		if err := q.Run(c); err != nil {
			t.Fatal(err)
		}
		if told := own.told - before; told != want || steps.Err() != nil {
			t.Errorf("run %d: the storage heard of %d pages, want %d: %v", run, told, want, steps.Err())
		}
	}
}
