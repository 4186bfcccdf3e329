package rank

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/thresher-crawler/thresher/focus/page"
	"github.com/thresher-crawler/thresher/focus/topic"
)

var _ = debug.SetGCPercent(400) // tests allocate much and hold little

// strategies is where the strategies stand that are shipped.
const strategies = "../../configs/strategies"

// shipped loads a strategy that is shipped.
func shipped(t testing.TB, name string) *Strategy {
	t.Helper()
	file := filepath.Join(strategies, name+".yaml")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Load(file, data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// load loads a strategy that a test wrote.
func load(t testing.TB, yaml string) *Strategy {
	t.Helper()
	s, err := Load("test.yaml", []byte(yaml), nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// tree loads a strategy of which only the tree matters.
func tree(t testing.TB, rank string) *Strategy {
	t.Helper()
	return load(t, "name: test\nrank: "+rank+"\n")
}

// linked is evidence for a link whose words have been compared with the topic already: anchor and around are what
// the topic said of them, NaN where there are none.
func linked(anchor, around float64) *Evidence {
	e := &Evidence{Page: &page.Page{Blocks: []page.Block{{Parent: -1}}}, Link: &page.Link{}, Trail: Trail{Inherited: 1}}
	compared(e, anchor, around)
	return e
}

// compared tells the evidence what the topic said of its link's words.
func compared(e *Evidence, anchor, around float64) {
	e.turn()
	e.known.anchor = answer{anchor, true}
	e.known.around = answer{around, true}
	e.known.window = 10
}

// judged sets what was judged of the page, relevant from 0.3.
func judged(e *Evidence, relevance float64) *Evidence {
	e.Judgement = topic.Judgement{Raw: relevance, Relevance: relevance, Relevant: relevance >= 0.3}
	return e
}

func near(t testing.TB, what string, have, want float64) {
	t.Helper()
	if !(math.Abs(have-want) <= 1e-6) {
		t.Errorf("%s is %.7f, want %.7f", what, have, want)
	}
}

func score(s *Strategy, e *Evidence) float64 {
	v, _ := s.Score(e, nil)
	return float64(v)
}

func TestEveryShippedStrategyLoads(t *testing.T) {
	files, _ := filepath.Glob(strategies + "/*.yaml")
	if len(files) == 0 {
		t.Fatal("no strategies found")
	}
	for _, file := range files {
		s := shipped(t, filepath.Base(file[:len(file)-len(".yaml")]))
		if s.Name+".yaml" != filepath.Base(file) {
			t.Errorf("%s calls itself %q", file, s.Name)
		}
		if s.About == "" {
			t.Errorf("%s: about is missing", file)
		}
		again, err := Load("again.yaml", s.YAML(), nil)
		if err != nil {
			t.Errorf("%s written down cannot be read: %v\n%s", file, err, s.YAML())
			continue
		}
		if string(again.YAML()) != string(s.YAML()) || again.Fingerprint() != s.Fingerprint() {
			t.Errorf("%s is another strategy when written down and read again:\n%s\n%s", file, s.YAML(), again.YAML())
		}
	}
}

func TestBestFirstGivesEveryLinkTheRelevanceOfItsPage(t *testing.T) {
	s := shipped(t, "best-first")
	for _, relevance := range []float64{0, 0.25, 1} {
		near(t, "score", score(s, judged(linked(0.9, 0.1), relevance)), relevance)
	}
}

func TestBreadthFallsWithDepth(t *testing.T) {
	s := shipped(t, "breadth")
	e := linked(0, 0)
	last := 2.0
	for e.Trail.Depth = 0; e.Trail.Depth < 1000; e.Trail.Depth++ {
		v := score(s, e)
		if !(v < last) {
			t.Fatalf("depth %d scores %v, the one above it %v", e.Trail.Depth, v, last)
		}
		last = v
	}
	if s.Select.Use != "fifo" {
		t.Errorf("breadth selects %s, want fifo", s.Select)
	}
}
