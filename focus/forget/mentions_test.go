package forget

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/pdf/pdftest"
	"github.com/thresher-crawler/thresher/focus/warc"
)

// TestMentionsInAPDF: an address that is packed in a stored PDF of another host counts like one in a page, and the PDF stays as it is;
// one that cannot be read is counted as it stands.
func TestMentionsInAPDF(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	file := pdftest.Article{Title: "Sun", Paragraphs: []string{"Light."}, Link: "http://" + host + "/a"}.File().Compact()
	if bytes.Contains(file, []byte(host)) {
		t.Fatal("the address is not packed: nothing is shown by counting it")
	}
	var archive bytes.Buffer
	w := warc.NewWriter(&archive)
	for _, body := range []string{string(file), "%PDF-1.4 //" + host + "/ //sub." + host + "/"} {
		if _, err := w.Write(&warc.Record{Type: "response", Target: "http://daily.test/x.pdf", Date: time.Unix(1e9, 0),
			Header: http.Header{"Content-Type": {"application/http; msgtype=response"}}, Body: []byte("HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n" + body)}); err != nil {
			t.Fatal(err)
		}
	}
	const name = "pages-0000.warc.gz"
	noError(t, os.WriteFile(filepath.Join(dir, name), archive.Bytes(), 0o600))
	e := &eraser{dir: dir, out: out, hosts: []string{host}}
	if err := e.archive(name); err != nil || e.done.Mentions != 2 {
		t.Errorf("%v: %d mentions, want 2", err, e.done.Mentions)
	}
	f, err := os.Open(filepath.Join(out, name))
	noError(t, err)
	defer f.Close()
	r, err := warc.NewReader(f)
	noError(t, err)
	if rec, err := r.Next(); err != nil || !strings.HasSuffix(string(rec.Body), string(file)) {
		t.Errorf("%v: the PDF is another", err)
	}
}
