package focus

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"

	"github.com/thresher-crawler/thresher/focus/ledger"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// count takes a judged visit into the counts.
func (st *Steps) count(v *Visit) {
	e := ledger.Counted{ID: v.Item.ID, Host: v.Item.Host, Page: v.Page != nil, Kept: v.Kept, Redirect: v.redirect != "",
		Failed: v.Err != nil || v.Status >= 400, Refused: v.Refused != "", Reason: v.Refused, Bytes: int64(len(v.Body))}
	if e.Page {
		e.Relevant, e.Relevance, e.Links = v.Judgement.Relevant, v.Judgement.Relevance, len(v.Page.Links)
	}
	if v.raw != nil {
		e.Bytes = int64(len(v.raw.body))
	}
	if v.Kept {
		e.URL, e.Title = v.FinalURL, v.Page.Title
	}
	st.ledger.Happen(&e)
}

// countFresh counts the links that entered for the first time.
func (st *Steps) countFresh(v *Visit) {
	links := 0
	for i := range v.Found {
		if f := &v.Found[i]; f.Fresh && f.Refused == "" {
			links++
		}
	}
	if links > 0 {
		st.ledger.Happen(&ledger.Fresh{Links: links})
	}
}

// failure names what went wrong without an address in it, so that failures can be counted by kind.
func failure(err error) string {
	var dns *net.DNSError
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded),
		errors.As(err, &timeout) && timeout.Timeout():
		return "timeout"
	case errors.As(err, &dns):
		return "no such host"
	case errors.Is(err, wire.ErrPrivate):
		return wire.ErrPrivate.Error() + "; fetch.private lets it be visited"
	}
	said := err.Error()
	for _, known := range spoken { // behind it stands what the server wrote, and every answer may be of a kind of its own
		if strings.Contains(said, known) {
			return known
		}
	}
	if i := strings.LastIndex(said, ": "); i >= 0 {
		said = said[i+2:]
	}
	return said
}

// spoken begin the errors of net/http that quote the server.
var spoken = []string{"malformed HTTP response", "malformed HTTP version", "malformed HTTP status code", "malformed MIME header", "invalid header field", "bad Content-Length",
	"unsupported transfer encoding", "too many transfer encodings", "invalid Trailer key", "server response headers exceeded", "stream error", "server sent GOAWAY", "message cannot contain multiple Content-Length headers", "header line too long", "malformed chunked encoding", "unexpected content-encoding"}
