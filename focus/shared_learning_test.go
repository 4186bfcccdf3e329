package focus

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/alicebob/miniredis/v2"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/text"
)

// What one machine learns of words changes how another judges: to what the first judges by now, and when it listens next.
func TestAMachineJudgesByWhatAnotherHasLearned(t *testing.T) {
	web, err := filepath.Abs("../testdata/webs/small")
	if err != nil {
		t.Fatal(err)
	}
	db := miniredis.RunT(t)
	t.Chdir(t.TempDir())
	var machines [2]*Crawler
	for i := range machines {
		c := Default()
		c.Name, c.Store, c.Web, c.Seeds = "shared", "redis://"+db.Addr()+"/0", web, []string{"http://daily.example/"}
		c.Strategy.Name, c.Topic.Judge, c.MinFree = "breadth", "vsm", 0
		c.Topic.Terms = []TermConfig{{Term: "sailing", Weight: 1}, {Term: "boat", Weight: 1}}
		if machines[i], err = New(c); err != nil {
			t.Fatal(err)
		}
		defer machines[i].Close()
	}
	doc := func(words string) *text.Doc {
		return document(page.Parse([]byte("<title>News</title><p>"+words), "http://daily.example/", page.Options{}))
	}
	judged := func(c *Crawler) float64 {
		d := doc("a boat in the harbour, and much else that is said of the town and its people")
		c.steps.topic.Cut(d)
		return c.steps.topic.Judge(d).Raw
	}
	learns, hears := machines[0], machines[1]
	before := judged(hears)
	for n := range 60 {
		d := doc(fmt.Sprint("sailing is what everybody writes about today, ", n))
		learns.steps.topic.Cut(d)
		learns.steps.topic.Learn(d, learns.steps.topic.Judge(d))
	}
	if err := learns.keep(); err != nil {
		t.Fatal(err)
	}
	if now := judged(hears); now != before {
		t.Errorf("it judged %v and judges %v, and has heard nothing", before, now)
	}
	if err := hears.hear(); err != nil {
		t.Fatal(err)
	}
	if now, want := judged(hears), judged(learns); now != want || now == before {
		t.Errorf("it judged %v and judges %v; the one that learned judges %v", before, now, want)
	}
}
