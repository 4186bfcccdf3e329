// Package compare answers one question: which strategy is best here?
//
// Run crawls recorded webs with several strategies and measures them by the labels of the web, never by the crawler's own
// score. A Cell is one strategy on one topic of one web; a Mean is one strategy over all of them, with its interval and
// how likely its lead over the baseline is chance.
package compare

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/replay"
)

// Options say what is compared.
type Options struct {
	Webs       []string         // folders of recorded webs
	Topics     []string         // names of topics; empty means all
	Strategies []string         // names or paths of strategies
	Set        []focus.Override // keys of the crawl file that are set for all of them
	Share      float64          // budget as a share of the pages that can be reached; 0 means all of them
	Pages      int              // budget in pages, where Share is 0; 0 means all
	Examples   int              // example pages drawn for each topic
	Draws      int              // how often they are drawn; 0 means once
	Depth      int              // links from the start pages; 0 means any
	Jobs       int              // crawls at the same time; 0 means one a processor
	DeadLinks  bool             // links that leave the web are offered, too, and each costs a fetch
	AtExamples bool             // the drawn examples are the start pages
	OwnJudge   bool             // each strategy's own judge, not one for all
	Baseline   string           // the strategy that the others are tested against; empty means the first
	Seed       uint64
	Say        func(string) // hears how it goes; may be nil
}

// Cell is one strategy on one topic of one web; several draws are averaged.
type Cell struct {
	Web       string             `json:"web"`
	Topic     string             `json:"topic"`
	Strategy  string             `json:"strategy"`
	Reachable int                `json:"reachable"` // pages that can be reached, start pages and examples left out
	Relevant  int                `json:"relevant"`  // relevant pages among them
	Fetched   int                `json:"fetched"`
	AUC       float64            `json:"auc"`      // area under recall over the whole reach
	Focus     float64            `json:"focus"`    // (auc - random) / (oracle2 - random)
	Recall    map[string]float64 `json:"recall"`   // after 5, 10, 20, 50 % of the reach
	Harvest   map[string]float64 `json:"harvest"`  // the same
	Drift     float64            `json:"drift"`    // share of pages that were not relevant, at the end of the budget
	Windowed  float64            `json:"windowed"` // harvest of the last 100 pages of the budget
	PagesTo50 int                `json:"pages_to_50"`
	PagesTo90 int                `json:"pages_to_90"`
	Oracle    float64            `json:"oracle"`  // area of one who knows each target's label
	Oracle2   float64            `json:"oracle2"` // … and those of the pages it links to
	Random    float64            `json:"random"`  // area of chance
	Breadth   float64            `json:"breadth"` // area of breadth-first over the links alone
	CPU       float64            `json:"cpu_ms"`
	Bytes     int64              `json:"bytes"`
	Curve     []float64          `json:"curve"`   // recall after each hundredth of the reach
	Optimum   []float64          `json:"optimum"` // that of oracle2
	Chance    []float64          `json:"chance"`  // that of random
}

// Mean is one strategy over all cells.
type Mean struct {
	Strategy string             `json:"strategy"`
	Cells    int                `json:"cells"`
	AUC      float64            `json:"auc"`
	Focus    float64            `json:"focus"`
	Low      float64            `json:"focus_low"` // 95 % interval of Focus
	High     float64            `json:"focus_high"`
	Recall   map[string]float64 `json:"recall"`
	Harvest  map[string]float64 `json:"harvest"`
	CPU      float64            `json:"cpu_ms"`
	Lead     float64            `json:"lead"` // mean of focus minus the baseline's, cell by cell
	P        float64            `json:"p"`    // one-sided sign-flip test of that lead, corrected after Holm
}

// Skip is what could not be measured, and why.
type Skip struct {
	What   string `json:"what"`
	Reason string `json:"reason"`
}

// Result is what was measured.
type Result struct {
	Baseline string `json:"baseline"`
	Cells    []Cell `json:"cells"`
	Means    []Mean `json:"means"`
	Skipped  []Skip `json:"skipped"`
}

// shares are where recall and harvest are read, in percent of the reach.
var shares = []int{5, 10, 20, 50}

// Run compares.
func Run(ctx context.Context, o Options) (*Result, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	result := &Result{Baseline: o.Baseline, Cells: []Cell{}, Skipped: []Skip{}}
	for _, dir := range o.Webs {
		if err := o.web(ctx, dir, result); err != nil {
			return nil, err
		}
	}
	if len(result.Cells) == 0 {
		return nil, fmt.Errorf("compare: nothing could be measured: %s", reasons(result.Skipped))
	}
	result.means(o)
	return result, nil
}

func reasons(skipped []Skip) string {
	var all []string
	for _, s := range skipped {
		all = append(all, s.What+": "+s.Reason)
	}
	return strings.Join(all, "; ")
}

func (o *Options) complete() error {
	switch {
	case len(o.Webs) == 0:
		return errors.New("compare: there is no web to compare on; name one with --web DIR")
	case len(o.Strategies) == 0:
		return errors.New("compare: there is no strategy to compare")
	case !(0 <= o.Share && o.Share <= 1):
		return fmt.Errorf("compare: the budget is %v of the reach, want more than 0 %% and at most 100 %%", o.Share)
	}
	if o.Baseline == "" {
		o.Baseline = o.Strategies[0]
	}
	if !slices.Contains(o.Strategies, o.Baseline) {
		return fmt.Errorf("compare: the baseline %s is not among the strategies", o.Baseline)
	}
	o.Draws = max(o.Draws, 1)
	if o.Jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	if o.Say == nil {
		o.Say = func(string) {}
	}
	return nil
}

// web measures all topics of one web.
func (o *Options) web(ctx context.Context, dir string, result *Result) error {
	web, err := replay.Open(dir)
	if err != nil {
		return err
	}
	defer web.Close()
	if len(web.Topics()) == 0 {
		return fmt.Errorf("compare: web %s has no topics; name them in its web.yaml", dir)
	}
	o.Say("reading " + web.Name())
	g, err := openGraph(web, o.DeadLinks)
	if err != nil {
		return err
	}
	found := false
	for _, t := range web.Topics() {
		if len(o.Topics) > 0 && !slices.Contains(o.Topics, t.Name) {
			continue
		}
		found = true
		if err := o.topic(ctx, g, t, result); err != nil {
			return err
		}
	}
	if !found {
		var names []string
		for _, t := range web.Topics() {
			names = append(names, t.Name)
		}
		return fmt.Errorf("compare: web %s has none of the topics %s; it has %s", web.Name(), strings.Join(o.Topics, ", "), strings.Join(names, ", "))
	}
	return nil
}

// topic measures all strategies on one topic, side by side.
func (o *Options) topic(ctx context.Context, g *graph, t replay.Topic, result *Result) error {
	type run struct {
		cells []Cell
		err   error
	}
	runs := make([]run, len(o.Strategies))
	for draw := range o.Draws {
		k, err := newTask(g, t, o.Examples, o.Depth, o.Seed+uint64(draw), o.AtExamples)
		if err != nil {
			result.Skipped = append(result.Skipped, Skip{g.web.Name() + " " + t.Name, err.Error()})
			return nil
		}
		f := k.floors()
		key := fmt.Sprintf("%s#%d", t.Name, draw)
		var all sync.WaitGroup
		slots := make(chan struct{}, o.Jobs)
		for i, strategy := range o.Strategies {
			if runs[i].err != nil || ctx.Err() != nil {
				continue
			}
			all.Go(func() {
				slots <- struct{}{}
				defer func() { <-slots }()
				o.Say(fmt.Sprintf("%s %s %s", g.web.Name(), t.Name, strategy))
				cell, err := o.cell(ctx, k, &f, strategy, key)
				if err != nil {
					runs[i].err = err
					return
				}
				runs[i].cells = append(runs[i].cells, cell)
			})
		}
		all.Wait()
		g.shelf.Forget(key)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	for i, strategy := range o.Strategies {
		if err := runs[i].err; err != nil {
			result.Skipped = append(result.Skipped, Skip{g.web.Name() + " " + t.Name + " " + strategy, err.Error()})
			continue
		}
		result.Cells = append(result.Cells, average(runs[i].cells))
	}
	return nil
}

// cell runs one strategy on one task.
func (o *Options) cell(ctx context.Context, k *task, f *floors, strategy, key string) (Cell, error) {
	config, err := o.config(k, strategy, key)
	if err != nil {
		return Cell{}, err
	}
	crawler, err := focus.New(config)
	if err != nil {
		return Cell{}, err
	}
	s := measure.Sequence{Total: k.total, Reach: k.pages}
	counted := make([]bool, len(k.address))
	var cpu stopwatch
	crawler.OnDone(func(v *focus.Visit) {
		cpu.lap()
		n, ok := k.number[v.Item.URL]
		switch {
		case !ok && v.Item.Via != 0: // a dead link costs a fetch
			s.Relevant = append(s.Relevant, false)
		case ok && k.reach[n] && !counted[n]:
			counted[n] = true
			s.Relevant = append(s.Relevant, k.relevant[n])
		}
	})
	report, err := crawler.Run(ctx)
	if err != nil {
		return Cell{}, err
	}
	return k.figures(strategy, s, f, o.budget(k), cpu.milliseconds(), report.Counts.Bytes), nil
}

// budget is how many counted pages a crawl may fetch.
func (o *Options) budget(k *task) int {
	switch {
	case o.Share > 0:
		return max(1, int(o.Share*float64(k.pages)+.5))
	case o.Pages > 0:
		return o.Pages
	}
	return k.pages
}

// config is the crawl of one cell: the topic as its web describes it, and manners that do not change the order.
func (o *Options) config(k *task, strategy, key string) (focus.Config, error) {
	config := focus.Default()
	config.Name = k.web.Name() + " " + k.topic.Name
	config.Strategy.Name = strategy
	config.Store = ""
	config.Sinks = nil
	config.Shelf, config.ShelfTopic = k.shelf, key
	config.RandomSeed = o.Seed + 1
	config.Polite.Delay, config.Polite.PerHost, config.Polite.Parallel, config.Polite.Robots = 0, 1, 1, "ignore"
	config.Window = 1
	config.Scope.TrapRepeat, config.Scope.MaxAddress, config.Scope.Depth = 100, 100000, o.Depth
	config.Scope.Types = "all"
	if l := k.web.Language(); l == "zh" || l == "en" {
		config.Topic.Language = l
	}
	for _, term := range k.topic.Terms {
		config.Topic.Terms = append(config.Topic.Terms, focus.TermConfig{Term: term, Weight: 1})
	}
	for _, n := range k.examples {
		config.Topic.Examples = append(config.Topic.Examples, k.address[n])
	}
	for _, n := range k.seeds {
		config.Seeds = append(config.Seeds, k.address[n])
	}
	if !o.OwnJudge {
		config.SameJudge = true
	}
	config.Offer = func(address string) bool {
		n, ok := k.number[address]
		return !ok && o.DeadLinks || ok && k.scope[n]
	}
	if o.Share > 0 || o.Pages > 0 {
		config.Budget.Pages = o.budget(k) + len(k.seeds)
	} else {
		config.Budget.Pages = 0
	}
	return config, config.Override(o.Set...)
}
