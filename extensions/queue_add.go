package extensions

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/page"
)

// AddURL adds an address.
func (q *Queue) AddURL(url string) error { return q.add(frontier.Item{URL: url}) }

// AddScored adds an address with a score: higher scores come first. An address that waits already is raised to it.
func (q *Queue) AddScored(url string, score float32) error {
	_, _, err := q.push(frontier.Item{URL: url, Score: score})
	return err
}

// AddRequest adds a request with its method, headers, body and context, as Colly's queue does: what the context holds
// must survive JSON. A request made by Request.New in a callback remembers the page it came from.
func (q *Queue) AddRequest(r *colly.Request) error {
	if r == nil || r.URL == nil {
		return fmt.Errorf("queue: add a request: %w", colly.ErrMissingURL)
	}
	r = q.withoutLogin(r)
	item := frontier.Item{URL: r.URL.String(), Depth: uint16(max(0, min(r.Depth-1, 1<<16-2)))} // Colly counts a start page as 1
	if from, ok := ItemOf(ctxOf(r)); ok {
		if item.Via = from.ID; r.Depth == 0 { // it is a new one
			item.Depth = from.Depth + 1
		}
	}
	if _, err := http.NewRequest(r.Method, "", nil); err != nil {
		return fmt.Errorf("queue: request %q: %w", item.URL, err)
	}
	packed, body, err := packRequest(r)
	if err != nil {
		return fmt.Errorf("queue: request %q: %w", item.URL, err)
	}
	item.Note = packed
	if method := strings.ToUpper(r.Method); method != "" && method != http.MethodGet || len(body) > 0 {
		known, err := page.Canonical(item.URL)
		if err != nil {
			return fmt.Errorf("queue: %w", err)
		}
		item.Identity = fmt.Sprintf("%s %s %x", known, method, sha256.Sum256(body))
	}
	return q.add(item)
}

// add queues what may be queued already: then it waits once more where the collector allows it, which is known when it runs.
func (q *Queue) add(item frontier.Item) error {
	item, fresh, err := q.push(item)
	if err != nil || fresh {
		return err
	}
	q.mu.Lock()
	q.repeated = append(q.repeated, item)
	running := q.stop != nil
	q.mu.Unlock()
	if running {
		return q.repeat()
	}
	return nil
}

// repeat queues what was added again, each under a name of its own, or forgets it where each address is requested once.
func (q *Queue) repeat() error {
	q.mu.Lock()
	items, may := q.repeated, q.revisits
	q.repeated = nil
	q.mu.Unlock()
	if !may {
		return nil
	}
	for _, item := range items {
		known := item.Identity
		for fresh := false; !fresh; {
			q.mu.Lock()
			q.repeats++
			item.Identity = fmt.Sprintf("%s#%d", known, q.repeats)
			q.mu.Unlock()
			var err error
			if _, fresh, err = q.push(item); err != nil {
				return err
			}
		}
	}
	return nil
}

// withoutLogin is a request without name and password in its address: they are kept for its origin.
func (q *Queue) withoutLogin(r *colly.Request) *colly.Request {
	plain, user, password, ok := page.Login(r.URL.String())
	if !ok {
		return r
	}
	q.logins.Add(plain, user, password)
	without, at := *r, *r.URL
	at.User = nil
	without.URL = &at
	return &without
}

// push pushes an item, and answers it with what it is known by, and whether that is new.
func (q *Queue) push(item frontier.Item) (_ frontier.Item, fresh bool, err error) {
	if plain, user, password, ok := page.Login(item.URL); ok {
		q.logins.Add(plain, user, password)
		item.URL = plain
	}
	if item.Identity == "" {
		known, err := page.Canonical(item.URL)
		if err != nil {
			return item, false, fmt.Errorf("queue: %w", err)
		}
		item.Identity = known
	}
	item.Host = page.Host(item.URL)
	if len(item.Note) == 0 {
		item.Note = q.waiting(item.Identity)
	}
	if _, fresh, err = q.frontier.Push(item); err != nil {
		return item, false, fmt.Errorf("queue: %w", err)
	}
	return item, fresh, nil
}

// waiting is the request that waits under an identity, which is raised by its address alone: it stays what it is.
func (q *Queue) waiting(identity string) []byte {
	f, ok := q.frontier.(frontier.Finder)
	if !ok {
		return nil
	}
	id := f.Find(identity)
	if id == 0 {
		return nil
	}
	item, state := f.Get(id)
	if state != frontier.Waiting {
		return nil
	}
	request, _ := frontier.SplitNote(item.Note)
	return bytes.Clone(request)
}

// packRequest writes down what a request has beside its address; nil if that is nothing.
func packRequest(r *colly.Request) (note, body []byte, err error) {
	own := colly.NewContext()
	values := 0
	ctxOf(r).ForEach(func(key string, value any) any {
		if !strings.HasPrefix(key, privateKey) {
			own.Put(key, value)
			values++
		}
		return nil
	})
	if r.Body != nil {
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, nil, err
		}
	}
	plain := (r.Method == "" || r.Method == http.MethodGet) && len(body) == 0 && (r.Headers == nil || len(*r.Headers) == 0)
	if plain && values == 0 {
		return nil, nil, nil
	}
	copied := colly.Request{URL: r.URL, Host: r.Host, Method: r.Method, Depth: r.Depth, Headers: r.Headers, Ctx: own, Body: bytes.NewReader(body)}
	copied.Method = cmp.Or(copied.Method, http.MethodGet)
	text, err := copied.Marshal()
	return frontier.PackNote(text), body, err
}

func ctxOf(r *colly.Request) *colly.Context {
	if r.Ctx == nil {
		return colly.NewContext()
	}
	return r.Ctx
}

// requestText is the request of an item as Colly writes one down.
func requestText(item frontier.Item) ([]byte, error) {
	request, _ := frontier.SplitNote(item.Note)
	if len(request) == 0 {
		return json.Marshal(map[string]any{"URL": item.URL, "Method": http.MethodGet, "Depth": item.Depth + 1})
	}
	return frontier.RequestIn(request), nil
}

// unpackRequest makes the request of an item.
func unpackRequest(c *colly.Collector, item frontier.Item) (*colly.Request, error) {
	text, err := requestText(item)
	if err != nil {
		return nil, err
	}
	r, err := c.UnmarshalRequest(text)
	if err != nil {
		return nil, fmt.Errorf("queue: item %d, %q: %w", item.ID, item.URL, err)
	}
	r.Depth = int(item.Depth) + 1
	return r, nil
}
