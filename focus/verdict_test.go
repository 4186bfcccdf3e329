package focus

import (
	"context"
	"math"
	"testing"

	"github.com/thresher-crawler/thresher/focus/ground"
	"github.com/thresher-crawler/thresher/focus/probe"
	"github.com/thresher-crawler/thresher/focus/replay"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/study"
)

// relevances are what pages were judged, by address. Whoever says another number is told.
type relevances struct {
	testing.TB
	of map[string]float64
}

func (r *relevances) say(who, address string, relevance float64) {
	if was, ok := r.of[address]; ok && was != relevance {
		r.Errorf("%s: %s has relevance %v, and had %v", who, address, relevance, was)
	}
	r.of[address] = relevance
}

// One page has one relevance: whatever the strategy, however many visits are under way, stopped or broken off on the way or not,
// in a crawl, in one over pages that many crawls share (as compare does it), where somebody asks for the one page (judge), looks
// for start pages (seeds) or asks what became of it (why). Terms alone and terms with an example are judged so, by default.
func TestOnePageOneRelevance(t *testing.T) {
	web, err := replay.Open("../testdata/webs/small")
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	shared := Over(study.NewPages(web, nil))
	for _, examples := range [][]string{nil, {"http://daily.example/"}} {
		said := &relevances{t, map[string]float64{}}
		config := drawnCrawl(t, "apprentice")
		config.Topic.Examples, config.SameJudge = examples, true
		for name, way := range map[string]struct {
			strategy      string
			window        int
			pages, broken int // of the first part, if there are two: where its budget ends, or its context
			options       []Option
		}{
			"breadth":       {strategy: "breadth", window: 6},
			"apprentice":    {strategy: "apprentice", window: 6},
			"one window":    {strategy: "apprentice", window: 1},
			"stopped":       {strategy: "apprentice", window: 6, pages: 17},
			"broken off":    {strategy: "apprentice", window: 6, broken: 17},
			"as in compare": {strategy: "shark", window: 1, options: []Option{shared}},
		} {
			one := config
			one.Store, one.Strategy.Name, one.Window = t.TempDir()+"/run", way.strategy, way.window
			if way.options != nil {
				one.Web = ""
			}
			judged := 0
			goOn := func(pages, broken int) {
				ctx, over := context.WithCancel(context.Background())
				defer over()
				one.Budget.Pages = pages
				c, err := New(ctx, one.Config, append(one.Options(), way.options...)...)
				if err != nil {
					t.Fatal(err)
				}
				c.OnDone(func(v *Visit) {
					if v.Page != nil && !v.list {
						said.say(name, v.FinalURL, v.Judgement.Relevance)
						judged++
					}
					if judged == broken {
						over()
					}
				})
				if _, err := c.Run(ctx); err != nil && ctx.Err() == nil {
					t.Fatal(err)
				}
			}
			if way.pages+way.broken > 0 {
				goOn(max(way.pages, 3000*min(way.broken, 1)), way.broken)
			}
			before := judged
			goOn(3000, -1)
			if judged < 30 || judged == before {
				t.Errorf("%s: %d pages were judged, %d of them before it went on", name, judged, before)
			}
			said.becameOf(name, one.Store)
		}
		said.asked(config.Config)
	}
}

// becameOf asks of all pages what became of them. A log has five digits of a number.
func (r *relevances) becameOf(name, store string) {
	ran, err := run.Open(store)
	if err != nil {
		r.Fatal(err)
	}
	known := 0
	for address, relevance := range r.of {
		y, err := ran.Why(address)
		if err != nil {
			r.Fatal(err)
		}
		if y.Visit == nil || math.IsNaN(y.Visit.Relevance) {
			continue // a target of redirects, in the log under the address that led to it
		}
		if known++; math.Abs(y.Visit.Relevance-relevance) > 5e-5 {
			r.Errorf("%s: why says %v of %s, which is %v", name, y.Visit.Relevance, address, relevance)
		}
		if known == 20 {
			return
		}
	}
	r.Errorf("%s: why knows %d pages", name, known)
}

// asked asks for single pages, as judge and seeds do.
func (r *relevances) asked(config Config) {
	prober, err := probe.New(config, ground.Options{})
	if err != nil {
		r.Fatal(err)
	}
	defer prober.Close()
	var requests []probe.Request
	for _, address := range []string{"http://daily.example/", "http://www.ribao.example/"} {
		v, err := probe.Judge(config, "", address)
		if err != nil || v[0].Err != nil {
			r.Fatal(err, v)
		}
		r.say("judge", address, v[0].Judgement.Relevance)
		requests = append(requests, probe.Request{URL: address})
	}
	answers := 0
	if err := prober.Go(context.Background(), requests, func(a *probe.Answer) {
		if a.Err == nil && a.Page != nil {
			answers++
			r.say("seeds", a.FinalURL, a.Judgement.Relevance)
		}
	}); err != nil {
		r.Fatal(err)
	}
	if answers != len(requests) {
		r.Errorf("seeds has seen %d of %d pages", answers, len(requests))
	}
}
