package again

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash/fnv"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/wire"
)

// FileFetched is the file of a run folder that says of each answer by what its host knows that state of the page (ETag and
// Last-Modified), and what it was. It is a help for the next visit alone: a page of which the file tells nothing, as after a
// crash, is asked for whole.
const FileFetched = "fetched.jsonl"

// fetched is a line of it.
type fetched struct {
	URL      string    `json:"url"`
	At       time.Time `json:"at"`
	Status   int       `json:"status"`
	ETag     string    `json:"etag,omitempty"`
	Modified string    `json:"modified,omitempty"`
	Body     string    `json:"body,omitempty"`   // a digest
	List     bool      `json:"list,omitempty"`   // a sitemap or feed
	Broken   bool      `json:"broken,omitempty"` // only its beginning came
	Moved    int64     `json:"moved"`            // bytes of the body that went over the wire
}

// Notes writes down what was fetched.
type Notes struct {
	mu   sync.Mutex
	f    *os.File
	fail error // what is not written is only missed
}

// Note opens the notes of a run folder.
func Note(dir string) (*Notes, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, FileFetched), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	n := &Notes{f: f}
	last := make([]byte, 1)
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		if _, err := f.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			_, n.fail = f.WriteString("\n") // a crash has left the beginning of a line
		}
	}
	return n, nil
}

// Take notes what became of a visit. It is a hook for OnDone.
func (n *Notes) Take(v *focus.Visit) {
	if v.Status == 0 {
		return
	}
	said := fetched{URL: v.Item.URL, At: v.Time.UTC(), Status: v.Status, ETag: v.Header.Get("ETag"), Modified: v.Header.Get("Last-Modified"),
		List: v.Refused == admit.RefusedList, Moved: int64(len(v.Body))}
	if isAsItWas(v) {
		said.ETag, said.Modified, said.Moved = "", "", 0
	} else if page.Arrived(v.Status) {
		said.Body, said.Broken = digestOf(string(v.Body)), wire.BrokeOff(v.Header)
	}
	if said.Broken { // it is had whole only where it is asked for whole
		said.ETag, said.Modified = "", ""
	}
	line, err := json.Marshal(said)
	if err != nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.fail == nil {
		_, n.fail = n.f.Write(append(line, '\n'))
	}
}

// Close writes what is left.
func (n *Notes) Close() error { return errors.Join(n.fail, n.f.Close()) }

// readFetched is the last line of each address.
func readFetched(dir string) (map[string]fetched, error) {
	all := map[string]fetched{}
	f, err := os.Open(filepath.Join(dir, FileFetched))
	if errors.Is(err, os.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for line, err := range run.WholeLines(f) {
		if err != nil {
			return nil, err
		}
		var said fetched
		if json.Unmarshal(line, &said) == nil {
			all[said.URL] = said
		}
	}
	return all, nil
}

func digestOf(parts ...string) string {
	h := fnv.New128a()
	for _, p := range parts {
		io.WriteString(h, p)
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))
}

// saysOf is what a record says, which is what must be fresh: not its time, nor what stands around the text.
func saysOf(r *sink.Record) string { return digestOf(r.Title, r.Text) }

// valuesOf are the values that a record has off its page, where the crawl file asks for such; empty where it has none.
func valuesOf(r *sink.Record) string {
	if len(r.Data) == 0 {
		return ""
	}
	parts := make([]string, 0, 2*len(r.Data))
	for _, name := range slices.Sorted(maps.Keys(r.Data)) {
		parts = append(parts, name, string(r.Data[name]))
	}
	return digestOf(parts...)
}

// unchanged is the title, and all, of a page of which its host says that it is as it was: nobody needs what that was. The log of the
// round has it, so that whatever else a crash has cost, a page that was not sent is not taken for one that says something else.
const unchanged = "As it was when it was visited last"

// AsItWas is a page of which its host says that it is as it was, by its record, if it has one.
type AsItWas struct {
	Title     string
	Relevance float64
	Kept      bool
	Refused   admit.Refused // its author reserves it by now
}

// AsItWas tells of a visit that it found a page as it was; nil of any other.
func (r *Round) AsItWas(v *focus.Visit) *AsItWas {
	k := r.due[v.Item.URL]
	if !isAsItWas(v) || k == nil {
		return nil
	}
	by := reservedBy(v.Refused)
	return &AsItWas{k.title, k.first, k.Kept && by == "", by}
}

func isAsItWas(v *focus.Visit) bool { return v.Page != nil && v.Page.Title == unchanged }
