// Package compare answers one question: which strategy is best here?
//
// Run crawls recorded webs with several strategies and measures them by the labels of the web, or by a judge trained on
// other material, never by the crawler's own score. A Cell is one strategy on one topic of one web; a Mean is one
// strategy over all of them, with its interval and how likely its lead over the baseline is chance. A strategy may be
// tried with several values of its parameters: each is a strategy of its own then.
package compare

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/measure"
	"github.com/thresher-crawler/thresher/focus/replay"
)

// Cell is one strategy on one topic of one web; several draws are averaged.
type Cell struct {
	Web       string             `json:"web"`
	Topic     string             `json:"topic"`
	Strategy  string             `json:"strategy"`
	Reachable int                `json:"reachable"` // pages that can be reached, start pages and examples left out
	Relevant  int                `json:"relevant"`  // relevant pages among them
	Fetched   int                `json:"fetched"`
	AUC       float64            `json:"auc"`         // area under recall over all that may be fetched
	Focus     float64            `json:"focus"`       // (auc - random) / (oracle2 - random)
	Recall    map[string]float64 `json:"recall"`      // after 5, 10, 20, 50 % of the reach, as far as the budget goes
	Harvest   map[string]float64 `json:"harvest"`     // the same
	Drift     float64            `json:"drift"`       // share of pages that were not relevant, at the end of the budget
	Windowed  float64            `json:"windowed"`    // harvest of the last 100 pages of the budget
	Precision float64            `json:"r_precision"` // harvest after as many pages as there are relevant ones
	PagesTo50 int                `json:"pages_to_50"` // 0 where it never came to that, in one of the draws at least
	PagesTo90 int                `json:"pages_to_90"`
	Yardsticks
	Pay
	Kept    Kept      `json:"kept"`
	Second  *Second   `json:"second_look,omitempty"`
	CPU     float64   `json:"cpu_ms"`
	Bytes   int64     `json:"bytes"`
	Curve   []float64 `json:"curve"`   // recall after each hundredth of the reach
	Optimum []float64 `json:"optimum"` // that of oracle2
	Chance  []float64 `json:"chance"`  // that of random

	course
}

// course is what is known of a crawl until its cell is told.
type course struct {
	verdicts []verdict   // by page
	draws    [][]verdict // those of each draw
	visits   []Fetch     // in the order of the crawl, if somebody asked
}

// Yardsticks are the areas that a strategy is measured by.
type Yardsticks struct {
	Oracle  float64 `json:"oracle"`  // of one who knows each target's label
	Oracle2 float64 `json:"oracle2"` // … and those of the pages it links to
	Random  float64 `json:"random"`  // of chance
	Breadth float64 `json:"breadth"` // of breadth-first over the links alone
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
	Worst    Worst              `json:"worst"`
	Pay
	Kept    Kept     `json:"kept"` // the verdicts that differ are all of them
	Second  *Second  `json:"second_look,omitempty"`
	LeftOut *LeftOut `json:"left_out,omitempty"` // how it is without one of the terms
	CPU     float64  `json:"cpu_ms"`
	Lead    float64  `json:"lead"`            // mean of focus minus the baseline's, cell by cell
	P       float64  `json:"p"`               // one-sided sign-flip test of that lead, corrected after Holm
	Claim   string   `json:"claim,omitempty"` // what the strategy's source reports, on a web of its own
}

// Skip is what could not be measured, and why.
type Skip struct {
	What   string `json:"what"`
	Reason string `json:"reason"`
}

// Note is what is to be known of how a strategy was measured.
type Note struct {
	Strategy string `json:"strategy"`
	Says     string `json:"says"`
}

// Result is what was measured.
type Result struct {
	Baseline string `json:"baseline"`
	Judge    string `json:"judge,omitempty"` // the model that judged webs without labels, and what it says of itself
	Tuned    *Tuned `json:"tuned,omitempty"` // how the winner was chosen; cells and means are of other webs
	Cells    []Cell `json:"cells"`
	Means    []Mean `json:"means"`
	Skipped  []Skip `json:"skipped"`
	Notes    []Note `json:"notes,omitempty"`

	without []Without // one for each strategy, topic and term, where terms were left out
	chinese bool      // the webs that were measured are Chinese
}

// shares are where recall and harvest are read, in percent of the reach.
var shares = measure.Shares

// Run compares. Where the context ends, what was measured until then is the result, topic by topic; an error where nothing was.
func Run(ctx context.Context, o Options) (*Result, error) {
	r, err := o.runner()
	if err != nil {
		return nil, err
	}
	defer r.school.close()
	defer r.closeWebs()
	if err := r.openWebs(); err != nil {
		return nil, err
	}
	if err := r.needsJury(); err != nil {
		return nil, err
	}
	if len(o.Tune) > 0 {
		return r.tune(ctx)
	}
	return r.measure(ctx, o.Webs)
}

// runner is a comparison under way.
type runner struct {
	*Options
	variants []variant
	result   *Result // of the webs that are measured now
	school   *school
	webs     map[string]*replay.Web // by folder
	jury     *jury
	judged   []string // webs that the jury labels, of those that are measured now
}

// measure runs all variants over some webs.
func (r *runner) measure(ctx context.Context, webs []string) (*Result, error) {
	r.result, r.judged = &Result{Baseline: r.Baseline, Cells: []Cell{}, Skipped: []Skip{}}, nil
	for _, dir := range webs {
		err := r.web(ctx, dir)
		if err != nil && ctx.Err() != nil && len(r.result.Cells) > 0 {
			r.skip("the topics from here on", "the comparison was interrupted")
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if len(r.result.Cells) == 0 {
		return nil, fmt.Errorf("nothing could be measured: %s", reasons(r.result.Skipped))
	}
	r.standIn()
	r.result.compared()
	r.result.Notes = r.notes()
	if len(r.judged) > 0 {
		r.result.Judge = r.jury.about()
		if len(r.judged) < len(webs) {
			r.result.Judge += "; it judged " + strings.Join(r.judged, ", ") + ", and the other webs have labels"
		}
	}
	r.result.means(r.variants, r.Seed)
	return r.result, nil
}

// standIn takes the first strategy that was measured for the baseline where that was not, untrained as it may be: no lead is over nothing.
func (r *runner) standIn() {
	if was := r.result.Baseline; !slices.ContainsFunc(r.result.Cells, func(c Cell) bool { return c.Strategy == was }) {
		r.result.Baseline = r.result.Cells[0].Strategy
		r.skip("the baseline "+was, "it was not measured; "+r.result.Baseline+" is in its place")
	}
}

// notes tells of the strategies whose judge is made of pages, that they were given none but the start pages.
func (r *runner) notes() (notes []Note) {
	for _, v := range r.variants {
		if r.Examples > 0 || !r.OwnJudge {
			break
		}
		config := focus.Default()
		config.Topic.Terms = []crawlfile.TermConfig{{Term: "any", Weight: 1}} // as every topic of a recorded web has
		if err := config.Override(v.set...); err != nil {
			continue
		}
		config.Strategy = v.strategy
		if s, err := config.LoadStrategy(nil); err == nil && config.TopicIsSeeds(s) {
			notes = append(notes, Note{v.name, seedsNote})
		}
	}
	return notes
}

func reasons(skipped []Skip) string {
	var all []string
	for _, s := range skipped {
		all = append(all, s.What+": "+s.Reason)
	}
	return strings.Join(all, "; ")
}

// skip notes what could not be measured, once: without one of its terms a topic is skipped for the same reason again.
func (r *runner) skip(what, reason string) {
	if s := (Skip{what, reason}); !slices.Contains(r.result.Skipped, s) {
		r.result.Skipped = append(r.result.Skipped, s)
	}
}

// opened opens a web that was asked for.
func opened(dir string) (*replay.Web, error) {
	web, err := replay.Open(dir)
	if err != nil {
		return nil, misuse("%v", err)
	}
	return web, nil
}

// openWebs opens all webs that were asked for, and sees to it that each topic that was is one of theirs: what is misspelt is told before
// anything is measured.
func (r *runner) openWebs() error {
	r.webs = map[string]*replay.Web{}
	var topics []string
	for _, dir := range slices.Concat(r.Webs, r.Tune, r.Show) {
		web, err := opened(dir)
		if err != nil {
			return err
		}
		r.webs[dir] = web
		for _, t := range web.Topics() {
			if !slices.Contains(topics, t.Name) {
				topics = append(topics, t.Name)
			}
		}
	}
	for _, t := range r.Topics {
		if len(topics) > 0 && !slices.Contains(topics, t) {
			return misuse("no web has a topic %s; there are %s", t, strings.Join(topics, ", "))
		}
	}
	return nil
}

func (r *runner) closeWebs() {
	for _, web := range r.webs {
		web.Close() // they were only read
	}
}

// web measures all topics of one web.
func (r *runner) web(ctx context.Context, dir string) error {
	web := r.webs[dir]
	topics, err := r.chosen(web)
	if err != nil {
		return err
	}
	r.flaws(web)
	r.Say("reading " + web.Name())
	g, err := openGraph(web, r.Rules)
	if err != nil {
		return err
	}
	g.jury, g.dir = r.jury, dir
	if web.Labelled() == 0 && r.jury != nil {
		r.judged = append(r.judged, web.Name())
	}
	r.result.chinese = web.Language() == "zh" && (r.result.chinese || len(r.result.Cells) == 0)
	if web.Labelled() == 0 && r.jury == nil {
		return fmt.Errorf("web %s has no labels; label its pages in labels.tsv (address, tab, labels), or give a judge that was trained on other pages with --judge-model FILE", web.Name())
	}
	for _, t := range topics {
		cells, err := r.topic(ctx, g, t)
		r.result.Cells = append(r.result.Cells, cells...)
		if err != nil {
			return err
		}
		if r.LeaveOut {
			if err := r.leaveOut(ctx, g, t, cells); err != nil {
				return err
			}
		}
		g.forgetWords()
	}
	return nil
}

// chosen are the topics of a web that are measured.
func (r *runner) chosen(web *replay.Web) ([]replay.Topic, error) {
	var chosen []replay.Topic
	var names []string
	for _, t := range web.Topics() {
		names = append(names, t.Name)
		if len(r.Topics) == 0 || slices.Contains(r.Topics, t.Name) {
			chosen = append(chosen, t)
		}
	}
	switch {
	case len(names) == 0:
		return nil, fmt.Errorf("web %s has no topics; name them in its web.yaml", web.Name())
	case len(chosen) == 0:
		return nil, misuse("web %s has none of the topics %s; it has %s", web.Name(), strings.Join(r.Topics, ", "), strings.Join(names, ", "))
	}
	return chosen, nil
}

// flaws notes what of a web cannot be measured: labels without pages, records that cannot be read.
func (r *runner) flaws(web *replay.Web) {
	if lost := web.Unrecorded(); len(lost) > 0 {
		r.skip(fmt.Sprintf("%s: %d of %d labels", web.Name(), len(lost), web.Labelled()),
			fmt.Sprintf("no page is recorded under the address, such as %s", lost[0]))
	}
	if n, why := web.Skipped(); n > 0 {
		r.skip(fmt.Sprintf("%s: %d records", web.Name(), n), fmt.Sprintf("they cannot be read, the last because: %v", why))
	}
}

// topic measures all variants on one topic, side by side.
func (r *runner) topic(ctx context.Context, g *graph, t replay.Topic) (measured []Cell, err error) {
	type run struct {
		cells []Cell
		err   error
	}
	runs := make([]run, len(r.variants))
	var stopped error
	for draw := range r.Draws {
		k, err := newTask(g, t, drawing{r.Examples, r.Seed + uint64(draw), r.AtExamples, r.Starts}, r.Depth)
		if err != nil {
			r.skip(g.web.Name()+" "+t.Name, err.Error())
			return nil, nil
		}
		if err := r.jury.strange(k); err != nil {
			r.skip(g.web.Name()+" "+t.Name, err.Error())
			return nil, nil
		}
		if k.blank > 0 && draw == 0 {
			r.skip(fmt.Sprintf("%s %s: %d of %d pages", g.web.Name(), t.Name, k.blank, k.silent()+k.pages), k.bareness())
		}
		f, before := k.floors(r.budget(k)), slices.Clone(runs)
		var all sync.WaitGroup
		slots := make(chan struct{}, r.Jobs)
		for i := range r.variants {
			if runs[i].err != nil {
				continue
			}
			slots <- struct{}{}
			if ctx.Err() != nil {
				break
			}
			all.Go(func() {
				defer func() { <-slots }()
				cell, err := r.cell(ctx, k, &f, &r.variants[i], draw)
				runs[i].cells, runs[i].err = append(runs[i].cells, cell), err
			})
		}
		all.Wait()
		if stopped = ctx.Err(); stopped != nil && draw > 0 {
			r.skip(fmt.Sprintf("%s %s: draws from %d on", g.web.Name(), t.Name, draw+1), "the comparison was interrupted")
			copy(runs, before)
			break
		}
		if stopped != nil {
			return nil, stopped
		}
	}
	for i := range runs {
		r.tell(runs[i].cells)
	}
	for i, v := range r.variants {
		if err := runs[i].err; err != nil {
			r.skip(g.web.Name()+" "+t.Name+" "+v.name, err.Error())
			continue
		}
		measured = append(measured, average(runs[i].cells))
	}
	return measured, stopped
}

// tell tells of each visit of some crawls, to who asked.
func (r *runner) tell(cells []Cell) {
	for i := range cells {
		for _, f := range cells[i].visits {
			r.Fetched(f)
		}
		cells[i].visits = nil
	}
}
