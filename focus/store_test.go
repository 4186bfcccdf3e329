package focus

import (
	"maps"
	"testing"

	"github.com/thresher-crawler/thresher/focus/frontier"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// noting is a keeper that notes which files were last committed.
type noting struct {
	keeper
	files map[string]int64
}

func (n *noting) Commit(lesson []byte, files map[string]int64) error {
	n.files = maps.Clone(files)
	return n.keeper.Commit(lesson, files)
}

// deprived is the company of a process whose visit is another one's by the time it ends: nothing of it is taken.
type deprived struct{ company }

func (deprived) tell(uint64, frontier.Outcome) error { return nil }

// Files for a second look go when others have taken their place, and not before that is kept, though the visit in which it
// happened is another machine's: what is said of the files is what a crawl that goes on finds.
func TestNoFileGoesBeforeThatIsKept(t *testing.T) {
	config := drawnCrawl(t, "breadth")
	c, err := NewWith(config)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	looks := c.steps.results.Looks
	looks.Most = 4 << 10
	take := func() {
		if err := looks.Take(&sink.Seen{Record: &sink.Record{Relevance: .5, URL: "http://daily.example/"}}); err != nil {
			t.Fatal(err)
		}
	}
	take()
	if err := c.keep(); err != nil {
		t.Fatal(err)
	}
	for !looks.Thinned() {
		take()
	}
	known := &noting{keeper: c.keeper}
	c.keeper, c.company = known, deprived{c.company}
	if err := c.tell(1, frontier.Outcome{}); err != nil || looks.Thinned() {
		t.Fatal("the files that are to go are still there", err)
	}
	if known.files == nil {
		t.Fatal("they are gone, and what is kept still names them")
	}
	if err := looks.Sync(); err != nil {
		t.Fatal(err)
	}
	if err := sink.Cut(config.Store, known.files); err != nil {
		t.Error(err)
	}
}
