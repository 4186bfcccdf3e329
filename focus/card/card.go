// Package card answers one question: what does somebody who takes a data set have to know of it? It gathers that from a run, and
// writes it in the form that hubs of data sets read: Markdown with YAML at its head.
package card

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/thresher-crawler/thresher/focus/admit"
	"github.com/thresher-crawler/thresher/focus/crawlfile"
	"github.com/thresher-crawler/thresher/focus/run"
	"github.com/thresher-crawler/thresher/focus/sink"
)

// Card is what is to be known of the pages that a run keeps.
type Card struct {
	Config      crawlfile.Config // as it ran
	File        string           // the crawl file, by its own name
	Version     string           // of the program that writes the card
	Fields      string           // a table in Markdown of what the fields of a page say
	Figures     *run.Figures     // how much of the topic it is, as far as anybody knows
	Pages       int              // that are kept
	Gone        int              // of those: pages that are not there any more
	Judged      int              // pages that were fetched and judged, and that nothing else kept out: those of an audit
	First, Last time.Time        // of the pages that are kept
	Languages   []Count
	Hosts       []Count
	Said        []Count // what the authors of kept pages say of their use
	Obeyed      []Count // why pages were not asked for, or not kept, because a site or an author says so
	Again       bool    // a second look decided, and did not let the first one stand
}

// Count is how often there is something, the commonest first.
type Count struct {
	Name  string
	Times int
}

// Of gathers what is to be known of a run, in the folder of the run or in those of the machines that share it.
func Of(dir string, folders []string) (*Card, error) {
	opened, err := run.OpenAll(dir)
	if err != nil {
		return nil, err
	}
	standing, _, err := run.StandingOf(dir)
	if err != nil {
		return nil, err
	}
	c := &Card{}
	if c.Config, err = opened.Config(); err != nil {
		return nil, err
	}
	if c.File = filepath.Base(standing.File); standing.File == "" {
		c.File = strings.ReplaceAll(c.Config.Name, string(os.PathSeparator), "-") + ".yaml"
	}
	if c.Figures, err = run.ReadFigures(dir); err != nil {
		return nil, err
	}
	if err := c.asked(opened); err != nil {
		return nil, err
	}
	return c, c.kept(folders)
}

// asked counts the addresses of which a run was told no, and those of which the judge decided, however often they were visited.
func (c *Card) asked(opened *run.Run) error {
	type no struct {
		address uint64
		reason  string
	}
	judged, refused, reasons := map[uint64]bool{}, map[no]bool{}, map[string]int{}
	err := opened.Asked(func(d *run.Decision) bool {
		address, kind := sink.Key(d.URL), d.Reason.Kind()
		if slices.Contains(admit.Obeyed, kind) {
			if n := (no{address, kind.Sentence()}); !refused[n] {
				refused[n] = true
				reasons[n.reason]++
			}
		}
		if d.Open() {
			judged[address] = true
		}
		return true
	})
	c.Judged, c.Obeyed = len(judged), counts(reasons)
	return err
}

// kept counts what is kept.
func (c *Card) kept(folders []string) error {
	languages, hosts, said := map[string]int{}, map[string]int{}, map[string]int{}
	seen := map[uint64]bool{}
	for _, folder := range folders {
		if !sink.HasKept(folder) {
			if names, err := sink.HarvestFiles(folder); err != nil || len(names) == 0 {
				return cmp.Or(err, error(missing(folder)))
			}
		}
		for r, err := range sink.Kept(folder) {
			if err != nil {
				return err
			}
			if seen[r.ID] {
				continue
			}
			seen[r.ID] = r.ID != 0 // of chosen fields it may be none
			run.Addressed(r)
			c.Pages++
			c.Again = c.Again || r.Looked()
			if r.Gone != "" {
				c.Gone++
			}
			languages[r.Language]++
			hosts[r.Host]++
			for _, s := range r.OptOuts {
				said[s]++
			}
			if c.First.IsZero() || !r.Time.IsZero() && r.Time.Before(c.First) {
				c.First = r.Time
			}
			if r.Time.After(c.Last) {
				c.Last = r.Time
			}
		}
	}
	delete(languages, "")
	c.Languages, c.Hosts, c.Said = counts(languages), counts(hosts), counts(said)
	return nil
}

// missing is a folder that keeps no pages that could be read.
type missing string

func (m missing) Error() string {
	return fmt.Sprintf("%s has no harvest.jsonl: a card is of pages that a jsonl sink keeps (sinks: [{to: jsonl}])", string(m))
}

func counts(of map[string]int) []Count {
	var all []Count
	for _, name := range slices.Sorted(maps.Keys(of)) {
		all = append(all, Count{name, of[name]})
	}
	slices.SortStableFunc(all, func(a, b Count) int { return cmp.Compare(b.Times, a.Times) })
	return all
}

// strategy is the strategy by its own name: where its file stood says nothing to others.
func (c *Card) strategy() string {
	return strings.TrimSuffix(filepath.Base(filepath.ToSlash(c.Config.Strategy.Name)), ".yaml")
}
