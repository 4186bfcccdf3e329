package sink

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/warc"
)

func TestWARCHoldsTheExchange(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir, Options{To: "warc", Info: map[string]string{"operator": "me\r\nwarc: x", "software": "thresher 1"}})
	write(t, s, 7, 9)
	s.Close()
	f, err := os.Open(filepath.Join(dir, "pages-0000.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := warc.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all []*warc.Record
	for rec, err := r.Next(); err == nil; rec, err = r.Next() {
		all = append(all, rec)
	}
	if n, why := r.Skipped(); len(all) != 7 || n != 0 {
		t.Fatalf("%d records, %d skipped: %v", len(all), n, why)
	}
	for i, want := range []struct{ kind, body string }{
		{"warcinfo", "format: WARC File Format 1.1\r\noperator: me warc: x\r\nsoftware: thresher 1\r\n"},
		{"request", "GET /7?x HTTP/1.1\r\nHost: a.example\r\nUser-Agent: thresher\r\n\r\n"},
		{"response", "HTTP/1.1 200 OK\r\nContent-Length: 7\r\nContent-Type: text/html\r\n\r\n<p>body"},
		{"metadata", "charset-detected: gbk\r\nfetchTimeMs: 120\r\nfound-as: http://a.example/7\r\nhopsFromSeed: LL\r\nlanguage: zh\r\n" +
			"relevance: 0.75\r\nterms: 旅游=0.5; a;b=1\r\ntitle: 景点 \"A\" <b>\x00 \ufffd\r\nvia: http://a.example/x\r\nwhy: mix=0.25; anchor=\r\n"},
	} {
		if got := all[i]; got.Type != want.kind || string(got.Body) != want.body {
			t.Errorf("record %d: %s\n%q, want %s\n%q", i, got.Type, got.Body, want.kind, want.body)
		}
	}
	if all[1].Header.Get("WARC-Concurrent-To") != all[2].ID || all[3].Header.Get("WARC-Concurrent-To") != all[2].ID ||
		all[2].Header.Get("WARC-IP-Address") != "192.0.2.1" || all[2].ID == all[5].ID {
		t.Errorf("%v", all[2].Header)
	}
	if resp, body, err := all[2].Response(); err != nil || resp.StatusCode != 200 || string(body) != "<p>body" {
		t.Errorf("%v %v %q", err, resp, body)
	}
}

// What a service made of a page stands in the archive beside what the host sent, and a web of that archive has the page that was judged.
func TestWARCHoldsARenderedPage(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir, Options{To: "warc"})
	r := kept(7)
	r.Rendered = []byte("<html><p>what a script wrote")
	if err := errors.Join(s.Write(r), s.Close()); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "pages-0000.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in, err := warc.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	var of, response string
	for rec, err := in.Next(); err == nil; rec, err = in.Next() {
		switch kinds = append(kinds, rec.Type); rec.Type {
		case "conversion":
			of = rec.Header.Get("WARC-Refers-To")
			if _, body, err := rec.Response(); err != nil || string(body) != string(r.Rendered) || !rec.IsPage() {
				t.Errorf("it holds %q, %v", body, err)
			}
		case "response":
			response = rec.ID
		}
	}
	if want := []string{"warcinfo", "request", "conversion", "response", "metadata"}; !slices.Equal(kinds, want) || of == "" || of != response {
		t.Errorf("records %q, and it is made of %q, not of %q", kinds, of, response)
	}
	web, err := replay.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	req, err := http.NewRequest(http.MethodGet, r.FinalURL, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := web.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(resp.Body); err != nil || string(body) != string(r.Rendered) {
		t.Errorf("its web has %q, %v", body, err)
	}
}
