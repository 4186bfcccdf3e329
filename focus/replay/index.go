package replay

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/warc"
)

// What a recording says beside the answers, in the body of a metadata record, as other crawlers write it.
const (
	tookMeta    = "fetchTimeMs"
	failureMeta = "failure"
)

// TookField is a field of the response record's own header, in our recordings: how many milliseconds the answer took.
const TookField = "Fetch-Time-Ms"

// indexer makes the index of a web while its files are read through.
type indexer struct {
	w        *Web
	ids      map[string]int32 // record name → pages, for revisits
	digests  map[string]int32 // payload digest → pages, for revisits
	revisits []revisit
	name     string // of the file that is read
	failures []entry
}

// revisit is a record, without its body, that says a page is the same as another.
type revisit struct {
	*warc.Record
	file string
}

// mostFiles is how many files a web may have, counting what has to be unpacked: an entry of the index has two bytes for its file.
const mostFiles = math.MaxUint16 + 1

var errFiles = fmt.Errorf("a web has %d files at most: pack several into one (cat A.warc.gz B.warc.gz > C.warc.gz)", mostFiles)

// read reads through one of the web's files, by its name and number, and notes where each answer stands.
func (x *indexer) read(name string, file int) error {
	x.name = name
	f := x.w.files[file]
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r, err := warc.NewReader(f)
	if err != nil {
		return err
	}
	if err := x.records(r, file); err != nil {
		return err
	}
	if n, why := r.Skipped(); n > 0 {
		x.w.flaw(name, n, why)
	}
	return nil
}

// records notes all records of a file; those that cannot be read by themselves are copied to where they can.
func (x *indexer) records(r *warc.Reader, file int) error {
	var loose *unpacker
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if rec.Inside == 0 {
			x.note(rec, file, rec.Offset)
			continue
		}
		if loose == nil {
			if loose, err = x.unpacker(); err != nil {
				return err
			}
		}
		at, err := loose.add(rec)
		if err != nil {
			return err
		}
		x.note(rec, loose.file, at)
	}
}

// unpacker copies the records of a file that was packed as a whole, and so cannot be read from the middle, into one
// that can. The copy lives as long as the web is open.
type unpacker struct {
	w    *warc.Writer
	file int
	at   int64
}

func (x *indexer) unpacker() (*unpacker, error) {
	f, err := os.CreateTemp("", "thresher-web-*.warc.gz")
	if err != nil {
		return nil, fmt.Errorf("make room for the records of a file that is packed as a whole: %w; let TMPDIR name a folder that can be written in", err)
	}
	x.w.files, x.w.copies = append(x.w.files, f), append(x.w.copies, f.Name())
	if len(x.w.files) > mostFiles {
		return nil, errFiles
	}
	return &unpacker{w: warc.NewWriter(f), file: len(x.w.files) - 1}, nil
}

func (u *unpacker) add(rec *warc.Record) (at int64, err error) {
	at = u.at
	n, err := u.w.Write(rec)
	u.at += n
	return at, err
}

// note enters a record into the index, or keeps it for resolve.
func (x *indexer) note(rec *warc.Record, file int, offset int64) {
	address := withoutFragment(rec.Target)
	if !strings.HasPrefix(address, "http:") && !strings.HasPrefix(address, "https:") {
		return // a name server's answer, a recorder's own note
	}
	switch {
	case rec.IsPage(), movesOn(rec):
		resp, _, err := rec.Response()
		if err != nil {
			x.w.flaw(x.name, 1, err)
			return
		}
		n := x.enter(entry{address: address, file: uint16(file), status: uint16(resp.StatusCode), offset: offset})
		x.ids[rec.ID] = n
		if d := rec.Header.Get("WARC-Payload-Digest"); d != "" && rec.IsPage() { // else it has no body that another could be like
			x.digests[d] = n
		}
		x.took(address, rec.Header.Get(TookField))
	case rec.Type == "revisit":
		rec.Body = nil
		x.revisits = append(x.revisits, revisit{rec, x.name})
	case rec.Type == "metadata":
		meta := metaFields(rec.Body)
		x.took(address, meta[tookMeta])
		if why := meta[failureMeta]; why != "" {
			x.failures = append(x.failures, entry{address: address, failure: why})
		}
	}
}

// movesOn tells of a revisit that its own answer sends on: where to stands in its head, and what it is the same as may send elsewhere,
// for many servers have one body for all of these.
func movesOn(rec *warc.Record) bool {
	if rec.Type != "revisit" {
		return false
	}
	resp, _, err := rec.Response()
	return err == nil && resp.StatusCode/100 == 3 && resp.StatusCode != http.StatusNotModified && resp.Header.Get("Location") != ""
}

// metaFields are the "name: value" lines of a metadata record.
func metaFields(body []byte) map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(string(body)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			m[name] = value
		}
	}
	return m
}

// took notes how long an answer took; the first time counts.
func (x *indexer) took(address, milliseconds string) {
	n, err := strconv.ParseInt(milliseconds, 10, 32)
	if _, twice := x.w.latency[address]; err != nil || n < 0 || twice {
		return
	}
	x.w.latency[address] = time.Duration(n) * time.Millisecond
}

// enter adds an entry under its address and answers which it is; the first of an address stays, but for one that says to come back
// later, and the others can still be referred to.
func (x *indexer) enter(e entry) int32 {
	w := x.w
	n := int32(len(w.pages))
	switch before, twice := w.names[e.address]; {
	case !twice:
		w.names[e.address] = n
	case e.failure == "" && !page.Later(int(e.status)) && page.Later(int(w.pages[before].status)):
		w.pages[before].address, w.names[e.address] = "", n
		delete(w.latency, e.address) // it took as long as the page did
	default:
		e.address = ""
	}
	w.pages = append(w.pages, e)
	return n
}

// resolve answers, when all files have been read, what was put off: revisits stand for the record they refer to, and a
// failure counts where no answer was ever recorded.
func (x *indexer) resolve() {
	for _, rec := range x.revisits {
		address := withoutFragment(rec.Target)
		n, ok := x.ids[rec.Header.Get("WARC-Refers-To")]
		if !ok {
			n, ok = x.w.names[withoutFragment(rec.Header.Get("WARC-Refers-To-Target-URI"))]
		}
		if !ok {
			n, ok = x.digests[rec.Header.Get("WARC-Payload-Digest")]
		}
		if !ok {
			x.w.flaw(rec.file, 1, fmt.Errorf("revisit of %q refers to a record that is in none of the files", rec.Target))
			continue
		}
		e := x.w.pages[n]
		e.address = address
		x.enter(e)
	}
	for _, e := range x.failures {
		if _, answered := x.w.names[e.address]; !answered {
			x.enter(e)
		}
	}
}
