package sink

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// DocumentID is the id of a page in a cluster: the first half of the SHA-256 of thresher.owner, a line end and the page's url, in
// hexadecimal digits.
func DocumentID(owner, address string) string {
	sum := sha256.Sum256([]byte(owner + "\n" + address))
	return fmt.Sprintf("%x", sum[:16])
}

// errGivenUp: the sink is closed, and the cluster does not answer.
var errGivenUp = errors.New("the cluster does not answer")

// answer is what a cluster answered.
type answer struct {
	status int
	after  time.Duration // when it wants to be asked again; 0 where it does not say
	leads  string        // where else it sends whoever asks; nobody goes there with pages and a login
	body   []byte
}

// mostAnswer is how many bytes of an answer are read: of a bulk request some 200 a document.
const mostAnswer = 16 << 20

// ask sends a request until it is answered with something else than that it should be sent again.
func (c *cluster) ask(method, path, kind string, body []byte) (answer, error) {
	for try := 0; ; try++ {
		a, err := c.once(method, path, kind, body)
		if err == nil && !again(a.status) {
			return a, nil
		}
		if err == nil {
			err = fmt.Errorf("%s %s: %s", method, c.url+path, a.refusal())
		}
		if err := c.holdOn(err, try, a.after); err != nil {
			return a, err
		}
	}
}

// again tells of a status that the same request may be answered otherwise later: the cluster is busy, on its way up, or somebody
// has to give us a right first.
func again(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusMethodNotAllowed:
		return true
	}
	return status >= 500 || status < 200 || 300 <= status && status < 400
}

// once sends a request, whatever is answered.
func (c *cluster) once(method, path, kind string, body []byte) (a answer, err error) {
	began := time.Now()
	defer func() {
		c.took, c.heard = time.Since(began), err == nil && a.status != http.StatusUnauthorized && a.leads == ""
	}()
	ctx, cancel := c.inTime(path)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewReader(body))
	if err != nil {
		return a, err
	}
	if body != nil {
		req.Header.Set("Content-Type", kind)
	}
	if user, password, ok := strings.Cut(c.login, ":"); ok {
		req.SetBasicAuth(user, password)
	}
	resp, err := c.client.Do(req)
	if context.Cause(ctx) != nil {
		return a, fmt.Errorf("%s %s: %w", method, c.url+path, context.Cause(ctx))
	}
	if err != nil {
		return a, err
	}
	defer resp.Body.Close()
	a.status, a.after = resp.StatusCode, retryAfter(resp.Header.Get("Retry-After"))
	if to, err := resp.Location(); err == nil {
		to.User = nil
		a.leads = strings.TrimSuffix(to.String(), path)
	}
	a.body, err = io.ReadAll(io.LimitReader(resp.Body, mostAnswer))
	if err == nil && method != http.MethodHead && resp.ContentLength > int64(len(a.body)) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		err = fmt.Errorf("%s %s: the answer is cut off: %w", method, c.url+path, err)
	}
	return a, err
}

// inTime is what a request may take: when the sink is closed, no longer than a cluster is waited for. Only taking pages out may take
// its time: that is asked of one that has answered just before.
func (c *cluster) inTime(path string) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(c.given)
	if strings.Contains(path, "_delete_by_query") {
		return ctx, func() { cancel(nil) }
	}
	go func() {
		select {
		case <-c.closing:
		case <-ctx.Done():
			return
		}
		select {
		case <-time.After(c.patience):
			cancel(fmt.Errorf("no answer within %v", c.patience))
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}

func retryAfter(said string) time.Duration {
	if seconds, err := strconv.Atoi(said); err == nil {
		return time.Duration(min(max(seconds, 0), 3600)) * time.Second
	}
	if at, err := http.ParseTime(said); err == nil {
		return min(max(time.Until(at), 0), time.Hour)
	}
	return 0
}

// The waits between tries: each twice as long as the one before, and half of it by chance.
const (
	firstWait = time.Second
	mostWait  = time.Minute
)

// holdOn waits before a request is sent again. It gives up when the sink is being closed and the cluster has had its time.
func (c *cluster) holdOn(err error, try int, after time.Duration) error {
	c.awaits(err)
	if c.given.Err() != nil {
		return errGivenUp
	}
	if !c.away {
		c.away = true
		c.say(fmt.Sprintf("the cluster %s: %v; pages wait in %s, and are sent when it takes them", c.url, err, c.dir))
	}
	d := min(firstWait<<min(try, 6), mostWait)
	d = max(d/2+rand.N(d/2), after)
	if c.isClosing() {
		waited := d + c.took
		if c.heard {
			waited /= busyPatience
		}
		if c.silent += waited; c.silent > c.patience || after > mostWait {
			return errGivenUp
		}
	}
	c.pause(d)
	return nil
}

// answers notes that the cluster does what it is asked for. That it answers at all is not enough: it may refuse for ever.
func (c *cluster) answers() {
	c.silent = 0
	c.awaits(nil)
	if c.away {
		c.away = false
		c.say("the cluster " + c.url + " answers again")
	}
}

// refusal is what an answer says went wrong.
func (a answer) refusal() string {
	if a.status == http.StatusUnauthorized {
		return "401: it wants another name and password: set " + environmentLogin + "=USER:PASSWORD in the environment"
	}
	status := strings.TrimSpace(fmt.Sprintf("%d %s", a.status, http.StatusText(a.status)))
	if a.leads != "" && a.status >= 300 && a.status < 400 {
		return fmt.Sprintf("%s: it leads to %s; if that is the cluster, give it as url in the crawl file", status, a.leads)
	}
	var said struct{ Error json.RawMessage }
	if json.Unmarshal(a.body, &said) == nil && len(said.Error) > 0 {
		return fmt.Sprintf("%d %s", a.status, reasonOf(said.Error))
	}
	return status
}

// reasonOf is the reason in an error of the protocol, which is an object in most places, and words in some.
func reasonOf(raw json.RawMessage) string {
	var e struct {
		Type, Reason string
		Caused       *struct{ Type, Reason string } `json:"caused_by"`
	}
	if json.Unmarshal(raw, &e) != nil || e.Type == "" {
		return string(raw[:min(len(raw), 500)])
	}
	if e.Caused != nil && e.Caused.Reason != "" {
		e.Reason += ": " + e.Caused.Reason
	}
	return fmt.Sprintf("%s: %.500s", e.Type, e.Reason)
}

// send sends documents, until each is in the cluster or kept aside.
func (c *cluster) send(b []document) error {
	var good []document
	for i := range b {
		if b[i].wrong == "" {
			good = append(good, b[i])
		} else if err := c.reject(&b[i], 0, b[i].wrong); err != nil {
			return err
		}
	}
	for try := 0; len(good) > 0; try++ {
		a, err := c.ask(http.MethodPost, c.typedPath("_bulk"), "application/x-ndjson", bulk(good))
		if err != nil {
			return err
		}
		if a.status >= 400 {
			return c.sendInParts(good, a)
		}
		left, why, err := c.sort(good, a)
		if err != nil {
			return err
		}
		if len(left) < len(good) {
			try, c.silent = 0, 0
		}
		if good = left; len(good) > 0 {
			if err := c.holdOn(why, try, a.after); err != nil {
				return err
			}
		}
	}
	return nil
}

// gone is the error of an index that is not there any more, after a wait: it may be going again and again.
func (c *cluster) gone(a answer, why string) error {
	return cmp.Or(c.holdOn(fmt.Errorf("index %s: %s", c.index, why), 2, a.after), errAnew)
}

// leastBatch is how small requests become, at least; a single document may be larger.
const leastBatch = 64 << 10

// sendInParts sends in two halves what the cluster did not take as a whole: it is too large, or something in it is wrong.
func (c *cluster) sendInParts(b []document, a answer) error {
	switch a.status {
	case http.StatusNotFound, http.StatusGone:
		return c.gone(a, a.refusal())
	}
	if len(b) == 1 {
		return c.reject(&b[0], a.status, a.refusal())
	}
	if a.status == http.StatusRequestEntityTooLarge {
		size := 0
		for i := range b {
			size += len(b[i].body)
		}
		c.batch = max(min(c.batch, size/2), leastBatch)
	}
	if err := c.send(b[:len(b)/2]); err != nil {
		return err
	}
	return c.send(b[len(b)/2:])
}

// bulk is a request that puts documents in, each under its id.
func bulk(b []document) []byte {
	var body []byte
	for i := range b {
		body = fmt.Appendf(body, `{"index":{"_id":"%s"}}`+"\n", b[i].id)
		body = append(append(body, b[i].body...), '\n')
	}
	return body
}

// sort goes through the answers for single documents: those that may be taken another time are left, and why.
func (c *cluster) sort(b []document, a answer) (left []document, why error, err error) {
	var said struct {
		Items []map[string]struct {
			Status int
			Error  json.RawMessage
		}
	}
	if err := json.Unmarshal(a.body, &said); err != nil || len(said.Items) != len(b) {
		return b, fmt.Errorf("POST %s: it answers for %d of %d documents", c.url+c.typedPath("_bulk"), len(said.Items), len(b)), nil
	}
	for i, item := range said.Items {
		for _, did := range item {
			switch {
			case did.Status >= 200 && did.Status < 300:
			case did.Status == http.StatusNotFound:
				return nil, nil, c.gone(a, fmt.Sprintf("%d %s", did.Status, reasonOf(did.Error)))
			case again(did.Status): // such as by a block of writes, or before a right is given
				left, why = append(left, b[i]), fmt.Errorf("%s: %d %s", b[i].url, did.Status, reasonOf(did.Error))
			default:
				if err := c.reject(&b[i], did.Status, reasonOf(did.Error)); err != nil {
					return nil, nil, err
				}
			}
		}
		if len(item) == 0 {
			left, why = append(left, b[i]), fmt.Errorf("%s: it says nothing of it", b[i].url)
		}
	}
	return left, why, nil
}

// under is an address below the index, and typedPath one that names its type, where the cluster is so old that it has one.
func (c *cluster) under(what string) string { return "/" + url.PathEscape(c.index) + what }

func (c *cluster) typedPath(what string) string {
	if c.major < 7 {
		return c.under("/_doc/" + what)
	}
	return c.under("/" + what)
}
