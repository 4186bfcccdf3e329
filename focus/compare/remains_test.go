package compare

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/audit"
	runs "github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// ways are how crawls are made whose estimates are held against labels: by a strategy, with manners or without. Of one that does not
// learn what its links are worth nothing is told but what was missed, and what would be told is measured.
var ways = []struct {
	strategy         string
	manners, silence bool
}{{strategy: "apprentice"}, {strategy: "apprentice", manners: true}, {"shark", true, true}, {"shark-site", true, true}, {"block-shark", true, true}}

// TestWhatRemainsOfRealWebs holds what is said of the pages that a crawl has not kept against the labels of two recorded webs: every
// topic, each with six budgets. Of the intervals that are told four of five hold the truth, and some are told.
func TestWhatRemainsOfRealWebs(t *testing.T) {
	if os.Getenv("THRESHER_SHARED") != "1" || os.Getenv("THRESHER_REMAINS") != "1" {
		t.Skip("THRESHER_SHARED=1 THRESHER_REMAINS=1 crawls two recorded webs some hundred times")
	}
	for _, web := range []string{"webkb", "zh_portals"} {
		dir := filepath.Join("..", "..", "..", "shared", "webs", web)
		if _, err := os.Stat(dir); err != nil {
			t.Skipf("there is no recorded web in %s", dir)
		}
		for way := range ways {
			holdRemains(t, dir, way, 1, .05, .1, .2, .3, .5, .7)
		}
	}
}

// TestWhatRemains does the same over a drawn web in both languages, with every other topic, and with THRESHER_REMAINS (.ci/long remains)
// with every one.
func TestWhatRemains(t *testing.T) {
	web := filepath.Join("..", "..", "testdata", "webs", "quickstart")
	if os.Getenv("THRESHER_REMAINS") == "" {
		holdRemains(t, web, 0, 2, .2, .5)
		return
	}
	for way := range ways {
		holdRemains(t, web, way, 1, .1, .2, .5)
	}
}

// holdRemains crawls topics of a web, one of so many, with some budgets, as shares of the reach.
func holdRemains(t *testing.T, dir string, way, oneOf int, shares ...float64) {
	t.Helper()
	by := ways[way]
	g := open(t, dir, false)
	var all [3]tally
	for n, about := range g.web.Topics() {
		if n%oneOf != 0 {
			continue
		}
		k, err := newTask(g, about, drawing{seed: 1}, 0)
		noError(t, err)
		dir, fetched := filepath.Join(t.TempDir(), "run"), map[string]uint64{}
		for _, share := range shares { // each crawl goes on where the last one ended
			said, truth, kept := remainsOf(t, k, way, dir, fetched, int(share*float64(k.pages)))
			line := fmt.Sprintf("%s, %2.0f %% of the reach, %d kept:", about.Name, 100*share, kept)
			for i, interval := range []*audit.Interval{said.Missed, said.Waiting, said.Left} {
				line += " " + remainders[i] + all[i].count(interval, truth[i])
			}
			t.Log(line, said.Silent)
		}
	}
	for i, c := range all {
		line := fmt.Sprintf("%s by %s, manners %v, %s: told in %d of %d cells, held in %d of them", g.web.Name(), by.strategy, by.manners, remainders[i], c.told, c.cells, c.held)
		switch {
		case i > 0 && by.silence:
			t.Log(line, "if it were told")
		case 5*c.held < 4*c.told || 5*c.told < c.cells:
			t.Error(line)
		default:
			t.Log(line)
		}
	}
}

// remainders are what is told of the pages that a crawl has not kept.
var remainders = [3]string{"missed", "waiting", "left"}

// tally counts intervals that are told, and those that hold the truth.
type tally struct{ cells, told, held int }

func (c *tally) count(i *audit.Interval, truth float64) string {
	c.cells++
	if i == nil {
		return fmt.Sprintf(" %g, not told;", truth)
	}
	c.told++
	not := ""
	if i.Holds(truth) {
		c.held++
	} else {
		not = "NOT "
	}
	return fmt.Sprintf(" %g, %sin %.0f (%.0f to %.0f);", truth, not, i.Estimate, i.Low, i.High)
}

// remainsOf crawls a task in a folder until it has so many pages, looks again, and tells what is said of the rest and what is true of
// it. What was fetched before is known, and added to.
func remainsOf(t *testing.T, k *task, way int, dir string, fetched map[string]uint64, pages int) (said audit.Remains, truth [3]float64, kept int) {
	t.Helper()
	r, err := Options{Webs: []string{k.dir}, Strategies: []string{ways[way].strategy}, OwnJudge: true, Seed: 1, Rules: Rules{Manners: ways[way].manners}}.runner()
	noError(t, err)
	config, err := r.config(k, &r.variants[0], 0)
	noError(t, err)
	config.Store, config.Budget.Pages = dir, pages
	read, err := k.pagesOf(&config)
	noError(t, err)
	crawler, err := focus.New(context.Background(), config, focus.Over(read), r.offer(k))
	noError(t, err)
	crawler.OnDone(func(v *focus.Visit) { fetched[v.Item.URL] = v.Item.ID })
	if _, err := crawler.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := winnow.Run(config.Store, []string{config.Store}, winnow.Cut{}); err != nil {
		t.Fatal(err)
	}
	taken := map[uint64]bool{}
	for record, err := range sink.Kept(config.Store) {
		noError(t, err)
		taken[record.ID] = true
	}
	ran, err := runs.Open(config.Store)
	noError(t, err)
	waits := map[string]bool{}
	links, _, err := ran.Waiting()
	noError(t, err)
	for _, l := range links {
		waits[l.URL] = true
	}
	for n, address := range k.address {
		switch id, ok := fetched[address]; {
		case !k.near[n] || !k.relevant[n]:
		case ok && !taken[id]:
			truth[0]++
		case !ok:
			truth[2]++
			if waits[address] {
				truth[1]++
			}
		}
	}
	figures, err := runs.ReadFigures(config.Store)
	if err != nil || figures.Remains == nil {
		t.Fatalf("%v: %+v", err, figures)
	}
	said = *figures.Remains
	if ways[way].silence {
		if said.Waiting != nil || said.Left != nil || said.Missed != nil && said.Silent != "its strategy does not learn what its links are worth" {
			t.Errorf("by %s it tells of what waits: %+v", ways[way].strategy, said)
		}
		course := *figures.Course
		course.Blind = ""
		said = course.Remains(nil)
	}
	return said, truth, len(taken)
}
