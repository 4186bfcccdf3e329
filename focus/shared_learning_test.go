package focus

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/alicebob/miniredis/v2"

	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/study"
	"github.com/thresher-crawler/thresher/focus/text"
)

// What one machine learns of words changes how another judges: to what the first judges by now, and when it listens next.
func TestAMachineJudgesByWhatAnotherHasLearned(t *testing.T) {
	machines := learners(t, "breadth")
	learns, hears := machines[0], machines[1]
	before := judged(hears)
	for n := range 60 {
		teach(learns, fmt.Sprint("sailing is what everybody writes about today, ", n))
	}
	if err := learns.keep(); err != nil {
		t.Fatal(err)
	}
	if now := judged(hears); now != before {
		t.Errorf("it judged %v and judges %v, and has heard nothing", before, now)
	}
	if err := hears.company.hear(); err != nil {
		t.Fatal(err)
	}
	if now, want := judged(hears), judged(learns); now != want || now == before {
		t.Errorf("it judged %v and judges %v; the one that learned judges %v", before, now, want)
	}
}

// Machines that learn at the same time, each of words and links that the other has not met, come to know the same: what one
// tells does not depend on what it had heard.
func TestMachinesThatLearnAtTheSameTimeLearnTheSame(t *testing.T) {
	machines := learners(t, "breadth")
	teach(machines[1], "the town has one page more here, of words that nobody else says")
	for round := range 3 {
		for n := range 40 {
			for i, c := range machines {
				teach(c, fmt.Sprintf("boat %d%s%d the harbour of alpha%d and beta%d", i, []string{"fore", "aft"}[i], n, n%7, (n+i)%5))
				teach(c, fmt.Sprintf("%d%s%d again, and a town", i, []string{"fore", "aft"}[i], n/2))
			}
		}
		for _, c := range machines {
			if err := c.keep(); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range machines {
			if err := c.company.hear(); err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
		}
		if a, b := judged(machines[0]), judged(machines[1]); math.Abs(a-b) > 1e-9 {
			t.Errorf("round %d: one judges %v, the other %v", round, a, b)
		}
	}
}

// learners are two machines that share a crawl.
func learners(t *testing.T, strategy string) (machines [2]*Crawler) {
	t.Helper()
	web, err := filepath.Abs("../testdata/webs/small")
	if err != nil {
		t.Fatal(err)
	}
	db := miniredis.RunT(t)
	t.Chdir(t.TempDir())
	for i := range machines {
		c := DefaultSetting()
		c.Name, c.Store, c.Web, c.Seeds = "shared", "redis://"+db.Addr()+"/0", web, []string{"http://daily.example/"}
		c.Strategy.Name, c.Topic.Judge, c.MinFree = strategy, "vsm-restricted", 0
		c.Topic.Terms = []crawlfile.TermConfig{{Term: "sailing", Weight: 1}, {Term: "boat", Weight: 1}}
		if machines[i], err = NewWith(c); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { machines[i].Close() })
	}
	return machines
}

func saying(words string) *text.Doc {
	return study.Document(page.Parse([]byte("<title>News</title><p>"+words), "http://daily.example/", page.Options{}))
}

// judged is what a machine thinks of a page.
func judged(c *Crawler) float64 {
	d := saying("a boat sailing out of the harbour, and much else that is said of the town and its people")
	c.steps.topic.Cut(d)
	return c.steps.topic.Judge(d).Raw
}

func teach(c *Crawler, words string) {
	d := saying(words)
	c.steps.topic.Cut(d)
	c.steps.topic.Learn(d, c.steps.topic.Judge(d))
}
