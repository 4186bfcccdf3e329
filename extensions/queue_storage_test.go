package extensions_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/storage"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus/frontier"
)

// forgetful is a storage that does not answer each second time.
type forgetful struct {
	storage.InMemoryStorage
	asked atomic.Int64
}

var errForgetful = errors.New("the storage is away")

func (f *forgetful) IsVisited(id uint64) (bool, error) {
	if f.asked.Add(1)%2 == 0 {
		return false, errForgetful
	}
	return f.InMemoryStorage.IsVisited(id)
}

// A page of which the collector's storage does not say whether it was visited is no page that was refused: the run ends with what the
// storage says, and the next one goes on there.
func TestQueueOverAStorageThatFails(t *testing.T) {
	overEach(t, func(t *testing.T, f frontier.Frontier) {
		q, err := extensions.NewQueue(1, f)
		noError(t, err)
		pages := []string{"http://a.example/", "http://a.example/1", "http://a.example/2", "http://b.example/", "http://b.example/1"}
		for _, page := range pages {
			noError(t, q.AddURL(page))
		}
		c := colly.NewCollector()
		c.WithTransport(empty{})
		noError(t, c.SetStorage(&forgetful{}))
		came := map[string]int{}
		c.OnResponse(func(r *colly.Response) { came[r.Request.URL.String()]++ })
		runs := 0
		for ; !q.IsEmpty(); runs++ {
			if err := q.Run(c); err != nil && !errors.Is(err, errForgetful) || runs > len(pages) {
				t.Fatalf("run %d: %v", runs, err)
			}
		}
		for _, page := range pages {
			if came[page] != 1 {
				t.Errorf("%s came %d times", page, came[page])
			}
		}
		if runs < 2 {
			t.Error("no run has told of the storage")
		}
	})
}

// What Colly refuses, and what is no request, ends no run.
func TestQueueGoesOnAfterRefusals(t *testing.T) {
	q, err := extensions.NewQueue(1, nil)
	noError(t, err)
	c := colly.NewCollector(colly.AllowedDomains("a.example"))
	c.WithTransport(empty{})
	came := 0
	c.OnResponse(func(*colly.Response) { came++ })
	c.Visit("http://a.example/visited")
	for _, page := range []string{"http://b.example/", "http://a.example/visited", "http://a.example/"} {
		if err := q.AddURL(page); err != nil {
			t.Error(err)
		}
	}
	page, err := c.UnmarshalRequest([]byte(`{"URL": "http://a.example/form", "Method": "NO METHOD"}`))
	noError(t, err)
	if err := q.AddRequest(page); err == nil {
		t.Error("a request whose method is none was added")
	}
	if err := q.Run(c); err != nil || came != 2 {
		t.Errorf("%d pages came: %v", came, err)
	}
}
