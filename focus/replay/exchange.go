package replay

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/warc"
)

// tee keeps what is read of a body, and tells it once when the body has ended or was closed.
type tee struct {
	body io.ReadCloser
	kept []byte
	cut  string
	done func(body []byte, cut string) error
	err  error
	once sync.Once
}

func (t *tee) Read(p []byte) (int, error) {
	n, err := t.body.Read(p)
	if room := maxRecorded - len(t.kept); n > room {
		t.kept, t.cut = append(t.kept, p[:room]...), "length"
	} else {
		t.kept = append(t.kept, p[:n]...)
	}
	if err == io.EOF {
		if t.finish(""); t.err != nil {
			return n, t.err
		}
	} else if err != nil {
		t.finish("disconnect")
	}
	return n, err
}

func (t *tee) Close() error {
	t.finish("unspecified")
	return errors.Join(t.body.Close(), t.err)
}

func (t *tee) finish(cut string) {
	t.once.Do(func() {
		if t.cut == "" {
			t.cut = cut
		}
		t.err = t.done(t.kept, t.cut)
	})
}

// private are the fields of a request that are nobody else's business.
var private = []string{"Authorization", "Cookie", "Proxy-Authorization"}

// addressOf is what a request is recorded under: without a name and a password in its address.
func addressOf(req *http.Request) string {
	address, _, _, _ := page.Login(req.URL.String())
	return withoutFragment(address)
}

func (r *Recorder) exchange(req *http.Request, resp *http.Response, body []byte, cut string, start time.Time) []*warc.Record {
	address := addressOf(req)
	r.mu.Lock()
	r.learn(address, resp)
	r.mu.Unlock()
	id := func(kind string) string {
		return warc.NewID(kind, address, start.UTC().String(), warc.Digest(body))
	}
	head := req.Header.Clone()
	if head == nil {
		head = http.Header{}
	}
	for _, name := range private {
		head.Del(name)
	}
	head.Set("Host", req.URL.Host)
	answer := resp.Header.Clone()
	answer.Del("Transfer-Encoding") // undone by the time the body is read
	answer.Del("Set-Cookie")
	answer.Set("Content-Length", strconv.Itoa(len(body)))
	took := max(0, r.now().Sub(start))
	response := &warc.Record{
		Type: "response", ID: id("response"), Target: address, Date: start, Body: message(resp.Proto+" "+resp.Status, answer, body),
		Header: http.Header{"Content-Type": {"application/http;msgtype=response"}, TookField: {strconv.FormatInt(took.Milliseconds(), 10)}},
	}
	if cut != "" {
		response.Header.Set("WARC-Truncated", cut)
	}
	return []*warc.Record{{
		Type: "request", ID: id("request"), Target: address, Date: start, Body: message("GET "+req.URL.RequestURI()+" HTTP/1.1", head, nil),
		Header: http.Header{"Content-Type": {"application/http;msgtype=request"}, "WARC-Concurrent-To": {response.ID}},
	}, response}
}

// message is an HTTP message as it goes over the wire.
func message(first string, h http.Header, body []byte) []byte {
	var b bytes.Buffer
	b.WriteString(strings.TrimSpace(first) + "\r\n")
	h.Write(&b)
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}

// maxFailure is how many bytes of a failure are recorded: an address, and what kind of failure it was. Behind that it may quote
// the server at any length.
const maxFailure = 4096

// metadata is the record of a request that got no answer.
func (r *Recorder) metadata(req *http.Request, start time.Time, why error) *warc.Record {
	text := failureMeta + ": " + page.Cut(page.OneLine(why.Error()), maxFailure) + "\r\n"
	text += tookMeta + ": " + strconv.FormatInt(max(0, r.now().Sub(start)).Milliseconds(), 10) + "\r\n"
	return &warc.Record{
		Type: "metadata", Target: addressOf(req), Date: start, Body: []byte(text),
		Header: http.Header{"Content-Type": {"application/warc-fields"}},
	}
}
