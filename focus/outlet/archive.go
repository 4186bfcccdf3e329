package outlet

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/warc"
)

// archive is the part of a run's archive that pages are in: what was asked for them and answered, byte for byte, and what was judged
// of them, with the number of their cluster, in the order in which they were fetched.
type archive struct {
	out     *warc.Writer
	folders []string
	wanted  map[string]*wanted // by address
	last    time.Time          // when the last of the pages was fetched
}

// wanted is a page whose answer is looked for.
type wanted struct {
	cluster uint64
	found   bool
}

func newArchive(w io.Writer, folders []string) *archive {
	return &archive{out: warc.NewWriter(w), folders: folders, wanted: map[string]*wanted{}}
}

func (a *archive) Encode(r *sink.Record) error {
	a.wanted[cmp.Or(r.FinalURL, r.URL)] = &wanted{cluster: r.Cluster}
	if r.Time.After(a.last) {
		a.last = r.Time
	}
	return nil
}

// Missing is how many pages have no bytes in the archive, once it is closed: a second look has taken them in, or nothing was archived.
func (a *archive) Missing() (n int) {
	for _, page := range a.wanted {
		if !page.found {
			n++
		}
	}
	return n
}

// Close goes through the archives and writes what belongs to the pages. That there is nothing of any of them is an error. The archive is
// of the day of its last page, whenever it is written: the same pages make the same bytes. Where no page has a day it is of today.
func (a *archive) Close() error {
	if a.last.IsZero() {
		a.last = time.Now()
	}
	day := a.last.UTC()
	about := &warc.Record{Type: "warcinfo", ID: warc.NewID("warcinfo", "export", day.String()), Date: day,
		Body: []byte("software: thresher\r\nformat: WARC File Format 1.1\r\n"), Header: http.Header{"Content-Type": {"application/warc-fields"}}}
	if _, err := a.out.Write(about); err != nil {
		return err
	}
	for _, folder := range a.folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.warc.gz"))
		if err != nil {
			return err
		}
		slices.Sort(files)
		later, err := filepath.Glob(filepath.Join(folder, sink.FolderAgain, "*.warc.gz"))
		if err != nil {
			return err
		}
		slices.Sort(later)
		slices.Reverse(later) // what the last visit found comes first, and of an address the first counts
		for _, file := range append(later, files...) {
			if err := a.copy(file); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
		}
	}
	if n := len(a.wanted); n > 0 && a.Missing() == n {
		return fmt.Errorf("%s: the bytes of none of these pages are archived: an archive is written by a crawl with sinks: [{to: jsonl}, {to: warc}]", strings.Join(a.folders, ", "))
	}
	return nil
}

// copy copies what belongs to the pages from one file. What it ends in the middle of is being written.
func (a *archive) copy(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	in, err := warc.NewReader(f)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return err
	}
	var ahead []*warc.Record // what belongs to the answer that comes next
	answer := ""             // the id of the last answer, if it was copied
	for {
		r, err := in.Next()
		if cut := (*warc.CutError)(nil); errors.Is(err, io.EOF) || errors.As(err, &cut) {
			return nil
		}
		if err != nil {
			return err
		}
		of := cmp.Or(r.Header.Get("WARC-Concurrent-To"), r.Header.Get("WARC-Refers-To"))
		switch {
		case r.Type == "response":
			if answer, err = a.answer(r, ahead); err != nil {
				return err
			}
			ahead = ahead[:0]
		case of != "" && of == answer:
			a.withCluster(r)
			if _, err := a.out.Write(r); err != nil {
				return err
			}
		case of != "":
			ahead = append(ahead, r)
		}
	}
}

// answer copies an answer that is wanted, with what goes before it, and says which it was.
func (a *archive) answer(r *warc.Record, ahead []*warc.Record) (id string, err error) {
	page := a.wanted[r.Target]
	if page == nil || page.found {
		return "", nil
	}
	page.found = true
	for _, b := range append(slices.DeleteFunc(ahead, func(b *warc.Record) bool {
		return cmp.Or(b.Header.Get("WARC-Concurrent-To"), b.Header.Get("WARC-Refers-To")) != r.ID
	}), r) {
		if _, err := a.out.Write(b); err != nil {
			return "", err
		}
	}
	return r.ID, nil
}

// withCluster adds the number of its cluster to what was judged of a page.
func (a *archive) withCluster(r *warc.Record) {
	page := a.wanted[r.Target]
	if r.Type != "metadata" || page == nil {
		return
	}
	r.Body = fmt.Appendf(r.Body, "%s: %d\r\n", sink.FieldCluster, page.cluster)
	r.Header.Del("WARC-Block-Digest") // of what it was
}
