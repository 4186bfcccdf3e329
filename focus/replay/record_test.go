package replay

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// clock goes on by a tenth of a second whenever it is looked at.
func clock() func() time.Time {
	now := moment
	return func() time.Time {
		now = now.Add(100 * time.Millisecond)
		return now
	}
}

// wild is a server with all that a recorder meets.
func wild(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "secret=1")
		fmt.Fprint(w, "home of ", r.UserAgent())
	})
	mux.HandleFunc("/robots.txt", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "User-agent: *") })
	mux.Handle("/old", http.RedirectHandler("/new?x=1", http.StatusFound))
	mux.HandleFunc("/slashed", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", `\new`)
		w.WriteHeader(http.StatusFound)
	})
	mux.HandleFunc("/chunks", func(w http.ResponseWriter, r *http.Request) {
		for range 3 {
			fmt.Fprint(w, "piece ")
			w.(http.Flusher).Flush()
		}
	})
	mux.HandleFunc("/packed", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		fmt.Fprint(z, "unpacked")
		z.Close()
	})
	asked := 0
	mux.HandleFunc("/busy", func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked < 3 {
			http.Error(w, "come later", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprint(w, "time for ", asked)
	})
	mux.HandleFunc("/broken", func(w http.ResponseWriter, r *http.Request) {
		conn, _, _ := http.NewResponseController(w).Hijack()
		conn.Close()
	})
	mux.HandleFunc("/long", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, strings.Repeat("x", 1000)) })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func TestARecordingAnswersAsTheWebDid(t *testing.T) {
	live := wild(t)
	dir := filepath.Join(t.TempDir(), "web")
	fish := Topic{Name: "fish", Seeds: []string{live.URL + "/"}, Relevant: "^fish", Terms: []string{"shark"}}
	r, err := NewRecorder(dir, live.Client().Transport, Recording{Name: "wild", Language: "en", Topics: []Topic{fish}, Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(path string, ctx context.Context) string {
		req, _ := http.NewRequestWithContext(ctx, "GET", live.URL+path, nil)
		req.Header.Set("User-Agent", "tester")
		req.Header.Set("Cookie", "secret=2")
		req.Header.Set("Accept-Encoding", "gzip") // as a crawl does, which decodes by itself
		resp, err := r.RoundTrip(req)
		if err != nil {
			return "error"
		}
		defer resp.Body.Close()
		resp.Header.Del("Content-Encoding")
		if path == "/long" { // what is read of it is recorded, and that it was cut
			io.ReadFull(resp.Body, make([]byte, 10))
			return "200 xxxxxxxxxx"
		}
		body, _ := io.ReadAll(resp.Body)
		if path == "/packed" {
			z, err := gzip.NewReader(bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			body, _ = io.ReadAll(z)
		}
		if to := resp.Header.Get("Location"); to != "" {
			return fmt.Sprint(resp.StatusCode, " → ", to)
		}
		return fmt.Sprint(resp.StatusCode, " ", strings.TrimSpace(string(body)))
	}
	want := map[string]string{}
	for _, path := range []string{"/", "/robots.txt", "/old", "/slashed", "/chunks", "/packed", "/none", "/broken", "/long", "/", "/busy", "/busy", "/busy", "/busy"} {
		if path != "/busy" || want[path] != "200 time for 3" { // what came first stays, but for what says to come later
			want[path] = ask(path, context.Background())
		}
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	ask("/never", canceled)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	w := open(t, dir)
	for path, answer := range want {
		got := get(t, w, live.URL+path)
		if answer == "error" {
			if !strings.Contains(got, "recorded failure: ") {
				t.Errorf("%s: %s, want the recorded failure", path, got)
			}
		} else if got != answer {
			t.Errorf("%s: %s, want %s", path, got, answer)
		}
	}
	if got := get(t, w, live.URL+"/never"); got != "404 Not Found" {
		t.Errorf("what was cancelled is recorded: %s", got)
	}
	if d := w.Latency(live.URL + "/chunks"); d != 100*time.Millisecond {
		t.Errorf("latency %v", d)
	}
	if d := w.Latency(live.URL + "/none-such"); d != DefaultLatency {
		t.Errorf("latency of an unknown page %v", d)
	}
	if topic, _ := w.Topic("fish"); w.Name() != "wild" || fmt.Sprint(topic) != fmt.Sprint(fish) {
		t.Errorf("%s, %+v", w.Name(), topic)
	}
	redirects, _ := os.ReadFile(filepath.Join(dir, "redirects.tsv"))
	if want := strings.ReplaceAll("X/old\tX/new?x=1\nX/slashed\tX/new\n", "X", live.URL); string(redirects) != want {
		t.Errorf("redirects.tsv %q, want %q", redirects, want)
	}
	if pages := unpackedFile(t, filepath.Join(dir, "pages.warc.gz")); strings.Contains(string(pages), "secret") || !strings.Contains(string(pages), "WARC-Truncated: unspecified") {
		t.Errorf("the file holds a cookie, or not that a body was cut")
	}
}

// A name and a password that stand in an address are left out of what is written.
func TestARecordingHasNoPasswordOfAnAddress(t *testing.T) {
	live := wild(t)
	dir := filepath.Join(t.TempDir(), "web")
	r, err := NewRecorder(dir, live.Client().Transport, Recording{Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/", "/old", "/broken"} {
		req, _ := http.NewRequest("GET", strings.Replace(live.URL, "http://", "http://ann:secret@", 1)+path, nil)
		if resp, err := r.RoundTrip(req); err == nil {
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pages.warc.gz", "redirects.tsv"} {
		if text := unpackedFile(t, filepath.Join(dir, name)); bytes.Contains(text, []byte("secret")) || !bytes.Contains(text, []byte(live.URL+"/old")) {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// A recording that was begun for nothing would be a web without pages to whoever finds it, and of another topic to the next
// who records there.
func TestARecordingOfNothingIsNotLeftBehind(t *testing.T) {
	there := t.TempDir()
	for _, dir := range []string{filepath.Join(t.TempDir(), "web"), there} {
		r, err := NewRecorder(dir, http.DefaultTransport, Recording{Now: clock()})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(dir)
		if len(entries) != 0 || (err == nil) != (dir == there) {
			t.Errorf("left in %s: %v, %v", dir, entries, err)
		}
	}
}

func TestARecordingGoesOnAfterACrash(t *testing.T) {
	live := wild(t)
	dir := t.TempDir()
	record := func(paths ...string) {
		r, err := NewRecorder(dir, live.Client().Transport, Recording{Now: clock()})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range paths {
			get(t, r, live.URL+p)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	record("/", "/old", "/chunks")
	os.Remove(filepath.Join(dir, "redirects.tsv")) // written at the end only
	name := filepath.Join(dir, "pages.warc.gz")
	info, _ := os.Stat(name)
	if err := os.Truncate(name, info.Size()-30); err != nil {
		t.Fatal(err)
	}
	record("/robots.txt")
	w := open(t, dir)
	for path, want := range map[string]string{"/": "200 home", "/old": "302 →", "/chunks": "404", "/robots.txt": "200 User"} {
		if got := get(t, w, live.URL+path); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", path, got)
		}
	}
	if len(w.redirects) != 1 {
		t.Errorf("redirects %v", w.redirects)
	}
	if n, why := w.Skipped(); n != 0 {
		t.Errorf("%d records skipped: %v", n, why)
	}
}

func TestWhatCannotBeRecordedIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := NewRecorder(filepath.Join(file, "web"), nil, Recording{}); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("%v, want the folder named", err)
	}
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full")
	}
	dir := t.TempDir()
	r, err := NewRecorder(dir, wild(t).Client().Transport, Recording{Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	r.f.Close()
	r.f = full
	live := wild(t)
	for i := range 2 { // the page itself says so, and no other is fetched
		if got := fetchError(r, live.URL+"/"); !strings.Contains(fmt.Sprint(got), "no space left") {
			t.Errorf("request %d: %v", i, got)
		}
	}
	if err := r.Close(); err == nil {
		t.Error("closed as if nothing were lost")
	}
}

// fetchError is the error of a request and of reading its answer.
func fetchError(rt http.RoundTripper, address string) error {
	req, _ := http.NewRequest("GET", address, nil)
	resp, err := rt.RoundTrip(req)
	if err != nil {
		return err
	}
	_, err = io.ReadAll(resp.Body)
	return errors.Join(err, resp.Body.Close())
}

// A failure may quote the server at any length: a recording has the beginning of it, in one line.
func TestARecordedFailureIsBounded(t *testing.T) {
	req := httptest.NewRequest(http.MethodGet, "http://a.example/x", nil)
	r := &Recorder{now: time.Now}
	rec := r.metadata(req, time.Now(), errors.New("malformed HTTP status code \""+strings.Repeat("no\r\n", 50_000)))
	said := metaFields(rec.Body)[failureMeta]
	if len(rec.Body) > 5000 || !strings.HasPrefix(said, "malformed HTTP status code \"no no") || strings.Count(string(rec.Body), "\n") != 2 {
		t.Errorf("%d bytes: %.100q", len(rec.Body), rec.Body)
	}
}
