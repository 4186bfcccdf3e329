package replay

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/warc"
)

func packed(s string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	z.Close()
	return b.String()
}

// strange is a recording as other programs make them: all kinds of records, nothing of ours.
func strange() []*warc.Record {
	response := func(target, head, body string) *warc.Record {
		return &warc.Record{Type: "response", Target: target, Date: moment, Body: []byte("HTTP/1.1 200 OK\r\n" + head + "\r\n" + body)}
	}
	chunked := fmt.Sprintf("5\r\nhello\r\n%x;ext\r\n world\r\n0\r\n\r\n", len(" world"))
	moved := response("http://a.example/first", "", "the same body")
	moved.ID = warc.NewID("first")
	revisit := func(target string, h http.Header) *warc.Record {
		return &warc.Record{Type: "revisit", Target: target, Date: moment, Header: h, Body: []byte("HTTP/1.1 200 OK\r\n\r\n")}
	}
	sent := func(from, to string) *warc.Record {
		return &warc.Record{Type: "response", Target: from, Date: moment, Body: []byte("HTTP/1.1 301 Moved Permanently\r\nLocation: " + to + "\r\n\r\nmoved")}
	}
	alike := sent("http://a.example/sent-again", "/first")
	alike.Type, alike.Body = "revisit", bytes.TrimSuffix(alike.Body, []byte("moved"))
	alike.Header = http.Header{"WARC-Refers-To-Target-URI": {"http://a.example/sent"}, "WARC-Payload-Digest": {warc.Digest([]byte("moved"))}}
	onward := sent("http://a.example/onward", "/second") // with the body of a page, as where a script goes on after it has sent one away
	onward.Type, onward.Body = "revisit", bytes.TrimSuffix(onward.Body, []byte("moved"))
	onward.Header = http.Header{"WARC-Payload-Digest": {warc.Digest([]byte("the same body"))}}
	return []*warc.Record{
		sent("http://a.example/sent", "/second"), alike,
		{Type: "warcinfo", Date: moment, Body: []byte("software: another crawler\r\n")},
		response("http://a.example/chunked", "Transfer-Encoding: chunked\r\n", chunked),
		response("http://a.example/unchunked", "Transfer-Encoding: chunked\r\n", "undone, and the header left"),
		response("http://a.example/gzip", "Content-Encoding: gzip\r\n", packed("unpacked")),
		response("http://a.example/both", "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
			fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(packed("both")), packed("both"))),
		response("http://a.example/ungzip", "Content-Encoding: gzip\r\n", "never was packed"),
		response("<http://a.example/brackets>", "", "in brackets"),
		moved, onward,
		revisit("http://a.example/by-id", http.Header{"WARC-Refers-To": {moved.ID}}),
		revisit("http://a.example/by-address", http.Header{"WARC-Refers-To-Target-URI": {"http://a.example/first"}}),
		revisit("http://a.example/by-digest", http.Header{"WARC-Payload-Digest": {warc.Digest([]byte("the same body"))}}),
		revisit("http://a.example/orphan", http.Header{"WARC-Payload-Digest": {"sha1:NOWHERE"}}),
		{Type: "resource", Target: "http://a.example/resource", Date: moment, Header: http.Header{"Content-Type": {"text/plain"}}, Body: []byte("no HTTP")},
		{Type: "metadata", Target: "http://a.example/first", Date: moment, Body: []byte("via: http://a.example/\r\nfetchTimeMs: 1234\r\n")},
		{Type: "response", Target: "dns:a.example", Date: moment, Body: []byte("20260301 192.0.2.1")},
		{Type: "response", Target: "http://a.example/bad", Date: moment, Body: []byte("ICY 200 OK\r\n\r\n")},
		{Type: "response", Target: "http://a.example/old-server", Date: moment, Body: []byte("HTTP/1.0 200\nServer NCSA\nContent-type: text/html\n\nline feeds")},
		{Type: "response", Target: "http://a.example/second", Date: moment, Body: []byte("HTTP/2 200 OK\r\n\r\nof HTTP/2")},
	}
}

func TestOtherPeoplesFiles(t *testing.T) {
	var each bytes.Buffer
	out := warc.NewWriter(&each)
	for _, rec := range strange() {
		if _, err := out.Write(rec); err != nil {
			t.Fatal(err)
		}
	}
	z, err := gzip.NewReader(bytes.NewReader(each.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	var plain bytes.Buffer
	if _, err := plain.ReadFrom(z); err != nil {
		t.Fatal(err)
	}
	old := bytes.ReplaceAll(plain.Bytes(), []byte("WARC/1.1\r\n"), []byte("WARC/1.0\r\n"))
	for name, file := range map[string][]byte{"crawl-00000.warc.gz": each.Bytes(), "whole.warc.gz": []byte(packed(plain.String())), "plain.warc": old} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, file, 0o666); err != nil {
				t.Fatal(err)
			}
			foreign(t, open(t, path))
			foreign(t, open(t, filepath.Dir(path))) // a folder with nothing else in it
		})
	}
}

func foreign(t *testing.T, w *Web) {
	t.Helper()
	for path, want := range map[string]string{
		"/chunked": "200 hello world", "/unchunked": "200 undone, and the header left", "/gzip": "200 unpacked", "/both": "200 both",
		"/ungzip": "200 never was packed", "/brackets": "200 in brackets", "/first": "200 the same body", "/by-id": "200 the same body",
		"/by-address": "200 the same body", "/by-digest": "200 the same body", "/resource": "200 no HTTP", "/orphan": "404 Not Found",
		"/old-server": "200 line feeds", "/second": "200 of HTTP/2", "/bad": "404 Not Found",
	} {
		if got := get(t, w, "http://a.example"+path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if to, ok := w.Has("http://a.example/sent-again"); !ok || to != "http://a.example/first" {
		t.Errorf("a revisit that sends to /first leads to %q", to)
	}
	if n, why := w.Skipped(); n != 2 || !strings.Contains(why.Error(), "orphan") {
		t.Errorf("skipped %d, the last because %v", n, why)
	}
	if d := w.Latency("http://a.example/first"); d != 1234*time.Millisecond {
		t.Errorf("latency %v", d)
	}
}

func TestCopiesOfWholeFilesAreRemoved(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	each := unpackedFile(t, filepath.Join(folder(t, nil, [2]string{"http://a.example/", okHTML + "1"}, [2]string{"http://a.example/2", okHTML + "2"}), "pages.warc.gz"))
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "pages.warc.gz"), []byte(packed(string(each))), 0o666); err != nil {
		t.Fatal(err)
	}
	w, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := get(t, w, "http://a.example/2"); got != "200 2" {
		t.Error(got)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}
