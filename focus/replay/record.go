package replay

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/warc"
)

// Recording says what a recorded web is called and which topics can be measured on it.
type Recording struct {
	Name     string
	Language string
	Topics   []Topic
	Now      func() time.Time // nil means the clock of the machine
}

// Recorder is an http.RoundTripper that passes requests on and writes down what comes back, as a web that Open opens:
// requests and answers, redirects, robots.txt, and failures. It may be used by many goroutines at once.
//
// An answer is written when its body has been read to the end, or closed before that (then it is marked as cut off).
// Only GET is recorded. Cookies and passwords are left out of what is written; the pages themselves may still hold what
// only their owner should see.
type Recorder struct {
	next http.RoundTripper
	dir  string
	now  func() time.Time

	mu        sync.Mutex
	f         *os.File
	size      int64
	made      []string // the files that were not there before; nil where a recording is continued
	alone     bool     // nor was the folder
	head      int64    // how long a recording is that says only what it is
	packed    bytes.Buffer
	w         *warc.Writer
	redirects map[string]string
	failed    error // the first failure to write; no request is passed on after it
}

// maxRecorded is how much of a body is kept in memory and written down.
const maxRecorded = 64 << 20

// NewRecorder records into a folder, which is made where it is not there. A folder that holds a recording is continued;
// half an answer at its end, as a crash leaves it, is cut off.
func NewRecorder(dir string, next http.RoundTripper, about Recording) (*Recorder, error) {
	r := &Recorder{next: next, dir: dir, now: about.Now, redirects: map[string]string{}}
	if r.now == nil {
		r.now = time.Now
	}
	r.w = warc.NewWriter(&r.packed)
	if err := r.open(about); err != nil {
		return nil, fmt.Errorf("record into %q: %w", dir, err)
	}
	return r, nil
}

// open makes the folder of a recorded web, or goes on with the one that is there: behind its last whole record. What it has made it
// notes, so that a recording that comes to nothing can take it away again.
func (r *Recorder) open(about Recording) error {
	_, missing := os.Stat(r.dir)
	if err := os.MkdirAll(r.dir, 0o777); err != nil {
		return err
	}
	if err := readPairs(filepath.Join(r.dir, "redirects.tsv"), r.redirects); err != nil {
		return err
	}
	name, pages := filepath.Join(r.dir, "web.yaml"), filepath.Join(r.dir, "pages.warc.gz")
	says := Description{Name: cmp.Or(about.Name, filepath.Base(r.dir)), Language: about.Language, Unlabelled: Unknown, Topics: about.Topics}
	described, err := writeNew(name, says.YAML())
	if err != nil {
		return err
	}
	f, err := os.OpenFile(pages, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	r.f = f
	if r.size, err = r.whole(); err != nil {
		f.Close()
		return err
	}
	if r.size > 0 {
		return nil
	}
	r.made = []string{pages}
	if described {
		r.made = append(r.made, name)
	}
	r.alone = missing != nil
	err = r.write(&warc.Record{
		Type: "warcinfo", Date: r.now(), Body: []byte("software: thresher\r\nformat: WARC File Format 1.1\r\n"),
		Header: http.Header{"Content-Type": {"application/warc-fields"}},
	})
	r.head = r.size
	return err
}

// writeNew writes a file that is not there yet, and tells whether it has.
func writeNew(name string, text []byte) (bool, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, os.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, err = f.Write(text)
	return true, errors.Join(err, f.Close())
}

// whole answers how much of the file is whole records, having learnt the redirects among them.
func (r *Recorder) whole() (int64, error) {
	in, err := warc.NewReader(r.f)
	if err != nil {
		return 0, err
	}
	for {
		rec, err := in.Next()
		var cut *warc.CutError
		if errors.As(err, &cut) {
			return cut.Offset, r.f.Truncate(cut.Offset)
		}
		if err == io.EOF {
			info, err := r.f.Stat()
			if err != nil {
				return 0, err
			}
			return info.Size(), nil
		}
		if err != nil {
			return 0, err
		}
		if resp, _, err := rec.Response(); err == nil && rec.Type == "response" {
			r.learn(rec.Target, resp)
		}
	}
}

// learn notes where a redirect leads.
func (r *Recorder) learn(address string, resp *http.Response) {
	if resp.StatusCode < 300 || resp.StatusCode > 399 || resp.Header.Get("Location") == "" {
		return
	}
	if to := page.Location(address, resp.Header.Get("Location")); page.Host(to) != "" {
		r.redirects[withoutFragment(address)] = to
	}
}

// RoundTrip passes a request on and records what comes back.
func (r *Recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != "" && req.Method != http.MethodGet {
		return r.next.RoundTrip(req)
	}
	if err := r.failure(); err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	start := r.now()
	resp, err := r.next.RoundTrip(req)
	if err != nil {
		if !errors.Is(err, context.Canceled) { // that is our own doing, not the web's
			r.record(r.metadata(req, start, err))
		}
		return resp, err
	}
	came := *resp // whoever takes the answer on changes it: who undoes a coding takes away what names it
	came.Header = resp.Header.Clone()
	resp.Body = &tee{body: resp.Body, done: func(body []byte, cut string) error {
		return r.record(r.exchange(req, &came, body, cut, start)...)
	}}
	return resp, nil
}

func (r *Recorder) failure() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

// record writes records that belong together, or nothing of them.
func (r *Recorder) record(records ...*warc.Record) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed == nil {
		if err := r.write(records...); err != nil {
			r.failed = fmt.Errorf("record: %w: make room, and start again", err)
		}
	}
	return r.failed
}

func (r *Recorder) write(records ...*warc.Record) error {
	r.packed.Reset()
	for _, rec := range records {
		if _, err := r.w.Write(rec); err != nil {
			return err
		}
	}
	if _, err := r.f.WriteAt(r.packed.Bytes(), r.size); err != nil {
		r.f.Truncate(r.size) // where this fails too, the next opening finds the cut
		return err
	}
	r.size += int64(r.packed.Len())
	return nil
}

// Close writes redirects.tsv and closes the recording. Requests must have ended. A recording that was begun, and into
// which nothing came, is not left behind.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.made != nil && r.size == r.head && r.failed == nil {
		err := r.f.Close()
		for _, name := range r.made {
			err = errors.Join(err, os.Remove(name))
		}
		if r.alone {
			os.Remove(r.dir) // it stays where somebody has put something else there
		}
		return err
	}
	lines := make([]string, 0, len(r.redirects))
	for from, to := range r.redirects {
		lines = append(lines, from+"\t"+to+"\n")
	}
	slices.Sort(lines)
	err := os.WriteFile(filepath.Join(r.dir, "redirects.tsv"), []byte(strings.Join(lines, "")), 0o666)
	if err = errors.Join(err, r.f.Sync(), r.f.Close()); err != nil {
		return fmt.Errorf("close recording: %w", err)
	}
	return r.failed
}
