package again

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/thresher-crawler/thresher/focus/sink"
)

// since writes down by what hosts know the pages as they were: pages without a body, which stand for them where a host says that
// nothing has changed. It is the folder; empty where no page has such a name.
func (r *Round) since(pages []*known) (string, error) {
	dir := filepath.Join(r.below, folderSince)
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	out, err := sink.Open(dir, sink.Options{To: "warc", Rotate: 1 << 40})
	if err != nil {
		return "", err
	}
	some := false
	for _, k := range pages {
		if k.ETag+k.Modified == "" || k.Out { // of what was taken out nobody knows without its header whether it may be kept by now
			continue
		}
		some = true
		h := http.Header{"Content-Type": {"text/html; charset=utf-8"}}
		if m := r.memory.of[k.ID]; m != nil {
			stillSays(h, m.optOuts)
		}
		if k.ETag != "" {
			h.Set("ETag", k.ETag)
		}
		if k.Modified != "" {
			h.Set("Last-Modified", k.Modified)
		}
		err = errors.Join(err, out.Write(&sink.Record{URL: k.URL, FinalURL: k.URL, Time: k.LastSeen, Status: http.StatusOK,
			Exchange: sink.Exchange{Header: h, Body: []byte("<title>" + unchanged + "</title>")}}))
	}
	if err = errors.Join(err, out.Close()); err != nil || !some {
		return "", err
	}
	return dir, nil
}

// stillSays puts into the header of a page that is as it was what it said of its use by itself: that counts before what is said of its
// whole host, which may be new.
func stillSays(h http.Header, optOuts []string) {
	for _, said := range optOuts {
		says, where, _ := strings.Cut(said, " (")
		if where != "page)" && where != "header)" {
			continue
		}
		h.Add("Content-Usage", says)
		h.Add("Content-Signal", says)
		if value, ok := strings.CutPrefix(says, "tdm-reservation="); ok {
			h.Add("Tdm-Reservation", value)
		}
	}
}
