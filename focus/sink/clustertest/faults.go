package clustertest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
)

// Fault is what happens to one request in the place of an answer. next is who would answer.
type Fault func(w http.ResponseWriter, r *http.Request, next http.Handler)

// Faults let what goes wrong happen to bulk requests, one fault to each, and then none.
type Faults struct {
	Next http.Handler

	mu      sync.Mutex
	coming  []Fault
	away    bool
	largest int
	bulks   int
}

// Then adds faults to those that are to come.
func (f *Faults) Then(faults ...Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.coming = append(f.coming, faults...)
}

// Away has nobody answer any request, until it is false again.
func (f *Faults) Away(away bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.away = away
}

// Largest refuses bulk requests of more bytes; 0 refuses none.
func (f *Faults) Largest(bytes int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.largest = bytes
}

// Bulks is how many bulk requests came.
func (f *Faults) Bulks() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.bulks
}

func (f *Faults) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	away, largest := f.away, f.largest
	var fault Fault
	if strings.HasSuffix(r.URL.Path, "_bulk") && !away {
		if f.bulks++; len(f.coming) > 0 {
			fault, f.coming = f.coming[0], f.coming[1:]
		}
	}
	f.mu.Unlock()
	switch {
	case away:
		panic(http.ErrAbortHandler)
	case fault != nil:
		fault(w, r, f.Next)
	case largest > 0 && r.ContentLength > int64(largest) && strings.HasSuffix(r.URL.Path, "_bulk"):
		w.WriteHeader(http.StatusRequestEntityTooLarge)
	default:
		f.Next.ServeHTTP(w, r)
	}
}

// Busy answers 429 to the whole request, and asks for so many seconds.
func Busy(seconds int) Fault {
	return func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
		refuse(w, http.StatusTooManyRequests, "es_rejected_execution_exception", "rejected execution of coordinating operation")
	}
}

// CutRequest takes half of the request, and closes the connection.
func CutRequest(_ http.ResponseWriter, r *http.Request, _ http.Handler) {
	io.CopyN(io.Discard, r.Body, r.ContentLength/2)
	panic(http.ErrAbortHandler)
}

// answered is what somebody else answers, as plain text.
func answered(r *http.Request, next http.Handler) *httptest.ResponseRecorder {
	r.Header.Del("Accept-Encoding")
	done := httptest.NewRecorder()
	next.ServeHTTP(done, r)
	return done
}

// CutAnswer lets the request be done, and closes the connection in the middle of the answer.
func CutAnswer(w http.ResponseWriter, r *http.Request, next http.Handler) {
	done := answered(r, next)
	w.Header().Set("Content-Length", strconv.Itoa(done.Body.Len()))
	w.WriteHeader(done.Code)
	w.Write(done.Body.Bytes()[:done.Body.Len()/2])
	panic(http.ErrAbortHandler)
}

// BusyItems has every second document of a request not taken, within a 200, because the cluster is busy.
func BusyItems(w http.ResponseWriter, r *http.Request, next http.Handler) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var taken []byte
	var all []string
	n := 0
	each(body, func(id string, line []byte) {
		if n++; n%2 == 1 {
			taken = append(taken, `{"index":{"_id":"`+id+`"}}`+"\n"+string(line)+"\n"...)
		}
		all = append(all, id)
	})
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(taken)), int64(len(taken))
	done := answered(r, next)
	var said struct{ Items []any }
	if err := json.Unmarshal(done.Body.Bytes(), &said); err != nil {
		panic(http.ErrAbortHandler)
	}
	var items []any
	for i, id := range all {
		if i%2 == 0 {
			items = append(items, said.Items[i/2])
			continue
		}
		items = append(items, map[string]any{"index": map[string]any{"_id": id, "status": http.StatusTooManyRequests,
			"error": map[string]any{"type": "es_rejected_execution_exception", "reason": "rejected execution of primary operation"}}})
	}
	w.Header().Set("Content-Type", "application/json")
	reply(w, map[string]any{"took": 1, "errors": true, "items": items})
}

// ItemsRefused has no document of a request taken, within a 200.
func ItemsRefused(status int, kind string) Fault {
	return func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		var items []any
		each(body, func(id string, _ []byte) {
			items = append(items, map[string]any{"index": map[string]any{"_id": id, "status": status,
				"error": map[string]any{"type": kind, "reason": "none is taken now"}}})
		})
		w.Header().Set("Content-Type", "application/json")
		reply(w, map[string]any{"took": 1, "errors": true, "items": items})
	}
}
