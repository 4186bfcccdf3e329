package compare

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/topic"
	"github.com/thresher-crawler/thresher/focus/winnow"
)

// cell crawls a task with one variant, and reads off the figures.
func (r *runner) cell(ctx context.Context, k *task, f *floors, v *variant, draw int) (Cell, error) {
	r.Say(fmt.Sprintf("%s %s %s", k.web.Name(), k.topic.Name, v.name))
	config, err := r.config(k, v, draw)
	if err != nil {
		return Cell{}, err
	}
	if err := r.school.teach(k, v, &config, r.OwnJudge); err != nil {
		return Cell{}, err
	}
	if err := r.school.teachStrategy(k, &config); err != nil {
		return Cell{}, err
	}
	if err := r.jury.independent(k, &config); err != nil {
		return Cell{}, err
	}
	crawler, err := r.crawler(ctx, k, config)
	if err != nil {
		return Cell{}, err
	}
	t := tracker{task: k, looks: r.SecondLook, hours: r.Manners || r.AsCrawl, asCrawl: r.AsCrawl, verdicts: make([]verdict, len(k.address)), most: r.budget(k),
		s: measure.Sequence{Total: k.total, Reach: k.pages}}
	crawler.OnDone(t.done)
	if r.Fetched != nil {
		crawler.OnDone(func(visit *focus.Visit) {
			t.write(visit, Fetch{Web: k.web.Name(), Topic: k.topic.Name, Strategy: v.name, Draw: draw + 1})
		})
	}
	if r.ByLabels {
		t.judged = map[uint64]float64{}
		crawler.OnPage(t.labelled)
	}
	if _, err := crawler.Run(ctx); err != nil {
		return Cell{}, err
	}
	c := k.figures(v.name, t.s, f, t.most, t.cpu.milliseconds(), t.bytes)
	c.Kept, c.Pay, c.verdicts = kept(t.s, t.took), k.paid(t.s, t.fetched, t.at), t.verdicts
	c.visits = t.visits
	if r.SecondLook {
		r.Say(fmt.Sprintf("%s %s %s: the second look", k.web.Name(), k.topic.Name, v.name))
		c.Second, err = t.second(&config, r.Labels)
	}
	c.within(t.s, f.fetches)
	return c, err
}

// crawler is a crawl of a task: over pages that are read once for all, or as any crawl over the web.
func (r *runner) crawler(ctx context.Context, k *task, config focus.Config) (*focus.Crawler, error) {
	if r.AsCrawl {
		return focus.New(ctx, config)
	}
	pages, err := k.pagesOf(&config)
	if err != nil {
		return nil, err
	}
	return focus.New(ctx, config, focus.Over(pages), r.offer(k))
}

// labelled lets a strategy learn from a page's label; where a page of the web has none the judge's word stands. What the judge found is remembered: the
// second look begins with that.
func (t *tracker) labelled(v *focus.Visit) string {
	t.judged[v.Item.ID] = v.Judgement.Relevance
	n, inside := t.number[v.Item.URL]
	if inside && t.unsaid(n) {
		return ""
	}
	v.Judgement.Relevant = inside && t.relevant[n]
	v.Judgement.Relevance = truth(v.Judgement.Relevant)
	v.Judgement.Raw = v.Judgement.Relevance
	return ""
}

// tracker follows a crawl page by page.
type tracker struct {
	*task
	s        measure.Sequence
	took     []bool          // by place in s: it was kept
	fetched  []int32         // by place in s: the page; -1 for a dead link
	at       []time.Duration // by place in s: when it was there, beside the first page of all; empty where no manners are kept
	hours    bool            // they are kept
	began    time.Time
	asCrawl  bool      // nothing is left out
	noted    int       // how many of those that count were there at the last visit
	visits   []Fetch   // all of them, if somebody asked
	verdicts []verdict // by page
	most     int       // pages that count
	cpu      stopwatch
	bytes    int64
	judged   map[uint64]float64 // by item, what the judge found of pages that are learned from by their labels

	looks bool // pages are gathered for the second look
	hosts map[string]given
	pages []winnow.Page
	place []int // by page of pages: where it stands in s; -1 where it is in no sum
}

// done hears of a page. Start pages and examples are in no sum; a dead link costs a fetch.
func (t *tracker) done(v *focus.Visit) {
	t.cpu.lap(v.Spared)
	if t.began.IsZero() {
		t.began = v.Time
	}
	n, inside := t.number[v.Item.URL]
	if near := t.looks && t.near(v); t.looks && v.Page != nil {
		t.gather(v, near, inside && t.reach[n] && t.verdicts[n] == unfetched && len(t.s.Relevant) < t.most)
	}
	switch {
	case len(t.s.Relevant) == t.most:
	case t.asCrawl:
		t.met(v)
	case !inside && v.Item.Via != 0:
		t.count(v, -1, false)
	case inside && t.reach[n] && t.verdicts[n] == unfetched:
		t.verdicts[n] = dropped
		if v.Kept {
			t.verdicts[n] = taken
		}
		t.count(v, int32(n), t.relevant[n])
		t.bytes += t.size[n]
	}
}

// write notes a visit for those who asked, after it was counted.
func (t *tracker) write(v *focus.Visit, f Fetch) {
	f.Address = v.Item.URL
	if n := len(t.s.Relevant); n > t.noted {
		f.Place, f.Relevant = n, t.s.Relevant[n-1]
	}
	t.noted = len(t.s.Relevant)
	t.visits = append(t.visits, f)
}

// count counts a fetched page; n is -1 for a dead link.
func (t *tracker) count(v *focus.Visit, n int32, relevant bool) {
	t.s.Relevant, t.took, t.fetched = append(t.s.Relevant, relevant), append(t.took, v.Kept), append(t.fetched, n)
	if t.hours {
		t.at = append(t.at, v.Time.Sub(t.began))
	}
}

// budget is how many counted pages a crawl may fetch. Dead links may take more than there are pages.
func (o *Options) budget(k *task) int {
	switch {
	case o.Share > 0:
		return max(1, int(o.Share*float64(k.pages)+.5))
	case o.Pages > 0:
		return o.Pages
	case o.DeadLinks && !o.AsCrawl:
		return math.MaxInt
	}
	return k.pages
}

// config is the crawl of one cell: the topic as its web describes it, and manners that do not change the order.
func (o *Options) config(k *task, v *variant, draw int) (focus.Config, error) {
	if o.AsCrawl {
		return o.asCrawl(k, v, draw)
	}
	config := focus.Default()
	if l := k.web.Language(); l == "zh" || l == "en" {
		config.Topic.Language = topic.Language(l)
	}
	for _, term := range k.topic.Terms {
		config.Topic.Terms = append(config.Topic.Terms, crawlfile.TermConfig{Term: term, Weight: 1})
	}
	config.Scope.Traps, config.Scope.MaxAddress, config.Scope.Types = "ignore", 100000, "all"
	config.Duplicates = "keep"
	config.RandomSeed = o.Seed + uint64(draw) + 1
	if len(v.set) > 0 {
		if err := config.Override(v.set...); err != nil {
			return config, err
		}
	}
	config.Name = k.web.Name() + " " + k.topic.Name
	config.Strategy = v.strategy
	config.Store, config.Sinks = "", nil
	config.Polite.Robots = "ignore"
	config.Window = config.Polite.Parallel
	if !o.Manners {
		config.Polite.Delay, config.Polite.PerHost, config.Window = 0, 1, 1
	}
	config.Polite.Parallel = 1 // one worker does them all, so that its time is the crawl's; the window tells how many are under way
	config.Scope.Depth = o.Depth
	config.Seeds, config.Topic.Examples = k.addresses(k.seeds), k.addresses(k.examples)
	config.SameJudge = !o.OwnJudge
	config.Budget = crawlfile.BudgetConfig{}
	if o.Share > 0 || o.Pages > 0 { // what is in no sum is fetched beyond the budget
		config.Budget.Pages = o.budget(k) + len(k.seeds) + len(k.examples) + k.silent()
	}
	return config, nil
}

// offer lets in what is in the web and in the scope of the comparison, and links that leave it where those are asked for.
func (o *Options) offer(k *task) focus.Option {
	return focus.Offer(func(address string) bool {
		n, ok := k.number[address]
		return !ok && o.DeadLinks || ok && k.scope[n]
	})
}

func (k *task) addresses(pages []int) []string {
	var all []string
	for _, n := range pages {
		all = append(all, k.address[n])
	}
	return all
}
