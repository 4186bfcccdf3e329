package compare

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/sink"
	"github.com/thresher-crawler/thresher/focus/suggest"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// TestWhatSuggestionsBring crawls recorded webs with four of the terms of each topic, takes every suggestion, crawls again, and does
// so twice: focus, and F1 of the first look, are nine tenths of what all of the terms reach, at the least. Every suggestion to
// all of the terms loses nothing. It begins at the start pages of the topic, and at drawn ones: a single list of links, found
// early or late, makes half of the focus of some topics, so that one crawl says little.
func TestWhatSuggestionsBring(t *testing.T) {
	if os.Getenv("THRESHER_SHARED") != "1" || os.Getenv("THRESHER_WORDS") != "1" {
		t.Skip("set THRESHER_SHARED=1 and THRESHER_WORDS=1 to measure suggestions over recorded webs")
	}
	for web, draws := range map[string]int{"webkb": 8, "zh_portals": 2} {
		t.Run(web, func(t *testing.T) {
			dir := filepath.Join("..", "..", "..", "shared", "webs", web)
			if _, err := os.Stat(dir); err != nil {
				t.Skipf("there is no recorded web in %s", dir)
			}
			g := open(t, dir, false)
			g.dir = dir
			var sum improved
			topics := g.web.Topics()
			for _, about := range topics {
				var mean improved
				for draw, drawn := 0, 0; drawn < draws; draw++ {
					if one, ok := improve(t, g, about, draw); ok {
						mean.add(one, draws)
						drawn++
					}
				}
				g.forgetWords()
				t.Logf("%-18s %s", about.Name, &mean)
				sum.add(mean, len(topics))
			}
			t.Logf("%-18s %s", "mean", &sum)
			for what, x := range map[string][5]float64{"focus": sum.focus, "F1": sum.f1} {
				if x[2] < .9*x[3] {
					t.Errorf("with four terms and every suggestion, twice, %s is %.3f, want nine tenths of %.3f", what, x[2], x[3])
				}
				if x[4] < x[3]-.01 {
					t.Errorf("with every suggestion to all of the terms %s falls from %.3f to %.3f", what, x[3], x[4])
				}
			}
		})
	}
}

// improved is how crawls went with four terms, with those and what was suggested, once and twice, with all of the terms, and with
// those and what was suggested.
type improved struct{ focus, f1 [5]float64 }

func (i *improved) String() string {
	return fmt.Sprintf("focus %.3f %.3f %.3f | %.3f %.3f   F1 %.3f %.3f %.3f | %.3f %.3f", i.focus[0], i.focus[1], i.focus[2], i.focus[3], i.focus[4],
		i.f1[0], i.f1[1], i.f1[2], i.f1[3], i.f1[4])
}

func (i *improved) add(one improved, of int) {
	for n := range one.focus {
		i.focus[n] += one.focus[n] / float64(of)
		i.f1[n] += one.f1[n] / float64(of)
	}
}

// improve crawls a topic of a web from its start pages, or in a later draw from two that are drawn. It answers false where those
// lead to no relevant page.
func improve(t *testing.T, g *graph, about replay.Topic, draw int) (told improved, ok bool) {
	t.Helper()
	d := drawing{seed: uint64(draw + 1)}
	if draw > 0 {
		d.starts = 2
	}
	k, err := newTask(g, about, d, 0)
	if err != nil && draw > 0 {
		t.Logf("draw %d: %v", draw, err)
		return told, false
	}
	noError(t, err)
	r, err := Options{Webs: []string{g.dir}, Strategies: []string{"apprentice"}, OwnJudge: true, Seed: 1}.runner()
	noError(t, err)
	f := k.floors(k.pages)
	var all []crawlfile.TermConfig
	for _, term := range about.Terms {
		all = append(all, crawlfile.TermConfig{Term: term, Weight: 1})
	}
	for n, terms := range [2][]crawlfile.TermConfig{all[:4], all} {
		for round := range [2]int{3, 2}[n] {
			w := crawledBy(t, r, k, terms, draw)
			c := k.figures("", w.s, &f, r.budget(k), 0, 0)
			told.focus[3*n+round], told.f1[3*n+round] = c.Focus, kept(w.s, w.took).F1
			terms = w.better(t, terms)
		}
	}
	return told, true
}

// archived is a crawl with what it leaves behind for a second look.
type archived struct {
	tracker
	spec topic.Spec
}

// crawledBy crawls all that can be reached by some terms.
func crawledBy(t *testing.T, r *runner, k *task, terms []crawlfile.TermConfig, draw int) *archived {
	t.Helper()
	config, err := r.config(k, &r.variants[0], draw)
	noError(t, err)
	config.Topic.Terms = terms
	crawler, err := r.crawler(context.Background(), k, config)
	noError(t, err)
	w := &archived{tracker: tracker{task: k, looks: true, verdicts: make([]verdict, len(k.address)), most: r.budget(k), s: measure.Sequence{Total: k.total, Reach: k.pages}}}
	crawler.OnDone(func(v *focus.Visit) {
		w.done(v)
		if v.Page == nil {
			return
		}
		if last := len(w.pages) - 1; w.pages[last].Near || sink.Likely(v.Judgement.Relevance, config.Topic.Threshold, v.FinalURL) {
			w.pages[last].Raw = v.Judgement.Raw
		} else {
			w.pages = w.pages[:last]
		}
	})
	if _, err := crawler.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(w.pages, func(a, b winnow.Page) int { return cmp.Compare(a.ID, b.ID) })
	strategy, err := config.LoadStrategy(nil)
	noError(t, err)
	judged := config.Judged(strategy)
	w.spec = judged.Spec()
	return w
}

// better takes every suggestion that the pages of the crawl make.
func (w *archived) better(t *testing.T, terms []crawlfile.TermConfig) []crawlfile.TermConfig {
	t.Helper()
	o := winnow.Options{Threshold: w.spec.Threshold}
	looked, err := winnow.Look(w.pages, o)
	noError(t, err)
	terms = slices.Clone(terms)
	r, err := suggest.Propose(suggest.Of(w.pages, suggest.Stands(w.pages, &o), &looked, &o), suggest.Options{Spec: w.spec, Untold: true})
	if err != nil {
		t.Logf("%s: %v", w.topic.Name, err)
		return terms
	}
	for _, s := range r.Suggestions {
		terms = slices.DeleteFunc(terms, func(have crawlfile.TermConfig) bool { return have.Term == s.Term })
		if s.Weight != 0 {
			terms = append(terms, crawlfile.TermConfig{Term: s.Term, Weight: s.Weight})
		}
	}
	return terms
}
