package run

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/page"
)

func TestDecisionsAreReadBackAsWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.log")
	l, err := OpenLog(path)
	noError(t, err)
	want := []Decision{
		{Time: time.Date(2020, 1, 2, 3, 4, 5, 6e6, time.UTC), Decision: "push", ID: 7, Via: 3, Hops: "LLR", Score: 0.25, Relevance: math.NaN(),
			URL: "http://a.example/?q=景点", Numbers: []float32{0.25, 0.5}, Words: []string{"旅游", "景点"}, Anchor: "a\tlink\nin two lines"},
		{Time: time.Date(2020, 1, 2, 3, 4, 6, 0, time.UTC), Decision: "drop", Reason: "status: 404 Not Found", ID: 7, Via: 3, Status: 404,
			Bytes: 12, Score: 0.25, Relevance: math.NaN(), URL: "http://a.example/"},
		{Time: time.Date(2020, 1, 2, 3, 4, 7, 0, time.UTC), Decision: "keep", ID: 8, Score: math.NaN(), Relevance: 1, URL: "http://b.example/",
			Title: "A title, with: marks"},
		{Time: time.Date(2020, 1, 2, 3, 4, 8, 0, time.UTC), Decision: "drop", Reason: "redirect", ID: 9, Via: 8, Hops: "LLR", Status: 301, Score: math.NaN(),
			Relevance: math.NaN(), URL: "http://b.example/old"},
		{Time: time.Date(2020, 1, 2, 3, 4, 8, 0, time.UTC), Decision: "onward", ID: 8, Via: 9, Hops: "LLRR", Score: math.NaN(), Relevance: math.NaN(),
			URL: "http://b.example/"},
	}
	for i := range want {
		noError(t, l.Write(&want[i]))
	}
	noError(t, l.Close())
	want[0].Anchor = "a link in two lines"
	var got []Decision
	if err := ReadLog(path, func(d *Decision) bool { got = append(got, *d); return true }); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d decisions, want %d", len(got), len(want))
	}
	var visits []string
	if err := ReadLog(path, func(d *Decision) bool { visits = append(visits, d.Decision); return true }, Visits...); err != nil || !slices.Equal(visits, []string{"drop", "keep", "drop"}) {
		t.Errorf("visits are %v, %v", visits, err)
	}
	var joined []string
	several := &Run{Parts: []string{filepath.Dir(path), filepath.Dir(path)}}
	if err := several.Log(func(d *Decision) bool { joined = append(joined, d.Decision); return true }, "push"); err != nil || !slices.Equal(joined, []string{"push", "push"}) {
		t.Errorf("of two machines the links are %v, %v", joined, err)
	}
	var redirects []string
	err = (&Run{Dir: filepath.Dir(path)}).Redirects(func(from, to string) { redirects = append(redirects, from, to) })
	if err != nil || !slices.Equal(redirects, []string{"http://b.example/old", "http://b.example/"}) {
		t.Errorf("redirects are %v, %v", redirects, err)
	}
	for i := range want {
		for _, d := range []*Decision{&got[i], &want[i]} { // NaN is not equal to itself
			if math.IsNaN(d.Score) {
				d.Score = -1
			}
			if math.IsNaN(d.Relevance) {
				d.Relevance = -1
			}
		}
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("decision %d:\n got %+v\nwant %+v", i, got[i], want[i])
		}
	}
}

func TestALogLineThatIsDamagedIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.log")
	noError(t, os.WriteFile(path, []byte(logHeader+"nonsense\n"), 0o644))
	err := ReadLog(path, func(*Decision) bool { return true })
	if err == nil || !strings.Contains(err.Error(), "crawl.log line 2") {
		t.Errorf("got %v", err)
	}
}

func TestALineThatIsBeingWrittenIsLeftOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.log")
	noError(t, os.WriteFile(path, []byte(logHeader+"\t2020-01-02T"), 0o644))
	if err := ReadLog(path, func(*Decision) bool { t.Error("a line was read"); return true }); err != nil {
		t.Error(err)
	}
}

// A disk that does not read, which a folder stands for here, does not end a log: what was not read would be taken for what never was.
func TestALogThatCannotBeReadHasNoEnd(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileLog)
	noError(t, errors.Join(os.Mkdir(path, 0o755), os.WriteFile(filepath.Join(dir, FileCrawl), nil, 0o644)))
	for _, decisions := range [][]string{nil, Visits} {
		if err := ReadLog(path, func(*Decision) bool { return true }, decisions...); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%v: %v", decisions, err)
		}
	}
	if !Is(dir) {
		t.Error("it is not taken for the folder of a run")
	}
}

// TestAHostHasOneName: however an address is written, its host is called what the frontier and the site table call it.
func TestAHostHasOneName(t *testing.T) {
	var l Line // which holds one address after the other
	for _, address := range []string{"http://a.test/", "http://a.test", "HTTP://A.Test/x", "http://a.test:80/", "https://a.test:80/", "https://a.test:443/", "http://a.test:443/", "https://a.test:80",
		"http://a.test:8080/x", "http://a.test:08080/", "http://a.test:/", "http://a.test./", "http://a.test.:81/", "http://127.0.0.1:99/", "http://127.0.0.1", "http://127.0.0.01/", "http://127.1/", "http://127.0.0.256/", "http://a.test1/", "http://0x7f.1/", "http://[::1]:5/",
		"http://you@a.test/", "http://you:me@A.test:7/", "http://münchen.test/", "http://xn--mnchen-3ya.test/", "http://例子.测试/", "http://a_b.test/", "http://a.test?q=http://b.test/",
		"http:////a.test/x", "http:////b.test/x", `http://\/a.test`, `http://\/b.test`, "http://a.test#x", "http://a.test\\b", "http://a%2etest/", "ftp://a.test/", "mailto:you@a.test", "", "http://", "http://a-.test/", "http://a..test/"} {
		want := page.Host(address)
		l.fields[untilURL] = []byte(address)
		if got := siteOf(address); got != want && want != "" || string(l.Site()) != got {
			t.Errorf("%q: %q, as a line of the log %q; want %q", address, got, l.Site(), want)
		}
	}
}
