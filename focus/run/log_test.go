package run

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestDecisionsAreReadBackAsWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.log")
	l, err := OpenLog(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []Decision{
		{Time: time.Date(2020, 1, 2, 3, 4, 5, 6e6, time.UTC), Decision: "push", ID: 7, Via: 3, Hops: "LLR", Score: 0.25, Relevance: math.NaN(),
			URL: "http://a.example/?q=景点", Numbers: []float32{0.25, 0.5}, Words: []string{"旅游", "景点"}, Anchor: "a\tlink\nin two lines"},
		{Time: time.Date(2020, 1, 2, 3, 4, 6, 0, time.UTC), Decision: "drop", Reason: "status: 404 Not Found", ID: 7, Via: 3, Status: 404,
			Bytes: 12, Score: 0.25, Relevance: math.NaN(), URL: "http://a.example/"},
		{Time: time.Date(2020, 1, 2, 3, 4, 7, 0, time.UTC), Decision: "keep", ID: 8, Score: math.NaN(), Relevance: 1, URL: "http://b.example/",
			Title: "A title, with: marks"},
	}
	for i := range want {
		if err := l.Write(&want[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	want[0].Anchor = "a link in two lines"
	var got []Decision
	if err := ReadLog(path, func(d *Decision) bool { got = append(got, *d); return true }); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d decisions, want %d", len(got), len(want))
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
	if err := os.WriteFile(path, []byte(logHeader+"nonsense\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := ReadLog(path, func(*Decision) bool { return true })
	if err == nil || !strings.Contains(err.Error(), "crawl.log line 2") {
		t.Errorf("got %v", err)
	}
}

func TestALineThatIsBeingWrittenIsLeftOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crawl.log")
	if err := os.WriteFile(path, []byte(logHeader+"\t2020-01-02T"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := ReadLog(path, func(*Decision) bool { t.Error("a line was read"); return true }); err != nil {
		t.Error(err)
	}
}
