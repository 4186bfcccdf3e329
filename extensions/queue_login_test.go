package extensions_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/extensions"
	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/frontier/disk"
	"github.com/thresher-crawler/thresher/focus/warc"
)

// A queue sends the password of an address that was added to its origin, with whatever request, and neither its frontier nor an
// archive has it.
func TestAQueueKeepsNoPasswords(t *testing.T) {
	var told []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		told = append(told, r.URL.Path+" "+user+":"+password)
	}))
	defer server.Close()
	dir := t.TempDir()
	f, err := disk.Open(dir, frontier.Manners{}, disk.Options{})
	noError(t, err)
	q, err := extensions.NewQueue(1, f)
	noError(t, err)
	c := colly.NewCollector()
	var archive bytes.Buffer
	extensions.Transport(c, extensions.WARC(warc.NewWriter(&archive), extensions.WARCConfig{}))
	host := strings.TrimPrefix(server.URL, "http://")
	noError(t, q.AddScored("http://solar:s3cr3t@"+host+"/a", 2))
	c.OnRequest(func(r *colly.Request) {
		r.Headers.Set("Cookie", "session=s3cr3t")
		if r.URL.Path != "/a" {
			return
		}
		next, err := r.New(http.MethodGet, "http://solar:s3cr3t@"+host+"/b", nil)
		if err == nil {
			next.Ctx.Put("kept", "words")
			err = q.AddRequest(next)
		}
		if err != nil {
			t.Error(err)
		}
	})
	noError(t, q.Run(c))
	noError(t, f.Close())
	if got := strings.Join(told, ", "); got != "/a solar:s3cr3t, /b solar:s3cr3t" {
		t.Errorf("the server was told %s", got)
	}
	records := 0
	in, err := warc.NewReader(&archive)
	noError(t, err)
	for r, err := in.Next(); err != io.EOF; r, err = in.Next() {
		noError(t, err)
		if records++; bytes.Contains(r.Body, []byte("Authorization")) || bytes.Contains(r.Body, []byte("s3cr3t")) {
			t.Errorf("the archive has %s", r.Body)
		}
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, name := range names {
		if text, err := os.ReadFile(name); err != nil || bytes.Contains(text, []byte("s3cr3t")) {
			t.Errorf("%s has the password (%v)", name, err)
		}
	}
	if len(names) == 0 || records == 0 {
		t.Errorf("%d files and %d records were read", len(names), records)
	}
}
