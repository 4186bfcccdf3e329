package warc

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var moment = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func page(n int) *Record {
	body := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page %d: %s", n, strings.Repeat("grain and chaff ", n))
	return &Record{Type: "response", Target: fmt.Sprintf("http://a.example/%d", n), Date: moment, Body: []byte(body),
		Header: http.Header{"Content-Type": {"application/http;msgtype=response"}}}
}

// file writes n pages, a gzip member each, and tells where each record starts.
func file(t testing.TB, n int) (packed []byte, starts []int64) {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b)
	for i := range n {
		starts = append(starts, int64(b.Len()))
		size, err := w.Write(page(i))
		if err != nil || size != int64(b.Len())-starts[i] {
			t.Fatalf("Write = %d, %v; the file grew by %d", size, err, int64(b.Len())-starts[i])
		}
	}
	return b.Bytes(), starts
}

func unpacked(t testing.TB, packed []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

func whole(plain []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(plain)
	z.Close()
	return b.Bytes()
}

// onlyReader hides everything but Read, as a pipe does.
type onlyReader struct{ io.Reader }

func all(t *testing.T, r io.Reader) (targets []string, w *Reader, err error) {
	t.Helper()
	if w, err = NewReader(r); err != nil {
		t.Fatal(err)
	}
	for {
		rec, err := w.Next()
		if err == io.EOF {
			return targets, w, nil
		}
		if err != nil {
			return targets, w, err
		}
		targets = append(targets, rec.Target[len("http://a.example/"):])
	}
}

func TestReadsWhatItWrote(t *testing.T) {
	packed, starts := file(t, 5)
	for name, data := range map[string][]byte{"per record": packed, "whole": whole(unpacked(t, packed)), "plain": unpacked(t, packed)} {
		t.Run(name, func(t *testing.T) {
			r, err := NewReader(onlyReader{bytes.NewReader(data)})
			if err != nil {
				t.Fatal(err)
			}
			for i := range 5 {
				got, err := r.Next()
				if err != nil {
					t.Fatal(err)
				}
				want := page(i)
				if got.Type != want.Type || got.Target != want.Target || !got.Date.Equal(want.Date) || !bytes.Equal(got.Body, want.Body) {
					t.Fatalf("record %d = %+v", i, got)
				}
				if name == "per record" && (got.Offset != starts[i] || got.Inside != 0) {
					t.Errorf("record %d at %d+%d, want %d", i, got.Offset, got.Inside, starts[i])
				}
				if name == "whole" && (got.Offset != 0 || (got.Inside == 0) != (i == 0)) {
					t.Errorf("record %d at %d+%d of the one member", i, got.Offset, got.Inside)
				}
				if name != "whole" {
					if at, err := At(bytes.NewReader(data), got.Offset); err != nil || at.Target != got.Target || at.Offset != got.Offset {
						t.Errorf("At(%d) = %v, %v", got.Offset, at, err)
					}
				}
			}
			if _, err := r.Next(); err != io.EOF {
				t.Fatalf("after the last: %v", err)
			}
			if n, why := r.Skipped(); n != 0 {
				t.Fatalf("skipped %d: %v", n, why)
			}
		})
	}
}

func TestWritesTheFieldsOfTheStandard(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	rec := page(0)
	rec.Header.Set("WARC-Refers-To-Target-URI", "http://a.example/old")
	rec.Header.Set("WARC-IP-Address", "192.0.2.1")
	if _, err := w.Write(rec); err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(unpacked(t, b.Bytes())), "\r\n\r\n")
	want := "WARC/1.1\nWARC-Type: response\nWARC-Record-ID: " + NewID("response", rec.Target, "2026-03-01T12:00:00Z", Digest(rec.Body), "0") + `
WARC-Date: 2026-03-01T12:00:00Z
WARC-Target-URI: http://a.example/0
Content-Type: application/http;msgtype=response
WARC-IP-Address: 192.0.2.1
WARC-Refers-To-Target-URI: http://a.example/old
WARC-Block-Digest: ` + Digest(rec.Body) + `
WARC-Payload-Digest: ` + Digest([]byte("<p>page 0: ")) + fmt.Sprintf("\nContent-Length: %d", len(rec.Body))
	if got := strings.ReplaceAll(head, "\r\n", "\n"); got != want {
		t.Errorf("header\n%s\nwant\n%s", got, want)
	}
	// The vector of the empty string that every tool agrees on.
	if got := Digest(nil); got != "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ" {
		t.Errorf("Digest of nothing = %s", got)
	}
}

func TestBadRecordsArePassedOverAndCounted(t *testing.T) {
	packed, starts := file(t, 5)
	plain := unpacked(t, packed)
	flip := func(at int64) []byte {
		p := bytes.Clone(packed)
		p[at] ^= 0x55
		return p
	}
	replace := func(old, new string) []byte { return bytes.Replace(plain, []byte(old), []byte(new), 1) }
	length := fmt.Sprintf("Content-Length: %d\r\n", len(page(2).Body))
	repack := func(p []byte) []byte { // record 2 changed, a member per record again
		var b bytes.Buffer
		for i, part := range bytes.SplitAfter(p, []byte("\r\n\r\nWARC/1.1")) {
			part = bytes.TrimSuffix(part, []byte("WARC/1.1"))
			if i > 0 {
				part = append([]byte("WARC/1.1"), part...)
			}
			b.Write(whole(part))
		}
		return b.Bytes()
	}
	cases := []struct {
		name string
		data []byte
		want string
		bad  int
	}{
		{"gzip magic gone", flip(starts[2]), "0 1 3 4", 1},
		{"gzip body damaged", flip(starts[2] + 40), "0 1 3 4", 1},
		{"gzip sum wrong", flip(starts[3] - 7), "0 1 3 4", 1},
		{"last one damaged", flip(int64(len(packed)) - 7), "0 1 2 3", 1},
		{"first one damaged", flip(30), "1 2 3 4", 1},
		{"no length, plain", replace(length, ""), "0 1 3 4", 1},
		{"no length, whole", whole(replace(length, "")), "0 1 3 4", 1},
		{"no length, per record", repack(replace(length, "")), "0 1 3 4", 1},
		{"negative length", replace(length, "Content-Length: -5\r\n"), "0 1 3 4", 1},
		{"length too large", replace(length, "Content-Length: 99999\r\n"), "0 1 3 4", 1},
		{"length beyond all measure", replace(length, "Content-Length: 999999999999999\r\n"), "0 1 3 4", 1},
		{"length too small", replace(length, "Content-Length: 20\r\n"), "0 1 2 3 4", 1},
		{"field without colon", replace("WARC-Target-URI: http://a.example/2", "WARC-Target-URI http"), "0 1 3 4", 1},
		{"a foreign version", replace("WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: "+NewID(), "x"), "0 1 2 3 4", 0},
		{"junk before", append([]byte("hello\nworld\n"), plain...), "0 1 2 3 4", 1},
		{"junk behind", append(bytes.Clone(packed), "hello, this is no gzip"...), "0 1 2 3 4", 1},
		{"zeros behind", append(bytes.Clone(packed), make([]byte, 512)...), "0 1 2 3 4", 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, r, err := all(t, bytes.NewReader(c.data))
			n, why := r.Skipped()
			if s := strings.Join(got, " "); err != nil || s != c.want || n != c.bad || (n > 0) != (why != nil) {
				t.Errorf("read %s, skipped %d (%v), error %v; want %s, %d", s, n, why, err, c.want, c.bad)
			}
		})
	}
}

func TestACutFileSaysWhereAndWhatToDo(t *testing.T) {
	packed, starts := file(t, 4)
	plain := unpacked(t, packed)
	for name, c := range map[string]struct {
		data   []byte
		offset int64
	}{
		"packed":         {packed[:len(packed)-20], starts[3]},
		"packed, header": {packed[:starts[3]+4], starts[3]},
		"plain":          {plain[:len(plain)-20], int64(bytes.LastIndex(plain, []byte("WARC/1.1")))},
		"plain, header":  {plain[:bytes.LastIndex(plain, []byte("WARC-Date"))], int64(bytes.LastIndex(plain, []byte("WARC/1.1")))},
		"whole":          {whole(plain)[:len(whole(plain))-60], 0},
	} {
		for _, seekable := range []bool{true, false} {
			t.Run(fmt.Sprint(name, " seekable ", seekable), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "pages.warc.gz")
				if err := os.WriteFile(path, c.data, 0o666); err != nil {
					t.Fatal(err)
				}
				f, err := os.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				var src io.Reader = f
				if !seekable {
					src = onlyReader{f}
				}
				got, r, err := all(t, src)
				var cut *CutError
				if !errors.As(err, &cut) || cut.Offset != c.offset || !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Fatalf("after %v: %v, want a cut at %d", got, err, c.offset)
				}
				if seekable && !strings.Contains(err.Error(), "pages.warc.gz") {
					t.Errorf("%v does not name the file", err)
				}
				if name != "whole" && (len(got) != 3 || !strings.Contains(err.Error(), fmt.Sprintf("truncate -s %d", c.offset))) {
					t.Errorf("after %v: %v", got, err)
				}
				if _, again := r.Next(); again != err {
					t.Errorf("asked again: %v", again)
				}
			})
		}
	}
}

func TestRefusesToWriteWhatNobodyCouldRead(t *testing.T) {
	w := NewWriter(io.Discard)
	for _, r := range []*Record{{Target: "http://a.example/"}, {Type: "response", Target: "http://a.example/\r\nWARC-Type: x"}} {
		if n, err := w.Write(r); err == nil || n != 0 {
			t.Errorf("Write(%+v) = %d, %v", r, n, err)
		}
	}
	if _, err := NewWriterLevel(io.Discard, 0); err == nil {
		t.Error("level 0 was taken")
	}
}

// full is a disk that takes so many bytes and no more.
type full struct{ left int }

var errFull = errors.New("no space left on device")

func (f *full) Write(p []byte) (int, error) {
	n := min(f.left, len(p))
	if f.left -= n; n < len(p) {
		return n, errFull
	}
	return n, nil
}

func TestAFullDiskIsTold(t *testing.T) {
	packed, _ := file(t, 1)
	for room := range len(packed) {
		w := NewWriter(&full{left: room})
		if n, err := w.Write(page(0)); !errors.Is(err, errFull) || !strings.Contains(err.Error(), "http://a.example/0") || n > int64(room) {
			t.Fatalf("room for %d of %d bytes: %d, %v", room, len(packed), n, err)
		}
	}
}

func TestRecordedWebs(t *testing.T) {
	if os.Getenv("THRESHER_SHARED") != "1" {
		t.Skip("reads ../shared/webs; set THRESHER_SHARED=1 to run it")
	}
	for web, pages := range map[string]int{"webkb": 5766, "zh_portals": 5141} {
		f, err := os.Open("../../../shared/webs/" + web + "/pages.warc.gz")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r, err := NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for {
			rec, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if rec.Type != "response" {
				continue
			}
			n++
			resp, body, err := rec.Response()
			if err != nil {
				t.Fatal(err)
			}
			if len(body) == 0 || resp.StatusCode != 200 {
				t.Errorf("%s: %d with %d bytes", rec.Target, resp.StatusCode, len(body))
			}
			if want := rec.Header.Get("WARC-Payload-Digest"); want != "" && Digest(body) != want {
				t.Errorf("%s: payload digest %s, want %s", rec.Target, Digest(body), want)
			}
		}
		if skipped, why := r.Skipped(); n != pages || skipped != 0 {
			t.Errorf("%s: %d pages, %d skipped (%v), want %d", web, n, skipped, why, pages)
		}
	}
}
