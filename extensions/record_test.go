package extensions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocolly/colly/v2"

	"github.com/thresher-crawler/thresher/focus/warc"
)

func TestWARC(t *testing.T) {
	packed := gzipped(article)
	s := newSite(t, map[string]http.HandlerFunc{
		"/": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Encoding", "gzip")
			io.WriteString(w, packed)
		},
		"/long": plain(strings.Repeat("x", 5000)),
	})
	var file bytes.Buffer
	c := colly.NewCollector()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	rt := Transport(c, Decode(DecodeConfig{}), Charset(), Limits(LimitsConfig{MaxBody: 3000}), WARC(warc.NewWriter(&file), WARCConfig{Now: func() time.Time { return now }}))
	defer closeIdle(rt)
	for _, path := range []string{"/", "/long"} {
		noError(t, c.Visit(s.URL+path))
	}
	reader, err := warc.NewReader(&file)
	noError(t, err)
	var kinds []string
	for {
		r, err := reader.Next()
		if err == io.EOF {
			break
		}
		noError(t, err)
		kinds = append(kinds, r.Type+" "+strings.TrimPrefix(r.Target, s.URL)+" "+r.Header.Get("WARC-Truncated"))
		if r.Type != "response" {
			if !bytes.Contains(r.Body, []byte("Accept-Encoding: gzip, br, zstd, deflate")) || !r.Date.Equal(now) {
				t.Errorf("request at %v:\n%s", r.Date, r.Body)
			}
			continue
		}
		resp, body, err := r.Response()
		want := map[string]string{"/": article, "/long": strings.Repeat("x", 3000)}[strings.TrimPrefix(r.Target, s.URL)]
		if err != nil || resp.StatusCode != 200 || string(body) != want {
			t.Errorf("%s: %d bytes, %v", r.Target, len(body), err)
		}
	}
	if want := []string{"response / ", "request / ", "response /long length", "request /long "}; !slices.Equal(kinds, want) {
		t.Errorf("records %q, want %q", kinds, want)
	}
}

// An archive is given away: a password that stands in an address is in none of its records.
func TestAnArchiveHasNoPasswordOfAnAddress(t *testing.T) {
	var file bytes.Buffer
	c := colly.NewCollector()
	Transport(c, WARC(warc.NewWriter(&file), WARCConfig{}), Tap(func(*http.Request, Answer) {}))
	s := newSite(t, map[string]http.HandlerFunc{"/": hyper("x")})
	noError(t, c.Visit(strings.Replace(s.URL, "http://", "http://ann:secret@", 1)+"/"))
	reader, err := warc.NewReader(&file)
	noError(t, err)
	for n := 0; ; n++ {
		r, err := reader.Next()
		if err == io.EOF && n == 2 {
			return
		}
		noError(t, err)
		if said := fmt.Sprint(r.Target, r.Header, string(r.Body)); r.Target != s.URL+"/" || strings.Contains(said, "secret") {
			t.Errorf("%s of %s: %s", r.Type, r.Target, said)
		}
	}
}

// Lines and validators are given away, too, and the address of the page that another one repeats.
func TestNoFileHasThePasswordOfAnAddress(t *testing.T) {
	var lines, known bytes.Buffer
	c := colly.NewCollector()
	v := NewValidators(0)
	Conditional(c, v)
	NearDuplicates(c, NearDuplicatesConfig{})
	JSONLines(c, &lines, JSONLinesConfig{})
	page := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("ETag", `"x"`)
		io.WriteString(w, "<html><p>x")
	}
	s := newSite(t, map[string]http.HandlerFunc{"/a": page, "/b": page})
	for _, path := range []string{"/a", "/b"} {
		noError(t, c.Visit(strings.Replace(s.URL, "http://", "http://ann:secret@", 1)+path))
	}
	noError(t, v.Save(&known))
	for _, said := range []string{lines.String(), known.String()} {
		if strings.Contains(said, "secret") || !strings.Contains(said, s.URL+"/a") || !strings.Contains(said, s.URL+"/b") {
			t.Errorf("%s", said)
		}
	}
	if !strings.Contains(lines.String(), `"duplicate":"`+s.URL+"/a") {
		t.Errorf("no page repeats another: %s", &lines)
	}
}

// full is a disk that is full after some writes.
type full struct{ room int }

var errFull = errors.New("no space left on device")

func (f *full) Write(p []byte) (int, error) {
	if f.room--; f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWhatIsNotRecordedIsNotFetched(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/": hyper("x")})
	var heard []error
	tell := func(err error) { heard = append(heard, err) }
	c := colly.NewCollector()
	rt := Transport(c, WARC(warc.NewWriter(&full{}), WARCConfig{OnError: tell}))
	defer closeIdle(rt)
	c.Visit(s.URL + "/?1")
	if err := c.Visit(s.URL + "/?2"); !errors.Is(err, errFull) || s.hits("/?2") != 0 {
		t.Errorf("WARC: %v, asked for %v", err, s.asked)
	}
	c = colly.NewCollector()
	JSONLines(c, &full{room: 1}, JSONLinesConfig{OnError: tell})
	for i := range 4 {
		c.Visit(fmt.Sprintf("%s/?json%d", s.URL, i))
	}
	if s.hits("/?json1") != 1 || s.hits("/?json2")+s.hits("/?json3") != 0 {
		t.Errorf("JSONLines: asked for %v", s.asked)
	}
	if len(heard) != 2 || !errors.Is(heard[0], errFull) || !errors.Is(heard[1], errFull) {
		t.Errorf("heard %v", heard)
	}
}

func TestJSONLines(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{"/": hyper("<title>Sharks</title>")})
	var out bytes.Buffer
	c := colly.NewCollector()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600))
	JSONLines(c, &out, JSONLinesConfig{Now: func() time.Time { return now }, Fields: func(r *colly.Response) map[string]any {
		return map[string]any{"title": r.Ctx.Get("title")}
	}})
	c.OnHTML("title", func(e *colly.HTMLElement) { e.Response.Ctx.Put("title", e.Text) })
	q, _ := newTestQueue(1)
	q.AddScored(s.URL+"/", 0.5)
	q.AddURL(s.URL + "/gone")
	noError(t, q.Run(c))
	want := []string{
		`{"url":"` + s.URL + `/","time":"2026-01-02T02:04:05Z","status":200,"type":"text/html; charset=utf-8","bytes":21,"item":1,"score":0.5,"fields":{"title":"Sharks"}}`,
		`{"url":"` + s.URL + `/gone","time":"2026-01-02T02:04:05Z","status":404,"type":"text/plain; charset=utf-8","bytes":19,"item":2,"error":"Not Found"}`,
	}
	got := strings.Split(strings.TrimSpace(out.String()), "\n")
	if !slices.Equal(got, want) {
		t.Errorf("wrote\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, l := range got {
		if !json.Valid([]byte(l)) {
			t.Errorf("no JSON: %s", l)
		}
	}
}

func TestConditional(t *testing.T) {
	s := newSite(t, map[string]http.HandlerFunc{
		"/etag": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"v1"`)
			if r.Header.Get("If-None-Match") == `"v1"` {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			fmt.Fprint(w, "tagged")
		},
		"/date": func(w http.ResponseWriter, r *http.Request) {
			http.ServeContent(w, r, "x.html", time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), strings.NewReader("dated"))
		},
		"/none": hyper("neither"),
	})
	crawl := func(v *Validators) (fetched, same string) {
		c := colly.NewCollector()
		Conditional(c, v)
		c.OnResponse(func(r *colly.Response) { fetched += r.Request.URL.Path })
		c.OnError(func(r *colly.Response, err error) {
			if NotModified(r) {
				same += r.Request.URL.Path
			}
		})
		for _, path := range []string{"/etag", "/date", "/none"} {
			c.Visit(s.URL + path)
		}
		return fetched, same
	}
	first := NewValidators(0)
	if fetched, same := crawl(first); fetched != "/etag/date/none" || same != "" {
		t.Errorf("the first crawl: fetched %s, same %s", fetched, same)
	}
	var saved bytes.Buffer
	noError(t, first.Save(&saved))
	second := NewValidators(0)
	noError(t, second.Load(&saved))
	if fetched, same := crawl(second); fetched != "/none" || same != "/etag/date" {
		t.Errorf("the second crawl: fetched %s, same %s", fetched, same)
	}
	if err := second.Load(strings.NewReader(`{"url":"a"}` + "\nnonsense")); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a file that is none: %v", err)
	}
}

func TestJSONLinesWithFieldsThatAreNoJSON(t *testing.T) {
	var out bytes.Buffer
	c := colly.NewCollector()
	c.WithTransport(answer(200, nil, "x"))
	JSONLines(c, &out, JSONLinesConfig{Fields: func(*colly.Response) map[string]any { return map[string]any{"x": math.NaN()} }})
	c.Visit("http://a.example/1")
	c.Visit("http://a.example/2")
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 || !strings.Contains(lines[1], `"error":"json: unsupported value: NaN"`) || !strings.Contains(lines[1], "http://a.example/2") {
		t.Errorf("wrote %q", lines)
	}
}
