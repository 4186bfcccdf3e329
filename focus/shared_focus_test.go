package focus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/thresher-crawler/thresher/focus/compare"
	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/replay/drawn"
)

// TestWhatSharingLessonsBrings crawls drawn webs with the apprentice: one process with its frontier on disk, one on Redis, two
// that share links and lessons, and two that share links alone. THRESHER_DRAWS says how many webs.
func TestWhatSharingLessonsBrings(t *testing.T) {
	draws, _ := strconv.Atoi(os.Getenv("THRESHER_DRAWS"))
	if draws == 0 {
		t.Skip("it takes minutes: set THRESHER_DRAWS to how many webs are drawn")
	}
	db := startRedis(t)
	ways := []struct {
		name        string
		processes   int
		redis, deaf bool
	}{
		{"one, on disk", 1, false, false},
		{"one", 1, true, false},
		{"two that share their lessons", 2, true, false},
		{"two that do not", 2, true, true},
	}
	of := make([][]float64, len(ways))
	for draw := range draws {
		d := drawSpread(t, uint64(900+draw))
		for i, way := range ways {
			s, dir := serveWeb(t, d.web, 15*time.Millisecond), t.TempDir()
			told := sharing{Store: filepath.Join(dir, "run"), Web: s.address(), Seeds: d.topic.Seeds, Parallel: 1, Strategy: "apprentice", Judge: "bm25", Deaf: way.deaf}
			if way.redis {
				told.Store = db.address(fmt.Sprintf("-%d-%d", draw, i))
			}
			for _, w := range s.startWorkers(t, dir, told, way.processes) {
				w.ends(t)
			}
			of[i] = append(of[i], d.focus(s.requests()))
			s.server.Close()
		}
	}
	var beside []float64 // what the two that do not share have beside the two that do
	for i, way := range ways {
		differences := make([]float64, draws)
		for draw := range differences {
			differences[draw] = of[i][draw] - of[2][draw]
		}
		low, high := measure.Interval(differences, 1)
		t.Logf("%-28s focus %.3f, beside two that share %+.3f (95 %%: %+.3f to %+.3f): %.3f", way.name, measure.Mean(of[i]), measure.Mean(differences), low, high, of[i])
		beside = differences
	}
	if low, _ := measure.Interval(beside, 1); low > 0 {
		t.Error("two that do not share their lessons find more than two that do")
	}
}

// spread is a drawn web with one of its topics, and what chance and foreknowledge would reach there.
type spread struct {
	web      *replay.Web
	topic    replay.Topic
	relevant *regexp.Regexp
	compare.Cell
}

func drawSpread(t *testing.T, seed uint64) *spread {
	t.Helper()
	dir, k := filepath.Join(t.TempDir(), "web"), drawn.Small()
	k.Seed, k.Hosts, k.Pages, k.Topics, k.Relevant, k.Noise, k.Tunnel, k.Calendar = seed, 24, 500, 2, .08, .4, 3, 0
	if err := drawn.Draw(dir, k); err != nil {
		t.Fatal(err)
	}
	d := &spread{}
	var err error
	if d.web, err = replay.Open(dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.web.Close() })
	d.topic = d.web.Topics()[0]
	d.relevant = regexp.MustCompile(d.topic.Relevant)
	r, err := compare.Run(t.Context(), compare.Options{Webs: []string{dir}, Topics: []string{d.topic.Name}, Strategies: []string{"breadth"}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	d.Cell = r.Cells[0]
	return d
}

// focus is that of a crawl by what it asked the web for, in that order.
func (d *spread) focus(asked []served) float64 {
	s := measure.Sequence{Total: d.Relevant, Reach: d.Reachable}
	seen := map[string]bool{}
	for _, seed := range d.topic.Seeds {
		seen[seed] = true
	}
	for _, r := range asked {
		for _, scheme := range []string{"http://", "https://"} {
			address := scheme + r.host + r.path
			if label, ok := d.web.Labels(address); ok && !seen[address] {
				seen[address] = true
				s.Relevant = append(s.Relevant, d.relevant.MatchString(label))
			}
		}
	}
	return measure.Focus(s.AUC(), d.Random, d.Oracle2)
}
