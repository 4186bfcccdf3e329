package probe

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/thresher-crawler/thresher/focus/junk"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// Nonsense asks a host for an address that nobody can have, and learns its error page. What fails, or sends elsewhere, tells nothing: a
// redirect is an answer of its own kind, which the transport does not follow. Where nobody can be reached it is asked once more later.
func Nonsense(ctx context.Context, transport http.RoundTripper, header http.Header, q *junk.Question, o page.Options) {
	var known junk.ErrorPage
	learn := func() { q.Learn(known) }
	defer func() { learn() }()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, q.At.String(), nil)
	if err != nil {
		return
	}
	req.Header = header
	resp, err := transport.RoundTrip(req)
	if err != nil {
		if errors.Is(err, wire.ErrAway) {
			learn = q.Leave
		}
		return
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || !page.Arrived(resp.StatusCode) || !wire.IsPage(wire.MediaType(resp.Header)) {
		return
	}
	known = junk.ErrorPageOf(q.At, []byte(page.Parse(body, q.At.String(), o).Saying()))
}
