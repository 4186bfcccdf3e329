// Package opinion answers one question: what does a model say of a page? It asks any endpoint that speaks the protocol of OpenAI,
// for a yes or no with a reason, or for embeddings. It takes no answer but the one that was asked for, and each answer is of one
// page: whatever a page tries to talk a model into, all it can move is the verdict on itself. Before a model is believed it is
// asked about pages of which the second look is sure.
package opinion

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// keyVariable is where the key of an endpoint is looked for, and nowhere else.
const keyVariable = "THRESHER_JUDGE_KEY"

// Model is a model behind an endpoint.
type Model struct {
	Name   string
	Topic  string        // what pages are asked about
	Embeds bool          // it is asked for embeddings, and not for words
	Wait   time.Duration // for an answer; 0 means a minute
	base   string
	key    string
	client *http.Client
}

// Page is a page. Its title and its text are sent.
type Page struct{ URL, Title, Text string }

// Opinion is what a model says of a page.
type Opinion struct {
	Model    string `json:"model"`
	Relevant bool   `json:"relevant"`
	Reason   string `json:"reason"`
}

// How much is sent and taken.
const (
	mostText   = 6000 // bytes of a page
	mostTitle  = 500
	mostReason = 300
	mostAnswer = 1 << 20
	tries      = 3
	mostPause  = 20 * time.Second // that an endpoint may ask for
)

// New names a model behind an endpoint such as http://127.0.0.1:11434/v1. A key is not sent in the clear to another machine.
func New(endpoint, name string, embeds bool) (*Model, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%s is no endpoint: want an address such as http://127.0.0.1:11434/v1, without a password, ? or #", hidden(u))
	}
	m := &Model{Name: name, Embeds: embeds, base: strings.TrimRight(endpoint, "/"), key: os.Getenv(keyVariable)}
	if ip := net.ParseIP(u.Hostname()); m.key != "" && u.Scheme == "http" && u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("the key in %s is not sent to %s in the clear: use https, or unset it", keyVariable, u.Host)
	}
	m.client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return errors.New("it sends elsewhere: name the address that it means")
	}}
	return m, nil
}

// hidden is an address as it may be shown: without what may be secret in it.
func hidden(u *url.URL) string {
	if u == nil {
		return "this"
	}
	return strconv.Quote((&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String())
}

// digest is what an opinion is known by: the model and what it is asked, and what is sent of the page.
func (m *Model) digest(p *Page) string {
	h := sha256.New()
	for _, part := range []string{m.base, m.Name, strconv.FormatBool(m.Embeds), m.Topic, p.title(), p.text()} {
		fmt.Fprintf(h, "%d\n%s\n", len(part), part) // it cannot fail
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (p *Page) title() string { return page.Cut(p.Title, mostTitle) }
func (p *Page) text() string  { return page.Cut(p.Text, mostText) }

// failure is why a page got no opinion, in a few words that are the same for all failures of a kind.
type failure struct {
	kind string
	away bool // the endpoint may not be there at all
	err  error
}

func (f *failure) Error() string { return f.kind + ": " + f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// nonsense is an answer that is none.
func nonsense(why string) error { return &failure{"no verdict", false, errors.New(why)} }

// post sends a question to a part of the endpoint, and reads the answer into reply. An endpoint that is busy is asked again, a few
// times.
func (m *Model) post(ctx context.Context, to string, question, reply any) error {
	body, err := json.Marshal(question)
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		answer, pause, err := m.once(ctx, to, body)
		if err == nil {
			if err = json.Unmarshal(answer, reply); err != nil {
				err = &failure{"half an answer", false, err}
			}
			return err
		}
		if pause == 0 || try == tries {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// once sends a question. pause is how long to wait before it is worth asking again; 0 means never.
func (m *Model) once(ctx context.Context, to string, body []byte) (answer []byte, pause time.Duration, err error) {
	wait := m.Wait
	if wait == 0 {
		wait = time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.base+to, bytes.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	r.Header.Set("Content-Type", "application/json")
	if m.key != "" {
		r.Header.Set("Authorization", "Bearer "+m.key)
	}
	reply, err := m.client.Do(r)
	if err != nil {
		kind := "not reached"
		if errors.Is(err, context.DeadlineExceeded) {
			kind = "too slow"
		}
		return nil, 0, &failure{kind, true, err}
	}
	defer reply.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(reply.Body, mostAnswer+1))
	switch {
	case reply.StatusCode == http.StatusTooManyRequests || reply.StatusCode == http.StatusServiceUnavailable:
		return nil, pauseOf(reply.Header.Get("Retry-After")), &failure{"too busy", true, errors.New(reply.Status)}
	case reply.StatusCode != http.StatusOK:
		return nil, 0, &failure{"refused with status " + strconv.Itoa(reply.StatusCode), true, m.refused(reply.StatusCode, to, answer)}
	case errors.Is(err, context.DeadlineExceeded):
		return nil, 0, &failure{"too slow", true, err}
	case err != nil:
		return nil, 0, &failure{"half an answer", false, err}
	case len(answer) > mostAnswer:
		return nil, 0, nonsense("the answer is longer than a MiB")
	}
	return answer, 0, nil
}

// refused is why an endpoint refuses, in its own words, and what may help.
func (m *Model) refused(status int, to string, said []byte) error {
	words := page.Cut(page.OneLine(sink.Plain(strings.ToValidUTF8(string(said), ""))), mostReason)
	help := ""
	switch status {
	case http.StatusNotFound:
		help = fmt.Sprintf("; the address mostly ends in /v1, and there must be a model %q", m.Name)
	case http.StatusUnauthorized, http.StatusForbidden:
		help = "; its key is read from " + keyVariable
	}
	return fmt.Errorf("%s%s says %q%s", m.base, to, words, help)
}

// pauseOf is how long an endpoint that is busy asks to be left alone; 0 where that is too long.
func pauseOf(after string) time.Duration {
	seconds, err := strconv.Atoi(after)
	switch {
	case err != nil:
		return time.Second
	case seconds < 0 || seconds > int(mostPause/time.Second):
		return 0
	}
	return max(time.Duration(seconds)*time.Second, 10*time.Millisecond)
}
