package extensions_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/queue"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/frontier/redis"
)

// noError ends the test where something has failed that it only needs.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// overEach runs a test over every frontier that a queue may stand on.
func overEach(t *testing.T, test func(t *testing.T, f frontier.Frontier)) {
	manners := frontier.Manners{PerHost: 10}
	t.Run("memory", func(t *testing.T) { test(t, frontier.NewMemory(manners)) })
	t.Run("disk", func(t *testing.T) {
		f, err := disk.Open(t.TempDir(), manners, disk.Options{})
		noError(t, err)
		defer f.Close()
		test(t, f)
	})
	t.Run("redis", func(t *testing.T) {
		client, to, err := redis.Dial("redis://" + redisServer(t) + "?crawl=queue")
		noError(t, err)
		defer client.Close()
		f, err := redis.Open(context.Background(), client, to.Crawl, manners, redis.Options{})
		noError(t, err)
		defer f.Close()
		test(t, f)
	})
}

// redisServer is the address of a Redis: a real one where it is installed, miniredis otherwise.
func redisServer(t *testing.T) string {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("redis-server is not installed, and CI demands it")
		}
		return miniredis.RunT(t).Addr()
	}
	for range 20 {
		port := strconv.Itoa(10000 + rand.IntN(20000)) // none of those that systems give to whoever asks for any
		cmd := exec.Command(path, "--port", port, "--bind", "127.0.0.1", "--dir", t.TempDir(), "--save", "")
		out, err := cmd.StdoutPipe()
		noError(t, err)
		noError(t, cmd.Start())
		t.Cleanup(func() {
			cmd.Process.Kill()
			cmd.Wait()
		})
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if strings.Contains(lines.Text(), "eady to accept connections") {
				go io.Copy(io.Discard, out)
				return "127.0.0.1:" + port
			}
		}
	}
	t.Fatal("redis-server found no port")
	return ""
}

// aQueue is what Colly's queue can do, and ours.
type aQueue interface {
	AddURL(url string) error
	AddRequest(*colly.Request) error
	Size() (int, error)
	IsEmpty() bool
	Stop()
	Run(*colly.Collector) error
}

// TestQueueAsColly is the test of Colly's own queue, with its 3,000 items: addresses that are added again and again, before it runs
// and from callbacks, among requests that are none, are each requested as often as they were added, where the collector has
// AllowURLRevisit. Colly's own queue and ours, over each frontier, go through the same lines; over Redis, where each item is several
// round trips, a fifth of the items do.
func TestQueueAsColly(t *testing.T) {
	t.Run("colly", func(t *testing.T) {
		storage := &queue.InMemoryQueueStorage{MaxSize: 100000}
		q, err := queue.New(10, storage)
		noError(t, err)
		queueTest(t, q, 3000, func(int) error { return storage.AddRequest([]byte("error request")) })
	})
	overEach(t, func(t *testing.T, f frontier.Frontier) {
		q, err := extensions.NewQueue(10, f)
		noError(t, err)
		items := 3000
		if strings.HasSuffix(t.Name(), "/redis") {
			items = 600
		}
		queueTest(t, q, items, func(i int) error {
			_, _, err := f.Push(frontier.Item{URL: "error request", Identity: fmt.Sprint("error request ", i)})
			return err
		})
	})
}

// empty answers every request with an empty page. It needs no network: it is the queue that is tested.
type empty struct{}

func (empty) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
}

// queueTest fills a queue with n items and runs it; spoil puts a request into what is below it that is none.
func queueTest(t *testing.T, q aQueue, n int, spoil func(int) error) {
	rng := rand.New(rand.NewPCG(1238, 7123))
	var rngMu sync.Mutex
	var items, requests, success, failure atomic.Uint32
	put := func() {
		rngMu.Lock()
		address := fmt.Sprintf("http://a.example/delay?t=%dµs", rng.IntN(50))
		rngMu.Unlock()
		items.Add(1)
		if err := q.AddURL(address); err != nil {
			t.Error(err)
		}
	}
	if testing.Short() {
		n = 300
	}
	for i := range n {
		put()
		noError(t, spoil(i))
	}
	c := colly.NewCollector(colly.AllowURLRevisit())
	c.WithTransport(empty{})
	c.OnRequest(func(*colly.Request) { requests.Add(1) })
	c.OnResponse(func(resp *colly.Response) {
		if resp.StatusCode == http.StatusOK {
			success.Add(1)
		} else {
			failure.Add(1)
		}
		rngMu.Lock()
		toss := rng.IntN(2) == 0
		rngMu.Unlock()
		if toss {
			put()
		}
	})
	c.OnError(func(*colly.Response, error) { failure.Add(1) })
	noError(t, q.Run(c))
	if items.Load() != requests.Load() || success.Load() != requests.Load() || failure.Load() > 0 || int(items.Load()) < n*3/2 {
		t.Errorf("%d items, %d requests, %d of them successes, %d failures", items.Load(), requests.Load(), success.Load(), failure.Load())
	}
}

// TestQueueExampleAsColly is the example of Colly's own queue: requests of Request.New are added from OnRequest. The same lines,
// again, for both.
func TestQueueExampleAsColly(t *testing.T) {
	t.Run("colly", func(t *testing.T) {
		q, err := queue.New(2, &queue.InMemoryQueueStorage{MaxSize: 10000})
		noError(t, err)
		queueExample(t, q)
	})
	overEach(t, func(t *testing.T, f frontier.Frontier) {
		q, err := extensions.NewQueue(2, f)
		noError(t, err)
		queueExample(t, q)
	})
}

func queueExample(t *testing.T, q aQueue) {
	var arrived, visiting atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { arrived.Add(1) }))
	defer server.Close()
	url := server.URL + "/delay/1"
	c := colly.NewCollector(colly.AllowURLRevisit())
	c.OnRequest(func(r *colly.Request) {
		visiting.Add(1)
		if r.ID < 15 {
			r2, err := r.New("GET", fmt.Sprintf("%s?x=%v", url, r.ID), nil)
			if err == nil {
				q.AddRequest(r2)
			}
		}
	})
	for i := range 5 {
		q.AddURL(fmt.Sprintf("%s?n=%d", url, i))
	}
	if n, err := q.Size(); n != 5 || err != nil || q.IsEmpty() {
		t.Errorf("before: %d wait (%v)", n, err)
	}
	noError(t, q.Run(c))
	if n, _ := q.Size(); n != 0 || !q.IsEmpty() || visiting.Load() < 6 || arrived.Load() != visiting.Load() {
		t.Errorf("after: %d wait; %d were visited and %d arrived", n, visiting.Load(), arrived.Load())
	}
}

// MaxDepth holds in a queue: for requests that are added, and for a Visit in a callback.
func TestQueueHoldsMaxDepth(t *testing.T) {
	overEach(t, func(t *testing.T, f frontier.Frontier) {
		var mu sync.Mutex
		asked := map[string]int{}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			asked[r.URL.Path]++
		}))
		defer server.Close()
		c := colly.NewCollector(colly.MaxDepth(3))
		q, err := extensions.NewQueue(1, f)
		noError(t, err)
		depths := map[int]int{}
		c.OnResponse(func(r *colly.Response) {
			depths[r.Request.Depth]++
			deeper, err := r.Request.New("GET", r.Request.URL.String()+"x", nil)
			if err != nil {
				t.Error(err)
				return
			}
			if err := q.AddRequest(deeper); err != nil {
				t.Error(err)
			}
			if err := r.Request.Visit("/visited"); r.Request.Depth == 3 && err != colly.ErrMaxDepth {
				t.Errorf("a Visit on a page of depth 3: %v", err)
			}
		})
		q.AddURL(server.URL + "/x")
		noError(t, q.Run(c))
		if asked["/x"] != 1 || asked["/xx"] != 1 || asked["/xxx"] != 1 || asked["/xxxx"] != 0 || depths[1] != 1 {
			t.Errorf("asked for %v, at the depths %v", asked, depths)
		}
	})
}

// A request that fails is made once, as by Colly's queue, and again only where that is asked for.
func TestQueueRetriesOnlyWhenAsked(t *testing.T) {
	overEach(t, func(t *testing.T, f frontier.Frontier) {
		var asked atomic.Int64
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			w.WriteHeader(http.StatusServiceUnavailable)
		}))
		defer server.Close()
		q, err := extensions.NewQueue(1, f)
		noError(t, err)
		for _, retries := range []int{0, 2} {
			asked.Store(0)
			q.Retries = retries
			before := q.Retried()
			q.AddURL(fmt.Sprintf("%s/%d", server.URL, retries))
			noError(t, q.Run(colly.NewCollector()))
			if n := q.Retried() - before; int(asked.Load()) != 1+retries || n != retries {
				t.Errorf("with %d retries the address was asked for %d times, and %d were counted", retries, asked.Load(), n)
			}
		}
	})
}

// A queue that could do nothing is not made, and one over nothing is in memory.
func TestNewQueue(t *testing.T) {
	if _, err := extensions.NewQueue(0, nil); err == nil {
		t.Error("a queue without threads was made")
	}
	q, err := extensions.NewQueue(1, nil)
	noError(t, err)
	if err := q.AddURL("http://a.example/"); err != nil || q.IsEmpty() {
		t.Errorf("a queue over nothing: %v", err)
	}
}
