package winnow

import (
	"cmp"
	"math"
	"slices"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/audit"
	"github.com/thresher-crawler/thresher/focus/learn"
	"github.com/thresher-crawler/thresher/focus/rank"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// visited is a visit of a crawl.
type visited struct {
	id, newest uint64 // the highest number that a link had when it was made
	score      float64
}

// nobody is the number of no page.
const nobody = math.MaxUint64

// The last visits are the last third of all, and so many at least.
const leastLate = 40

// course is what a crawl shows of pages that are not kept after a second look.
func (r *Report) course(dir string, s *sheaf, c *Cut) (*audit.Course, error) {
	ran, err := run.OpenAll(dir)
	if err != nil {
		return nil, err
	}
	of := &audit.Course{Kept: r.Kept, Unjudged: r.Refused, Waiting: ran.Standing.Waiting}
	if err := r.doubted(of, s, c); err != nil {
		return nil, err
	}
	var visits []visited
	newest, ended := uint64(0), run.Ended{}
	if err := ran.Log(func(d *run.Decision) bool {
		first := ended.Hear(d) // a round of --again brings nothing new
		switch {
		case d.Decision == "push":
			newest = max(newest, d.ID)
		case first:
			v := visited{d.ID, newest, d.Score}
			if run.ComesBack(d.Reason) { // and may be kept by another visit
				v.id = nobody
			}
			visits = append(visits, v)
			if _, looked := s.at[d.ID]; !looked && d.Reason == admit.RefusedWeak {
				of.Unseen++
			}
		}
		return true
	}); err != nil {
		return nil, err
	}
	if of.Blind = blind(ran); len(ran.Parts) > 0 {
		return of, nil
	}
	kept := map[uint64]bool{}
	for i := range r.Verdicts {
		kept[r.Verdicts[i].ID] = r.Verdicts[i].Kept
	}
	for i := range s.rest {
		kept[s.rest[i].ID] = true
	}
	lately(of, visits, kept)
	return of, nil
}

// doubted counts what the second look dropped, and what of it is relevant as far as it knows. Of clearly foreign pages it has a sample,
// which tells of the others too, whatever became of its own, and whatever somebody said of them: it was drawn before. Those of sites that
// give much are all there, and tell of no others.
func (r *Report) doubted(of *audit.Course, s *sheaf, c *Cut) error {
	pages, o := r.Archive.Pages, &r.Archive.Options
	chances, err := r.chances(s, c)
	if err != nil {
		return err
	}
	for i, chance := range chances {
		if said, labelled := o.Labels[pages[i].URL]; labelled {
			chance = 0
			if said {
				chance = 1
			}
		}
		if !o.All && !pages[i].Near && sink.Foreign(pages[i].Relevance, o.Threshold) {
			of.Found += chance
			of.Sampled++
		}
		if v := &r.Verdicts[i]; !v.Kept && !v.List {
			of.Expected += chance
			of.Dropped++
		}
	}
	return nil
}

// chances are how likely pages are relevant, as long as nobody says so. A trained judge alone does not know: the labels that it learned
// from were often asked of the hardest pages, and of easy ones it is not as sure as it could be. So the second look is heard, too, and
// each counts half.
func (r *Report) chances(s *sheaf, c *Cut) ([]float64, error) {
	from, all := r.Archive.Options.Threshold, slices.Clone(r.unsaid)
	if c.Model == "" {
		for i := range all {
			all[i] = learn.Sigmoid(r.odds(i, from))
		}
		return all, nil
	}
	second, err := s.look(&r.Archive.Options)
	if err != nil || from == 0 { // from where every page is kept there are no odds
		return all, err
	}
	for i, said := range all {
		all[i] = learn.Sigmoid((second.odds(i, from) + logit(said)) / 2)
	}
	return all, nil
}

// logit are the log-odds of what a trained judge says.
func logit(said float64) float64 {
	said = min(max(said, .001), .999)
	return math.Log(said / (1 - said))
}

// blind says why the course of a run does not show what waits; empty where it does. What has not learned from its visits what links are
// worth keeps many of one promise, the good ones among the others, however little the last visits brought.
func blind(ran *run.Run) string {
	switch {
	case len(ran.Parts) > 0:
		return "machines share the crawl, and its links wait elsewhere"
	case ran.Strategy == nil:
		return "its strategy is that of another version of thresher"
	case ran.Strategy.Select.Use != "best":
		return "its strategy does not visit first what promises most"
	case !slices.ContainsFunc(ran.Strategy.Nodes(), func(n rank.Node) bool { return n.Use == "apprentice" }):
		return "its strategy does not learn what its links are worth"
	}
	return ""
}

// lately is what the last visits brought, by their promises.
func lately(of *audit.Course, visits []visited, kept map[uint64]bool) {
	late := visits[max(0, len(visits)-max(len(visits)/3, leastLate)):]
	if len(late) == 0 {
		return
	}
	known := late[0].newest
	late = slices.DeleteFunc(slices.Clone(late), func(v visited) bool { return math.IsNaN(v.score) }) // start pages
	slices.SortStableFunc(late, func(a, b visited) int { return cmp.Compare(b.score, a.score) })
	for i, v := range late {
		if i >= len(late)/2 {
			of.Late++
		}
		switch {
		case !kept[v.id]:
			continue
		case v.id <= known:
			of.Known++
		default:
			of.New++
		}
		if i >= len(late)/2 {
			of.Yielded++
		}
	}
}
