package compare

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/thresher-crawler/thresher/focus"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
)

// asCrawl is the crawl of a file that names the web, its topic and the strategy, and says nothing else: links that leave the
// web, robots.txt, redirects, traps, duplicates and each host's time are met as any crawl meets them.
func (o *Options) asCrawl(k *task, v *variant, draw int) (focus.Config, error) {
	text := fmt.Sprintf("web: %q\nweb_topic: %q\n", k.dir, k.topic.Name)
	config, err := crawlfile.Read("compare.yaml", []byte(text), v.set...)
	if err != nil {
		return config, err
	}
	config.Strategy = v.strategy
	config.Store, config.Sinks = "", nil
	config.RandomSeed, config.SameJudge = o.Seed+uint64(draw), !o.OwnJudge
	config.Scope.Depth = o.Depth
	config.Seeds, config.Topic.Examples = k.addresses(k.seeds), k.addresses(k.examples)
	config.Budget = crawlfile.BudgetConfig{Pages: o.budget(k) + len(k.seeds) + k.silent()}
	// One worker does what many would, so that its time is the crawl's; the order is that of the window.
	config.Window, config.Polite.Parallel = cmp.Or(config.Window, config.Polite.Parallel), 1
	return config, nil
}

// Fetch is one visit of a crawl.
type Fetch struct {
	Web, Topic, Strategy string
	Draw                 int    // from 1
	Place                int    // among those that count, from 1; 0 of what is in no sum
	Relevant             bool   // by the labels
	Address              string // as it was asked for
}

// WriteFetched writes visits as a table.
func WriteFetched(w io.Writer, visits []Fetch) error {
	out := csv.NewWriter(w)
	out.Write([]string{"web", "topic", "strategy", "draw", "place", "relevant", "address"})
	for _, f := range visits {
		out.Write([]string{f.Web, f.Topic, f.Strategy, strconv.Itoa(f.Draw), strconv.Itoa(f.Place), strconv.FormatBool(f.Relevant), f.Address})
	}
	out.Flush()
	return out.Error()
}

// met hears of a visit of a crawl in which nothing was left out: whatever it was, it took a fetch. What counts is a page that can
// be reached, when its own address answers with it for the first time.
func (t *tracker) met(v *focus.Visit) {
	if v.Item.Via == 0 {
		return
	}
	n := -1
	recorded, ok := t.web.Has(v.Item.URL)
	if ok && t.unsaid(t.number[recorded]) {
		return
	}
	if ok && v.Page != nil {
		if at := t.number[recorded]; t.reach[at] && t.verdicts[at] == unfetched {
			n = at
			t.verdicts[n] = dropped
			if v.Kept {
				t.verdicts[n] = taken
			}
			t.bytes += t.size[n]
		}
	}
	t.count(v, int32(n), n >= 0 && t.relevant[n])
}
