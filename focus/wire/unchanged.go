package wire

import (
	"net/http"

	"github.com/thresher-crawler/thresher/focus/page"
)

// Unchanged is the layer of a crawl that was made before: it asks for a page that the earlier crawl had only if it has
// changed since (by its ETag and Last-Modified, as Conditional does), and where the host says that it has not, answers with
// what it was, and with what the host says of its use now. Callbacks see a page either way, so that its links are not lost. old answers
// as the web was then, with 404 for what it does not know: a recorded web does, and so does a handler's transport of one's own. spared,
// which may be nil, hears of every request that was answered so.
func Unchanged(old http.RoundTripper, spared func(*http.Request)) Layer {
	return Layer{name: "Unchanged", place: AtUnchanged, wrap: func(next http.RoundTripper) http.RoundTripper {
		return &unchanged{old, next, spared}
	}}
}

type unchanged struct {
	old, next http.RoundTripper
	spared    func(*http.Request)
}

func (u *unchanged) RoundTrip(r *http.Request) (*http.Response, error) {
	known := u.known(r)
	if known == nil {
		return u.next.RoundTrip(r)
	}
	asked := r.Clone(r.Context())
	set(&asked.Header, "If-None-Match", known.Header.Get("ETag"))
	set(&asked.Header, "If-Modified-Since", known.Header.Get("Last-Modified"))
	resp, err := u.next.RoundTrip(asked)
	if err != nil || resp.StatusCode != http.StatusNotModified {
		known.Body.Close()
		return resp, err
	}
	resp.Body.Close()
	for _, name := range reserves {
		if said := resp.Header.Values(name); len(said) > 0 {
			known.Header[name] = said
		}
	}
	known.Request = r
	if u.spared != nil {
		u.spared(r)
	}
	return known, nil
}

// reserves are the headers by which an author speaks of the use of a page. Where the answer that nothing has changed has one, it holds
// in the place of the earlier.
var reserves = []string{"X-Robots-Tag", "Content-Usage", "Content-Signal", "Tdm-Reservation", "Tdm-Policy"}

// known is the earlier answer, if it was a page whose state has a name.
func (u *unchanged) known(r *http.Request) *http.Response {
	if r.Method != http.MethodGet {
		return nil
	}
	resp, err := u.old.RoundTrip(r)
	if err != nil {
		return nil // what cannot be read is asked for whole
	}
	if !page.Arrived(resp.StatusCode) || resp.Header.Get("ETag")+resp.Header.Get("Last-Modified") == "" {
		resp.Body.Close()
		return nil
	}
	return resp
}

func set(h *http.Header, name, value string) {
	if value != "" && h.Get(name) == "" {
		h.Set(name, value)
	}
}
